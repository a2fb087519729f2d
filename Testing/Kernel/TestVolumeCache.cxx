// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Volumes that several users of a device share.
#include "Compute/Engine/DeviceEngine.h"
#include "ExtractionTest.h"
#include "Support/SharedDevice.h"

#include <thread>
#include <vector>

namespace vmc::test
{

class SharedVolumes : public ExtractionTest
{
protected:
  void SetUp() override
  {
    ExtractionTest::SetUp();
    this->Cache = std::make_shared<VolumeCache>(this->sharedContext());
  }

  std::unique_ptr<Session> newUser() const
  {
    return std::make_unique<VulkanSession>(this->sharedContext(), this->Cache);
  }

  Volume volume(std::uint64_t identity) const
  {
    Volume volume = this->Noise.volume();
    volume.identity = identity;
    return volume;
  }

  const Samples Noise = sampleNoise({ 40, 40, 40 }, SampleType::Float32, 1);
  std::shared_ptr<VolumeCache> Cache;
};

TEST_F(SharedVolumes, TwoUsersOfOneArrayUploadItOnce)
{
  const auto first = this->newUser(), second = this->newUser();
  const Mesh expected = this->extract(*first, this->volume(1), requestOf({ 0 }));
  EXPECT_EQ(this->Cache->uploads(), 1u);
  expectSameBytes(this->extract(*second, this->volume(1), requestOf({ 0 })), expected);
  EXPECT_EQ(this->Cache->uploads(), 1u);
  EXPECT_FALSE(this->reports(Stage::BuildBrickRanges));
  this->extract(*second, this->volume(2), requestOf({ 0 })); // modified
  EXPECT_EQ(this->Cache->uploads(), 2u);
  this->extract(*first, this->volume(1), requestOf({ 0.1 })); // still there
  EXPECT_EQ(this->Cache->uploads(), 2u);
}

TEST_F(SharedVolumes, AnArrayIsSharedAsSamplesAndAsAttribute)
{
  const auto first = this->newUser(), second = this->newUser();
  this->extract(*first, this->volume(1), requestOf({ 0 }));
  Volume other = this->volume(1);
  other.attributes = { { other.samples, other.type, 1, 1 } };
  this->extract(*second, other, requestOf({ 0 }));
  EXPECT_EQ(this->Cache->uploads(), 1u);
}

TEST_F(SharedVolumes, PaddingHasRangesOfItsOwn)
{
  const auto first = this->newUser(), second = this->newUser();
  this->extract(*first, this->volume(1), requestOf({ 0 }));
  Volume padded = this->volume(1);
  padded.padding = { { 2, 2, 2 }, { 2, 2, 2 }, true, 0.5f };
  const Mesh closed = this->extract(*second, padded, requestOf({ 0 }));
  EXPECT_EQ(this->Cache->uploads(), 1u);
  EXPECT_TRUE(this->reports(Stage::BuildBrickRanges));
  expectClosed(closed);
}

// A modified array has a new identity; of a deleted one no user asks any more.
TEST_F(SharedVolumes, AnArrayThatNoUserWantsAnyMoreLeavesTheDevice)
{
  const auto bytes = [this] { return this->context().deviceMemory().heldBytes(); };
  auto first = this->newUser(), second = this->newUser();
  const std::uint64_t before = bytes();
  this->extract(*first, this->volume(1), requestOf({ 0 }));
  const std::uint64_t one = bytes() - before;
  EXPECT_GT(one, this->Noise.bytes.size());
  this->extract(*second, this->volume(1), requestOf({ 0 }));
  EXPECT_EQ(bytes() - before, one);
  this->extract(*first, this->volume(2), requestOf({ 0 }));
  EXPECT_EQ(bytes() - before, 2 * one);
  this->extract(*second, this->volume(2), requestOf({ 0 }));
  EXPECT_EQ(bytes() - before, one);
  first.reset();
  EXPECT_EQ(bytes() - before, one);
  second.reset();
  EXPECT_EQ(bytes(), before);
}

// The limit is the device's: volumes of another user are freed for it.
TEST_F(SharedVolumes, AMemoryLimitCountsTheVolumesOfAllUsers)
{
  const auto first = this->newUser(), second = this->newUser();
  Request request = requestOf({ 0 });
  const Mesh expected = this->extract(*second, this->volume(2), request);
  request.memoryLimit = this->LastReport.deviceBytes + this->Noise.bytes.size() / 2; // one volume, not two
  this->extract(*first, this->volume(1), requestOf({ 0 }));
  expectSameBytes(this->extract(*second, this->volume(3), request), expected);
  EXPECT_LE(this->LastReport.deviceBytes, request.memoryLimit);
  EXPECT_EQ(this->LastReport.slabs, 1u);
  const std::uint64_t uploads = this->Cache->uploads();
  this->extract(*first, this->volume(1), requestOf({ 0 }));
  EXPECT_EQ(this->Cache->uploads(), uploads + 1); // it was freed
}

// A slab whose output exceeds a binding is halved: no memory is freed for it.
TEST_F(SharedVolumes, AnOutputThatABindingDoesNotHoldFreesNothing)
{
  const auto small = std::make_shared<Context>(optionsWith({ 320 << 10, 64, 65535 }));
  const auto cache = std::make_shared<VolumeCache>(small);
  VulkanSession first(small, cache), second(small, cache);
  this->extract(first, this->volume(1), requestOf({ 0.99 })); // few points
  this->extract(second, this->volume(2), requestOf({ 0.5 }));
  const std::uint64_t uploads = cache->uploads();
  this->extract(second, this->volume(2), requestOf({ 0.5 }));
  this->extract(first, this->volume(1), requestOf({ 0.99 }));
  EXPECT_EQ(cache->uploads(), uploads);
}

// The widest array decides where segments end, so those of the samples differ.
TEST_F(SharedVolumes, AnArrayInSegmentsIsUploadedAgainForOthers)
{
  const Samples tall = sampleNoise({ 10, 10, 600 }, SampleType::Float32, 4);
  const std::vector<float> vectors = sampleIndices(tall.size);
  DeviceLimits limits;
  limits.maxBufferBytes = 120 << 10;
  const auto segmented = std::make_shared<Context>(optionsWith(limits));
  const auto cache = std::make_shared<VolumeCache>(segmented);
  VulkanSession first(segmented, cache), second(segmented, cache);
  Volume narrow = tall.volume();
  narrow.identity = 1;
  Volume wide = narrow;
  wide.attributes = { { vectors.data(), SampleType::Float32, 3, 2 } };
  ASSERT_NE(ContourPlan(narrow.size, 4, segmented->device().limits()).segments(4).size(),
    ContourPlan(narrow.size, 12, segmented->device().limits()).segments(4).size());
  Request request = requestOf({ 0.5 });
  const Mesh expected = this->extract(*this->newUser(), narrow, request);
  expectSameBytes(this->extract(first, narrow, request), expected);
  EXPECT_EQ(cache->uploads(), 1u);
  EXPECT_EQ(this->extract(second, wide, request).pointCount, expected.pointCount);
  EXPECT_EQ(cache->uploads(), 3u); // the samples again, and the attribute
  expectSameBytes(this->extract(first, narrow, request), expected);
  expectSameBytes(this->extract(first, narrow, request), expected);
  EXPECT_EQ(cache->uploads(), 4u);
  request.memoryLimit = tall.bytes.size(); // windows, one after the other
  expectSameBytes(this->extract(first, narrow, request), expected);
}

// Windows of the samples come and go, their ranges stay. Few bricks are active: their rows fit in the memory beside the
// ranges on every device.
TEST_F(SharedVolumes, RangesOfAVolumeThatIsContouredSlabBySlabAreBuiltOnce)
{
  const auto user = this->newUser();
  Request request = requestOf({ 0.9999 });
  const Mesh expected = this->extract(*user, this->volume(1), request);
  EXPECT_GT(expected.pointCount, 0u);
  request.memoryLimit = this->Noise.bytes.size();
  expectSameBytes(this->extract(*user, this->volume(1), request), expected);
  EXPECT_GT(this->LastReport.slabs, 1u);
  expectSameBytes(this->extract(*user, this->volume(1), request), expected);
  EXPECT_FALSE(this->reports(Stage::BuildBrickRanges));
}

// Arrays that another thread uses cannot be freed: smaller slabs are tried.
TEST_F(SharedVolumes, ALimitThatOthersUseInPartLeavesSmallerSlabs)
{
  const Samples tall = sampleNoise({ 24, 24, 200 }, SampleType::Float32, 4);
  const auto user = this->newUser();
  Request request = requestOf({ 0.9 });
  const Mesh expected = this->extract(*user, tall.volume(), request);
  const PooledBuffer held = this->context().deviceMemory().acquire(tall.bytes.size() / 2, "another thread's");
  request.memoryLimit = tall.bytes.size();
  expectSameBytes(this->extract(*user, tall.volume(), request), expected);
  EXPECT_LE(this->LastReport.deviceBytes, request.memoryLimit);
}

// Nested in the progress of a run with a small limit.
TEST_F(SharedVolumes, ALimitIsNotThatOfAnotherUser)
{
  const auto limited = this->newUser(), other = this->newUser();
  Request small = requestOf({ 0.99 });
  small.memoryLimit = this->Noise.bytes.size();
  Report report;
  std::size_t slabs = 0;
  limited->extract({ this->volume(1) }, small, report,
    [&](double)
    {
      if (slabs == 0)
      {
        Report ofOther;
        EXPECT_TRUE(other->extract({ this->volume(2) }, requestOf({ 0 }), ofOther));
        slabs = ofOther.slabs;
      }
      return true;
    });
  EXPECT_EQ(slabs, 1u);
}

TEST_F(SharedVolumes, ManyThreadsUploadOnceAndGetTheSameSurface)
{
  const Mesh expected = this->extract(*this->newUser(), this->volume(9), requestOf({ 0 }));
  const std::uint64_t before = this->Cache->uploads();
  std::vector<Mesh> meshes(8);
  std::vector<std::unique_ptr<Session>> users;
  for (std::size_t i = 0; i < meshes.size(); ++i)
    users.push_back(this->newUser());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < meshes.size(); ++i)
    threads.emplace_back(
      [&, i]
      {
        Report report;
        for (int run = 0; run < 3; ++run)
          meshes[i] = std::move(users[i]->extract({ this->volume(1) }, requestOf({ 0 }), report)->meshes.front());
      });
  for (std::thread& thread : threads)
    thread.join();
  for (const Mesh& mesh : meshes)
    expectSameBytes(mesh, expected);
  EXPECT_EQ(this->Cache->uploads(), before + 1);
}

TEST(SharedEngine, CallersThatNameTheSameDeviceShareItsEngine)
{
  if (!hasVulkanDevice())
    GTEST_SKIP() << NoVulkanDevice;
  const std::string name = Engine::deviceNames().front();
  EXPECT_EQ(Engine::shared(name), Engine::shared(name + " (" + Engine::deviceKinds().front() + ")"));
}

}
