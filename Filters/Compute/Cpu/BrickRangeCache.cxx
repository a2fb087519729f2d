// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Cpu/BrickRangeCache.h"

#include "Compute/Cpu/Grid.h"
#include "Compute/Cpu/InstructionSet.h"
#include "Compute/Cpu/Samples.h"
#include "Compute/System/ForkSafeMutex.h"
#include "Compute/System/Parallel.h"
#include "Compute/Volume/WithType.h"

#include <algorithm>
#include <atomic>
#include <cmath>
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
    const Sample sample = readSample(samples + x);
    smallest[x] = sample < smallest[x] ? sample : smallest[x];
    largest[x] = sample > largest[x] ? sample : largest[x];
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

template <class Sample>
using RangesOfRow = bool (*)(const Volume&, const Grid&, std::size_t, RowOfBricks<Sample>&, Sample*, Sample*);

template <class Sample>
bool baseline(const Volume& volume, const Grid& grid, std::size_t rowOfBricks, RowOfBricks<Sample>& row,
  Sample* smallestOf, Sample* largestOf)
{
  return rangesOfRow(volume, grid, rowOfBricks, row, smallestOf, largestOf);
}

#ifdef VMC_HAS_AVX2
template <class Sample>
VMC_AVX2 bool avx2(const Volume& volume, const Grid& grid, std::size_t rowOfBricks, RowOfBricks<Sample>& row,
  Sample* smallestOf, Sample* largestOf)
{
  return rangesOfRow(volume, grid, rowOfBricks, row, smallestOf, largestOf);
}
#endif

template <class Sample>
RangesOfRow<Sample> rangesOfRowForProcessor()
{
#ifdef VMC_HAS_AVX2
  if (mayUseAvx2())
    return avx2<Sample>;
#endif
  return baseline<Sample>;
}

template <class Sample>
SampleRanges rangesOf(const Volume& volume, unsigned threads)
{
  constexpr std::size_t RowsAtOnce = 4;
  const Grid grid(volume);
  const auto rangesOfThisRow = rangesOfRowForProcessor<Sample>();
  SampleRanges ranges;
  ranges.smallest.resize(grid.brickCount() * sizeof(Sample));
  ranges.largest.resize(ranges.smallest.size());
  auto* const smallest = reinterpret_cast<Sample*>(ranges.smallest.data());
  auto* const largest = reinterpret_cast<Sample*>(ranges.largest.data());
  std::atomic<bool> hasNan{ false };
  inParts(std::size_t(grid.axis[1].bricks) * grid.axis[2].bricks, RowsAtOnce, threads,
    [&](std::size_t begin, std::size_t end)
    {
      RowOfBricks<Sample> row(volume.size[0]);
      for (; begin < end; ++begin)
        if (rangesOfThisRow(volume, grid, begin, row, smallest, largest))
          hasNan = true;
    });
  ranges.hasNan = hasNan;
  return ranges;
}

}

SampleRanges sampleRangesOf(const Volume& volume, unsigned threads)
{
  return withType(volume.type, [&](auto zero) { return rangesOf<decltype(zero)>(volume, threads); });
}

std::shared_ptr<const SampleRanges> BrickRangeCache::acquire(const Volume& volume, unsigned threads, bool& isNew)
{
  const Key key(volume.identity, volume.type, volume.size, volume.padding.low, volume.padding.high);
  if (volume.identity != 0)
  {
    const std::lock_guard<std::mutex> lock(forkSafeMutex<BrickRangeCache>());
    if (auto known = this->Entries[key].lock())
      return known;
  }
  isNew = true;
  auto ranges = std::make_shared<const SampleRanges>(sampleRangesOf(volume, threads));
  const std::lock_guard<std::mutex> lock(forkSafeMutex<BrickRangeCache>());
  for (auto at = this->Entries.begin(); at != this->Entries.end();)
    at = at->second.expired() ? this->Entries.erase(at) : std::next(at);
  if (volume.identity != 0)
    this->Entries[key] = ranges;
  return ranges;
}

}
