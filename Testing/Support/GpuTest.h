// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The fixture of tests that need a device.
#ifndef vmcGpuTest_h
#define vmcGpuTest_h

#include "Compute/Context.h"
#include "Compute/System/Error.h"
#include "Compute/Vulkan/Instance.h"
#include "Support/SubmissionFailure.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace vmc::test
{

// Options of a device with these limits in addition to its own.
inline DeviceOptions optionsWith(const DeviceLimits& limits)
{
  DeviceOptions options;
  options.limits = limits;
  return options;
}

// At most so many workgroups per dispatch along one axis.
inline DeviceOptions optionsWithWorkgroups(std::uint32_t maxGroups)
{
  return optionsWith({ ~0ull, 1, maxGroups });
}

// Returns whether tests need no validation layer: the environment variable VMC_VALIDATION is 0, as for systems without
// layers.
inline bool runsWithoutValidation()
{
  const char* const wanted = std::getenv("VMC_VALIDATION");
  return wanted && std::string(wanted) == "0";
}

// Opens one device for all tests of the program. Without a usable device the test is skipped and prints the reason. Any
// message of the validation layer (environment variable VMC_VALIDATION=1) during the test fails it.
class GpuTest : public ::testing::Test
{
protected:
  void SetUp() override
  {
    try
    {
      this->Shared = openOnce();
    }
    catch (const Error& error)
    {
      if (error.kind() != Error::Kind::NoDevice)
        throw;
      GTEST_SKIP() << error.what();
    }
    EXPECT_TRUE(isValidating() || runsWithoutValidation())
      << "Set VMC_VALIDATION=1, as ctest does: every test checks that there is no validation message.";
    this->MessagesBefore = validationMessages().size();
  }

  void TearDown() override
  {
    if (!this->Shared)
      return;
    const std::vector<std::string> messages = validationMessages();
    for (std::size_t i = this->MessagesBefore; i < messages.size(); ++i)
      ADD_FAILURE() << "The validation layer reports: " << messages[i];
  }

  const std::shared_ptr<Context>& sharedContext() const { return this->Shared; }
  Context& context() const { return *this->Shared; }
  Device& device() const { return this->Shared->device(); }

  static SubmissionFailure& submissionFailure()
  {
    static SubmissionFailure failure;
    return failure;
  }

private:
  // Never destroyed: drivers do not unload reliably at the end of a process.
  static std::shared_ptr<Context> openOnce()
  {
    static auto* const context = new std::shared_ptr<Context>;
    if (!*context)
    {
      DeviceOptions options;
      options.beforeSubmission = submissionFailure().hook();
      *context = std::make_shared<Context>(options);
    }
    return *context;
  }

  std::shared_ptr<Context> Shared;
  std::size_t MessagesBefore = 0;
};

}

#endif
