// What happens when a device fails, and that validation would speak.
#include "ExtractionTest.h"

#include "Compute/System/Error.h"
#include "Compute/Vulkan/Commands.h"

namespace vmc::test
{

class Failures : public ExtractionTest
{
protected:
  // The error of an extraction whose next submission fails with the result.
  Error failWith(vk::Result result)
  {
    const Samples samples = sample(sphere({ 10, 10, 10 }, 6), { 20, 20, 20 });
    this->device()->failNextSubmission(result);
    try
    {
      this->extract(samples.volume(), 0);
    }
    catch (const Error& error)
    {
      return error;
    }
    ADD_FAILURE() << "nothing was thrown";
    return Error(Error::Kind::Internal, "");
  }
};

TEST_F(Failures, ALostDeviceIsToldAsSuch)
{
  const Error error = this->failWith(vk::Result::eErrorDeviceLost);
  EXPECT_EQ(error.kind(), Error::Kind::DeviceLost);
  EXPECT_NE(std::string(error.what()).find(this->device()->traits().name), std::string::npos);
}

TEST_F(Failures, ExhaustedMemoryIsTriedAgainInParts)
{
  const Samples samples = sample(sphere({ 10, 10, 10 }, 6), { 20, 20, 20 });
  const Mesh expected = this->extract(samples.volume(), 0);
  for (const vk::Result result : { vk::Result::eErrorOutOfDeviceMemory, vk::Result::eErrorOutOfHostMemory })
  {
    this->device()->failNextSubmission(result);
    expectSameBytes(this->extract(samples.volume(), 0), expected);
  }
}

TEST_F(Failures, WhatARefusedSubmissionShouldHaveBroughtIsBroughtAgain)
{
  const Samples samples = sample(sphere({ 10, 10, 10 }, 6), { 20, 20, 20 });
  Volume volume = samples.volume();
  volume.identity = 1;
  this->extract(volume, 0);
  volume.geometry.origin = { 1000, 0, 0 };
  MarchingCubes other(this->device());
  Request request = requestOf({ 0 });
  const Mesh expected = this->extract(other, volume, request);
  this->device()->failNextSubmission(vk::Result::eErrorOutOfDeviceMemory);
  expectSameBytes(this->extract(volume, request), expected);
}

TEST_F(Failures, AnyOtherFailureIsInternalAndTheNextExtractionWorks)
{
  EXPECT_EQ(this->failWith(vk::Result::eErrorUnknown).kind(), Error::Kind::Internal);
  const Samples samples = sample(sphere({ 10, 10, 10 }, 6), { 20, 20, 20 });
  EXPECT_GT(this->extract(samples.volume(), 0).triangleCount, 0u);
}

TEST(SharedDevice, DroppingADeviceLeavesTheOneThatTookItsPlace)
{
  if (deviceNames().empty())
    GTEST_SKIP() << "No usable Vulkan device.";
  const auto lost = sharedDevice();
  dropSharedDevice(*lost);
  const auto next = sharedDevice();
  EXPECT_NE(next, lost);
  dropSharedDevice(*lost); // as another user of the lost device does, which learns of it later
  EXPECT_EQ(sharedDevice(), next);
}

// Not a GpuTest: a message is what it wants.
TEST(Validation, SpeaksOfACopyBeyondABuffer)
{
  if (deviceNames().empty())
    GTEST_SKIP() << "No usable Vulkan device.";
  if (!isValidating())
    GTEST_SKIP() << "Validation is off: set VMC_VALIDATION=1.";
  const auto device = sharedDevice();
  MemoryBudget budget;
  const Buffer small(*device, budget, 16, Buffer::Memory::Upload, "small");
  const Buffer large(*device, budget, 64, Buffer::Memory::Upload, "large");
  Commands commands(*device);
  commands.begin();
  const std::size_t before = validationMessages().size();
  commands.copy(large, small); // recorded only: never submitted
  EXPECT_GT(validationMessages().size(), before);
}

}
