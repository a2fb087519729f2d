// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Extractions on a device that fails, and a test that the validation layer reports an error.
#include "ExtractionTest.h"
#include "Support/Contains.h"
#include "Support/SharedDevice.h"

#include "Compute/System/Error.h"
#include "Compute/Vulkan/CommandRecorder.h"

namespace vmc::test
{

class Failures : public ExtractionTest
{
protected:
  // The error of an extraction whose next submission fails with the result.
  Error failWith(vk::Result result)
  {
    const Samples samples = sample(sphere({ 10, 10, 10 }, 6), { 20, 20, 20 });
    submissionFailure().failNext(result);
    try
    {
      this->extract(samples.volume(), 0);
    }
    catch (const Error& error)
    {
      return error;
    }
    ADD_FAILURE() << "no error was thrown";
    return Error(Error::Kind::Internal, "");
  }
};

TEST_F(Failures, ALostDeviceIsReportedAsLost)
{
  const Error error = this->failWith(vk::Result::eErrorDeviceLost);
  EXPECT_EQ(error.kind(), Error::Kind::DeviceLost);
  EXPECT_CONTAINS(error.what(), this->device().traits().name);
}

TEST_F(Failures, AfterExhaustedMemoryTheExtractionIsTriedAgain)
{
  const Samples samples = sample(sphere({ 10, 10, 10 }, 6), { 20, 20, 20 });
  const Mesh expected = this->extract(samples.volume(), 0);
  for (const vk::Result result :
    { vk::Result::eErrorOutOfDeviceMemory, vk::Result::eErrorOutOfHostMemory, vk::Result::eErrorFragmentation })
  {
    submissionFailure().failNext(result);
    expectSameBytes(this->extract(samples.volume(), 0), expected);
  }
}

TEST_F(Failures, TheDataOfARefusedSubmissionIsUploadedAgain)
{
  const Samples samples = sample(sphere({ 10, 10, 10 }, 6), { 20, 20, 20 });
  Volume volume = samples.volume();
  volume.identity = 1;
  this->extract(volume, 0);
  volume.geometry.setOrigin({ 1000, 0, 0 });
  const std::unique_ptr<Session> other = this->newSession();
  Request request = requestOf({ 0 });
  const Mesh expected = this->extract(*other, volume, request);
  submissionFailure().failNext(vk::Result::eErrorOutOfDeviceMemory);
  expectSameBytes(this->extract(volume, request), expected);
}

// Any submission may fail: of the upload, of the passes or of the download, which a device that does not share the
// host's memory has. Nothing else is on the device, so that the slab is halved at once.
TEST_F(Failures, MemoryExhaustedAtAnySubmissionGivesTheSameMesh)
{
  DeviceOptions options;
  options.isDiscrete = true;
  options.beforeSubmission = submissionFailure().hook();
  const auto context = std::make_shared<Context>(options);
  const Samples samples = sample(gyroid(13), { 20, 20, 40 });
  const Request request = requestOf({ 0, 0.3 });
  const Mesh expected = this->extract(*newSessionOn(context), samples.volume(), request);
  const std::uint64_t activeBricks = this->LastReport.activeBricks;
  for (std::size_t after = 0; after < 9; ++after) // more submissions than there are
  {
    SCOPED_TRACE(after);
    submissionFailure().failNext(vk::Result::eErrorOutOfDeviceMemory, after);
    expectSameBytes(this->extract(*newSessionOn(context), samples.volume(), request), expected);
    submissionFailure().failNext(vk::Result::eSuccess);
    EXPECT_EQ(this->LastReport.activeBricks, activeBricks); // each active brick counts once
  }
}

TEST_F(Failures, AnyOtherFailureIsInternalAndTheNextExtractionWorks)
{
  EXPECT_EQ(this->failWith(vk::Result::eErrorUnknown).kind(), Error::Kind::Internal);
  const Samples samples = sample(sphere({ 10, 10, 10 }, 6), { 20, 20, 20 });
  EXPECT_GT(this->extract(samples.volume(), 0).triangleCount, 0u);
}

TEST(SharedEngine, ForgettingAnEngineTwiceKeepsItsSuccessor)
{
  if (!hasVulkanDevice())
    GTEST_SKIP() << NoVulkanDevice;
  const std::string device = Engine::deviceNames().front();
  const auto lost = Engine::shared(device);
  EXPECT_EQ(Engine::shared(device), lost);
  Engine::forget(*lost);
  const auto next = Engine::shared(device);
  EXPECT_NE(next, lost);
  Engine::forget(*lost); // as another user of the lost device does later
  EXPECT_EQ(Engine::shared(device), next);
}

// Not a GpuTest: this test expects a validation message.
TEST(Validation, ReportsACopyBeyondABuffer)
{
  if (!hasVulkanDevice())
    GTEST_SKIP() << NoVulkanDevice;
  if (!isValidating())
    GTEST_SKIP() << "Validation is off: set VMC_VALIDATION=1.";
  Context context;
  const Buffer small(context.device(), 16, Buffer::Memory::Upload, "small");
  const Buffer large(context.device(), 64, Buffer::Memory::Upload, "large");
  CommandRecorder commands(context.device());
  commands.begin();
  const std::size_t before = validationMessages().size();
  commands.copy(large, small); // recorded, but not submitted
  EXPECT_GT(validationMessages().size(), before);
}

}
