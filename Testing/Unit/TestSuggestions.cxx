// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Histogram/Suggestions.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace
{

using Counts = std::vector<std::uint64_t>;

// Bins of width 1 from 0.
vmc::Bins binsOf(const Counts& samples)
{
  return { 0, double(samples.size()), static_cast<std::uint32_t>(samples.size()) };
}

vmc::ValueCounts countsOf(const Counts& samples, const Counts& cutCells)
{
  vmc::ValueCounts counts(binsOf(samples));
  counts.samples = samples;
  counts.cutCells = cutCells;
  return counts;
}

std::optional<double> otsu(const Counts& samples, const Counts& cutCells)
{
  return vmc::otsuThreshold(binsOf(samples), countsOf(samples, cutCells));
}

// Every bin cuts cells.
std::optional<double> otsu(const Counts& samples)
{
  return otsu(samples, Counts(samples.size(), 1));
}

}

// Without the background in bin 0, bins 2 and 8 are the classes. The bins 2 to 7 separate them equally well.
TEST(Suggestions, OtsuLeavesOutTheBackground)
{
  EXPECT_EQ(otsu({ 1000, 0, 40, 0, 0, 0, 0, 0, 30, 0 }), 4.5);
}

// By hand: classes {1, 2} and {3, 4} have sums 3 * 1 + 3 * 2 and 3 * 3 + 3 * 4; the split in the middle is the best.
TEST(Suggestions, OtsuSplitsEqualBinsInTheMiddle)
{
  EXPECT_EQ(otsu({ 9, 3, 3, 3, 3 }), 2.5);
}

// Counts 5, 1, 1 at 1, 2, 3: the split after 1 has variance 5 * 2 * (1 - 2.5)^2 = 22.5, that after 2 has
// 6 * 1 * (7 / 6 - 3)^2 = 20.2.
TEST(Suggestions, OtsuMaximizesTheVarianceBetweenTheClasses)
{
  EXPECT_EQ(otsu({ 9, 5, 1, 1 }), 1.5);
}

TEST(Suggestions, OtsuOfTwoValuesLiesBetweenThem)
{
  EXPECT_EQ(otsu({ 700, 0, 0, 0, 300 }), 1.5);
  EXPECT_EQ(otsu({ 700, 300 }), 0.5);
}

TEST(Suggestions, OtsuIsTheNearestBinThatCutsCells)
{
  const Counts samples = { 1000, 0, 40, 0, 0, 0, 0, 0, 30, 0 };
  EXPECT_EQ(otsu(samples, { 5, 0, 0, 0, 0, 0, 0, 1, 0, 0 }), 7.5);
  EXPECT_EQ(otsu(samples, { 5, 1, 0, 0, 0, 0, 0, 1, 0, 0 }), 1.5);
  EXPECT_EQ(otsu(samples, { 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 }), 9.5);
  EXPECT_EQ(otsu(samples, { 1, 0, 0, 0, 0, 0, 0, 0, 0, 0 }), 0.5);
}

TEST(Suggestions, ConstantAndEmptyDataHaveNone)
{
  for (const Counts& samples : { Counts{ 0, 0, 0 }, Counts{ 0, 64, 0 }, Counts{ 64 }, Counts{ 0 } })
  {
    const Counts cutCells(samples.size());
    EXPECT_FALSE(otsu(samples, cutCells));
    EXPECT_FALSE(vmc::mostCutCells(binsOf(samples), countsOf(samples, cutCells)));
  }
}

TEST(Suggestions, DataWithoutCellsHasNone)
{
  EXPECT_FALSE(otsu({ 3, 0, 4 }, { 0, 0, 0 }));
}

// A closed volume of one value has a surface at its border.
TEST(Suggestions, AConstantClosedVolumeHasMostCutCellsOnly)
{
  EXPECT_FALSE(otsu({ 64, 0 }, { 98, 0 }));
  EXPECT_EQ(vmc::mostCutCells(binsOf({ 64, 0 }), countsOf({ 64, 0 }, { 98, 0 })), 0.5);
}

TEST(Suggestions, MostCutCellsIsTheCentreOfTheLowestSuchBin)
{
  const Counts samples = { 1, 1, 1, 1 };
  EXPECT_EQ(vmc::mostCutCells(binsOf(samples), countsOf(samples, { 3, 7, 7, 1 })), 1.5);
}
