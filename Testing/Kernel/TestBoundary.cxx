// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The surface at the border of the domain.
#include "ExtractionTest.h"

#include <cmath>
#include <limits>

namespace vmc::test
{

namespace
{

constexpr double Infinity = std::numeric_limits<double>::infinity();

Padding extendedPadding()
{
  return { { 1, 1, 1 }, { 1, 1, 1 }, false, 0.5f };
}

Padding closedPaddingOfCells()
{
  return { { 2, 2, 2 }, { 2, 2, 2 }, true, 0.5f };
}

Padding closedPaddingOfPoints()
{
  return { { 1, 1, 1 }, { 1, 1, 1 }, true, 0 };
}

Samples constant(const std::array<std::uint32_t, 3>& size, SampleType type, double value)
{
  Samples samples = sampleNoise(size, type, 1);
  for (std::uint64_t i = 0; i < samples.count(); ++i)
    samples.setValue(i, value);
  return samples;
}

}

class Boundary : public EngineTest
{
protected:
  // Expects that the surface is a box whose sides have these lengths.
  void expectBox(const Volume& volume, double isovalue, const std::array<double, 3>& side)
  {
    const Mesh mesh = this->extract(volume, isovalue);
    expectClosed(mesh);
    expectNormalsAgreeWithWinding(mesh);
    // Coordinates are multiples of 1/4, so areas are exact. The volume is a sum of some thousand rounded sixths.
    EXPECT_EQ(areaOf(viewOf(mesh)), 2 * (side[0] * side[1] + side[1] * side[2] + side[2] * side[0]));
    EXPECT_NEAR(signedVolumeOf(viewOf(mesh)), side[0] * side[1] * side[2], 1e-10);
    EXPECT_EQ(eulerCharacteristicOf(viewOf(mesh)), 2);
  }
};

VMC_ON_EACH_ENGINE(Boundary);
VMC_ON_TWO_DEVICES(Boundary);

TEST_P(Boundary, ExtendedPlaneReachesTheBorderOfTheCells)
{
  Volume volume;
  const Samples samples = sample(plane({ 0, 0, 1 }, 4.25), { 9, 7, 11 });
  volume = samples.volume();
  EXPECT_EQ(areaOf(viewOf(this->extract(volume, 0))), 8.0 * 6);
  volume.padding = extendedPadding();
  const Mesh mesh = this->extract(volume, 0);
  expectSound(mesh);
  EXPECT_EQ(areaOf(viewOf(mesh)), 9.0 * 7);
  for (std::size_t i = 0; i < mesh.pointCount; ++i)
    EXPECT_EQ(viewOf(mesh).position(i)[2], 4.25);
}

TEST_P(Boundary, PaddingAtOneSideExtendsThatSideAlone)
{
  const Samples samples = sample(plane({ 0, 0, 1 }, 4.25), { 9, 7, 11 });
  Volume volume = samples.volume();
  volume.padding = { { 0, 1, 0 }, { 0, 0, 0 }, false, 0.5f };
  const Mesh mesh = this->extract(volume, 0);
  double low = Infinity, high = -Infinity;
  for (std::size_t i = 0; i < mesh.pointCount; ++i)
  {
    low = std::min(low, viewOf(mesh).position(i)[1]);
    high = std::max(high, viewOf(mesh).position(i)[1]);
  }
  EXPECT_EQ(low, -0.5);
  EXPECT_EQ(high, 6);
  EXPECT_EQ(areaOf(viewOf(mesh)), 8 * 6.5);
}

TEST_P(Boundary, ClosedHalfSpaceHasTheVolumeBelowThePlane)
{
  const Samples samples = sample(plane({ 0, 0, 1 }, 4.25), { 9, 7, 11 }); // inside below the plane
  Volume volume = samples.volume();
  volume.padding = closedPaddingOfCells();
  this->expectBox(volume, 0, { 9, 7, 4.75 });
  volume.padding = closedPaddingOfPoints();
  this->expectBox(volume, 0, { 8, 6, 4.25 });
}

TEST_P(Boundary, ClosedVolumeThatIsAllInsideIsABoxForEveryType)
{
  for (const SampleType type : AllSampleTypes)
    for (const double isovalue : { 50.0, 100.0 })
    {
      SCOPED_TRACE(std::string(nameOf(type)) + ", isovalue " + std::to_string(isovalue));
      const Samples samples = constant({ 9, 8, 5 }, type, 100);
      Volume volume = samples.volume();
      volume.padding = closedPaddingOfCells();
      this->expectBox(volume, isovalue, { 9, 8, 5 });
      volume.padding = closedPaddingOfPoints();
      this->expectBox(volume, isovalue, { 8, 7, 4 });
    }
}

// No value of the type is below such an isovalue, but the padding is.
TEST_P(Boundary, ClosedVolumeIsABoxAtAndBelowTheSmallestValueOfTheType)
{
  for (const SampleType type : AllSampleTypes)
  {
    const bool isFloat = type == SampleType::Float32 || type == SampleType::Float64;
    const double smallest = isFloat ? -Infinity : rangeOf(type)[0];
    const Samples samples = constant({ 9, 8, 5 }, type, smallest);
    Volume volume = samples.volume();
    for (const double isovalue : { smallest, isFloat ? -Infinity : 2 * smallest - 1, -Infinity })
    {
      SCOPED_TRACE(std::string(nameOf(type)) + ", isovalue " + std::to_string(isovalue));
      volume.padding = closedPaddingOfCells();
      this->expectBox(volume, isovalue, { 9, 8, 5 });
      volume.padding = Padding();
      EXPECT_EQ(this->extract(volume, isovalue).triangleCount, 0u);
    }
  }
}

TEST_P(Boundary, ClosedSingleSampleIsACube)
{
  const Samples samples = constant({ 1, 1, 1 }, SampleType::UInt8, 7);
  Volume volume = samples.volume();
  volume.padding = closedPaddingOfCells();
  this->expectBox(volume, 3, { 1, 1, 1 });
}

TEST_P(Boundary, MirroredClosedVolumeKeepsNormalsOutward)
{
  const Samples samples = constant({ 9, 8, 5 }, SampleType::Int64, 7);
  Volume volume = samples.volume();
  volume.padding = closedPaddingOfCells();
  volume.geometry.setStep(1, alongAxis(1, -1));
  this->expectBox(volume, 3, { 9, 8, 5 });
}

}
