// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Histogram/CountOnDevice.h"

#include "Compute/Context.h"
#include "Compute/Histogram/BinThresholds.h"
#include "Compute/Volume/VolumeArrays.h"
#include "Embedded/Kernels.h"
#include "Shared/Bindings.h"

#include <algorithm>
#include <cmath>

namespace vmc
{

namespace
{

constexpr std::uint32_t LargestSlots = HISTOGRAM_SLOTS(Bins::Largest);
constexpr std::uint64_t MostCountBytes = 4 * (2 * LargestSlots + HISTOGRAM_EXTRA_WORDS);
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

// Returns whether the brick ranges have no sample that findRangeOnCpu leaves out, except infinite ones, and exact keys.
bool hasExactRanges(const Volume& volume)
{
  return !volume.ghosts && !volume.padding.closed && bytesOf(volume.type) <= 4;
}

// The work of countOnDevice.
struct Task
{
  DeviceSession& session;
  const CountBuffers& buffers;
  const Volume& volume;
  const ContourPlan& plan;
  const BinThresholds& thresholds;
  std::uint32_t slots; // of the counters

  std::uint64_t countBytes() const { return 4ull * (2 * this->slots + HISTOGRAM_EXTRA_WORDS); }
  Region counts() const { return Region(this->buffers.counts, 0, this->countBytes()); }
};

Specialization specializationOf(const Task& task, bool hasNan)
{
  const Volume& volume = task.volume;
  Specialization specialization = specializationOf(volume);
  // Small floats need the variant for any samples, see positionOfWord.
  const bool isSmall = volume.type == SampleType::Float32 && task.thresholds.table.exponent <= 60;
  specialization[SPECIALIZE_BLANKING] = hasNan || volume.ghosts || isSmall ? 1 : 0;
  specialization[SPECIALIZE_GHOSTS] = volume.ghosts ? 1 : 0;
  specialization[SPECIALIZE_SLOTS] = task.slots;
  return specialization;
}

// Records the pass over a slab, and the copy of its counts to the host.
void recordSlab(const Task& task, const Slab& slab, const VolumeArrays& arrays)
{
  const Volume& volume = task.volume;
  const Operand samples{ BINDING_SAMPLES, arrays.samples(volume, task.plan, slab) };
  const Operand ghosts{ BINDING_GHOSTS, task.session.ghosts(volume, task.plan, slab, arrays) };
  const Operand brickRange{ BINDING_BRICK_RANGE, arrays.ranges->keys.region() };
  const Operand bins{ BINDING_BINS, task.buffers.bins };
  const Operand valueCount{ BINDING_VALUE_COUNT, task.counts() };
  const std::vector<std::uint32_t> table = task.thresholds.words();
  KernelCache& kernelsOfDevice = task.session.context()->kernels();
  const Kernel& kernel = kernelsOfDevice.get(kernels::CountValues, specializationOf(task, arrays.ranges->hasNan));
  CommandRecorder& record = task.session.recorder();
  record.begin();
  record.fill(task.counts(), 0);
  record.update(task.buffers.bins, table.data(), 4 * table.size());
  record.stage(Stage::CountValues);
  record.dispatch(kernel, { samples, ghosts, brickRange, bins, valueCount }, { valueCount },
    parametersOf(volume, task.plan, slab), groupsOf(volume, slab));
  record.copy(task.counts(), task.buffers.onHost);
}

// Adds the counts of a slab, which have the layout of BINDING_VALUE_COUNT. The slots are those of ranks (below the
// bins, the bins, above them), or keys of 8 bits + 1. Thresholds above all keys are not in the list.
void addSlab(const Task& task, ValueCounts& counts)
{
  const auto* const samples = reinterpret_cast<const std::uint32_t*>(task.buffers.onHost.mapped());
  const std::vector<std::uint32_t> cutCells = sumsOf(samples + task.slots, task.slots);
  const std::vector<std::uint64_t>& keys = task.thresholds.keys;
  const std::size_t bins = counts.samples.size();
  const bool areKeys = bytesOf(task.volume.type) == 1;
  for (std::size_t slot = areKeys ? 1 : 0; slot < task.slots; ++slot)
  {
    const std::size_t rank = areKeys ? std::upper_bound(keys.begin(), keys.end(), slot - 1) - keys.begin() : 0;
    const std::size_t place = areKeys ? (rank + 1) / 2 : slot;
    (place == 0 ? counts.below : place > bins ? counts.above : counts.samples[place - 1]) += samples[slot];
  }
  for (std::size_t bin = 0; bin < bins && (!areKeys || 2 * bin + 1 < keys.size()); ++bin)
    counts.cutCells[bin] += cutCells[areKeys ? keys[2 * bin + 1] : bin];
  counts.nan += samples[2 * task.slots + HISTOGRAM_NAN];
  counts.ghosts += samples[2 * task.slots + HISTOGRAM_GHOSTS];
}

}

CountBuffers::CountBuffers(Device& device)
  : bins(device, TableBytes, Buffer::Memory::Device, "the bins")
  , counts(device, MostCountBytes, Buffer::Memory::Device, "counts")
  , onHost(device, MostCountBytes, Buffer::Memory::Readback, "counts on the host")
{
}

std::optional<SampleRange> findRangeOnDevice(
  DeviceSession& session, const Volume& volume, std::uint64_t memoryLimit, Report& report)
{
  if (volume.sampleCount() == 0 || !hasExactRanges(volume))
    return std::nullopt;
  using Keys = std::array<std::uint32_t, 2>;
  const Keys keys = session.withVolume<Keys>(volume, memoryLimit, report,
    [](const ContourPlan&, const VolumeArrays& arrays) {
      return Keys{ arrays.ranges->smallestKey, arrays.ranges->largestKey };
    });
  if (keys[0] > keys[1])
    return std::nullopt;
  const SampleRange range{ valueOfKey(keys[0], volume.type), valueOfKey(keys[1], volume.type) };
  return std::isfinite(range.smallest) && std::isfinite(range.largest) ? std::optional(range) : std::nullopt;
}

std::optional<ValueCounts> countOnDevice(DeviceSession& session, const CountBuffers& buffers, const Volume& volume,
  const Bins& bins, std::uint64_t memoryLimit, Report& report)
{
  const BinThresholds thresholds(bins, volume.type);
  if (volume.sampleCount() == 0 || (!thresholds.isPrecise && bytesOf(volume.type) != 1))
    return std::nullopt;
  return session.withVolume<ValueCounts>(volume, memoryLimit, report,
    [&](const ContourPlan& plan, VolumeArrays& arrays)
    {
      const Task task{ session, buffers, volume, plan, thresholds, slotsOf(bins, volume.type) };
      ValueCounts counts(bins);
      for (const Slab& slab : plan.slabs())
      {
        session.uploadSlab(volume, plan, slab, arrays, report);
        recordSlab(task, slab, arrays);
        session.recorder().submitAndWait(report.stages);
        addSlab(task, counts);
      }
      return counts;
    });
}

}
