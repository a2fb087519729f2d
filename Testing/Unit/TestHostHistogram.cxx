// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Histogram/HostHistogram.h"

#include "Reference/WholeHistogram.h"
#include "Support/AnalyticVolumes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

namespace
{

using vmc::Bins;
using vmc::SampleType;
using vmc::Volume;
using vmc::test::Samples;

constexpr double Infinity = std::numeric_limits<double>::infinity();
constexpr double Nan = std::numeric_limits<double>::quiet_NaN();

vmc::ValueCounts bruteForce(const Volume& volume, const Samples& samples, const Bins& bins)
{
  return vmc::reference::WholeHistogram(
    volume, [&](std::size_t i) { return samples.exactValue(i); }, bins)
    .counts();
}

void expectEqual(const vmc::ValueCounts& counts, const vmc::ValueCounts& expected)
{
  EXPECT_EQ(counts.samples, expected.samples);
  EXPECT_EQ(counts.cutCells, expected.cutCells);
  EXPECT_EQ(counts.below, expected.below);
  EXPECT_EQ(counts.above, expected.above);
  EXPECT_EQ(counts.nan, expected.nan);
  EXPECT_EQ(counts.ghosts, expected.ghosts);
}

std::uint64_t sumOf(const std::vector<std::uint64_t>& counts)
{
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t(0));
}

Bins automaticBins(const Volume& volume)
{
  const auto range = vmc::rangeOnHost(volume);
  return vmc::binsOf(vmc::kindOf(volume.type), range->smallest, range->largest);
}

class HostHistogram : public testing::TestWithParam<SampleType>
{
};

// Every third sample of a pattern is flagged.
std::vector<std::uint8_t> someGhosts(std::uint64_t count)
{
  std::vector<std::uint8_t> ghosts(count);
  for (std::size_t i = 0; i < count; ++i)
    ghosts[i] = i % 29 == 0 ? vmc::Blank : i % 31 == 0 ? vmc::NotOwned : i % 37 == 0 ? vmc::Blank | vmc::NotOwned : 0;
  return ghosts;
}

std::vector<vmc::Padding> paddings()
{
  std::vector<vmc::Padding> all(4);
  all[1] = { { 1, 1, 1 }, { 1, 1, 1 }, false, 0.5f };
  all[2] = { { 2, 2, 2 }, { 2, 2, 2 }, true, 0.5f };
  all[3] = { { 1, 0, 2 }, { 0, 2, 0 }, true, 0 }; // a piece at some sides of the domain
  return all;
}

}

TEST_P(HostHistogram, EqualsBruteForceForEveryPadding)
{
  const Samples samples = vmc::test::sampleNoise({ 9, 7, 6 }, GetParam(), 3);
  const std::vector<std::uint8_t> ghosts = someGhosts(samples.count());
  for (const vmc::Padding& padding : paddings())
    for (const bool hasGhosts : { false, true })
    {
      SCOPED_TRACE(testing::Message() << "padding " << padding.low[0] << padding.high[1] << ", ghosts " << hasGhosts);
      Volume volume = samples.volume();
      volume.padding = padding;
      volume.ghosts = hasGhosts ? ghosts.data() : nullptr;
      const Bins bins = automaticBins(volume);
      const auto counts = vmc::countOnHost(volume, bins);
      expectEqual(counts, bruteForce(volume, samples, bins));
      EXPECT_GT(sumOf(counts.cutCells), 0u);
      EXPECT_EQ(sumOf(counts.samples) + counts.ghosts, samples.count());
    }
}

TEST_P(HostHistogram, EqualsBruteForceForRangesInsideAndOutsideOfTheSamples)
{
  const Samples samples = vmc::test::sampleNoise({ 6, 5, 5 }, GetParam(), 4);
  const auto [smallest, largest] = vmc::test::rangeOf(GetParam());
  const double quarter = largest / 4 - smallest / 4;
  for (const auto& [lower, upper] : { std::array<double, 2>{ smallest, largest },
         { smallest + quarter, largest - quarter }, { smallest - quarter, smallest + quarter }, { 0.1, 0.7 },
         { largest + quarter, largest + 2 * quarter }, { -1e300, 1e300 }, { -1.7e308, 1.7e308 } })
    for (const std::uint32_t count : { 1u, 7u, 1024u })
    {
      SCOPED_TRACE(testing::Message() << lower << " to " << upper << ", " << count << " bins");
      const Bins bins = vmc::equalBins(lower, upper, count);
      expectEqual(vmc::countOnHost(samples.volume(), bins), bruteForce(samples.volume(), samples, bins));
    }
}

TEST_P(HostHistogram, EqualsBruteForceForExtremeRanges)
{
  const Samples samples = vmc::test::sampleExtremes(GetParam());
  for (const auto& [lower, upper] : vmc::test::ExtremeRanges)
    for (const Bins bins : { vmc::binsOf(vmc::kindOf(GetParam()), lower, upper), vmc::equalBins(lower, upper, 1000) })
    {
      SCOPED_TRACE(testing::Message() << lower << " to " << upper << ", " << bins.count << " bins");
      expectEqual(vmc::countOnHost(samples.volume(), bins), bruteForce(samples.volume(), samples, bins));
    }
}

// So many samples that small types are looked up in a table.
TEST_P(HostHistogram, EqualsBruteForceForManySamples)
{
  const Samples samples = vmc::test::sampleNoise({ 67, 33, 31 }, GetParam(), 4);
  const auto [smallest, largest] = vmc::test::rangeOf(GetParam());
  const Bins bins = vmc::equalBins(smallest / 3, largest / 3, 5);
  expectEqual(vmc::countOnHost(samples.volume(), bins), bruteForce(samples.volume(), samples, bins));
}

// Samples at and next to every edge and every centre.
TEST_P(HostHistogram, SamplesAtEdgesAndCentresAreCountedExactly)
{
  for (const Bins bins : { Bins{ 0, 1, 10 }, Bins{ 0.1, 0.7, 13 }, Bins{ 3, 111, 27 }, Bins{ 1.0 / 3, 100, 9 } })
  {
    Samples samples = vmc::test::sampleNoise({ 6 * bins.count + 3, 2, 2 }, GetParam(), 5);
    std::uint64_t at = 0;
    for (std::uint32_t i = 0; i <= 2 * bins.count; ++i)
    {
      const double bound = i % 2 == 0 ? bins.edge(i / 2) : bins.centre(i / 2);
      const auto near = static_cast<float>(bound);
      const bool isFloat = GetParam() == SampleType::Float32;
      samples.setValue(at++, bound);
      samples.setValue(at++, isFloat ? std::nextafter(near, 1e9f) : std::nextafter(bound, 1e9));
      samples.setValue(at++, isFloat ? std::nextafter(near, -1e9f) : std::nextafter(bound, -1e9));
    }
    expectEqual(vmc::countOnHost(samples.volume(), bins), bruteForce(samples.volume(), samples, bins));
  }
}

TEST_P(HostHistogram, AConstantVolumeIsInOneBin)
{
  for (const double value : { 0.0, 1.0, 77.0 })
  {
    Samples samples = vmc::test::sampleNoise({ 4, 4, 4 }, GetParam(), 1);
    for (std::uint64_t i = 0; i < samples.count(); ++i)
      samples.setValue(i, value);
    const auto range = vmc::rangeOnHost(samples.volume());
    ASSERT_TRUE(range);
    EXPECT_EQ(range->smallest, samples.value(0));
    EXPECT_EQ(range->largest, samples.value(0));
    const auto counts = vmc::countOnHost(samples.volume(), automaticBins(samples.volume()));
    EXPECT_EQ(std::count(counts.samples.begin(), counts.samples.end(), 64u), 1);
    EXPECT_EQ(sumOf(counts.samples), 64u);
    EXPECT_EQ(sumOf(counts.cutCells), 0u);
  }
}

TEST_P(HostHistogram, ImagesOfOneLayerHaveNoCells)
{
  for (const auto& size : std::vector<std::array<std::uint32_t, 3>>{
         { 1, 1, 1 }, { 5, 1, 1 }, { 1, 5, 1 }, { 1, 1, 5 }, { 5, 4, 1 }, { 1, 5, 4 }, { 4, 1, 5 } })
  {
    const Samples samples = vmc::test::sampleNoise(size, GetParam(), 2);
    Volume volume = samples.volume();
    const Bins bins = automaticBins(volume);
    expectEqual(vmc::countOnHost(volume, bins), bruteForce(volume, samples, bins));
    EXPECT_EQ(sumOf(vmc::countOnHost(volume, bins).cutCells), 0u);
    volume.padding = paddings()[2]; // a closed volume has cells at its border
    expectEqual(vmc::countOnHost(volume, bins), bruteForce(volume, samples, bins));
    // The bin of a single integer has its centre above it.
    EXPECT_EQ(sumOf(vmc::countOnHost(volume, bins).cutCells) > 0, samples.count() > 1 || bins.count > 1);
  }
}

// 5 MiB or more: several threads, along z and along y.
TEST_P(HostHistogram, TheNumberOfThreadsDoesNotChangeTheCounts)
{
  const std::uint32_t longest = 5 * (1 << 20) / (130 * 40 * std::uint32_t(vmc::bytesOf(GetParam()))) + 1;
  for (const std::array<std::uint32_t, 3> size : { std::array{ 130u, 40u, longest }, { 130u, longest, 40u } })
  {
    const Samples samples = vmc::test::sampleNoise(size, GetParam(), 6);
    Volume volume = samples.volume();
    const std::vector<std::uint8_t> ghosts = someGhosts(samples.count());
    volume.ghosts = ghosts.data();
    const auto range = vmc::rangeOnHost(volume, 1);
    const Bins bins = automaticBins(volume);
    const auto expected = vmc::countOnHost(volume, bins, 1);
    for (const unsigned threads : { 2u, 3u, 5u })
    {
      EXPECT_EQ(vmc::rangeOnHost(volume, threads)->smallest, range->smallest);
      EXPECT_EQ(vmc::rangeOnHost(volume, threads)->largest, range->largest);
      expectEqual(vmc::countOnHost(volume, bins, threads), expected);
    }
  }
}

TEST_P(HostHistogram, TheSamplesNeedNoAlignment)
{
  const Samples samples = vmc::test::sampleNoise({ 5, 4, 3 }, GetParam(), 8);
  std::vector<std::byte> shifted(samples.bytes.size() + 1);
  std::memcpy(shifted.data() + 1, samples.bytes.data(), samples.bytes.size());
  Volume volume = samples.volume();
  volume.samples = shifted.data() + 1;
  EXPECT_EQ(vmc::rangeOnHost(volume)->largest, vmc::rangeOnHost(samples.volume())->largest);
  const Bins bins = automaticBins(volume);
  expectEqual(vmc::countOnHost(volume, bins), bruteForce(samples.volume(), samples, bins));
}

INSTANTIATE_TEST_SUITE_P(EveryType, HostHistogram, testing::ValuesIn(vmc::test::AllSampleTypes),
  [](const auto& info) { return vmc::test::nameOf(info.param); });

TEST(HostHistogramOfReals, NanAndInfinitiesAreCountedAndNotInTheRange)
{
  for (const SampleType type : { SampleType::Float32, SampleType::Float64 })
  {
    Samples samples = vmc::test::sampleNoise({ 8, 7, 6 }, type, 9);
    vmc::test::scatter(samples, Nan, 0.05, 1);
    vmc::test::scatter(samples, Infinity, 0.05, 2);
    vmc::test::scatter(samples, -Infinity, 0.05, 3);
    const auto range = vmc::rangeOnHost(samples.volume());
    EXPECT_GE(range->smallest, -1);
    EXPECT_LE(range->largest, 1);
    const Bins bins = automaticBins(samples.volume());
    const auto counts = vmc::countOnHost(samples.volume(), bins);
    expectEqual(counts, bruteForce(samples.volume(), samples, bins));
    EXPECT_GT(counts.nan, 0u);
    EXPECT_GT(counts.below, 0u);
    EXPECT_GT(counts.above, 0u);
  }
}

TEST(HostHistogramOfReals, DenormalAndVeryLargeSamplesAreCounted)
{
  for (const double scale : { 1e-310, 1e-44, 1e-300, 1e38, 1.7e308 })
    for (const SampleType type : { SampleType::Float32, SampleType::Float64 })
    {
      Samples samples = vmc::test::sampleNoise({ 5, 5, 5 }, type, 4);
      for (std::uint64_t i = 0; i < samples.count(); ++i)
        samples.setValue(i, samples.value(i) * scale);
      const auto range = vmc::rangeOnHost(samples.volume());
      if (!range) // beyond the largest float
        continue;
      const Bins bins = vmc::binsOf(vmc::ValueKind::Real, range->smallest, range->largest);
      expectEqual(vmc::countOnHost(samples.volume(), bins), bruteForce(samples.volume(), samples, bins));
    }
}

TEST(HostRange, IsEmptyWithoutFiniteSamples)
{
  Samples samples = vmc::test::sampleNoise({ 3, 3, 3 }, SampleType::Float32, 1);
  vmc::test::scatter(samples, Nan, 1, 1);
  EXPECT_FALSE(vmc::rangeOnHost(samples.volume()));
  samples.setValue(4, -Infinity);
  EXPECT_FALSE(vmc::rangeOnHost(samples.volume()));
  samples.setValue(5, 2);
  std::vector<std::uint8_t> ghosts(samples.count());
  Volume volume = samples.volume();
  volume.ghosts = ghosts.data();
  EXPECT_TRUE(vmc::rangeOnHost(volume));
  for (const std::uint8_t flag : { vmc::Blank, vmc::NotOwned })
  {
    ghosts[5] = flag;
    EXPECT_FALSE(vmc::rangeOnHost(volume));
  }
  volume.size = { 0, 3, 3 };
  EXPECT_FALSE(vmc::rangeOnHost(volume));
}

TEST(HostRange, WideIntegersAreRoundedAwayFromTheRange)
{
  const std::int64_t odd = (std::int64_t(1) << 60) + 1; // between two doubles
  const std::int64_t values[2] = { odd, odd + 2 };
  Volume volume;
  volume.samples = values;
  volume.type = SampleType::Int64;
  volume.size = { 2, 1, 1 };
  EXPECT_EQ(vmc::rangeOnHost(volume)->smallest, 0x1p60);
  EXPECT_EQ(vmc::rangeOnHost(volume)->largest, 0x1p60 + 256);
  const std::uint64_t ends[2] = { 0, std::numeric_limits<std::uint64_t>::max() };
  volume.samples = ends;
  volume.type = SampleType::UInt64;
  EXPECT_EQ(vmc::rangeOnHost(volume)->smallest, 0);
  EXPECT_EQ(vmc::rangeOnHost(volume)->largest, 0x1p64);
}
