// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Histogram/DeviceHistogram.h"

#include "Compute/Context.h"
#include "Compute/Histogram/BinThresholds.h"
#include "Compute/System/Error.h"
#include "Compute/System/HostClock.h"
#include "Compute/Volume/LimitedMemory.h"
#include "Compute/Volume/MemoryLadder.h"
#include "Compute/Volume/SlabParameters.h"
#include "Compute/Volume/VolumeCache.h"
#include "Compute/Vulkan/CommandRecorder.h"
#include "Compute/Vulkan/Instance.h"
#include "Embedded/Kernels.h"
#include "Shared/Bindings.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vmc
{

namespace
{

constexpr std::uint32_t LargestSlots = HISTOGRAM_SLOTS(Bins::Largest);
constexpr std::uint64_t CountBytes = 4 * (2 * LargestSlots + HISTOGRAM_EXTRA_WORDS);
constexpr std::uint64_t TableBytes = sizeof(BinTable) + 8 * (2 * std::uint64_t(Bins::Largest) + 1);

std::uint32_t slotsOf(const Bins& bins, SampleType type)
{
  return bytesOf(type) == 1 ? HISTOGRAM_BYTE_SLOTS : HISTOGRAM_SLOTS(bins.count);
}

// One invocation per run. Workgroups clear their counters and add them to those of the volume: with more runs per
// invocation they do that less often, but then small volumes use a part of the device only.
std::uint64_t groupsOf(const Volume& volume, const Slab& slab)
{
  const auto grid = volume.gridSize();
  const std::size_t bytes = bytesOf(volume.type);
  const std::uint64_t layers = std::uint64_t(slab.layers) * BRICK_SIZE;
  const std::uint64_t runs = groupsFor(grid[0], HISTOGRAM_RUN_CELLS(bytes)) *
                             groupsFor(grid[1], HISTOGRAM_RUN_ROWS(bytes)) * groupsFor(layers, HISTOGRAM_RUN_LAYERS);
  return groupsFor(runs, HISTOGRAM_GROUP_SIZE);
}

// The sum of the slots up to each one. Sums are below 2^32, but steps may be negative: unsigned numbers wrap around.
std::vector<std::uint32_t> sumsOf(const std::uint32_t* steps, std::uint32_t count)
{
  std::vector<std::uint32_t> sums(count);
  std::uint32_t sum = 0;
  for (std::uint32_t slot = 0; slot < count; ++slot)
    sums[slot] = sum += steps[slot];
  return sums;
}

// The counts of a slab in the layout of BINDING_VALUE_COUNT.
struct SlabCounts
{
  const std::uint32_t* samples;        // [slot]
  std::vector<std::uint32_t> cutCells; // [slot]
  std::uint32_t nan, ghosts;

  SlabCounts(const std::byte* words, std::uint32_t slots)
    : samples(reinterpret_cast<const std::uint32_t*>(words))
    , cutCells(sumsOf(samples + slots, slots))
    , nan(samples[2 * slots + HISTOGRAM_NAN])
    , ghosts(samples[2 * slots + HISTOGRAM_GHOSTS])
  {
  }
};

// The slots are those of ranks: below the bins, the bins, above them.
void addSlots(const SlabCounts& slab, ValueCounts& counts)
{
  const std::size_t bins = counts.samples.size();
  counts.below += slab.samples[0];
  counts.above += slab.samples[bins + 1];
  for (std::size_t bin = 0; bin < bins; ++bin)
  {
    counts.samples[bin] += slab.samples[bin + 1];
    counts.cutCells[bin] += slab.cutCells[bin];
  }
}

// The slots are keys of 8 bits + 1. Thresholds above all keys are not in the list.
void addKeys(const SlabCounts& slab, const BinThresholds& thresholds, ValueCounts& counts)
{
  for (std::uint64_t key = 0; key < 256; ++key)
  {
    const auto above = std::upper_bound(thresholds.keys.begin(), thresholds.keys.end(), key);
    const std::size_t rank = above - thresholds.keys.begin(), bin = (rank + 1) / 2;
    const std::uint64_t samples = slab.samples[key + 1];
    (bin == 0 ? counts.below : bin > counts.samples.size() ? counts.above : counts.samples[bin - 1]) += samples;
  }
  for (std::size_t bin = 0; 2 * bin + 1 < thresholds.keys.size(); ++bin)
    counts.cutCells[bin] += slab.cutCells[thresholds.keys[2 * bin + 1]];
}

// Whether the brick ranges have no sample that rangeOnHost leaves out, except infinite ones, and exact keys.
bool hasExactRanges(const Volume& volume)
{
  return !volume.ghosts && !volume.padding.closed && bytesOf(volume.type) <= 4;
}

bool isEmpty(const Volume& volume)
{
  return volume.sampleCount() == 0;
}

bool isHost(const Device& device)
{
  return device.traits().type == DeviceTraits::Type::Cpu && device.hasUnifiedMemory();
}

// Calls `work` and adds its time by the host's clock.
template <class Work>
auto timed(Stage stage, StageTimes& times, const Work& work) -> decltype(work())
{
  const HostClock clock;
  auto result = work();
  times.add(stage, clock.milliseconds());
  return result;
}

}

class DeviceHistogram::Implementation
{
public:
  Implementation(std::shared_ptr<Context> context, std::shared_ptr<VolumeCache> volumes)
    : DeviceContext(std::move(context))
    , Cache(std::move(volumes))
    , User(*this->DeviceContext)
    , Volumes(*this->Cache)
    , Recorder(this->DeviceContext->device())
    , KeyRange(this->allocator(), 2 * 4, Buffer::Memory::Device, "the range of keys")
    , BinTableOnDevice(this->allocator(), TableBytes, Buffer::Memory::Device, "the bins")
    , Counts(this->allocator(), CountBytes, Buffer::Memory::Device, "counts")
    , OnHost(this->allocator(), CountBytes, Buffer::Memory::Readback, "counts on the host")
    , Unused(this->allocator(), 4, Buffer::Memory::Device, "no ghost flags")
  {
  }

  const std::shared_ptr<Context>& context() const { return this->DeviceContext; }
  void beginPass();
  void endPass();
  void releaseVolumes(std::uint64_t identity);
  std::optional<SampleRange> range(const Volume& volume, std::uint64_t memoryLimit, Report& report);
  ValueCounts count(
    const Volume& volume, const Bins& bins, const BinThresholds& thresholds, std::uint64_t memoryLimit, Report& report);

private:
  struct Task
  {
    const Volume& volume;
    const ContourPlan& plan;
    const BinThresholds& thresholds;
    const Bins& bins;
  };

  Allocator& allocator() { return this->DeviceContext->allocator(); }
  template <class Result, class Work>
  Result withVolume(const Volume& volume, std::uint64_t memoryLimit, Report& report, const Work& work);
  std::array<std::uint32_t, 2> findRange(const ContourPlan& plan, const VolumeArrays& arrays, StageTimes& times);
  void countSlab(const Task& task, const Slab& slab, VolumeArrays& arrays, ValueCounts& counts, StageTimes& times);
  Specialization specializationOf(const Task& task, bool hasNan) const;

  const std::shared_ptr<Context> DeviceContext;
  const std::shared_ptr<VolumeCache> Cache;
  const Context::User User;
  VolumeCache::User Volumes;
  CommandRecorder Recorder;
  Buffer KeyRange, BinTableOnDevice, Counts, OnHost, Unused;
  bool InPass = false;
};

// Calls work(plan, arrays), again with smaller and smaller slabs while memory is exhausted.
template <class Result, class Work>
Result DeviceHistogram::Implementation::withVolume(
  const Volume& volume, std::uint64_t memoryLimit, Report& report, const Work& work)
{
  const DeviceLimits& limits = this->DeviceContext->device().limits();
  LimitedMemory memory(*this->DeviceContext, *this->Cache, this->Volumes, memoryLimit);
  MemoryLadder ladder(this->DeviceContext->deviceMemory().bytes() != 0);
  for (;;)
    try
    {
      const ContourPlan plan = planOf(volume, limits, ladder.residency());
      VolumeArrays arrays = this->Volumes.acquire(volume, plan, report.stages);
      const Result result = work(plan, arrays);
      report.bricks = plan.brickCount();
      report.slabs = plan.slabs().size();
      report.deviceBytes = std::max(report.deviceBytes, memory.largest());
      return result;
    }
    catch (const Error& error)
    {
      if (error.kind() != Error::Kind::OutOfMemory ||
          ladder.afterOutOfMemory(false, false, sizesOf(volume, limits, memoryLimit)) == MemoryLadder::Answer::Fail)
        throw;
      memory.freeUnused(ladder.step() != MemoryLadder::Step::Slabs);
    }
}

std::optional<SampleRange> DeviceHistogram::Implementation::range(
  const Volume& volume, std::uint64_t memoryLimit, Report& report)
{
  using Keys = std::array<std::uint32_t, 2>;
  const Keys keys = this->withVolume<Keys>(volume, memoryLimit, report,
    [&](const ContourPlan& plan, const VolumeArrays& arrays) { return this->findRange(plan, arrays, report.stages); });
  if (keys[0] > keys[1])
    return std::nullopt;
  const SampleRange range{ valueOfKey(keys[0], volume.type), valueOfKey(keys[1], volume.type) };
  return std::isfinite(range.smallest) && std::isfinite(range.largest) ? range : rangeOnHost(volume);
}

std::array<std::uint32_t, 2> DeviceHistogram::Implementation::findRange(
  const ContourPlan& plan, const VolumeArrays& on, StageTimes& times)
{
  constexpr std::uint64_t MostGroups = 64;
  const std::uint64_t groups = std::min(groupsFor(plan.brickCount(), RANGE_GROUP_SIZE), MostGroups);
  const RangeConstants push{ static_cast<std::uint32_t>(plan.brickCount()),
    static_cast<std::uint32_t>(groups * RANGE_GROUP_SIZE) };
  const Operand brickRange{ BINDING_BRICK_RANGE, on.ranges->keys.region() };
  const Operand keyRange{ BINDING_KEY_RANGE, this->KeyRange };
  const Kernel& rangeKernel = this->DeviceContext->kernels().get(kernels::FindRange);
  CommandRecorder& record = this->Recorder;
  record.begin();
  record.fill(Region(this->KeyRange, 0, 4), 0xFFFFFFFFu);
  record.fill(Region(this->KeyRange, 4, 4), 0);
  record.stage(Stage::FindRange);
  record.dispatch(rangeKernel, { brickRange, keyRange }, { keyRange }, push, groups);
  record.copy(this->KeyRange, this->OnHost);
  record.submitAndWait(times);
  const auto* keys = reinterpret_cast<const std::uint32_t*>(this->OnHost.mapped());
  return { keys[0], keys[1] };
}

ValueCounts DeviceHistogram::Implementation::count(
  const Volume& volume, const Bins& bins, const BinThresholds& thresholds, std::uint64_t memoryLimit, Report& report)
{
  return this->withVolume<ValueCounts>(volume, memoryLimit, report,
    [&](const ContourPlan& plan, VolumeArrays& arrays)
    {
      ValueCounts counts(bins);
      for (const Slab& slab : plan.slabs())
      {
        const HostClock clock;
        if (!plan.holdsWholeArrays() && uploadWindows(*this->DeviceContext, volume, plan, slab, arrays))
          report.stages.add(Stage::Upload, clock.milliseconds());
        this->countSlab({ volume, plan, thresholds, bins }, slab, arrays, counts, report.stages);
      }
      return counts;
    });
}

void DeviceHistogram::Implementation::countSlab(
  const Task& task, const Slab& slab, VolumeArrays& on, ValueCounts& counts, StageTimes& times)
{
  const Volume& volume = task.volume;
  const std::vector<std::uint32_t> table = task.thresholds.words();
  const std::uint32_t slots = slotsOf(task.bins, volume.type);
  const std::uint64_t countBytes = 4ull * (2 * slots + HISTOGRAM_EXTRA_WORDS);
  const Operand samples{ BINDING_SAMPLES, on.samples(volume, task.plan, slab) };
  const Operand ghosts{ BINDING_GHOSTS, volume.ghosts ? on.ghosts(task.plan, slab) : Region(this->Unused) };
  const Operand brickRange{ BINDING_BRICK_RANGE, on.ranges->keys.region() };
  const Operand bins{ BINDING_BINS, this->BinTableOnDevice };
  const Operand valueCount{ BINDING_VALUE_COUNT, Region(this->Counts, 0, countBytes) };
  const Specialization specialization = this->specializationOf(task, on.ranges->hasNan);
  const Kernel& countKernel = this->DeviceContext->kernels().get(kernels::CountValues, specialization);
  CommandRecorder& record = this->Recorder;
  record.begin();
  record.update(this->BinTableOnDevice, table.data(), 4 * table.size());
  record.fill(Region(this->Counts, 0, countBytes), 0);
  record.stage(Stage::CountValues);
  record.dispatch(countKernel, { samples, ghosts, brickRange, bins, valueCount }, { valueCount },
    parametersOf(volume, task.plan, slab), groupsOf(volume, slab));
  record.copy(Region(this->Counts, 0, countBytes), this->OnHost);
  record.submitAndWait(times);
  const SlabCounts slabCounts(this->OnHost.mapped(), slots);
  counts.nan += slabCounts.nan;
  counts.ghosts += slabCounts.ghosts;
  if (bytesOf(volume.type) == 1)
    addKeys(slabCounts, task.thresholds, counts);
  else
    addSlots(slabCounts, counts);
}

Specialization DeviceHistogram::Implementation::specializationOf(const Task& task, bool hasNan) const
{
  const Volume& volume = task.volume;
  Specialization specialization = vmc::specializationOf(volume);
  // Small floats need the variant for any samples, see positionOfWord.
  const bool isSmall = volume.type == SampleType::Float32 && task.thresholds.table.exponent <= 60;
  specialization[SPECIALIZE_BLANKING] = hasNan || volume.ghosts || isSmall ? 1 : 0;
  specialization[SPECIALIZE_GHOSTS] = volume.ghosts ? 1 : 0;
  specialization[SPECIALIZE_SLOTS] = slotsOf(task.bins, volume.type);
  return specialization;
}

void DeviceHistogram::Implementation::beginPass()
{
  this->DeviceContext->beginRun();
  this->Volumes.beginPass();
  this->InPass = true;
}

void DeviceHistogram::Implementation::endPass()
{
  this->Volumes.endPass();
  this->InPass = false;
  this->DeviceContext->endRun();
}

void DeviceHistogram::Implementation::releaseVolumes(std::uint64_t identity)
{
  this->Volumes.release(identity);
  if (!this->InPass)
    this->DeviceContext->endRun();
}

DeviceHistogram::DeviceHistogram(std::shared_ptr<Context> context, std::shared_ptr<VolumeCache> volumes)
{
  translated(context->device(), [&] { this->Impl = std::make_unique<Implementation>(context, std::move(volumes)); });
}

DeviceHistogram::~DeviceHistogram()
{
  if (!mayUseVulkan())
    static_cast<void>(this->Impl.release()); // left to the operating system
}

void DeviceHistogram::beginPass()
{
  if (mayUseVulkan())
    this->Impl->beginPass();
}

void DeviceHistogram::endPass()
{
  if (mayUseVulkan())
    this->Impl->endPass();
}

void DeviceHistogram::releaseVolumes(std::uint64_t identity)
{
  if (mayUseVulkan())
    this->Impl->releaseVolumes(identity);
}

std::optional<SampleRange> DeviceHistogram::range(const Volume& volume, std::uint64_t memoryLimit, Report& report)
{
  const Device& device = this->Impl->context()->device();
  if (isEmpty(volume) || isHost(device) || !hasExactRanges(volume))
    return timed(Stage::FindRange, report.stages, [&] { return rangeOnHost(volume); });
  return translated(device, [&] { return this->Impl->range(volume, memoryLimit, report); });
}

ValueCounts DeviceHistogram::count(const Volume& volume, const Bins& bins, std::uint64_t memoryLimit, Report& report)
{
  const Device& device = this->Impl->context()->device();
  const auto onHost = [&]
  { return timed(Stage::CountValues, report.stages, [&] { return countOnHost(volume, bins); }); };
  if (isEmpty(volume) || isHost(device))
    return onHost();
  const BinThresholds thresholds(bins, volume.type);
  if (!thresholds.isPrecise && bytesOf(volume.type) > 1)
    return onHost();
  return translated(device, [&] { return this->Impl->count(volume, bins, thresholds, memoryLimit, report); });
}

}
