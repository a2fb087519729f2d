// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Extractions with little device memory, and the data that stays on the device between extractions.
#include "Compute/Engine/DeviceEngine.h"
#include "Compute/Volume/ContourPlan.h"
#include "ExtractionTest.h"
#include "Support/SubmissionFailure.h"

#include <mutex>
#include <set>
#include <thread>
#include <utility>

namespace vmc::test
{

class MemoryLimit : public ExtractionTest
{
};

namespace
{

// A volume of seven layers of bricks whose arrays take most of the memory.
class SevenLayers
{
public:
  SevenLayers()
    : Indices(sampleIndices(this->Field.size))
  {
  }

  Volume volume() const
  {
    Volume volume = this->Field.volume();
    volume.attributes.assign(6, { this->Indices.data(), SampleType::Float32, 3 });
    return volume;
  }

private:
  Samples Field = sample(sphere({ 18, 20, 27 }, 16), { 40, 40, 55 });
  std::vector<float> Indices;
};

// A device with so much memory.
std::shared_ptr<Context> contextWith(std::uint64_t memoryBytes)
{
  return std::make_shared<Context>(optionsWith({ ~0ull, 1, ~0u, memoryBytes }));
}

}

TEST_F(MemoryLimit, TooSmallMemoryLimitIsRefusedAndALargerOneWorks)
{
  const Samples samples = sampleNoise({ 40, 40, 40 }, SampleType::Float32, 10);
  Request request = requestOf({ 0 });
  const Mesh unlimited = this->extract(samples.volume(), request);
  request.memoryLimit = 100000; // the samples alone need 256,000 bytes
  this->expectError(Error::Kind::OutOfMemory, samples.volume(), request);
  request.memoryLimit = 64 << 20;
  expectSameBytes(this->extract(samples.volume(), request), unlimited);
}

// The passes over the whole volume exceed the limit, those over its slabs do not.
TEST_F(MemoryLimit, MemoryLimitIsKeptByCuttingTheVolume)
{
  const Samples samples = sampleNoise({ 24, 24, 160 }, SampleType::UInt8, 11);
  Request request = requestOf({ 100 });
  const Mesh whole = this->extract(samples.volume(), request);
  const std::uint64_t needed = this->LastReport.deviceBytes;
  // The samples are half of the memory. The memory of the passes is proportional to the slab.
  for (const double part : { 0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.62 })
  {
    SCOPED_TRACE(part);
    const std::unique_ptr<Session> fresh = this->newSession();
    request.memoryLimit = static_cast<std::uint64_t>(part * needed);
    std::size_t calls = 0;
    const std::optional<Mesh> mesh = this->tryToExtract(*fresh, samples.volume(), request,
      [&](double)
      {
        ++calls;
        return true;
      });
    ASSERT_TRUE(mesh);
    EXPECT_GT(calls, 1u);
    expectSameBytes(*mesh, whole);
    EXPECT_LE(this->LastReport.deviceBytes, request.memoryLimit);
  }
}

TEST_F(MemoryLimit, MemoryOfAnEarlierVolumeDoesNotCountAgainstTheLimitOfTheNext)
{
  const Samples large = sampleNoise({ 48, 48, 48 }, SampleType::Float32, 17);
  const Samples small = sampleNoise({ 16, 16, 16 }, SampleType::Float32, 18);
  const std::vector<float> indices = sampleIndices(large.size);
  Volume volume = large.volume();
  volume.attributes = { { indices.data(), SampleType::Float32, 3 } };
  Request request = requestOf({ 0 });
  this->extract(volume, request);
  const std::uint64_t before = this->LastReport.deviceBytes;
  const std::unique_ptr<Session> fresh = newSessionOn(std::make_shared<Context>());
  const Mesh expected = this->extract(*fresh, small.volume(), request);
  request.memoryLimit = this->LastReport.deviceBytes;
  expectSameBytes(this->extract(small.volume(), request), expected);
  EXPECT_LE(this->LastReport.deviceBytes, request.memoryLimit);
  EXPECT_LT(this->LastReport.deviceBytes, before);
}

// Limits from less than two layers of bricks up to the memory of the whole volume. Each limit is kept, or refused
// with the number of bytes needed.
TEST_F(MemoryLimit, AnyLimitThatHoldsTwoLayersOfBricksGivesTheSameBytes)
{
  const SevenLayers input;
  Request request = requestOf({ 0, 3 });
  request.computeGradients = true;
  const Mesh whole = this->extract(input.volume(), request);
  const std::uint64_t samples = 76ull * 40 * 40; // bytes of one layer of samples with its attributes
  std::set<std::uint64_t> slabs;
  // Two layers of bricks need 19 layers of samples. On a device with its own memory, their rows and their surface need
  // less than two more.
  const std::uint64_t ofWhole = this->LastReport.deviceBytes;
  for (std::uint64_t limit = 21 * samples; limit < ofWhole + samples; limit += samples)
  {
    SCOPED_TRACE(limit);
    const std::unique_ptr<Session> fresh = this->newSession();
    request.memoryLimit = limit;
    expectSameBytes(this->extract(*fresh, input.volume(), request), whole);
    EXPECT_LE(this->LastReport.deviceBytes, limit);
    slabs.insert(this->LastReport.slabs);
  }
  // Two layers of bricks, one layer of samples before them and two after them, and the ranges of 175 bricks.
  const std::uint64_t least = 19 * samples + 8 * 175;
  request.memoryLimit = least - 1;
  EXPECT_EQ(this->expectError(Error::Kind::OutOfMemory, input.volume(), request),
    "The smallest slabs need " + std::to_string(least) +
      " bytes of device memory for samples and brick ranges, without the surface; the limit is " +
      std::to_string(least - 1) + ".");
  EXPECT_EQ(slabs, (std::set<std::uint64_t>{ 1, 2, 3, 4, 5, 6, 7 }));
}

// The user sets no limit. Where the device has no more memory, the extraction is repeated with smaller slabs.
TEST_F(MemoryLimit, ADeviceWithTooLittleMemoryContoursSlabBySlab)
{
  const SevenLayers input;
  const Request request = requestOf({ 0, 3 });
  const Mesh whole = this->extract(input.volume(), request);
  const std::uint64_t needed = this->LastReport.deviceBytes;
  const std::uint64_t least = 19 * 76ull * 40 * 40 + 8 * 175;
  for (std::uint64_t memory = needed - 1; memory > least * 21 / 20; memory -= (needed - least) / 12)
  {
    SCOPED_TRACE(memory);
    const std::unique_ptr<Session> fresh = newSessionOn(contextWith(memory));
    expectSameBytes(this->extract(*fresh, input.volume(), request), whole);
    if (memory < 76ull * 40 * 40 * 55) // less than the arrays alone
    {
      EXPECT_GT(this->LastReport.slabs, 1u);
    }
    EXPECT_LE(this->LastReport.deviceBytes, memory);
  }
  const std::unique_ptr<Session> tiny = newSessionOn(contextWith(100000));
  EXPECT_THROW(this->extract(*tiny, input.volume(), request), Error);
}

struct WindowsCase
{
  std::array<std::uint32_t, 3> size;
  std::uint64_t least, most;  // numbers of windows with memory for a third of the samples
  std::uint64_t ofNineTenths; // with memory for nine tenths
  bool isDiscrete;            // windows take samples from those before them on the device
};

class MemoryLimitWindows
  : public ExtractionTest
  , public ::testing::WithParamInterface<WindowsCase>
{
};

// Values are the layers of samples, so that a surface lies in one window. On devices that cannot write into the host's
// memory, larger outputs in one run may lead to smaller windows in the next.
TEST_P(MemoryLimitWindows, AreUploadedOnceAndForAnotherIsovalueOnlyWhereItLies)
{
  const Samples samples = sample(plane({ 0, 0, -1 }, 0), this->GetParam().size);
  const double last = this->GetParam().size[2] - 20.5; // 20 layers before the last one
  DeviceOptions options;
  options.isDiscrete = this->GetParam().isDiscrete;
  const auto own = std::make_shared<Context>(options); // which no other session uses
  const auto cache = std::make_shared<VolumeCache>(own);
  VulkanSession session(own, cache);
  Volume volume = samples.volume();
  volume.identity = 1;
  Request request = requestOf({ 20.5, last });
  request.wideIds = request.pointIsovalues = request.computeCells = true;
  const auto uploads = [&](std::vector<double> isovalues, std::uint64_t memoryLimit)
  {
    request.isovalues = std::move(isovalues);
    request.memoryLimit = 0;
    const Mesh whole = this->extract(volume, request);
    EXPECT_GT(whole.triangleCount, 0u);
    request.memoryLimit = memoryLimit;
    const std::uint64_t before = cache->uploads();
    const Mesh joined = this->extract(session, volume, request);
    expectSameBytes(joined, whole);
    EXPECT_EQ(joined.openEdges.points, whole.openEdges.points);
    EXPECT_EQ(joined.openEdges.edges.size(), whole.openEdges.edges.size());
    EXPECT_LE(this->LastReport.deviceBytes, request.memoryLimit);
    return cache->uploads() - before;
  };
  const std::uint64_t third = samples.bytes.size() / 3, most = samples.bytes.size() / 10 * 9;
  const std::uint64_t windows = uploads({ 20.5, last }, third);
  EXPECT_GE(windows, this->GetParam().least);
  EXPECT_LE(windows, this->GetParam().most);
  EXPECT_EQ(uploads({ 10.5 }, third), 1u);
  EXPECT_EQ(uploads({ 20.5, last }, third), 2u);
  EXPECT_EQ(uploads({ last + 10 }, third), 1u); // the ranges of all windows are still there
  std::vector<double> everywhere;
  for (double layer = 0.5; layer < last + 20; layer += 20)
    everywhere.push_back(layer);
  EXPECT_EQ(uploads(everywhere, third), windows);
  request.nameOpenEdges = true;
  EXPECT_EQ(uploads({ 20.5, last }, third), 2u);
  request.nameOpenEdges = false;
  request.mergePoints = request.pointIsovalues = false; // needs more memory for points
  EXPECT_EQ(uploads({ 20.5, last }, most), this->GetParam().ofNineTenths);
  request.mergePoints = true;
  volume.identity = 0; // nothing is kept
  EXPECT_GE(uploads({ 20.5, last }, third), windows);
  request.memory = OutputMemory::Device;
  test::expectError(Error::Kind::OutOfMemory, [&] { session.extract({ volume }, request, this->LastReport); });
}

// Those of the second volume are so large that two share the memory, as one is uploaded ahead. A third of the first one
// also holds the outputs of a slab, 829 KB, on devices that cannot write into the host's memory.
INSTANTIATE_TEST_SUITE_P(OneAndTwoAtATime, MemoryLimitWindows,
  ::testing::Values(WindowsCase{ { 64, 64, 232 }, 4, 6, 2, false }, WindowsCase{ { 40, 40, 1600 }, 8, 12, 4, false },
    WindowsCase{ { 40, 40, 1600 }, 8, 12, 4, true }));

// While a window is uploaded ahead, the one before is on the device, with the layers of samples that they share.
// Without an identity, nobody knows that they belong to the same array.
TEST_F(MemoryLimit, WindowsTakeSharedSamplesAndMemoryFromTheDevice)
{
  const Samples samples = sample(plane({ 0, 0, -1 }, 0), { 40, 40, 1600 });
  DeviceOptions options;
  options.isDiscrete = true;
  Request request = requestOf({ 20.5, 1579.5 });
  request.memoryLimit = samples.bytes.size() / 3;
  const auto copied = [&](std::uint64_t identity)
  {
    const auto own = std::make_shared<Context>(options);
    const auto cache = std::make_shared<VolumeCache>(own);
    VulkanSession session(own, cache);
    Volume volume = samples.volume();
    volume.identity = identity;
    this->extract(session, volume, request);
    const std::uint64_t bytes = own->device().work().copiedBytes, windows = cache->uploads();
    if (identity != 0)
    {
      const auto extractOther = [&]
      {
        ++volume.identity;
        this->extract(session, volume, request);
        return own->device().work().buffersMade.load();
      };
      // Two threads take small buffers, in an order that varies, so some runs make some. If windows did not stay, every
      // run would make theirs.
      std::uint64_t before = extractOther();
      bool needsNone = false;
      for (int run = 0; run < 5 && !needsNone; ++run)
      {
        const std::uint64_t made = extractOther();
        needsNone = made == std::exchange(before, made);
      }
      EXPECT_TRUE(needsNone);
      session.releaseVolumes(volume.identity);
      EXPECT_LT(own->deviceMemory().bytes(), samples.bytes.size() / 10); // no window is left
    }
    return std::make_pair(bytes, windows);
  };
  const auto [apart, windows] = copied(0);
  const auto [shared, windowsOfOne] = copied(1);
  EXPECT_EQ(windowsOfOne, windows);
  const std::uint64_t layerBytes = 40 * 40 * 4, layers = 8 + 3; // the halo layer, and those around the bricks
  EXPECT_GE(shared - apart, (windows - 1) * layers * layerBytes);
  // And what pads a window. The first one has another layer instead of those before its bricks.
  EXPECT_LE(shared - apart, (windows - 1) * (layers * layerBytes + 256) + layerBytes);
}

// A window is uploaded in another thread while the surface of the one before is extracted. Either may fail, and the
// user may stop both.
TEST_F(MemoryLimit, WindowsThatAreUploadedAheadFailAndStopAsOthers)
{
  const Samples samples = sample(plane({ 0, 0, -1 }, 0), { 40, 40, 1600 });
  Request request = requestOf({ 20.5, 800.5, 1579.5 });
  const Mesh whole = this->extract(samples.volume(), request);
  request.memoryLimit = samples.bytes.size() / 3;
  SubmissionFailure failures;
  std::mutex mutex;
  std::set<std::thread::id> threads; // that submit work
  DeviceOptions options;
  options.beforeSubmission = [&, hook = failures.hook()]
  {
    const std::lock_guard<std::mutex> lock(mutex);
    threads.insert(std::this_thread::get_id());
    return hook();
  };
  const std::unique_ptr<Session> session = newSessionOn(std::make_shared<Context>(options));
  expectSameBytes(this->extract(*session, samples.volume(), request), whole);
  const std::size_t submissions = failures.submissions(), slabs = this->LastReport.slabs;
  EXPECT_GT(slabs, 8u);
  EXPECT_GT(submissions, 3 * slabs);
  EXPECT_GT(threads.size(), 1u);
  EXPECT_LE(this->LastReport.stages.sum(), this->LastReport.totalMilliseconds);
  for (std::size_t after = 0; after < submissions; after += 4) // each kind of them
  {
    SCOPED_TRACE(after);
    failures.failNext(vk::Result::eErrorOutOfDeviceMemory, after); // then smaller windows are tried
    expectSameBytes(this->extract(*session, samples.volume(), request), whole);
    failures.failNext(vk::Result::eErrorInitializationFailed, after);
    test::expectError(Error::Kind::Internal, [&] { this->tryToExtract(*session, samples.volume(), request); });
    failures.failNext(vk::Result::eSuccess);
  }
  for (std::size_t allowed = 0; allowed < 8; ++allowed)
  {
    std::size_t calls = 0;
    EXPECT_FALSE(this->tryToExtract(*session, samples.volume(), request, [&](double) { return calls++ < allowed; }));
    EXPECT_EQ(calls, allowed + 1);
  }
  expectSameBytes(this->extract(*session, samples.volume(), request), whole);
}

TEST_F(MemoryLimit, VolumesOfOneCallStayOnTheDeviceTogether)
{
  Samples leaves[] = { sampleNoise({ 20, 20, 20 }, SampleType::Float32, 1),
    sampleNoise({ 30, 9, 20 }, SampleType::UInt8, 2), sampleNoise({ 20, 20, 20 }, SampleType::Float32, 3) };
  const auto cache = std::make_shared<VolumeCache>(this->sharedContext());
  VulkanSession session(this->sharedContext(), cache);
  const auto uploads = [&](std::initializer_list<std::uint64_t> identities)
  {
    std::vector<Volume> volumes;
    for (const std::uint64_t identity : identities)
    {
      volumes.push_back(leaves[identity % 3].volume());
      volumes.back().identity = identity + 1;
    }
    const std::uint64_t before = cache->uploads();
    EXPECT_TRUE(session.extract(volumes, requestOf({ 0, 128 }), this->LastReport));
    return cache->uploads() - before;
  };
  EXPECT_EQ(uploads({ 0, 1, 2 }), 3u);
  EXPECT_EQ(uploads({ 0, 1, 2 }), 0u);
  EXPECT_EQ(uploads({ 0, 4, 2 }), 1u); // only the second leaf has changed
  EXPECT_EQ(uploads({ 0, 4, 2 }), 0u);
  EXPECT_EQ(uploads({ 0 }), 0u); // the other volumes are freed
  EXPECT_EQ(uploads({ 0, 4, 2 }), 2u);
}

TEST_F(MemoryLimit, VolumesThatDoNotFitTogetherAreExtractedOneByOne)
{
  const Samples first = sampleNoise({ 40, 40, 40 }, SampleType::Float32, 1);
  const Samples second = sampleNoise({ 40, 40, 40 }, SampleType::Float32, 2);
  Request request = requestOf({ 0 });
  const Mesh expected = this->extract(second.volume(), request);
  request.memoryLimit =
    this->LastReport.deviceBytes + first.bytes.size() / 2; // enough for one volume, but not for both
  const std::unique_ptr<Session> session = newSessionOn(this->sharedContext());
  const std::optional<Surface> surface =
    session->extract({ first.volume(), second.volume() }, request, this->LastReport);
  ASSERT_TRUE(surface);
  ASSERT_EQ(surface->meshes.size(), 2u);
  expectSameBytes(surface->meshes[1], expected);
  EXPECT_EQ(this->LastReport.slabs, 2u); // of two volumes
  EXPECT_LE(this->LastReport.deviceBytes, request.memoryLimit);
}

TEST_F(MemoryLimit, AttributesAndGhostsWithAnIdentityUploadOnce)
{
  const Samples samples = sampleNoise({ 20, 20, 20 }, SampleType::Float32, 8);
  const std::vector<float> indices = sampleIndices(samples.size);
  const std::vector<std::uint8_t> ghosts(samples.count(), 0);
  Volume volume = samples.volume();
  volume.identity = 1;
  volume.attributes = { { indices.data(), SampleType::Float32, 3, 2 } };
  volume.ghosts = ghosts.data();
  volume.ghostIdentity = 3;
  const Request request = requestOf({ 0 });
  const Mesh first = this->extract(volume, request);
  expectSameBytes(this->extract(volume, request), first);
  EXPECT_FALSE(this->reports(Stage::Upload));
  volume.ghostIdentity = 0;
  this->extract(volume, request);
  EXPECT_TRUE(this->reports(Stage::Upload));
}

}
