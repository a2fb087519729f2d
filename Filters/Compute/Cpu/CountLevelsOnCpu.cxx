// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Cpu/CountLevelsOnCpu.h"

#include "Compute/Cpu/BinSteps.h"
#include "Compute/Cpu/DualCells.h"
#include "Compute/Cpu/Extremes.h"
#include "Compute/Cpu/TimedOnCpu.h"
#include "Compute/System/Parallel.h"
#include "Compute/Volume/LevelBlock.h"
#include "Compute/Volume/WithType.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace vmc
{

namespace
{

using namespace cpu;

// A thread handles so many bricks at a time: adding up the counts of a part takes some microseconds, and so do some
// bricks.
constexpr std::size_t BricksAtOnce = 256;

template <class Sample>
const Sample* samplesOf(const std::vector<std::byte>& bytes)
{
  return reinterpret_cast<const Sample*>(bytes.data());
}

// The leaves of a brick that belong to this piece of the hierarchy and lie in the domain.
BrickBits ownLeaves(const LevelOfBricks& level, std::size_t slot)
{
  BrickBits own = level.leaf[slot];
  for (const std::vector<BrickBits>* const other : { &level.notOwned, &level.beyond })
    for (std::size_t z = 0; !other->empty() && z < own.size(); ++z)
      own[z] &= ~(*other)[slot][z];
  return own;
}

// Adds the leaves of a brick.
template <class Sample>
void addLeaves(const LevelOfBricks& level, std::size_t slot, Extremes<Sample>& extremes)
{
  std::array<Sample, BrickCells> samples;
  std::copy_n(level.samplesOf<Sample>() + slot * BrickCells, BrickCells, samples.begin());
  const BrickBits leaf = ownLeaves(level, slot);
  const auto isLeaf = [&](std::size_t i) { return (leaf[i / BRICK_ROWS] >> i % BRICK_ROWS & 1u) != 0; };
  std::size_t first = 0;
  while (first < BrickCells && !isLeaf(first))
    ++first;
  if (first == BrickCells)
    return;
  for (std::size_t i = 0; i < BrickCells; ++i)
    samples[i] = isLeaf(i) ? samples[i] : samples[first];
  extremes.add(samples.data(), BrickCells);
}

// The ranges of the bricks contain all leaves and nothing else, but infinite ones and those of other pieces, too.
template <class Sample>
std::optional<SampleRange> rangeOf(const LevelBricks& bricks, unsigned threads)
{
  Sample smallest = std::numeric_limits<Sample>::max(), largest = std::numeric_limits<Sample>::lowest();
  for (const LevelOfBricks& level : bricks.levels)
    for (std::size_t slot = 0; slot < level.brick.size(); ++slot)
    {
      smallest = std::min(smallest, samplesOf<Sample>(level.range.smallest)[slot]);
      largest = std::max(largest, samplesOf<Sample>(level.range.largest)[slot]);
    }
  if (smallest > largest)
    return std::nullopt;
  const bool isWhole = std::all_of(
    bricks.levels.begin(), bricks.levels.end(), [](const LevelOfBricks& level) { return level.notOwned.empty(); });
  if (isWhole && Extremes<Sample>::isFinite(smallest) && Extremes<Sample>::isFinite(largest))
    return SampleRange{ rounded(smallest, -1), rounded(largest, 1) };
  Extremes<Sample> all;
  std::mutex mutex;
  for (const LevelOfBricks& level : bricks.levels)
    inParts(level.brick.size(), BricksAtOnce, threads,
      [&](std::size_t begin, std::size_t end)
      {
        Extremes<Sample> part;
        for (; begin < end; ++begin)
          addLeaves(level, begin, part);
        const std::lock_guard<std::mutex> lock(mutex);
        all.add(part);
      });
  return all.range();
}

// The smallest and the largest step of each dual cell between positions of a cube.
template <std::size_t Size>
class CellSteps
{
public:
  static constexpr std::size_t Count = Size * Size * Size;

  std::array<Step, Count> smallest, largest; // [minimum corner]

  // Those at the high sides of the cube have no meaning.
  explicit CellSteps(const std::array<Step, Count>& positions)
    : smallest(positions)
    , largest(positions)
  {
    for (const std::size_t stride : { std::size_t(1), Size, Size * Size })
      for (std::size_t i = 0; i + stride < Count; ++i)
      {
        this->smallest[i] = std::min(this->smallest[i], this->smallest[i + stride]);
        this->largest[i] = std::max(this->largest[i], this->largest[i + stride]);
      }
  }
};

// Counts the leaves of bricks of one level, and the dual cells that belong to these bricks.
template <class Sample>
class BrickCounter
{
public:
  StepCounts counts;

  BrickCounter(const LevelBricks& bricks, std::size_t level, const BinSteps<Sample>& steps)
    : Bricks(bricks)
    , Level(level)
    , Own(bricks.levels[level])
    , Steps(steps)
  {
  }

  void add(std::size_t slot)
  {
    if (!this->mayBeCut(slot))
      this->addUncut(slot);
    else if (this->Own.kind[slot] == BrickKind::Plain)
      this->addPlain(slot);
    else
      this->addBlock(slot);
  }

private:
  // Returns whether a centre of a bin is in the range of the brick.
  bool mayBeCut(std::size_t slot) const
  {
    const std::array<Sample, 2> range = { samplesOf<Sample>(this->Own.range.smallest)[slot],
      samplesOf<Sample>(this->Own.range.largest)[slot] };
    const bool reachesOutside = this->Own.range.reachesOutside(slot);
    if (!(reachesOutside ? range[0] <= range[1] : range[0] < range[1])) // without a leaf, too
      return false;
    std::array<Step, 2> steps;
    this->Steps.find(range.data(), range.size(), steps.data());
    steps[0] = reachesOutside ? Step(0) : steps[0];
    return centresOf(steps[0]) != centresOf(steps[1]);
  }

  // Finds the steps of all samples of an array.
  template <std::size_t Count>
  std::array<Step, Count> stepsOf(const Sample* samples) const
  {
    std::array<Step, Count> steps;
    this->Steps.find(samples, Count, steps.data());
    return steps;
  }

  void addUncut(std::size_t slot)
  {
    const auto steps = this->stepsOf<BrickCells>(this->Own.template samplesOf<Sample>() + slot * BrickCells);
    this->countLeaves(slot, steps.data(), BRICK_SIZE);
  }

  void addPlain(std::size_t slot)
  {
    using Cells = CellSteps<BRICK_SAMPLES>;
    std::array<Sample, Cells::Count> samples;
    gatherCells<0, 1>(SlotsAround(this->Own, slot), this->Own.template samplesOf<Sample>(), samples.data());
    const auto steps = this->stepsOf<Cells::Count>(samples.data());
    this->countLeaves(slot, steps.data(), BRICK_SAMPLES);
    const Cells cells(steps);
    constexpr std::uint32_t All = (1u << BRICK_SIZE) - 1;
    for (std::size_t z = 0; z < BRICK_SIZE; ++z)
      for (std::size_t y = 0; y < BRICK_SIZE; ++y)
        this->countCells(cells, (z * BRICK_SAMPLES + y) * BRICK_SAMPLES, All);
  }

  void addBlock(std::size_t slot)
  {
    const LevelBlock block(
      this->Bricks, this->Level, SlotsAround(this->Own, slot), this->Own.kind[slot] == BrickKind::Stitched);
    auto steps = this->stepsOf<BlockPositions>(block.samples<Sample>().data());
    for (std::size_t row = 0; this->Bricks.isClosed && row < BlockRows; ++row)
      for (std::uint32_t outside = block.isOutside[row]; outside != 0; outside &= outside - 1)
        steps[row * BlockSize + static_cast<std::size_t>(__builtin_ctz(outside))] = 0; // below every centre
    this->countLeaves(slot, steps.data() + blockPosition(1, 1, 1), BlockSize);
    const CellSteps<BlockSize> cells(steps);
    const DualCells made(this->Bricks, block);
    for (std::size_t z = 0; z <= BRICK_SIZE; ++z)
      for (std::size_t y = 0; y <= BRICK_SIZE; ++y)
      {
        const std::size_t row = z * BlockSize + y;
        this->countCells(cells, row * BlockSize, made.ownInRow(row));
      }
  }

  // first: the step of the first cell of the brick, in a cube of this size.
  void countLeaves(std::size_t slot, const Step* first, std::size_t size)
  {
    const BrickBits leaf = ownLeaves(this->Own, slot);
    for (std::size_t row = 0; row < BRICK_ROWS; ++row)
    {
      const auto leaves = static_cast<std::uint32_t>(leaf[row / BRICK_SIZE] >> row % BRICK_SIZE * BRICK_SIZE & 0xFFu);
      const Step* const steps = first + (row / BRICK_SIZE * size + row % BRICK_SIZE) * size;
      for (std::size_t x = 0; x < BRICK_SIZE; ++x)
        if ((leaves >> x & 1u) != 0)
          ++this->counts.samples[x % 2][steps[x]];
    }
  }

  // first: of the row. row: the cells to count.
  template <std::size_t Size>
  void countCells(const CellSteps<Size>& cells, std::size_t first, std::uint32_t row)
  {
    for (; row != 0; row &= row - 1)
    {
      const std::size_t cell = first + static_cast<std::size_t>(__builtin_ctz(row));
      this->counts.addCell(cells.smallest[cell], cells.largest[cell]);
    }
  }

  const LevelBricks& Bricks;
  const std::size_t Level;
  const LevelOfBricks& Own;
  const BinSteps<Sample>& Steps;
};

// Counts a level.
template <class Sample>
ValueCounts countsOf(
  const LevelBricks& bricks, std::size_t level, const BinSteps<Sample>& steps, const Bins& bins, unsigned threads)
{
  ValueCounts all(bins);
  std::mutex mutex;
  inParts(bricks.levels[level].brick.size(), BricksAtOnce, threads,
    [&](std::size_t begin, std::size_t end)
    {
      BrickCounter<Sample> part(bricks, level, steps);
      for (; begin < end; ++begin)
        part.add(begin);
      const ValueCounts inBins = part.counts.inBins(bins);
      const std::lock_guard<std::mutex> lock(mutex);
      all.add(inBins);
    });
  all.ghosts = bricks.levels[level].hiddenCells;
  all.nan = bricks.levels[level].nanCells;
  return all;
}

// mayContinue: called before each level with its number. Returns nothing if it has returned false.
template <class MayContinue>
std::optional<LevelCounts> countsOf(
  const LevelBricks& bricks, const Bins& bins, unsigned threads, const MayContinue& mayContinue)
{
  return withType(bricks.type,
    [&](auto zero) -> std::optional<LevelCounts>
    {
      const BinSteps<decltype(zero)> steps(bins, bricks.brickCount() * BrickCells);
      LevelCounts counts;
      for (std::size_t level = 0; level < bricks.levels.size(); ++level)
      {
        if (!mayContinue(level))
          return std::nullopt;
        counts.push_back(countsOf(bricks, level, steps, bins, threads));
      }
      return counts;
    });
}

}

std::vector<std::optional<SampleRange>> findRangesOnCpu(
  CpuState& state, const std::vector<Levels>& hierarchies, const CountLimits& limits, Report& report)
{
  const auto held = state.holdBricks(hierarchies, usableThreads(limits.threads), report.stages);
  return timedOnCpu(Stage::FindRange, limits.threads, report,
    [&](unsigned threads)
    {
      std::vector<std::optional<SampleRange>> ranges;
      ranges.reserve(held.size());
      for (const SharedLevels& levels : held)
        ranges.push_back(
          withType(levels->bricks->type, [&](auto zero) { return rangeOf<decltype(zero)>(*levels->bricks, threads); }));
      return ranges;
    });
}

std::optional<std::vector<LevelCounts>> countOnCpu(CpuState& state, const std::vector<Levels>& hierarchies,
  const Bins& bins, const CountLimits& limits, Report& report, const Progress& progress)
{
  const auto held = state.holdBricks(hierarchies, usableThreads(limits.threads), report.stages);
  std::size_t all = 0, done = 0; // bricks
  for (const SharedLevels& levels : held)
    all += levels->bricks->brickCount();
  return timedOnCpu(Stage::CountValues, limits.threads, report,
    [&](unsigned threads) -> std::optional<std::vector<LevelCounts>>
    {
      std::vector<LevelCounts> counts;
      for (const SharedLevels& levels : held)
      {
        const LevelBricks& bricks = *levels->bricks;
        std::optional<LevelCounts> next = countsOf(bricks, bins, threads,
          [&](std::size_t level)
          {
            return !progress ||
                   progress(double(done + bricks.levels[level].firstBrick) / double(std::max<std::size_t>(all, 1)));
          });
        if (!next)
          return std::nullopt;
        done += bricks.brickCount();
        counts.push_back(std::move(*next));
      }
      return counts;
    });
}

}
