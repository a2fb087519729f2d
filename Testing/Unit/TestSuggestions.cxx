// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Histogram/Suggestions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
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

namespace
{

using Values = std::vector<double>;

Values valleys(const Counts& samples, vmc::ValueKind kind = vmc::ValueKind::Integer)
{
  return vmc::valleysOf(binsOf(samples), countsOf(samples, Counts(samples.size(), 1)), kind);
}

// A material with normally distributed noise.
struct Phase
{
  double mean = 0; // bins
  double deviation = 0;
  int samples = 0;
};

// Samples outside of the bins are in the first or the last one.
Counts noisyCounts(std::size_t bins, const std::vector<Phase>& phases)
{
  std::mt19937 random(7);
  Counts counts(bins);
  for (const Phase& phase : phases)
  {
    // The sum of 12 equally distributed numbers: unlike std::normal_distribution, the same with every library.
    for (int i = 0; i < phase.samples; ++i)
    {
      double sum = 0;
      for (int k = 0; k < 12; ++k)
        sum += random() / 4294967296.0;
      const double value = phase.mean + phase.deviation * (sum - 6);
      ++counts[static_cast<std::size_t>(std::clamp(value, 0.0, double(bins - 1)))];
    }
  }
  return counts;
}

}

// The valley between two equal normal distributions is in the middle; between others it is nearer to the smaller one.
TEST(Suggestions, AFoamOfFourPhasesHasThreeValleys)
{
  for (const std::size_t bins : { 256, 1024 })
    for (const double noise : { 0.02, 0.04, 0.055 }) // of the range
    {
      const double range = double(bins);
      const Values found =
        valleys(noisyCounts(bins, { { 0.2 * range, noise * range, 80000 }, { 0.4 * range, noise * range, 60000 },
                                    { 0.6 * range, noise * range, 40000 }, { 0.8 * range, noise * range, 20000 } }));
      ASSERT_EQ(found.size(), 3u) << bins << ' ' << noise;
      for (std::size_t i = 0; i < found.size(); ++i)
        EXPECT_NEAR(found[i] / range, 0.3 + 0.2 * double(i), 0.03) << bins << ' ' << noise;
    }
}

// The wide distribution is nearly the same in all bins.
TEST(Suggestions, NoiseMakesNoValleys)
{
  for (const std::size_t bins : { 256, 1024 })
    for (const int samples : { 500, 5000, 50000 })
      for (const double deviation : { 0.15, 2.0 })
      {
        const double range = double(bins);
        Counts counts = noisyCounts(bins, { { 0.5 * range, deviation * range, samples } });
        counts.front() = counts.back() = 0; // what lies outside
        EXPECT_EQ(valleys(counts), Values{}) << bins << ' ' << samples << ' ' << deviation;
      }
}

// Plateaus of 20 bins, which smoothing does not lower, 100 and 80 high. A valley is clear up to 60.
TEST(Suggestions, AValleyIsAtMostThreeQuartersOfTheLowerPeak)
{
  for (const bool isClear : { true, false })
  {
    Counts samples;
    for (const int height : { 1000, isClear ? 590 : 610, 800 })
      samples.insert(samples.end(), 20, height);
    EXPECT_EQ(valleys(samples), isClear ? Values{ 29.5 } : Values{});
  }
}

// Plateaus of 16 are 4 standard deviations high, those of 4 two.
TEST(Suggestions, AValleyIsDeeperThanTheNoiseOfCounting)
{
  for (const bool isClear : { true, false })
  {
    Counts samples;
    for (const int height : { 1000, 0, isClear ? 16 : 4 })
      samples.insert(samples.end(), 20, height);
    EXPECT_EQ(valleys(samples).size(), isClear ? 1u : 0u);
  }
}

TEST(Suggestions, FewSamplesBetweenTwoPeaksMakeNoFurtherValley)
{
  Counts samples(256);
  for (const int peak : { 40, 200 })
    for (int bin = peak - 20; bin < peak + 20; ++bin)
      samples[bin] = 1000;
  samples[90] = samples[110] = samples[150] = 2;
  const Values found = valleys(samples);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_GT(found[0], 60);
  EXPECT_LT(found[0], 180);
}

// Scaling of values leaves each fourth bin alone.
TEST(Suggestions, EmptyBinsBetweenValuesAreNoValleys)
{
  const Counts dense = noisyCounts(256, { { 80, 10, 20000 }, { 180, 10, 20000 } });
  Counts sparse(1024);
  for (std::size_t bin = 0; bin < dense.size(); ++bin)
    sparse[4 * bin] = dense[bin];
  const Values found = valleys(sparse);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0], 4 * 130, 40);
}

TEST(Suggestions, LabelsHaveTheValuesHalfWayBetweenThem)
{
  EXPECT_EQ(valleys({ 9000, 50, 700, 3 }), (Values{ 0.5, 1.5, 2.5 })); // without a valley
  EXPECT_EQ(valleys({ 9000, 0, 0, 50, 0, 7 }), (Values{ 1.5, 4 }));
  Counts mask(256);
  mask[0] = 900;
  mask[255] = 100;
  EXPECT_EQ(valleys(mask), Values{ 127.5 });
}

// A label map of float has bins that are narrower than 1.
TEST(Suggestions, LabelsMayBeFloats)
{
  const vmc::Bins bins{ 0, 5, 1024 };
  vmc::ValueCounts counts(bins);
  for (const int label : { 0, 1, 3, 5 })
    for (std::uint32_t bin = 0; bin < bins.count; ++bin)
      if (bins.edge(bin) <= label && (label < bins.edge(bin + 1) || bin + 1 == bins.count))
        counts.samples[bin] = 10;
  std::fill(counts.cutCells.begin(), counts.cutCells.end(), 1);
  EXPECT_EQ(vmc::valleysOf(bins, counts, vmc::ValueKind::Real), (Values{ 0.5, 2, 4 }));
}

// Values of all sizes in 0 to 16, also with an outlier.
TEST(Suggestions, ContinuousValuesInBinsOfWidthOneAreNoLabels)
{
  for (const std::size_t bins : { 16, 1000 })
  {
    Counts samples(bins);
    std::fill_n(samples.begin(), 15, 100);
    samples.back() = 1;
    EXPECT_EQ(valleys(samples).size(), 15u) << bins; // of integers
    EXPECT_EQ(valleys(samples, vmc::ValueKind::Real), Values{}) << bins;
  }
}

TEST(Suggestions, BinsOfManyIntegersAreNoLabels)
{
  const vmc::Bins bins{ 0, 1000, 10 };
  vmc::ValueCounts counts(bins);
  std::fill(counts.samples.begin(), counts.samples.end(), 100);
  std::fill(counts.cutCells.begin(), counts.cutCells.end(), 100);
  EXPECT_EQ(vmc::valleysOf(bins, counts, vmc::ValueKind::Integer), Values{});
}

// More than 16 values, far apart.
TEST(Suggestions, ThereAreAtMostFifteenValleys)
{
  Counts labels(2000);
  for (std::size_t bin = 0; bin < labels.size(); bin += 100)
    labels[bin] = 1000 + bin; // 20 peaks
  const Values found = valleys(labels);
  EXPECT_EQ(found.size(), 15u);
  EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
}

TEST(Suggestions, ValleysThatCutNoCellsAreLeftOut)
{
  const Counts samples = { 10, 10, 10 };
  EXPECT_EQ(vmc::valleysOf(binsOf(samples), countsOf(samples, { 0, 4, 0 }), vmc::ValueKind::Integer), Values{ 1.5 });
  EXPECT_EQ(valleys({ 0, 64, 0 }), Values{});
  EXPECT_EQ(valleys({ 0, 0, 0 }), Values{});
}
