// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Cpu/BrickRangeCache.h"

#include "Compute/System/InstructionSet.h"
#include "Compute/System/Parallel.h"
#include "Compute/System/Platform.h"
#include "Compute/System/Stage.h"
#include "Compute/Volume/WithType.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <limits>
#include <mutex>
#include <type_traits>

namespace vmc
{

namespace
{

// Buffers for one row of bricks along x. Elements are image samples along x.
template <class Sample>
struct RowOfBricks
{
  using NanFlag = std::conditional_t<sizeof(Sample) == 8, std::int64_t, std::int32_t>; // as wide as a float

  std::vector<Sample> smallest, largest;
  std::vector<NanFlag> isNan;

  explicit RowOfBricks(std::size_t samples)
    : smallest(samples)
    , largest(samples)
    , isNan(samples)
  {
  }
};

// A range without samples.
template <class Sample>
constexpr Sample Highest = std::is_floating_point_v<Sample> ? std::numeric_limits<Sample>::infinity()
                                                            : std::numeric_limits<Sample>::max();
template <class Sample>
constexpr Sample Lowest = std::is_floating_point_v<Sample> ? -std::numeric_limits<Sample>::infinity()
                                                           : std::numeric_limits<Sample>::lowest();

// Adds a row of image samples. No comparison with NaN is true.
template <class Sample>
VMC_INLINE void addRow(const Sample* samples, std::size_t count, RowOfBricks<Sample>& row)
{
  Sample* const smallest = row.smallest.data();
  Sample* const largest = row.largest.data();
  auto* const isNan = row.isNan.data();
  for (std::size_t x = 0; x < count; ++x)
  {
    // With the earlier values in variables, GCC 16 computes minima and maxima, not stores under conditions.
    const Sample sample = readSample(samples + x), low = smallest[x], high = largest[x];
    smallest[x] = sample < low ? sample : low;
    largest[x] = sample > high ? sample : high;
    if constexpr (std::is_floating_point_v<Sample>)
      isNan[x] |= sample != sample ? 1 : 0;
  }
}

// Writes the ranges of a row of bricks. Returns whether there is a NaN.
template <class Sample>
VMC_INLINE bool rangesOfRow(const Volume& volume, const Grid& grid, std::size_t rowOfBricks, RowOfBricks<Sample>& row,
  Sample* smallestOf, Sample* largestOf)
{
  std::fill(row.smallest.begin(), row.smallest.end(), Highest<Sample>);
  std::fill(row.largest.begin(), row.largest.end(), Lowest<Sample>);
  std::fill(row.isNan.begin(), row.isNan.end(), 0);
  const GridAxis &alongX = grid.axis[0], &alongY = grid.axis[1], &alongZ = grid.axis[2];
  const auto endOf = [](const GridAxis& axis, std::size_t begin)
  { return std::min<std::size_t>(begin + BRICK_SAMPLES, axis.size); };
  const std::size_t firstY = rowOfBricks % alongY.bricks * BRICK_SIZE,
                    firstZ = rowOfBricks / alongY.bricks * BRICK_SIZE;
  for (std::size_t z = firstZ; z < endOf(alongZ, firstZ); ++z)
    for (std::size_t y = firstY; y < endOf(alongY, firstY); ++y)
      addRow(static_cast<const Sample*>(volume.samples) +
               (std::size_t(alongZ.image[z]) * alongY.samples + alongY.image[y]) * alongX.samples,
        alongX.samples, row);
  bool hasNan = false;
  for (std::size_t brick = 0; brick < alongX.bricks; ++brick)
  {
    const std::size_t begin = alongX.image[brick * BRICK_SIZE],
                      end = alongX.image[endOf(alongX, brick * BRICK_SIZE) - 1] + 1;
    Sample smallest = Highest<Sample>, largest = Lowest<Sample>;
    for (std::size_t x = begin; x < end; ++x)
    {
      smallest = std::min(smallest, row.smallest[x]);
      largest = std::max(largest, row.largest[x]);
      hasNan = hasNan || row.isNan[x] != 0;
    }
    smallestOf[rowOfBricks * alongX.bricks + brick] = smallest;
    largestOf[rowOfBricks * alongX.bricks + brick] = largest;
  }
  return hasNan;
}

// Writes the ranges of the rows of bricks [begin, end). Returns whether there is a NaN.
template <class Sample>
VMC_INLINE bool rangesOfRows(
  const Volume& volume, const Grid& grid, std::size_t begin, std::size_t end, SampleRanges& ranges)
{
  RowOfBricks<Sample> row(volume.size[0]);
  bool hasNan = false;
  for (; begin < end; ++begin)
    hasNan |= rangesOfRow(volume, grid, begin, row, reinterpret_cast<Sample*>(ranges.smallest.data()),
      reinterpret_cast<Sample*>(ranges.largest.data()));
  return hasNan;
}

}

std::vector<SharedRanges> sampleRangesOf(const std::vector<const Volume*>& volumes, unsigned threads)
{
  constexpr std::size_t RowsAtOnce = 4;
  std::vector<Grid> grids;
  std::vector<std::size_t> rows; // of bricks
  std::vector<std::shared_ptr<SampleRanges>> ranges;
  std::vector<bool (*)(const Volume&, const Grid&, std::size_t, std::size_t, SampleRanges&)> kernels; // rangesOfRows
  for (const Volume* const volume : volumes)
  {
    const Grid& grid = grids.emplace_back(*volume);
    rows.push_back(std::size_t(grid.axis[1].bricks) * grid.axis[2].bricks);
    ranges.push_back(std::make_shared<SampleRanges>());
    ranges.back()->identity = volume->identity;
    ranges.back()->smallest.resize(grid.brickCount() * bytesOf(volume->type));
    ranges.back()->largest.resize(ranges.back()->smallest.size());
    kernels.push_back(withType(volume->type, [](auto zero) { return fastest<&rangesOfRows<decltype(zero)>>(); }));
  }
  std::vector<std::atomic<bool>> hasNan(volumes.size());
  inParts(rows, RowsAtOnce, threads,
    [&](std::size_t i, std::size_t begin, std::size_t end)
    {
      if (kernels[i](*volumes[i], grids[i], begin, end, *ranges[i]))
        hasNan[i] = true;
    });
  for (std::size_t i = 0; i < ranges.size(); ++i)
    ranges[i]->hasNan = hasNan[i];
  return { ranges.begin(), ranges.end() };
}

BrickRangeCache::Key BrickRangeCache::keyOf(const Volume& volume)
{
  return Key(volume.identity, volume.type, volume.size, volume.padding.low, volume.padding.high);
}

std::vector<SharedRanges> BrickRangeCache::acquire(
  const std::vector<const Volume*>& volumes, unsigned threads, StageTimes& times)
{
  const HostClock clock;
  std::vector<SharedRanges> ranges(volumes.size());
  std::vector<const Volume*> missing;
  {
    const std::lock_guard<std::mutex> lock(forkSafeMutex<BrickRangeCache>());
    for (std::size_t i = 0; i < volumes.size(); ++i)
    {
      const auto known = this->Entries.find(keyOf(*volumes[i]));
      if (volumes[i]->identity != 0 && known != this->Entries.end())
        ranges[i] = known->second.lock();
      if (!ranges[i])
        missing.push_back(volumes[i]);
    }
  }
  if (missing.empty())
    return ranges;
  const std::vector<SharedRanges> made = sampleRangesOf(missing, threads);
  const std::lock_guard<std::mutex> lock(forkSafeMutex<BrickRangeCache>());
  for (auto at = this->Entries.begin(); at != this->Entries.end();)
    at = at->second.expired() ? this->Entries.erase(at) : std::next(at);
  auto next = made.begin();
  for (std::size_t i = 0; i < volumes.size(); ++i)
    if (!ranges[i])
    {
      ranges[i] = *next++;
      if (volumes[i]->identity != 0)
        this->Entries[keyOf(*volumes[i])] = ranges[i];
    }
  times.add(Stage::BuildBrickRanges, clock.milliseconds());
  return ranges;
}

}
