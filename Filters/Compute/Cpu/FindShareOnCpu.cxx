// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Cpu/FindShareOnCpu.h"

#include "Compute/Cpu/Cases.h"
#include "Compute/Cpu/Grid.h"
#include "Compute/Cpu/Samples.h"
#include "Compute/System/InstructionSet.h"
#include "Compute/System/Parallel.h"
#include "Compute/Volume/WithType.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

namespace vmc
{

namespace
{

// A thread handles so many bricks at a time: their samples are compared in some microseconds or more.
constexpr std::size_t BricksAtOnce = 512;

struct SampleCounts
{
  std::uint64_t above = 0, nan = 0;
};

// The image samples at the positions of a brick: indices [begin, end) along each axis.
struct BrickBox
{
  std::array<std::size_t, 3> begin, end;

  BrickBox(const Grid& grid, const std::array<std::uint32_t, 3>& corner)
  {
    for (std::size_t a = 0; a < 3; ++a)
    {
      const std::size_t low = grid.axis[a].low, samples = grid.axis[a].samples;
      this->begin[a] = std::clamp<std::size_t>(corner[a], low, low + samples) - low;
      this->end[a] = std::clamp<std::size_t>(corner[a] + BRICK_SIZE, low, low + samples) - low;
    }
  }

  std::size_t size(std::size_t axis) const { return this->end[axis] - this->begin[axis]; }
  std::size_t count() const { return this->size(0) * this->size(1) * this->size(2); }
};

// Counts of up to 64 rows of 8 samples by position, in numbers as wide as a sample: 64 fits in 8 bits.
template <class Sample>
struct RowCounts
{
  using Number = std::conditional_t<sizeof(Sample) == 1, std::uint8_t,
    std::conditional_t<sizeof(Sample) == 2, std::uint16_t,
      std::conditional_t<sizeof(Sample) == 4, std::uint32_t, std::uint64_t>>>;

  std::array<Number, BRICK_SIZE> above{}, nan{};

  VMC_INLINE void add(const Sample* row, std::size_t count, Sample threshold)
  {
    for (std::size_t x = 0; x < count; ++x)
    {
      const Sample sample = readSample(row + x);
      this->above[x] = static_cast<Number>(this->above[x] + (sample >= threshold ? 1 : 0));
      if constexpr (std::is_floating_point_v<Sample>)
        this->nan[x] = static_cast<Number>(this->nan[x] + (sample != sample ? 1 : 0));
    }
  }
};

template <class Sample>
VMC_INLINE SampleCounts countBox(const Volume& volume, const BrickBox& box, Sample threshold)
{
  RowCounts<Sample> counts;
  for (std::size_t z = box.begin[2]; z < box.end[2]; ++z)
    for (std::size_t y = box.begin[1]; y < box.end[1]; ++y)
    {
      const Sample* const row =
        static_cast<const Sample*>(volume.samples) + (z * volume.size[1] + y) * volume.size[0] + box.begin[0];
      if (box.size(0) == BRICK_SIZE)
        counts.add(row, BRICK_SIZE, threshold);
      else
        counts.add(row, box.size(0), threshold);
    }
  SampleCounts sum;
  for (std::size_t x = 0; x < BRICK_SIZE; ++x)
  {
    sum.above += counts.above[x];
    sum.nan += counts.nan[x];
  }
  return sum;
}

// Counts the inside bits of the samples of a brick in its row words.
VMC_INLINE std::uint64_t countBits(
  const Grid& grid, const std::array<std::uint32_t, 3>& corner, const BrickBox& box, const std::uint32_t* words)
{
  std::uint64_t count = 0;
  if (box.count() == BRICK_SIZE * BRICK_SIZE * BRICK_SIZE)
  {
    constexpr std::uint64_t InsideBits = 0xFF000000FF000000u; // of two words
    for (std::size_t row = 0; row < BRICK_ROWS; row += 2)
      count += static_cast<std::uint64_t>(
        __builtin_popcountll((std::uint64_t(words[row + 1]) << 32 | words[row]) & InsideBits));
    return count;
  }
  if (box.count() == 0)
    return 0;
  const auto inBrick = [&](std::size_t axis, std::size_t sample)
  { return sample + grid.axis[axis].low - corner[axis]; };
  const std::uint32_t row = (1u << inBrick(0, box.end[0])) - (1u << inBrick(0, box.begin[0]));
  for (std::size_t z = inBrick(2, box.begin[2]); z < inBrick(2, box.end[2]); ++z)
    for (std::size_t y = inBrick(1, box.begin[1]); y < inBrick(1, box.end[1]); ++y)
      count += cpu::bitCount(words[BRICK_SIZE * z + y] >> ROW_SHIFT_INSIDE & row);
  return count;
}

// Sets the corner of a brick to that of the next one.
VMC_INLINE void advance(const Grid& grid, std::array<std::uint32_t, 3>& corner)
{
  for (std::size_t a = 0; a < 3; ++a)
  {
    corner[a] += BRICK_SIZE;
    if (corner[a] < grid.axis[a].size)
      return;
    corner[a] = 0;
  }
}

// Counts the samples of the bricks [begin, end). ranges: null: all samples are read. active: the bricks that
// CountBricks has counted; null: samples are read. threshold: the smallest sample that is not below the isovalue.
template <class Sample>
VMC_INLINE SampleCounts countBricks(const Volume& volume, const Grid& grid, const SampleRanges* ranges,
  const ActiveBricks* active, Sample threshold, std::size_t begin, std::size_t end)
{
  const auto* const smallest = ranges ? reinterpret_cast<const Sample*>(ranges->smallest.data()) : nullptr;
  const auto* const largest = ranges ? reinterpret_cast<const Sample*>(ranges->largest.data()) : nullptr;
  SampleCounts sum;
  std::array<std::uint32_t, 3> corner = grid.cornerOf(begin);
  for (std::size_t brick = begin; brick < end; ++brick, advance(grid, corner))
  {
    const bool hasAbove = !ranges || largest[brick] >= threshold, hasBelow = !ranges || smallest[brick] < threshold;
    if (active && hasAbove && hasBelow)
    {
      const std::uint32_t* const words = active->rowWord + std::size_t(active->slotOfBrick[brick]) * BRICK_ROWS;
      sum.above += countBits(grid, corner, BrickBox(grid, corner), words);
    }
    else if ((ranges && ranges->hasNan) || (hasAbove && hasBelow))
    {
      const SampleCounts counts = countBox(volume, BrickBox(grid, corner), threshold);
      sum.above += counts.above;
      sum.nan += counts.nan;
    }
    else if (hasAbove)
      sum.above += BrickBox(grid, corner).count();
  }
  return sum;
}

template <class Sample>
SampleCounts countSamples(const Volume& volume, const Grid& grid, const SampleRanges* ranges,
  const ActiveBricks* active, Sample threshold, unsigned threads)
{
  const auto kernel = fastest<&countBricks<Sample>>();
  std::atomic<std::uint64_t> above{ 0 }, nan{ 0 };
  inParts(grid.brickCount(), BricksAtOnce, threads,
    [&](std::size_t begin, std::size_t end)
    {
      const SampleCounts counts = kernel(volume, grid, ranges, active, threshold, begin, end);
      above += counts.above;
      nan += counts.nan;
    });
  return { above, nan };
}

template <class Sample>
SampleCounts countSamples(
  const Volume& volume, const Grid& grid, const SampleRanges* ranges, double isovalue, unsigned threads)
{
  const std::optional<Sample> threshold = std::isnan(isovalue) ? std::nullopt : smallestFrom<Sample>(isovalue);
  const Sample any = std::numeric_limits<Sample>::max();
  const SampleCounts counts = countSamples(volume, grid, ranges, nullptr, threshold.value_or(any), threads);
  return { threshold ? counts.above : 0, counts.nan };
}

// Returns the number that the last extraction has counted, or nothing.
std::optional<SampleCounts> knownCounts(const CpuState& state, const SharedRanges& ranges, double isovalue)
{
  for (const CpuState::CountedSamples& counted : state.counted)
    if (counted.isovalue == isovalue && counted.ranges.lock() == ranges)
      return SampleCounts{ counted.above, 0 };
  return std::nullopt;
}

}

std::uint64_t countInside(const BrickPass& pass, const SampleRanges& ranges, unsigned threads)
{
  return withType(pass.volume.type,
    [&](auto zero)
    {
      const auto threshold = thresholdValue<decltype(zero)>(pass.threshold);
      return countSamples(pass.volume, pass.grid, &ranges, &pass.active, threshold, threads).above;
    });
}

DomainShare findShareOnCpu(CpuState* state, const Volume& volume, const std::vector<double>& isovalues,
  const CountLimits& limits, Report& report)
{
  DomainShare share;
  share.above.resize(isovalues.size());
  if (volume.sampleCount() == 0)
    return share;
  const unsigned threads = usableThreads(limits.threads);
  const SharedRanges ranges =
    state ? state->ranges->acquire({ &volume }, threads, report.stages).front() : SharedRanges();
  const HostClock clock;
  const Grid grid(volume);
  const double sampleVolume = std::abs(volume.geometry.determinant());
  for (std::size_t i = 0; i < isovalues.size(); ++i)
  {
    std::optional<SampleCounts> known = state ? knownCounts(*state, ranges, isovalues[i]) : std::nullopt;
    const auto count = [&](auto zero)
    { return countSamples<decltype(zero)>(volume, grid, ranges.get(), isovalues[i], threads); };
    const SampleCounts counts = known ? *known : withType(volume.type, count);
    share.domain = static_cast<double>(volume.sampleCount() - counts.nan) * sampleVolume;
    share.above[i] = static_cast<double>(counts.above) * sampleVolume;
  }
  report.stages.add(Stage::CountValues, clock.milliseconds());
  return share;
}

}
