// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Cpu/CountLevelsOnCpu.h"
#include "Compute/Cpu/CountOnCpu.h"
#include "Compute/Engine.h"
#include "Compute/Session.h"
#include "Reference/BorderedLevels.h"
#include "Reference/LevelHistogram.h"
#include "Support/ExpectCounts.h"
#include "Support/LevelViews.h"
#include "Support/RandomLevels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

using namespace vmc;

namespace
{

using test::expectEqual;
using test::sumOf;

constexpr std::uint64_t Seeds = 100;
constexpr double Infinity = std::numeric_limits<double>::infinity();

// Counts as a new session of the CPU does.
LevelCounts countLevels(const Levels& levels, const Bins& bins, unsigned threads = 2)
{
  static HostMemoryPool memory(false);
  CpuState state{ memory, std::make_shared<BrickRangeCache>() };
  Report report;
  return countOnCpu(state, { levels }, bins, { 0, threads }, report, {})->front();
}

std::optional<SampleRange> rangeOf(const Levels& levels)
{
  static HostMemoryPool memory(false);
  CpuState state{ memory, std::make_shared<BrickRangeCache>() };
  Report report;
  return findRangesOnCpu(state, { levels }, { 0, 2 }, report).front();
}

void expectEqual(const LevelCounts& found, const LevelCounts& expected)
{
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t level = 0; level < found.size(); ++level)
  {
    SCOPED_TRACE("level " + std::to_string(level));
    expectEqual(found[level], expected[level]);
  }
}

// Without finite values: a range upside down.
SampleRange finiteRange(const reference::LevelLeaves& leaves)
{
  SampleRange range = { Infinity, -Infinity };
  for (const reference::LevelCell& leaf : leaves.leaves())
    if (const reference::CellThere& cell = leaves.at(leaf); cell.isValid && std::isfinite(cell.sample))
      range = { std::min(range.smallest, cell.sample), std::max(range.largest, cell.sample) };
  return range;
}

void expectRange(const Levels& levels, const SampleRange& expected)
{
  const std::optional<SampleRange> range = rangeOf(levels);
  ASSERT_EQ(range.has_value(), expected.smallest <= expected.largest);
  if (!range)
    return;
  EXPECT_EQ(range->smallest, expected.smallest);
  EXPECT_EQ(range->largest, expected.largest);
}

// Some bins leave out samples on both sides.
std::vector<Bins> binsFor(const SampleRange& range)
{
  const double width = std::max(range.largest - range.smallest, 1.0);
  return { equalBins(range.smallest, range.largest, 9),
    equalBins(range.smallest + width / 8, range.largest - width / 3, 3) };
}

// The sums of the counts of all seeds.
struct Totals
{
  std::uint64_t cutCells = 0, nan = 0, ghosts = 0, outside = 0;

  void add(const LevelCounts& counts)
  {
    for (const ValueCounts& level : counts)
    {
      this->cutCells += sumOf(level.cutCells);
      this->nan += level.nan;
      this->ghosts += level.ghosts;
      this->outside += level.below + level.above;
    }
  }
};

}

TEST(CountLevels, LeavesAndCutCellsAreThoseOfTheReference)
{
  Totals totals;
  for (std::uint64_t seed = 0; seed < Seeds && !HasFailure(); ++seed)
  {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const test::RandomLevels input = test::randomLevels(seed);
    const reference::LevelLeaves leaves(input.levels);
    const Levels view = test::viewOf(input.levels);
    const SampleRange range = finiteRange(leaves);
    expectRange(view, range);
    for (const Bins& bins : binsFor(range))
    {
      const LevelCounts counts = countLevels(view, bins);
      expectEqual(counts, reference::levelHistogram(input.levels, leaves, bins));
      totals.add(counts);
    }
  }
  EXPECT_GT(totals.cutCells, 100'000u);
  EXPECT_GT(totals.nan, 0u);
  EXPECT_GT(totals.ghosts, 0u);
  EXPECT_GT(totals.outside, 0u);
}

TEST(CountLevels, SharesAreThoseOfTheLeaves)
{
  const auto session = Engine::shared("CPU")->makeSession();
  double above = 0, below = 0;
  for (std::uint64_t seed = 0; seed < Seeds && !HasFailure(); ++seed)
  {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const test::RandomLevels input = test::randomLevels(seed);
    const reference::LevelLeaves leaves(input.levels);
    const Levels view = test::viewOf(input.levels);
    const SampleRange range = finiteRange(leaves);
    const double middle = range.smallest <= range.largest ? range.smallest / 2 + range.largest / 2 : 0;
    const std::vector<double> isovalues = { middle, Infinity, -Infinity, std::nan("") };
    DomainShare expected{ 0, { 0, 0, 0, 0 } };
    for (const reference::LevelCell& leaf : leaves.leaves())
      if (const reference::CellThere& cell = leaves.at(leaf); cell.isValid)
      {
        double volume = std::abs(SampleGeometry(view.origin, view.steps).determinant());
        for (std::size_t level = 1; level <= leaf.level; ++level)
          volume /= double(view.ratio[level][0] * view.ratio[level][1] * view.ratio[level][2]);
        expected.domain += volume;
        for (std::size_t i = 0; i < isovalues.size(); ++i)
          expected.above[i] += cell.sample >= isovalues[i] ? volume : 0;
      }
    Report report;
    const DomainShare found = session->findShares({ view }, isovalues, { 0, 2 }, report).front();
    // The sums of the reference are rounded once per leaf, of which there are fewer than 2^20.
    EXPECT_NEAR(found.domain, expected.domain, 0x1p-32 * expected.domain);
    ASSERT_EQ(found.above.size(), isovalues.size());
    for (std::size_t i = 0; i < isovalues.size(); ++i)
      EXPECT_NEAR(found.above[i], expected.above[i], 0x1p-32 * expected.above[i]) << isovalues[i];
    above += found.above[0];
    below += found.domain - found.above[0];
  }
  EXPECT_GT(above, 0);
  EXPECT_GT(below, 0);
}

// Cells beyond the border have no volume, but the surface crosses their dual cells.
TEST(CountLevels, ABorderChangesCutCellsOnly)
{
  std::uint64_t more = 0;
  for (std::uint64_t seed = 0; seed < Seeds && !HasFailure(); ++seed)
  {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const test::RandomLevels input = test::randomLevels(seed);
    const reference::LevelLeaves leaves(input.levels);
    const SampleRange range = finiteRange(leaves);
    const Bins bins = binsFor(range).front();
    for (const bool isClosed : { false, true })
    {
      Levels view = test::viewOf(input.levels);
      view.border = reference::borderOf(input.levels, leaves, isClosed);
      expectRange(view, range);
      const reference::Levels bordered = reference::BorderedLevels(input.levels, *view.border).levels;
      const LevelCounts cut = reference::levelHistogram(bordered, reference::LevelLeaves(bordered), bins);
      LevelCounts expected = reference::levelHistogram(input.levels, leaves, bins);
      for (std::size_t level = 0; level < expected.size(); ++level)
      {
        more += sumOf(cut[level].cutCells) - sumOf(expected[level].cutCells);
        expected[level].cutCells = cut[level].cutCells;
      }
      expectEqual(countLevels(view, bins), expected);
    }
  }
  EXPECT_GT(more, 100'000u);
}

TEST(CountLevels, PiecesHaveTheCountsOfTheHierarchyTogether)
{
  for (std::uint64_t seed = 0; seed < Seeds && !HasFailure(); ++seed)
  {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const test::RandomLevels input = test::randomLevels(seed);
    const Levels whole = test::viewOf(input.levels);
    const SampleRange range = finiteRange(reference::LevelLeaves(input.levels));
    const Bins bins = binsFor(range).back();
    LevelCounts sum(whole.ratio.size(), ValueCounts(bins));
    SampleRange united = { Infinity, -Infinity };
    for (std::size_t piece = 0; piece < 3; ++piece)
    {
      Levels levels = whole;
      for (std::size_t i = 0; i < levels.patches.size(); ++i)
        levels.patches[i].isOwned = i % 3 == piece;
      const LevelCounts counts = countLevels(levels, bins);
      for (std::size_t level = 0; level < sum.size(); ++level)
        sum[level].add(counts[level]);
      if (const std::optional<SampleRange> own = rangeOf(levels))
        united = { std::min(united.smallest, own->smallest), std::max(united.largest, own->largest) };
    }
    expectEqual(sum, countLevels(whole, bins));
    EXPECT_EQ(united.smallest, range.smallest);
    EXPECT_EQ(united.largest, range.largest);
  }
}

TEST(CountLevels, OneLevelInAnyPatchesHasTheCountsOfTheImage)
{
  for (const SampleType type : test::AllSampleTypes)
  {
    const test::Samples image = test::sampleNoise({ 41, 35, 27 }, type, 5);
    const std::array<double, 2> range = test::rangeOf(type);
    Report report;
    for (const Bins& bins : { equalBins(range[0], range[1], 1024), equalBins(range[0] / 3, range[1] / 2, 5) })
    {
      const ValueCounts expected = countOnCpu(image.volume(), bins, { 0, 2 }, report);
      EXPECT_GT(sumOf(expected.cutCells), 10'000u);
      for (const std::uint32_t cut : { 100u, 16u, 7u })
        expectEqual(countLevels(test::CutImage(image, {}, cut).levels, bins), { expected });
    }
    const std::optional<SampleRange> expected = findRangeOnCpu(image.volume(), { 0, 2 }, report);
    expectRange(test::CutImage(image, {}, 16).levels, *expected);
  }
}

TEST(CountLevels, InfiniteSamplesAreOutsideOfTheRange)
{
  test::Samples image = test::sampleNoise({ 20, 17, 9 }, SampleType::Float32, 5);
  for (const std::uint64_t i : { 0, 777, 1500 })
    image.setValue(i, i == 777 ? -Infinity : Infinity);
  Report report;
  const std::optional<SampleRange> expected = findRangeOnCpu(image.volume(), { 0, 1 }, report);
  expectRange(test::CutImage(image, {}, 7).levels, *expected);
  for (std::uint64_t i = 0; i < image.count(); ++i)
    image.setValue(i, i % 2 == 0 ? -Infinity : Infinity);
  EXPECT_FALSE(rangeOf(test::CutImage(image, {}, 7).levels));
}

TEST(CountLevels, TheNumberOfThreadsDoesNotMatter)
{
  const test::Samples image = test::sampleNoise({ 80, 80, 80 }, SampleType::UInt16, 5); // 1000 bricks
  const test::CutImage cut(image, {}, 40);
  const Bins bins = equalBins(0, 65535, 300);
  const LevelCounts expected = countLevels(cut.levels, bins, 1);
  for (const unsigned threads : { 2u, 3u, 8u })
    expectEqual(countLevels(cut.levels, bins, threads), expected);
}

TEST(CountLevels, WithoutCellsThereIsNoRangeAndNoCount)
{
  Levels levels;
  levels.ratio = { { 1, 1, 1 }, { 2, 2, 2 } };
  EXPECT_FALSE(rangeOf(levels));
  const Bins bins = equalBins(0, 1, 4);
  expectEqual(countLevels(levels, bins), LevelCounts(2, ValueCounts(bins)));
}

// Sessions hold the bricks with the attributes of an extraction while they count.
TEST(CountLevels, ReadsNothingThatASessionHolds)
{
  const test::Samples image = test::sampleNoise({ 30, 20, 20 }, SampleType::Float32, 3);
  test::CutImage cut(image, {}, 10);
  Levels withAttributes = cut.levels;
  for (std::size_t i = 0; i < cut.levels.patches.size(); ++i)
  {
    cut.levels.patches[i].identity = withAttributes.patches[i].identity = i + 1;
    withAttributes.patches[i].attributes = { { cut.levels.patches[i].samples, image.type, 1, i + 1 } };
  }
  const auto session = Engine::shared("CPU")->makeSession();
  Report report;
  Request request;
  request.isovalues = { test::middleOf(image.type) };
  const auto isRead = [&] { return report.stages[Stage::Upload].has_value(); };
  session->findRanges({ cut.levels }, {}, report);
  EXPECT_TRUE(isRead());
  session->count({ cut.levels }, {}, {}, report);
  EXPECT_FALSE(isRead());
  session->extract({ withAttributes }, request, report);
  EXPECT_TRUE(isRead()); // the attributes
  session->count({ cut.levels }, {}, {}, report);
  EXPECT_FALSE(isRead());
  session->extract({ withAttributes }, request, report);
  EXPECT_FALSE(isRead());
  for (const LevelPatch& patch : cut.levels.patches)
    session->releaseVolumes(patch.identity);
  session->findRanges({ cut.levels }, {}, report);
  EXPECT_TRUE(isRead());
}

TEST(CountLevels, StopsBeforeALevel)
{
  const test::Samples image = test::sampleNoise({ 20, 10, 10 }, SampleType::Float32, 3);
  const test::CutImage cut(image, {}, 10);
  const auto session = Engine::shared("CPU")->makeSession();
  Report report;
  std::vector<double> done;
  const auto stopAtTheSecond = [&](double share)
  {
    done.push_back(share);
    return done.size() < 2;
  };
  EXPECT_FALSE(session->count({ cut.levels, cut.levels }, {}, {}, report, stopAtTheSecond));
  EXPECT_EQ(done, (std::vector<double>{ 0, 0.5 }));
}
