// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// How much work an extraction gives to the device and to the host. Every number more costs time on some device.
#include "Compute/Engine/DeviceEngine.h"
#include "ExtractionTest.h"
#include "Support/RandomCoordinates.h"

#include <memory>
#include <ostream>

namespace vmc::test
{

namespace
{

struct Work
{
  std::uint64_t submissions, dispatches, barriers, buffers;

  bool operator==(const Work& other) const
  {
    return this->submissions == other.submissions && this->dispatches == other.dispatches &&
           this->barriers == other.barriers && this->buffers == other.buffers;
  }
};

std::ostream& operator<<(std::ostream& stream, const Work& work)
{
  return stream << work.submissions << " submissions, " << work.dispatches << " dispatches, " << work.barriers
                << " barriers, " << work.buffers << " buffers";
}

// A device of its own, and a session on it.
class Worker
{
public:
  explicit Worker(const DeviceOptions& options)
    : OwnContext(std::make_shared<Context>(options))
    , OwnSession(OwnContext, std::make_shared<VolumeCache>(OwnContext))
  {
  }

  // Extracts, and returns the work that this took.
  Work extract(const std::vector<Volume>& volumes, const Request& request)
  {
    this->LastMesh = Mesh(); // its memory is used again
    const Work before = this->sum();
    this->Counters().hostCopiedBytes = this->Counters().copiedBytes = 0;
    std::optional<Surface> surface = this->OwnSession.extract(volumes, request, this->LastReport);
    this->LastMesh = std::move(surface->meshes.front());
    const Work after = this->sum();
    return { after.submissions - before.submissions, after.dispatches - before.dispatches,
      after.barriers - before.barriers, after.buffers - before.buffers };
  }

  WorkCounters& Counters() { return this->OwnContext->device().work(); }
  bool importsHostMemory() const { return this->OwnContext->device().hostImportAlignment() != 0; }
  bool hasUnifiedMemory() const { return this->OwnContext->device().hasUnifiedMemory(); }
  bool exportsMemory() const { return this->OwnContext->device().exportsMemory(); }

  Report LastReport;
  Mesh LastMesh; // of the first volume

private:
  Work sum()
  {
    const WorkCounters& counters = this->Counters();
    return { counters.submissions, counters.dispatches, counters.barriers,
      this->OwnContext->device().work().buffersMade };
  }

  const std::shared_ptr<Context> OwnContext;
  VulkanSession OwnSession;
};

// Bricks that are too many to be assumed to be active at once. A device with its own memory uploads the samples in six
// submissions.
Samples largeBall()
{
  return sample(sphere({ 100, 100, 100 }, 60), { 208, 208, 208 }, SampleType::UInt8, 10, 128);
}

}

class WorkOfExtractions : public ExtractionTest
{
protected:
  void expectWork(OutputMemory memory, bool isDiscrete, const Work& first, const Work& next)
  {
    DeviceOptions options;
    options.isDiscrete = isDiscrete;
    Worker worker(options);
    if (memory == OutputMemory::Exported && !worker.exportsMemory())
      GTEST_SKIP() << "The device does not export memory.";
    if (worker.hasUnifiedMemory() == isDiscrete)
      GTEST_SKIP() << "The device has its own memory.";
    const Samples samples = largeBall();
    Volume volume = samples.volume();
    volume.identity = 1;
    Request request = requestOf({ 120 });
    request.memory = memory;
    request.pointIsovalues = memory == OutputMemory::Exported;
    EXPECT_EQ(worker.extract({ volume }, request), first);
    request.isovalues = { 128 };
    const std::uint64_t sizeBarriers = worker.Counters().sizeBarriers;
    EXPECT_EQ(worker.extract({ volume }, request), next);
    EXPECT_EQ(worker.Counters().sizeBarriers, sizeBarriers + 1); // that of CompactBricks
    // The totals are copied to the host, and of a device with its own memory the outputs: positions, normals, ids.
    const bool isCopied = isDiscrete && memory == OutputMemory::Host;
    const std::uint64_t bytesOfOutputs = 24 * worker.LastMesh.pointCount + 12 * worker.LastMesh.triangleCount;
    EXPECT_EQ(worker.Counters().copiedBytes, BytesOfTotals + (isCopied ? bytesOfOutputs : 0));
    if (worker.importsHostMemory())
    {
      EXPECT_EQ(worker.Counters().hostCopiedBytes, 0u);
    }
  }

  static constexpr std::uint64_t BytesOfTotals = 36;
};

TEST_F(WorkOfExtractions, ToHostMemory)
{
  this->expectWork(OutputMemory::Host, /*isDiscrete*/ false, { 4, 7, 12, 13 }, { 1, 6, 5, 0 });
}

TEST_F(WorkOfExtractions, OfSamplesAtCoordinatesIsThatOfAnImage)
{
  const Samples samples = sampleNoise({ 20, 20, 20 }, SampleType::UInt8, 1);
  Worker ofImage{ DeviceOptions() }, atCoordinates{ DeviceOptions() };
  Volume volume = samples.volume();
  volume.identity = 1;
  for (const double isovalue : { 100.0, 90.0 })
  {
    volume.geometry = SampleGeometry();
    const Work expected = ofImage.extract({ volume }, requestOf({ isovalue }));
    volume.geometry = SampleGeometry::ofPoints(randomCoordinates(samples.size, 2));
    EXPECT_EQ(atCoordinates.extract({ volume }, requestOf({ isovalue })), expected);
  }
}

TEST_F(WorkOfExtractions, ToHostMemoryOfADeviceWithItsOwn)
{
  this->expectWork(OutputMemory::Host, /*isDiscrete*/ true, { 9, 7, 13, 15 }, { 2, 6, 7, 0 });
}

TEST_F(WorkOfExtractions, ToDeviceMemory)
{
  this->expectWork(OutputMemory::Device, /*isDiscrete*/ false, { 4, 7, 12, 13 }, { 1, 6, 5, 0 });
}

TEST_F(WorkOfExtractions, ToDeviceMemoryOfADeviceWithItsOwn)
{
  this->expectWork(OutputMemory::Device, /*isDiscrete*/ true, { 9, 7, 12, 14 }, { 1, 6, 5, 0 });
}

TEST_F(WorkOfExtractions, ToExportedMemory)
{
  this->expectWork(OutputMemory::Exported, /*isDiscrete*/ false, { 4, 7, 12, 14 }, { 1, 6, 5, 0 });
}

// Each sweep over a list is one submission: the first extraction also uploads and builds brick ranges.
TEST_F(WorkOfExtractions, OfAList)
{
  Worker worker{ DeviceOptions() };
  const Samples samples = sampleNoise({ 20, 20, 20 }, SampleType::UInt8, 1);
  std::vector<Volume> volumes(50, samples.volume());
  for (std::size_t i = 0; i < volumes.size(); ++i)
    volumes[i].identity = i + 1;
  worker.extract(volumes, requestOf({ 100 }));
  const Work next = worker.extract(volumes, requestOf({ 90 })); // a smaller surface
  EXPECT_EQ(next.submissions, 2u);
  EXPECT_EQ(next.dispatches, 6 * volumes.size());
  EXPECT_EQ(next.buffers, 0u);
}

// The measures need memory when that of the extraction is free again, of other sizes.
TEST_F(WorkOfExtractions, WithMeasuresMakesNoBufferTwice)
{
  const Samples samples = largeBall();
  Volume volume = samples.volume();
  volume.identity = 1;
  for (const bool isDiscrete : { false, true })
    for (const OutputMemory memory : { OutputMemory::Host, OutputMemory::Device })
    {
      DeviceOptions options;
      options.isDiscrete = isDiscrete;
      Worker worker(options);
      Request request = requestOf({ 120 });
      request.memory = memory;
      request.computeMeasures = true;
      EXPECT_GT(worker.extract({ volume }, request).buffers, 0u);
      worker.extract({ volume }, request); // for the size that is known now
      for (int run = 0; run < 3; ++run)
        EXPECT_EQ(worker.extract({ volume }, request).buffers, 0u) << "run " << run << ", discrete " << isDiscrete;
      EXPECT_EQ(worker.LastMesh.measures.size(), 1u);
    }
}

// As for the pictures of a window that becomes larger, which begin no run of the pool.
TEST_F(WorkOfExtractions, GrowingBuffersNeedTheMemoryOfTwo)
{
  Context context{ DeviceOptions() };
  DeviceMemoryPool& pool = context.deviceMemory();
  pool.addUsers(1);
  constexpr std::uint64_t Largest = 16 << 20;
  for (std::uint64_t size = 1 << 20; size <= Largest; size += 1 << 20)
    pool.acquire(size, "growing").release();
  EXPECT_GE(pool.bytes(), Largest);
  EXPECT_LE(pool.bytes(), 2 * Largest);
  pool.addUsers(-1);
  EXPECT_EQ(pool.bytes(), 0u);
}

// The host copies no byte of a mesh, whatever the number of slabs. A sweep is one submission for all slabs; the first
// one needs another, to read how many bricks are active.
TEST_F(WorkOfExtractions, OfManySlabs)
{
  // 16 layers of bricks, and two layers of samples, as many as a binding has after those of a slab: no slab is added.
  const Samples samples = sample(sphere({ 16, 16, 64 }, 62), { 32, 32, 130 });
  const Request request = requestOf({ 0.5, -7 });
  const Mesh whole = this->extract(samples.volume(), request);
  EXPECT_GT(whole.triangleCount, 1000u);
  for (const std::uint32_t slabs : { 4u, 16u })
    for (const bool isDiscrete : { false, true })
    {
      SCOPED_TRACE(slabs);
      // The samples of a slab and of three layers for gradients fit in a binding.
      const std::uint64_t layers = BRICK_SIZE * (16 / slabs) + 3;
      DeviceOptions options = optionsWith({ (layers * 32 * 32 + 64) * sizeof(float), 64 });
      options.isDiscrete = isDiscrete;
      Worker worker(options);
      if (!worker.importsHostMemory())
        GTEST_SKIP() << "The device does not import host memory.";
      Volume volume = samples.volume();
      volume.identity = 1;
      worker.extract({ volume }, requestOf({ 0, 3 }));
      EXPECT_EQ(worker.extract({ volume }, request).submissions, 3u);
      expectSameBytes(worker.LastMesh, whole);
      EXPECT_EQ(worker.LastReport.slabs, slabs);
      EXPECT_EQ(worker.Counters().hostCopiedBytes, 0u);
    }
}

}
