// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Cpu/CountOnCpu.h"
#include "Compute/Engine.h"
#include "Compute/Histogram/CompensatedSum.h"
#include "Compute/Session.h"
#include "Support/AnalyticVolumes.h"
#include "Support/ExpectError.h"
#include "Support/RandomCoordinates.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

using namespace vmc;

namespace
{

constexpr std::array<std::uint32_t, 3> Size = { 37, 30, 71 };

// The volume of a cell by the coordinates of its sides.
long double cellVolume(const Coordinates& sides, std::size_t cell)
{
  const std::array<std::size_t, 3> at = { cell % Size[0], cell / Size[0] % Size[1], cell / Size[0] / Size[1] };
  long double product = 1;
  for (std::size_t axis = 0; axis < 3; ++axis)
    product *= static_cast<long double>(sides[axis][at[axis] + 1]) - sides[axis][at[axis]];
  return product;
}

std::vector<double> volumesOf(const Volume& volume, const Bins& bins, unsigned threads = 2)
{
  Report report;
  return sumVolumesOnCpu(volume, bins, { 0, threads }, report);
}

}

TEST(SumVolumes, OfBinsAreThoseOfBruteForce)
{
  const Coordinates sides = test::randomCoordinates({ Size[0] + 1, Size[1] + 1, Size[2] + 1 }, 3);
  for (const SampleType type : { SampleType::UInt8, SampleType::Float32, SampleType::Int64 })
  {
    test::Samples samples = test::sampleNoise(Size, type, 5);
    std::vector<std::uint8_t> flags(samples.count());
    for (std::size_t i = 0; i < flags.size(); ++i)
      flags[i] = i % 19 == 0 ? Ghost::Blank : i % 23 == 0 ? Ghost::NotOwned : 0;
    for (std::size_t i = 0; type == SampleType::Float32 && i < flags.size(); i += 11)
      samples.setValue(i, std::numeric_limits<double>::quiet_NaN());
    Volume volume = samples.volume();
    volume.geometry = SampleGeometry::ofCells(sides);
    volume.ghosts = flags.data();
    const std::array<double, 2> range = test::rangeOf(type);
    const double quarter = range[1] / 4 - range[0] / 4;
    const Bins bins = equalBins(range[0] + quarter, range[1] - quarter, 5);
    std::vector<long double> expected(bins.count + 2);
    for (std::size_t i = 0; i < flags.size(); ++i)
    {
      const long double value = samples.exactValue(i);
      std::uint32_t bin = 0;
      while (bin + 1 < bins.count && value >= bins.edge(bin + 1))
        ++bin;
      if (flags[i] != 0 || std::isnan(value))
        continue;
      const std::uint32_t number = value < bins.lower ? bins.count + 1 : value > bins.upper ? bins.count : bin;
      expected[number] += cellVolume(sides, i);
    }
    const std::vector<double> volumes = volumesOf(volume, bins);
    ASSERT_EQ(volumes.size(), expected.size());
    for (std::size_t bin = 0; bin < expected.size(); ++bin)
    {
      EXPECT_GT(expected[bin], 1000);
      // Each product is rounded three times, to 2^-53 of it, and the sum once.
      EXPECT_NEAR(volumes[bin], double(expected[bin]), 0x1p-51 * double(expected[bin])) << bin;
    }
  }
}

TEST(SumVolumes, TheNumberOfThreadsDoesNotMatter)
{
  const test::Samples samples = test::sampleNoise(Size, SampleType::Float32, 5);
  Volume volume = samples.volume();
  volume.geometry = SampleGeometry::ofPoints(test::randomCoordinates(Size, 3));
  const Bins bins = equalBins(-1, 1, 7);
  const std::vector<double> expected = volumesOf(volume, bins, 1);
  for (const unsigned threads : { 2u, 5u, 16u })
    EXPECT_EQ(volumesOf(volume, bins, threads), expected);
}

TEST(SumVolumes, SessionsSumThoseOfSamplesWithCoordinatesOnly)
{
  const test::Samples samples = test::sampleNoise({ 5, 4, 3 }, SampleType::Float32, 5);
  Volume image = samples.volume(), grid = image;
  grid.geometry = SampleGeometry::ofPoints(test::randomCoordinates({ 5, 4, 3 }, 3));
  const Bins bins = equalBins(-1, 1, 7);
  Report report;
  const auto counts = Engine::shared("CPU")->makeSession()->count({ image, grid }, bins, {}, report);
  EXPECT_TRUE(counts->front().volumes.empty());
  EXPECT_EQ(counts->back().volumes, volumesOf(grid, bins));
  EXPECT_FALSE(counts->back().volumes.empty());
}

TEST(SumVolumes, AnotherNumberOfCoordinatesIsAnError)
{
  const test::Samples samples = test::sampleNoise({ 5, 4, 3 }, SampleType::Float32, 5);
  Volume volume = samples.volume();
  volume.geometry = SampleGeometry::ofPoints(test::randomCoordinates({ 5, 5, 3 }, 3));
  test::expectError(Error::Kind::Unsupported, [&] { volumesOf(volume, equalBins(-1, 1, 7)); });
}

TEST(SumVolumes, CompensatedSumsKeepSmallNumbers)
{
  CompensatedSum sum;
  sum.add(1e16);
  for (int i = 0; i < 1000; ++i)
    sum.add(0.25);
  EXPECT_EQ(sum.value(), 1e16 + 250);
  CompensatedSum others;
  others.add(0.5);
  others.add(1e20);
  sum.add(others);
  sum.add(-1e20);
  EXPECT_EQ(sum.value(), 1e16 + 250.5);
}
