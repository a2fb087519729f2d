// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The shares of domains above isovalues on each engine, compared with a loop over the samples.
#include "ExtractionTest.h"
#include "Support/RandomCoordinates.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace vmc::test
{

namespace
{

constexpr std::uint64_t Seed = 20261127;
constexpr double Infinity = std::numeric_limits<double>::infinity();
constexpr double Nan = std::numeric_limits<double>::quiet_NaN();
constexpr double LargestDouble = std::numeric_limits<double>::max();
const std::array<double, 3> Steps = { 0.5, 0.25, 3 }; // exact products

std::vector<std::uint8_t> someFlags(std::uint64_t count)
{
  std::vector<std::uint8_t> flags(count);
  for (std::uint64_t i = 0; i < count; ++i)
    flags[i] = i % 19 == 0 ? Ghost::Blank : i % 23 == 0 ? Ghost::NotOwned : 0;
  return flags;
}

void scatterSpecials(Samples& samples)
{
  scatter(samples, Nan, 0.05, Seed + 1);
  scatter(samples, Infinity, 0.05, Seed + 2);
  scatter(samples, -Infinity, 0.05, Seed + 3);
}

// In, at the ends of, next to and outside of the range of the type.
std::vector<double> isovaluesOf(SampleType type)
{
  const auto [smallest, largest] = rangeOf(type);
  return { middleOf(type), smallest / 3, largest / 7, 0, -0.0, 0.5, -0.5, smallest, largest,
    std::nextafter(smallest, Infinity), std::nextafter(largest, -Infinity), std::nextafter(smallest, -Infinity),
    std::nextafter(largest, Infinity), 2 * smallest - 1, 2 * largest, 5e-324, -5e-324, 1e300, -1e300, LargestDouble,
    -LargestDouble, Infinity, -Infinity, Nan };
}

// The volume of the cell of a sample.
long double cellVolume(const Volume& volume, std::uint64_t sample)
{
  if (!volume.geometry.hasCoordinates())
    return std::abs(volume.geometry.determinant());
  const std::array<std::uint64_t, 3> at = { sample % volume.size[0], sample / volume.size[0] % volume.size[1],
    sample / volume.size[0] / volume.size[1] };
  long double product = 1;
  for (std::size_t axis = 0; axis < 3; ++axis)
    product *= volume.geometry.width(axis, at[axis]);
  return product;
}

}

class DomainShares : public EngineTest
{
protected:
  // Compares with the sums over all samples. Returns the shares.
  DomainShare expectShares(const Samples& samples, const Volume& volume, const std::vector<double>& isovalues)
  {
    const DomainShare found = this->session().findShares({ volume }, isovalues, { 0, 2 }, this->LastReport).front();
    // Each product is rounded twice, to 2^-53 of it, and sums three times.
    const long double tolerance = volume.geometry.hasCoordinates() ? 0x1p-50L : 0;
    EXPECT_EQ(found.above.size(), isovalues.size());
    for (std::size_t i = 0; i < isovalues.size() && i < found.above.size(); ++i)
    {
      long double domain = 0, above = 0;
      for (std::uint64_t sample = 0; sample < samples.count(); ++sample)
      {
        const long double value = samples.exactValue(sample);
        if (std::isnan(value) || (volume.ghosts && volume.ghosts[sample] != 0))
          continue;
        domain += cellVolume(volume, sample);
        if (value >= static_cast<long double>(isovalues[i]))
          above += cellVolume(volume, sample);
      }
      EXPECT_NEAR(found.above[i], double(above), double(tolerance * above))
        << nameOf(samples.type) << " at " << isovalues[i];
      EXPECT_NEAR(found.domain, double(domain), double(tolerance * domain)) << nameOf(samples.type);
    }
    return found;
  }

  static Volume volumeOf(const Samples& samples)
  {
    Volume volume = samples.volume();
    for (std::size_t axis = 0; axis < 3; ++axis)
      volume.geometry.setStep(axis, alongAxis(axis, axis == 1 ? -Steps[axis] : Steps[axis])); // mirrors
    return volume;
  }
};

VMC_ON_EACH_ENGINE(DomainShares);

TEST_P(DomainShares, CountEveryTypeAtEveryIsovalue)
{
  for (const SampleType type : AllSampleTypes)
  {
    const Samples samples = sampleNoise({ 19, 10, 13 }, type, Seed);
    const DomainShare share = this->expectShares(samples, volumeOf(samples), isovaluesOf(type));
    EXPECT_GT(share.above[0], 0.2 * share.domain);
    EXPECT_LT(share.above[0], 0.8 * share.domain);
  }
}

TEST_P(DomainShares, CountExtremeSamples)
{
  for (const SampleType type : AllSampleTypes)
  {
    const Samples samples = sampleExtremes(type);
    const std::vector<std::uint8_t> flags = someFlags(samples.count());
    Volume volume = volumeOf(samples);
    this->expectShares(samples, volume, isovaluesOf(type));
    volume.ghosts = flags.data();
    this->expectShares(samples, volume, isovaluesOf(type));
  }
}

TEST_P(DomainShares, LeaveOutNanAndFlags)
{
  for (const SampleType type : { SampleType::Float32, SampleType::Float64, SampleType::UInt8 })
  {
    Samples samples = sampleNoise({ 21, 9, 17 }, type, Seed);
    const bool isReal = type != SampleType::UInt8;
    if (isReal)
      scatterSpecials(samples);
    Volume volume = volumeOf(samples);
    const DomainShare all = this->expectShares(samples, volume, isovaluesOf(type));
    const std::vector<std::uint8_t> flags = someFlags(samples.count());
    volume.ghosts = flags.data();
    EXPECT_LT(this->expectShares(samples, volume, isovaluesOf(type)).domain, all.domain);
  }
}

TEST_P(DomainShares, PaddingHasNoVolume)
{
  const std::vector<Padding> paddings = { { { 1, 1, 1 }, { 1, 1, 1 }, false, 0.5f },
    { { 2, 2, 2 }, { 2, 2, 2 }, true, 0.5f }, { { 0, 2, 0 }, { 2, 0, 0 }, true, 0.5f } };
  for (const SampleType type : { SampleType::UInt8, SampleType::Float32 })
    for (const std::array<std::uint32_t, 3>& size :
      std::vector<std::array<std::uint32_t, 3>>{ { 7, 8, 9 }, { 16, 15, 17 }, { 6, 14, 30 }, { 1, 1, 1 }, { 5, 1, 9 } })
      for (const Padding& padding : paddings)
      {
        const Samples samples = sampleNoise(size, type, Seed);
        Volume volume = volumeOf(samples);
        volume.padding = padding;
        this->expectShares(samples, volume, { middleOf(type), 0, -Infinity });
      }
}

// The extraction for measures has counted the samples on the CPU.
TEST_P(DomainShares, AfterAnExtractionAreTheSame)
{
  const std::vector<Padding> paddings = { {}, { { 1, 1, 1 }, { 1, 1, 1 }, false, 0.5f },
    { { 2, 2, 2 }, { 2, 2, 2 }, true, 0.5f }, { { 0, 2, 0 }, { 2, 0, 0 }, true, 0.5f } };
  std::uint64_t identity = 0;
  for (const SampleType type : { SampleType::UInt8, SampleType::Float32, SampleType::Int64, SampleType::UInt16 })
    for (const std::array<std::uint32_t, 3>& size :
      std::vector<std::array<std::uint32_t, 3>>{ { 7, 8, 9 }, { 16, 15, 17 }, { 6, 14, 30 }, { 25, 24, 23 } })
      for (const Padding& padding : paddings)
      {
        Samples samples = sampleNoise(size, type, Seed);
        const bool isUnequal = padding.isEmpty() && type == SampleType::Float32;
        if (isUnequal)
          scatterSpecials(samples);
        Volume volume = volumeOf(samples);
        volume.padding = padding;
        volume.identity = ++identity;
        Request request = requestOf({ middleOf(type), rangeOf(type)[0] - 1, rangeOf(type)[0] / 3 });
        request.computeMeasures = true;
        this->extract(volume, request);
        this->expectShares(samples, volume, { request.isovalues[0], 0.5, request.isovalues[1], request.isovalues[2] });
      }
}

// Most bricks of this volume are on one side of the isovalue.
TEST_P(DomainShares, CountBricksOnOneSide)
{
  const Samples samples = sample(sphere({ 40, 12, 12 }, 9), { 83, 21, 27 }, SampleType::Float32);
  const DomainShare share = this->expectShares(samples, volumeOf(samples), { 0, 3, -20, -1e3, 1e3, -Infinity });
  EXPECT_GT(share.above[0], 0);
  EXPECT_LT(share.above[0], share.domain);
}

TEST_P(DomainShares, SamplesWithCoordinatesHaveTheVolumesOfTheirCells)
{
  const std::array<std::uint32_t, 3> size = { 21, 9, 17 };
  Samples samples = sampleNoise(size, SampleType::Float32, Seed);
  scatterSpecials(samples);
  const std::vector<std::uint8_t> flags = someFlags(samples.count());
  Volume volume = samples.volume();
  for (const std::uint8_t* const ghosts : { static_cast<const std::uint8_t*>(nullptr), flags.data() })
    for (const SampleGeometry& geometry : { SampleGeometry::ofPoints(randomCoordinates(size, 3)),
           SampleGeometry::ofCells(randomCoordinates({ 22, 10, 18 }, 3)) })
    {
      volume.ghosts = ghosts;
      volume.geometry = geometry;
      this->expectShares(samples, volume, isovaluesOf(volume.type));
    }
}

TEST_P(DomainShares, OfSeveralVolumesAreApart)
{
  const Samples samples = sampleNoise({ 19, 10, 13 }, SampleType::Int16, Seed),
                others = sampleNoise({ 9, 9, 9 }, SampleType::Float32, Seed);
  Volume grid = others.volume();
  grid.geometry = SampleGeometry::ofPoints(randomCoordinates(grid.size, 3));
  const std::vector<Volume> volumes = { volumeOf(samples), Volume(), grid, volumeOf(others) };
  const std::vector<double> isovalues = { 0.25, -Infinity };
  const auto found = this->session().findShares(volumes, isovalues, {}, this->LastReport);
  ASSERT_EQ(found.size(), volumes.size());
  for (std::size_t i = 0; i < volumes.size(); ++i)
  {
    const DomainShare alone = this->session().findShares({ volumes[i] }, isovalues, {}, this->LastReport).front();
    EXPECT_EQ(found[i].domain, alone.domain);
    EXPECT_EQ(found[i].above, alone.above);
    EXPECT_EQ(alone.above[1], alone.domain);
    EXPECT_EQ(alone.domain > 0, i != 1);
  }
}

TEST_P(DomainShares, TheNumberOfThreadsDoesNotMatter)
{
  const Samples samples = sampleNoise({ 83, 70, 61 }, SampleType::Float32, Seed);
  Volume volume = volumeOf(samples), grid = volume;
  grid.geometry = SampleGeometry::ofPoints(randomCoordinates(grid.size, 3));
  for (const Volume& input : { volume, grid })
  {
    const auto sharesBy = [&](unsigned threads) {
      return this->session().findShares({ input }, { 0.1, -0.9 }, { 0, threads }, this->LastReport).front();
    };
    const DomainShare expected = sharesBy(1);
    for (const unsigned threads : { 2u, 5u })
    {
      EXPECT_EQ(sharesBy(threads).above, expected.above);
      EXPECT_EQ(sharesBy(threads).domain, expected.domain);
    }
  }
}

TEST_P(DomainShares, UseTheRangesOfTheExtraction)
{
  const Samples samples = sampleNoise({ 33, 34, 35 }, SampleType::Float32, Seed);
  Volume volume = volumeOf(samples);
  volume.identity = 7;
  this->extract(volume, 0.1);
  Report report;
  this->session().findShares({ volume }, { 0.1 }, {}, report);
  EXPECT_FALSE(report.stages[Stage::BuildBrickRanges]);
  EXPECT_FALSE(report.stages[Stage::Upload]);
  EXPECT_TRUE(report.stages[Stage::CountValues]);
  this->extract(volume, 0.2); // the session still holds the volume
  EXPECT_FALSE(this->reports(Stage::BuildBrickRanges));
  EXPECT_FALSE(this->reports(Stage::Upload));
}

}
