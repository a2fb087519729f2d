// The fixture of tests that need a device.
#ifndef vmcGpuTest_h
#define vmcGpuTest_h

#include "Compute/Devices.h"
#include "Compute/System/Error.h"
#include "Compute/Vulkan/Device.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace vmc::test
{

// Opens the shared device. Without one the test is skipped with the reason; whatever the validation layer says while
// it runs (environment variable VMC_VALIDATION=1) fails it.
class GpuTest : public ::testing::Test
{
protected:
  void SetUp() override
  {
    try
    {
      this->SharedDevice = sharedDevice();
    }
    catch (const Error& error)
    {
      if (error.kind() != Error::Kind::NoDevice)
        throw;
      GTEST_SKIP() << error.what();
    }
    EXPECT_TRUE(isValidating()) << "Set VMC_VALIDATION=1, as ctest does: silence is part of every test.";
    this->MessagesBefore = validationMessages().size();
  }

  void TearDown() override
  {
    if (!this->SharedDevice)
      return;
    const std::vector<std::string> messages = validationMessages();
    for (std::size_t i = this->MessagesBefore; i < messages.size(); ++i)
      ADD_FAILURE() << "The validation layer says: " << messages[i];
  }

  const std::shared_ptr<Device>& device() const { return this->SharedDevice; }

private:
  std::shared_ptr<Device> SharedDevice;
  std::size_t MessagesBefore = 0;
};

}

#endif
