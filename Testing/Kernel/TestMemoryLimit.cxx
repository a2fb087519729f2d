// Extractions that device memory holds only in part, and what stays there from one to the next.
#include "Compute/Volume/ContourPlan.h"
#include "ExtractionTest.h"

#include <set>

namespace vmc::test
{

class MemoryLimit : public ExtractionTest
{
};

namespace
{

// Seven layers of bricks, and arrays that take most of the memory.
class SevenLayers
{
public:
  SevenLayers()
    : Numbers(sampleNumbers(this->Field.size))
  {
  }

  Volume volume() const
  {
    Volume volume = this->Field.volume();
    volume.attributes.assign(6, { this->Numbers.data(), SampleType::Float32, 3 });
    return volume;
  }

private:
  Samples Field = sample(sphere({ 18, 20, 27 }, 16), { 40, 40, 55 });
  std::vector<float> Numbers;
};

// The memory of the device is what one extraction may take.
std::shared_ptr<Device> deviceWith(std::uint64_t memoryBytes)
{
  return std::make_shared<Device>(std::string(), DeviceLimits{ ~0ull, 1, ~0u, memoryBytes });
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

// A limit that the passes over the whole volume exceed, and those over its parts do not.
TEST_F(MemoryLimit, MemoryLimitIsMetByCuttingTheVolume)
{
  const Samples samples = sampleNoise({ 24, 24, 160 }, SampleType::UInt8, 11);
  Request request = requestOf({ 100 });
  const Mesh whole = this->extract(samples.volume(), request);
  const std::uint64_t needed = this->LastReport.deviceBytes;
  // Samples are half of it; the working memory of the passes shrinks with the slab.
  for (const double part : { 0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.62 })
  {
    SCOPED_TRACE(part);
    MarchingCubes fresh(this->device());
    request.memoryLimit = static_cast<std::uint64_t>(part * needed);
    std::size_t tries = 0;
    const std::optional<Mesh> mesh = fresh.extract(samples.volume(), request, this->LastReport,
      [&](double)
      {
        ++tries;
        return true;
      });
    ASSERT_TRUE(mesh);
    EXPECT_GT(tries, 1u);
    expectSameBytes(*mesh, whole);
    EXPECT_LE(this->LastReport.deviceBytes, request.memoryLimit);
  }
}

TEST_F(MemoryLimit, WhatALargeVolumeLeftBehindDoesNotCountAgainstTheNextOne)
{
  const Samples large = sampleNoise({ 48, 48, 48 }, SampleType::Float32, 17);
  const Samples small = sampleNoise({ 16, 16, 16 }, SampleType::Float32, 18);
  const std::vector<float> numbers = sampleNumbers(large.size);
  Volume volume = large.volume();
  volume.attributes = { { numbers.data(), SampleType::Float32, 3 } };
  Request request = requestOf({ 0 });
  this->extract(volume, request);
  const std::uint64_t before = this->LastReport.deviceBytes;
  MarchingCubes fresh(this->device());
  const Mesh expected = this->extract(fresh, small.volume(), request);
  request.memoryLimit = this->LastReport.deviceBytes;
  expectSameBytes(this->extract(small.volume(), request), expected);
  EXPECT_LE(this->LastReport.deviceBytes, request.memoryLimit);
  EXPECT_LT(this->LastReport.deviceBytes, before);
}

// From all that the whole takes down to less than two layers of bricks: each limit is kept, or refused with the bytes.
TEST_F(MemoryLimit, AnyLimitThatHoldsTwoLayersOfBricksGivesTheSameBytes)
{
  const SevenLayers input;
  Request request = requestOf({ 0, 3 });
  request.computeGradients = true;
  const Mesh whole = this->extract(input.volume(), request);
  const std::uint64_t samples = 76ull * 40 * 40; // bytes of one layer of samples with its attributes
  std::set<std::uint64_t> slabs;
  // Two layers of bricks take 19 layers of samples; the surface in them, on a device with its own memory, less than
  // one.
  for (std::uint64_t limit = this->LastReport.deviceBytes; limit > 20 * samples; limit -= samples)
  {
    SCOPED_TRACE(limit);
    MarchingCubes fresh(this->device());
    request.memoryLimit = limit;
    expectSameBytes(this->extract(fresh, input.volume(), request), whole);
    EXPECT_LE(this->LastReport.deviceBytes, limit);
    slabs.insert(this->LastReport.slabs);
  }
  // Two layers of bricks, one sample before them and two behind, and the ranges of 175 bricks.
  const std::uint64_t least = 19 * samples + 8 * 175;
  request.memoryLimit = least - 1;
  EXPECT_EQ(this->expectError(Error::Kind::OutOfMemory, input.volume(), request),
    "Slab by slab, samples and brick ranges need " + std::to_string(least) +
      " bytes of device memory, and the surface some more; " + std::to_string(least - 1) + " are allowed.");
  EXPECT_EQ(slabs, (std::set<std::uint64_t>{ 1, 2, 3, 4, 5, 6, 7 }));
}

// Without a limit of the user's: what the device refuses is tried in smaller and smaller parts.
TEST_F(MemoryLimit, AnExhaustedDeviceIsUsedSlabBySlab)
{
  const SevenLayers input;
  const Request request = requestOf({ 0, 3 });
  const Mesh whole = this->extract(input.volume(), request);
  const std::uint64_t needed = this->LastReport.deviceBytes;
  const std::uint64_t least = 19 * 76ull * 40 * 40 + 8 * 175;
  for (std::uint64_t memory = needed - 1; memory > least * 21 / 20; memory -= (needed - least) / 12)
  {
    SCOPED_TRACE(memory);
    MarchingCubes fresh(deviceWith(memory));
    expectSameBytes(this->extract(fresh, input.volume(), request), whole);
    if (memory < 76ull * 40 * 40 * 55) // less than the arrays alone
    {
      EXPECT_GT(this->LastReport.slabs, 1u);
    }
    EXPECT_LE(this->LastReport.deviceBytes, memory);
  }
  MarchingCubes tiny(deviceWith(100000));
  EXPECT_THROW(this->extract(tiny, input.volume(), request), Error);
}

TEST_F(MemoryLimit, VolumesOfOnePassStaySideBySide)
{
  Samples leaves[] = { sampleNoise({ 20, 20, 20 }, SampleType::Float32, 1),
    sampleNoise({ 30, 9, 20 }, SampleType::UInt8, 2), sampleNoise({ 20, 20, 20 }, SampleType::Float32, 3) };
  const auto uploads = [&](MarchingCubes& backend, std::initializer_list<std::uint64_t> identities)
  {
    std::string told;
    backend.beginPass();
    for (const std::uint64_t identity : identities)
    {
      Volume volume = leaves[identity % 3].volume();
      volume.identity = identity + 1;
      this->extract(backend, volume, requestOf({ 0 }));
      told += this->reports("Upload") ? "+" : "-";
    }
    backend.endPass();
    return told;
  };
  MarchingCubes backend(this->device());
  EXPECT_EQ(uploads(backend, { 0, 1, 2 }), "+++");
  EXPECT_EQ(uploads(backend, { 0, 1, 2 }), "---");
  EXPECT_EQ(uploads(backend, { 0, 4, 2 }), "-+-"); // the middle leaf has changed: it alone
  EXPECT_EQ(uploads(backend, { 0, 4, 2 }), "---");
  EXPECT_EQ(uploads(backend, { 0 }), "-"); // the others go
  EXPECT_EQ(uploads(backend, { 0, 4, 2 }), "-++");
}

TEST_F(MemoryLimit, OtherVolumesOfThePassGiveWay)
{
  const Samples first = sampleNoise({ 40, 40, 40 }, SampleType::Float32, 1);
  const Samples second = sampleNoise({ 40, 40, 40 }, SampleType::Float32, 2);
  Request request = requestOf({ 0 });
  const Mesh expected = this->extract(second.volume(), request);
  request.memoryLimit = this->LastReport.deviceBytes + first.bytes.size() / 2; // one of them, not both
  MarchingCubes backend(this->device());
  backend.beginPass();
  this->extract(backend, first.volume(), request);
  expectSameBytes(this->extract(backend, second.volume(), request), expected);
  backend.endPass();
  EXPECT_EQ(this->LastReport.slabs, 1u);
  EXPECT_LE(this->LastReport.deviceBytes, request.memoryLimit);
}

TEST_F(MemoryLimit, AttributesAndGhostsWithAnIdentityUploadOnce)
{
  const Samples samples = sampleNoise({ 20, 20, 20 }, SampleType::Float32, 8);
  const std::vector<float> numbers = sampleNumbers(samples.size);
  const std::vector<std::uint8_t> ghosts(samples.count(), 0);
  Volume volume = samples.volume();
  volume.identity = 1;
  volume.attributes = { { numbers.data(), SampleType::Float32, 3, 2 } };
  volume.ghosts = ghosts.data();
  volume.ghostIdentity = 3;
  const Request request = requestOf({ 0 });
  const Mesh first = this->extract(volume, request);
  expectSameBytes(this->extract(volume, request), first);
  EXPECT_FALSE(this->reports("Upload"));
  volume.ghostIdentity = 0;
  this->extract(volume, request);
  EXPECT_TRUE(this->reports("Upload"));
}

}
