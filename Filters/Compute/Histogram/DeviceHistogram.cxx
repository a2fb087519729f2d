// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Histogram/DeviceHistogram.h"

#include "Compute/Context.h"
#include "Compute/Histogram/BinThresholds.h"
#include "Compute/Histogram/CpuHistogram.h"
#include "Compute/Volume/DeviceSession.h"
#include "Compute/Volume/SlabParameters.h"
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

// Dual cells of a run along x and y.
using RunSize = std::array<std::uint32_t, 2>;

// One invocation per run. Workgroups clear their counters and add them to those of the volume: with more runs per
// invocation they do that less often, but then small volumes use a part of the device only.
std::uint64_t groupsOf(const Volume& volume, const Slab& slab, const RunSize& run)
{
  const auto grid = volume.gridSize();
  const std::uint64_t layers = std::uint64_t(slab.layers) * BRICK_SIZE;
  const std::uint64_t runs =
    groupsFor(grid[0], run[0]) * groupsFor(grid[1], run[1]) * groupsFor(layers, HISTOGRAM_RUN_LAYERS);
  return groupsFor(runs, HISTOGRAM_GROUP_SIZE);
}

// Whether CountBytes can count the volume, in a window with these parameters.
bool isCountedByBytes(const Device& device, const Volume& volume, const SlabConstants& slab)
{
  return device.hasHalfFloats() && bytesOf(volume.type) == 1 && !volume.ghosts && volume.padding.isEmpty() &&
         slab.sizeX % HISTOGRAM_BYTE_RUN_CELLS == 0 && slab.windowOffset % HISTOGRAM_BYTE_RUN_CELLS == 0;
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

}

class DeviceHistogram::Implementation
{
public:
  Implementation(std::shared_ptr<Context> context, std::shared_ptr<VolumeCache> volumes)
    : Session(std::move(context), std::move(volumes))
    , BinTableOnDevice(this->allocator(), TableBytes, Buffer::Memory::Device, "the bins")
    , Counts(this->allocator(), CountBytes, Buffer::Memory::Device, "counts")
    , OnHost(this->allocator(), CountBytes, Buffer::Memory::Readback, "counts on the host")
    , Unused(this->allocator(), 4, Buffer::Memory::Device, "no ghost flags")
  {
  }

  // The ends of the returned range may be infinite.
  std::optional<SampleRange> range(const Volume& volume, std::uint64_t memoryLimit, Report& report);
  ValueCounts count(
    const Volume& volume, const Bins& bins, const BinThresholds& thresholds, std::uint64_t memoryLimit, Report& report);

  DeviceSession& session() { return this->Session; }
  std::optional<DeviceSession::Call> call; // of the enclosing pass

private:
  struct Task
  {
    const Volume& volume;
    const ContourPlan& plan;
    const BinThresholds& thresholds;
    const Bins& bins;
  };

  Allocator& allocator() { return this->Session.context()->allocator(); }
  void countSlab(const Task& task, const Slab& slab, VolumeArrays& arrays, ValueCounts& counts, StageTimes& times);
  Specialization specializationOf(const Task& task, bool hasNan) const;

  DeviceSession Session;
  Buffer BinTableOnDevice, Counts, OnHost, Unused;
};

std::optional<SampleRange> DeviceHistogram::Implementation::range(
  const Volume& volume, std::uint64_t memoryLimit, Report& report)
{
  using Keys = std::array<std::uint32_t, 2>;
  const Keys keys = this->Session.withVolume<Keys>(volume, memoryLimit, report,
    [](const ContourPlan&, const VolumeArrays& arrays) {
      return Keys{ arrays.ranges->smallestKey, arrays.ranges->largestKey };
    });
  if (keys[0] > keys[1])
    return std::nullopt;
  return SampleRange{ valueOfKey(keys[0], volume.type), valueOfKey(keys[1], volume.type) };
}

ValueCounts DeviceHistogram::Implementation::count(
  const Volume& volume, const Bins& bins, const BinThresholds& thresholds, std::uint64_t memoryLimit, Report& report)
{
  return this->Session.withVolume<ValueCounts>(volume, memoryLimit, report,
    [&](const ContourPlan& plan, VolumeArrays& arrays)
    {
      ValueCounts counts(bins);
      for (const Slab& slab : plan.slabs())
      {
        this->Session.uploadSlab(volume, plan, slab, arrays, report);
        this->countSlab({ volume, plan, thresholds, bins }, slab, arrays, counts, report.stages);
      }
      return counts;
    });
}

void DeviceHistogram::Implementation::countSlab(
  const Task& task, const Slab& slab, VolumeArrays& on, ValueCounts& counts, StageTimes& times)
{
  const Volume& volume = task.volume;
  const std::uint32_t slots = slotsOf(task.bins, volume.type);
  const std::uint64_t countBytes = 4ull * (2 * slots + HISTOGRAM_EXTRA_WORDS);
  const Operand samples{ BINDING_SAMPLES, on.samples(volume, task.plan, slab) };
  const Operand ghosts{ BINDING_GHOSTS, volume.ghosts ? on.ghosts(task.plan, slab) : Region(this->Unused) };
  const Operand brickRange{ BINDING_BRICK_RANGE, on.ranges->keys.region() };
  const Operand bins{ BINDING_BINS, this->BinTableOnDevice };
  const Operand valueCount{ BINDING_VALUE_COUNT, Region(this->Counts, 0, countBytes) };
  const SlabConstants parameters = parametersOf(volume, task.plan, slab);
  KernelCache& kernelsOfDevice = this->Session.context()->kernels();
  const Specialization specialization = this->specializationOf(task, on.ranges->hasNan);
  CommandRecorder& record = this->Session.recorder();
  record.begin();
  record.fill(Region(this->Counts, 0, countBytes), 0);
  if (isCountedByBytes(this->Session.context()->device(), volume, parameters))
  {
    const Kernel& byteKernel = kernelsOfDevice.get(kernels::CountBytes, specialization);
    const std::uint64_t groups = groupsOf(volume, slab, { HISTOGRAM_BYTE_RUN_CELLS, HISTOGRAM_BYTE_RUN_ROWS });
    record.stage(Stage::CountValues);
    record.dispatch(byteKernel, { samples, brickRange, valueCount }, { valueCount }, parameters, groups);
  }
  else
  {
    const std::vector<std::uint32_t> table = task.thresholds.words();
    const Kernel& countKernel = kernelsOfDevice.get(kernels::CountValues, specialization);
    const std::size_t bytes = bytesOf(volume.type);
    const std::uint64_t groups = groupsOf(volume, slab, { HISTOGRAM_RUN_CELLS(bytes), HISTOGRAM_RUN_ROWS(bytes) });
    record.update(this->BinTableOnDevice, table.data(), 4 * table.size());
    record.stage(Stage::CountValues);
    record.dispatch(countKernel, { samples, ghosts, brickRange, bins, valueCount }, { valueCount }, parameters, groups);
  }
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
    this->Impl->call.emplace(this->Impl->session());
}

void DeviceHistogram::endPass()
{
  if (mayUseVulkan())
    this->Impl->call.reset();
}

void DeviceHistogram::releaseVolumes(std::uint64_t identity)
{
  if (mayUseVulkan())
    this->Impl->session().releaseVolumes(identity);
}

std::optional<SampleRange> DeviceHistogram::range(const Volume& volume, const CountLimits& limits, Report& report)
{
  if (isEmpty(volume) || !hasExactRanges(volume))
    return CpuHistogram().range(volume, limits, report);
  const Device& device = this->Impl->session().context()->device();
  const auto range = translated(device, [&] { return this->Impl->range(volume, limits.memoryLimit, report); });
  report.device = device.traits().name;
  if (range && !(std::isfinite(range->smallest) && std::isfinite(range->largest)))
    return CpuHistogram().range(volume, limits, report);
  return range;
}

ValueCounts DeviceHistogram::count(const Volume& volume, const Bins& bins, const CountLimits& limits, Report& report)
{
  if (isEmpty(volume))
    return CpuHistogram().count(volume, bins, limits, report);
  const BinThresholds thresholds(bins, volume.type);
  if (!thresholds.isPrecise && bytesOf(volume.type) != 1)
    return CpuHistogram().count(volume, bins, limits, report);
  const Device& device = this->Impl->session().context()->device();
  report.device = device.traits().name;
  return translated(device, [&] { return this->Impl->count(volume, bins, thresholds, limits.memoryLimit, report); });
}

}
