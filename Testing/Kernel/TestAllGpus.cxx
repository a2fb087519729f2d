// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Extractions by several devices together, and devices among them that fail.
#include "Compute/Contour/Outputs.h"
#include "Compute/Measure/FoundRegions.h"
#include "Compute/System/Stage.h"
#include "ExtractionTest.h"
#include "Support/Contains.h"
#include "Support/LevelViews.h"
#include "Support/RandomLevels.h"
#include "Support/SharedDevice.h"
#include "Support/SubmissionFailure.h"

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <functional>
#include <limits>
#include <mutex>

namespace vmc::test
{

namespace
{

using Hook = std::function<vk::Result()>;

std::shared_ptr<Context> open(
  const DeviceLimits& limits, bool isDiscrete = false, Hook hook = {}, const std::string& name = {})
{
  DeviceOptions options = optionsWith(limits);
  options.name = name;
  options.isDiscrete = isDiscrete;
  options.beforeSubmission = std::move(hook);
  return std::make_shared<Context>(options);
}

// Two devices with these limits: two GPUs where there are two.
std::vector<std::shared_ptr<Context>> openTwo(bool isDiscrete = false, Hook first = {}, Hook second = {})
{
  return { open({}, isDiscrete, std::move(first)), open({}, isDiscrete, std::move(second), otherDevice()) };
}

// Lets each of two threads continue when both have arrived.
class Meeting
{
public:
  // Returns whether both were here at the same time, within ten seconds.
  bool arrive(bool isSecond)
  {
    std::unique_lock<std::mutex> lock(this->Mutex);
    this->Arrived[isSecond ? 1 : 0] = true;
    this->Changed.notify_all();
    return this->Changed.wait_for(
      lock, std::chrono::seconds(10), [this] { return this->Arrived[0] && this->Arrived[1]; });
  }

private:
  std::mutex Mutex;
  std::condition_variable Changed;
  bool Arrived[2] = { false, false };
};

}

class AllGpus : public ExtractionTest
{
protected:
  // Expects the bytes of one device, also in a second run, which knows the capacities.
  void expectSameAsOne(Session& session, const Volume& volume, const Request& request)
  {
    const Mesh expected = this->extract(volume, request);
    const std::uint64_t bricks = this->LastReport.bricks, activeBricks = this->LastReport.activeBricks;
    ASSERT_GT(expected.triangleCount, 0u);
    for (int run = 0; run < 2; ++run)
    {
      expectSameBytes(this->extract(session, volume, request), expected);
      EXPECT_EQ(this->LastReport.bricks, bricks);
      EXPECT_EQ(this->LastReport.activeBricks, activeBricks);
      EXPECT_EQ(this->LastReport.leftOut, "");
    }
  }

  const Samples Gyroid = sample(gyroid(13), { 20, 24, 70 });
  const Request TwoSurfaces = requestOf({ 0.1, -0.4 });
};

TEST_F(AllGpus, GiveTheBytesOfOneDeviceForEveryTypeWithBlanksAndAttributes)
{
  const std::array<std::uint32_t, 3> size = { 13, 11, 61 };
  const std::vector<float> indices = sampleIndices(size);
  for (const bool isDiscrete : { false, true })
  {
    const std::unique_ptr<Session> session = this->newSessionOn(openTwo(isDiscrete));
    for (const SampleType type : AllSampleTypes)
    {
      SCOPED_TRACE(nameOf(type));
      Samples samples = sampleNoise(size, type, 12);
      if (type == SampleType::Float32)
        scatter(samples, std::numeric_limits<double>::quiet_NaN(), 0.02, 13);
      std::vector<std::uint8_t> flags(samples.count(), 0);
      for (std::size_t i = 0; i < flags.size(); i += 97)
        flags[i] = i % 2 == 0 ? Ghost::Blank : Ghost::NotOwned;
      Volume volume = samples.volume();
      volume.attributes = { { indices.data(), SampleType::Float32, 3 }, { samples.bytes.data(), type, 1 } };
      volume.ghosts = type == SampleType::Int16 ? flags.data() : nullptr;
      Request request = requestOf({ middleOf(type), middleOf(type) + 1 });
      request.computeGradients = request.computeCells = request.pointIsovalues = true;
      request.wideIds = type == SampleType::Int8;
      this->expectSameAsOne(*session, volume, request);
      request.mergePoints = request.pointIsovalues = false;
      this->expectSameAsOne(*session, volume, request);
    }
  }
}

TEST_F(AllGpus, GiveTheBytesOfOneDeviceInSlabsSegmentsAndWindows)
{
  DeviceLimits bindings;
  bindings.maxBindingBytes = 64 << 10;
  DeviceLimits buffers = bindings;
  buffers.maxBufferBytes = 64 << 10;
  for (const DeviceLimits& limits : { bindings, buffers })
    this->expectSameAsOne(
      *this->newSessionOn({ open(limits), open({}), open(limits) }), this->Gyroid.volume(), this->TwoSurfaces);
  // The limit of each device.
  Request request = this->TwoSurfaces;
  const std::unique_ptr<Session> session = this->newSessionOn(openTwo(true));
  for (request.memoryLimit = 1 << 20; request.memoryLimit > 150000; request.memoryLimit = request.memoryLimit / 3 * 2)
  {
    SCOPED_TRACE(request.memoryLimit);
    this->expectSameAsOne(*session, this->Gyroid.volume(), request);
  }
}

// The second device has one layer of samples, and cells below it alone, which a NaN in a layer of the first one
// removes.
TEST_F(AllGpus, ANanOfAnotherShareRemovesTheLastCells)
{
  const std::unique_ptr<Session> session = this->newSessionOn(openTwo());
  for (const std::uint32_t y : { 0u, 4u, 8u })
  {
    Samples samples = sampleNoise({ 9, 9, 9 }, SampleType::Float32, y + 1);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    std::memcpy(samples.bytes.data() + sizeof(float) * (4 + 9 * (y + 9 * 7)), &nan, sizeof(nan));
    this->expectSameAsOne(*session, samples.volume(), requestOf({ middleOf(SampleType::Float32) }));
  }
}

TEST_F(AllGpus, ShareLayersByTheirMemory)
{
  DeviceLimits small;
  small.memoryBytes = 1 << 20;
  DeviceLimits large = small;
  large.memoryBytes = 7 << 20;
  const auto first = open(small), second = open(large);
  const Samples samples = sampleNoise({ 16, 16, 128 }, SampleType::Float32, 3);
  Volume volume = samples.volume();
  volume.identity = 1; // its arrays stay on the devices
  const std::unique_ptr<Session> session = this->newSessionOn({ first, second });
  this->expectSameAsOne(*session, volume, requestOf({ 0.5 }));
  // 16 layers of bricks: 2 and 14.
  EXPECT_GT(first->deviceMemory().bytes(), 0u);
  EXPECT_LT(4 * first->deviceMemory().bytes(), second->deviceMemory().bytes());
}

// Neither device has memory for all samples.
TEST_F(AllGpus, HoldAVolumeThatNeedsTheMemoryOfBoth)
{
  const Samples samples = sample(plane({ 0, 0, -1 }, 0), { 64, 64, 256 });
  DeviceLimits limits;
  limits.memoryBytes = samples.bytes.size() / 10 * 8;
  Volume volume = samples.volume();
  volume.identity = 1;
  const std::unique_ptr<Session> both = this->newSessionOn({ open(limits), open(limits) });
  const std::unique_ptr<Session> one = newSessionOn(open(limits));
  for (const double isovalue : { 20.5, 200.5, 127.5 })
  {
    SCOPED_TRACE(isovalue);
    const Request request = requestOf({ isovalue });
    const Mesh expected = this->extract(volume, request);
    ASSERT_GT(expected.triangleCount, 0u);
    expectSameBytes(this->extract(*both, volume, request), expected);
    EXPECT_EQ(this->LastReport.milliseconds(Stage::Upload) != 0, isovalue == 20.5); // the samples stay there
    expectSameBytes(this->extract(*one, volume, request), expected);
    EXPECT_GT(this->LastReport.milliseconds(Stage::Upload), 0);
  }
}

TEST_F(AllGpus, FindTheRegionsOfOneDevice)
{
  const std::unique_ptr<Session> session = this->newSessionOn(openTwo());
  const Samples samples = sampleNoise({ 24, 24, 40 }, SampleType::UInt8, 3);
  Request request = requestOf({ 200, 230 });
  request.computeRegions = request.computeMeasures = true;
  const auto evenRegions = [&](Session& on)
  {
    RegionRequest wanted;
    wanted.withMeasures = true;
    wanted.outputs = { outputsOf(request.unfinished(), {}) };
    wanted.borders.resize(1);
    Report report;
    std::optional<Surface> surface = on.extract({ samples.volume() }, wanted.extraction(request), report);
    const auto found = on.findRegions(std::move(*surface), request, wanted, report);
    ChosenRegions chosen;
    for (std::size_t i = 0; i < found->table().front().size(); ++i)
      chosen.isKept.push_back(i % 2 == 0 ? 1 : 0);
    chosen.rank = ranksOf(found->table().front(), chosen.isKept);
    return std::move(found->finish({ chosen }, report).meshes.front());
  };
  const Mesh expected = evenRegions(this->session()), mesh = evenRegions(*session);
  ASSERT_GT(expected.triangleCount, 0u);
  expectSameBytes(mesh, expected);
  EXPECT_EQ(mesh.pointRegions.size(), expected.pointRegions.size());
  EXPECT_EQ(std::memcmp(mesh.pointRegions.data(), expected.pointRegions.data(), expected.pointRegions.size()), 0);
}

TEST_F(AllGpus, GiveTheSameSurfaceWithMeasuresAndOpenEdges)
{
  const std::unique_ptr<Session> session = this->newSessionOn(openTwo());
  const Samples samples = sampleNoise({ 24, 24, 40 }, SampleType::Float32, 3);
  Request request = this->TwoSurfaces;
  request.computeMeasures = true;
  const Mesh expected = this->extract(samples.volume(), request),
             mesh = this->extract(*session, samples.volume(), request);
  expectSameBytes(mesh, expected);
  ASSERT_EQ(mesh.measures.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i)
  {
    EXPECT_EQ(mesh.measures[i].openEdges, expected.measures[i].openEdges);
    EXPECT_NEAR(mesh.measures[i].area, expected.measures[i].area, 1e-6 * expected.measures[i].area);
  }
  request.computeMeasures = false;
  request.nameOpenEdges = true;
  const Mesh named = this->extract(samples.volume(), request),
             found = this->extract(*session, samples.volume(), request);
  expectSameBytes(found, named);
  EXPECT_GT(named.openEdges.edges.size(), 0u);
}

TEST_F(AllGpus, WorkAtTheSameTime)
{
  Meeting meeting;
  std::array<bool, 2> haveMet = { true, true };
  std::array<std::size_t, 2> submissions = { 0, 0 };
  bool isExtracting = false;
  const auto hookOf = [&](std::size_t number)
  {
    return [&, number]
    {
      if (isExtracting && ++submissions[number] == 1)
        haveMet[number] = meeting.arrive(number == 1);
      return vk::Result::eSuccess;
    };
  };
  const std::unique_ptr<Session> session = this->newSessionOn(openTwo(false, hookOf(0), hookOf(1)));
  isExtracting = true;
  const Mesh mesh = this->extract(*session, this->Gyroid.volume(), this->TwoSurfaces);
  EXPECT_TRUE(haveMet[0] && haveMet[1]);
  EXPECT_GT(submissions[0], 1u);
  EXPECT_GT(submissions[1], 1u);
}

// Any submission of either device may fail: of the upload, of the passes or of the download.
TEST_F(AllGpus, ADeviceThatIsLostIsLeftOut)
{
  SubmissionFailure failures[2];
  const Mesh expected = this->extract(this->Gyroid.volume(), this->TwoSurfaces);
  for (const std::size_t number : { 0, 1 })
    for (std::size_t after = 0, isLost = 1; isLost != 0; ++after)
    {
      SCOPED_TRACE(std::to_string(number) + " after " + std::to_string(after));
      ASSERT_LT(after, 50u);
      const std::unique_ptr<Session> session =
        this->newSessionOn(openTwo(true, failures[0].hook(), failures[1].hook()));
      failures[number].failNext(vk::Result::eErrorDeviceLost, after);
      expectSameBytes(this->extract(*session, this->Gyroid.volume(), this->TwoSurfaces), expected);
      isLost = this->LastReport.leftOut.empty() ? 0 : 1;
      EXPECT_TRUE(isLost != 0 || after > 3); // there are more than three submissions
      if (isLost != 0)
      {
        EXPECT_CONTAINS(this->LastReport.leftOut, "is left out");
      }
      failures[number].failNext(vk::Result::eSuccess);
    }
}

TEST_F(AllGpus, ContinueAfterExhaustedMemory)
{
  SubmissionFailure failures[2];
  const Mesh expected = this->extract(this->Gyroid.volume(), this->TwoSurfaces);
  const std::unique_ptr<Session> session = this->newSessionOn(openTwo(true, failures[0].hook(), failures[1].hook()));
  for (const std::size_t number : { 0, 1 })
    for (std::size_t after = 0; after < 9; ++after)
    {
      SCOPED_TRACE(std::to_string(number) + " after " + std::to_string(after));
      failures[number].failNext(vk::Result::eErrorOutOfDeviceMemory, after);
      expectSameBytes(this->extract(*session, this->Gyroid.volume(), this->TwoSurfaces), expected);
      EXPECT_EQ(this->LastReport.leftOut, "");
      failures[number].failNext(vk::Result::eSuccess);
    }
}

TEST_F(AllGpus, ADeviceWithTooLittleMemoryIsLeftOut)
{
  SubmissionFailure failures;
  const Mesh expected = this->extract(this->Gyroid.volume(), this->TwoSurfaces);
  const std::unique_ptr<Session> session = this->newSessionOn(openTwo(false, {}, failures.hook()));
  failures.failNext(vk::Result::eErrorOutOfDeviceMemory, 0, 1000);
  expectSameBytes(this->extract(*session, this->Gyroid.volume(), this->TwoSurfaces), expected);
  EXPECT_CONTAINS(this->LastReport.leftOut, "is left out");
  EXPECT_LACKS(this->LastReport.device, " + ");
  failures.failNext(vk::Result::eSuccess);
  expectSameBytes(this->extract(*session, this->Gyroid.volume(), this->TwoSurfaces), expected);
  EXPECT_CONTAINS(this->LastReport.device, " + "); // it takes part again
}

TEST_F(AllGpus, AreLostWhenAllAreLost)
{
  SubmissionFailure failures;
  const std::unique_ptr<Session> session = this->newSessionOn(openTwo(false, failures.hook(), failures.hook()));
  failures.failNext(vk::Result::eErrorDeviceLost, 0, 1000);
  test::expectError(
    Error::Kind::DeviceLost, [&] { this->extract(*session, this->Gyroid.volume(), this->TwoSurfaces); });
}

TEST_F(AllGpus, StopAtTheFirstRefusalOfTheProgress)
{
  const std::unique_ptr<Session> session = this->newSessionOn(openTwo());
  for (int allowed = 0; allowed < 3; ++allowed)
  {
    int calls = 0;
    EXPECT_FALSE(this->tryToExtract(
      *session, this->Gyroid.volume(), this->TwoSurfaces, [&](double) { return calls++ < allowed; }));
    EXPECT_EQ(calls, allowed + 1);
  }
  this->expectSameAsOne(*session, this->Gyroid.volume(), this->TwoSurfaces);
}

TEST_F(AllGpus, AShareOfTinyVolumesMayBeEmpty)
{
  const std::unique_ptr<Session> session = this->newSessionOn({ open({}), open({}), open({}) });
  for (const std::uint32_t layers : { 2u, 8u, 9u, 17u })
  {
    const Samples samples = sampleNoise({ 9, 5, layers }, SampleType::UInt8, layers);
    this->expectSameAsOne(*session, samples.volume(), requestOf({ 99.5, 300, 120 }));
  }
}

// The first device extracts them.
TEST_F(AllGpus, GiveTheLevelsOfOneDevice)
{
  const std::unique_ptr<Session> session = this->newSessionOn(openTwo());
  const RandomLevels input = randomLevels(4);
  const std::vector<Levels> hierarchies{ viewOf(input.levels) };
  const Request request = requestOf({ input.isovalue });
  Report report;
  const Surface expected = *this->session().extract(hierarchies, request, report);
  const Surface surface = *session->extract(hierarchies, request, report);
  ASSERT_GT(expected.meshes.front().triangleCount, 0u);
  expectSameBytes(surface.meshes.front(), expected.meshes.front());
}

// The second device has the last layer of samples: edges that the surface crosses, but no cells.
TEST_F(AllGpus, AShareMayHavePointsButNoTriangles)
{
  const std::unique_ptr<Session> session = this->newSessionOn(openTwo());
  const Samples samples = sampleNoise({ 9, 5, 9 }, SampleType::UInt8, 3);
  Volume volume = samples.volume();
  volume.attributes = { { samples.bytes.data(), SampleType::UInt8, 1 } };
  Request request = requestOf({ 120 });
  request.mergePoints = false;
  this->expectSameAsOne(*session, volume, request);
}

// As after a loss that one of them has reported.
TEST(SharedAllGpus, AreForgottenWithTheirEngines)
{
  if (!hasVulkanDevice())
    GTEST_SKIP() << NoVulkanDevice;
  const std::string name = Engine::deviceNames().front();
  DeviceOptions options;
  options.gpus = { name, name };
  Engine::setSharedOptions(options);
  const auto first = Engine::shared(name);
  const auto all = Engine::shared("All GPUs");
  EXPECT_EQ(all->deviceName(), "All GPUs");
  EXPECT_EQ(Engine::shared("all gpus"), all);
  EXPECT_EQ(Engine::shared(name), first);
  Engine::forget(*all);
  EXPECT_NE(Engine::shared("All GPUs"), all);
  EXPECT_NE(Engine::shared(name), first);
  Engine::forget(*Engine::shared("All GPUs"));
  Engine::setSharedOptions({});
}

}
