// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Contour/Parameters.h"
#include "Compute/System/Error.h"
#include "Compute/Volume/Volume.h"
#include "Support/AnalyticVolumes.h"
#include "Support/Contains.h"
#include "Support/ExpectError.h"
#include "Support/ObliqueMap.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace
{

using vmc::Geometry;
using vmc::SampleGeometry;
using vmc::test::alongAxis;
using vmc::test::obliqueMap;

void expectUnsupported(const SampleGeometry& map)
{
  const std::string message = vmc::test::expectError(vmc::Error::Kind::Unsupported, [&] { vmc::geometryOf(map); });
  EXPECT_CONTAINS(message, "it must be finite and not 0");
}

}

TEST(Volume, BytesOfSampleTypes)
{
  using vmc::SampleType;
  EXPECT_EQ(vmc::bytesOf(SampleType::Int8), 1u);
  EXPECT_EQ(vmc::bytesOf(SampleType::UInt8), 1u);
  EXPECT_EQ(vmc::bytesOf(SampleType::Int16), 2u);
  EXPECT_EQ(vmc::bytesOf(SampleType::UInt16), 2u);
  EXPECT_EQ(vmc::bytesOf(SampleType::Int32), 4u);
  EXPECT_EQ(vmc::bytesOf(SampleType::UInt32), 4u);
  EXPECT_EQ(vmc::bytesOf(SampleType::Float32), 4u);
}

TEST(Volume, DeterminantIsTheSignedVolumeOfAStep)
{
  SampleGeometry map;
  EXPECT_EQ(map.determinant(), 1);
  map.setSteps({ { { 2, 0, 0 }, { 0, 3, 0 }, { 0, 0, 4 } } });
  EXPECT_EQ(map.determinant(), 24);
  map.setStep(1, alongAxis(1, -3));
  EXPECT_EQ(map.determinant(), -24);
  map.setSteps({ { { 0, 1, 0 }, { 1, 0, 0 }, { 0, 0, 1 } } }); // two axes exchanged: a mirror
  EXPECT_EQ(map.determinant(), -1);
  map.setSteps({ { { 0, 1, 0 }, { 0, 0, 1 }, { 1, 0, 0 } } }); // all three: a rotation
  EXPECT_EQ(map.determinant(), 1);
  map.setSteps({ { { 1, 2, 3 }, { 2, 4, 6 }, { 0, 0, 1 } } });
  EXPECT_EQ(map.determinant(), 0);
}

TEST(Geometry, SamplesAtCoordinatesArePointsOrCentresOfCells)
{
  const vmc::Coordinates sides = { { { -1, 0, 2 }, { 5, 7, 8, 16 }, { 0, 1e-3 } } };
  const SampleGeometry points = SampleGeometry::ofPoints(sides), cells = SampleGeometry::ofCells(sides);
  EXPECT_TRUE(points.hasCoordinates());
  EXPECT_FALSE(SampleGeometry().hasCoordinates());
  EXPECT_TRUE(points.fits({ 3, 4, 2 }));
  EXPECT_TRUE(cells.fits({ 2, 3, 1 }));
  EXPECT_FALSE(cells.fits({ 3, 4, 2 }));
  EXPECT_EQ(points.origin(), (vmc::Vector3{ -1, 5, 0 }));
  EXPECT_EQ(cells.origin(), (vmc::Vector3{ -0.5, 6, 0.5e-3 }));
  EXPECT_EQ(points.position({ 2, 2.25, 1 }), (vmc::Vector3{ 2, 10, 1e-3 }));
  EXPECT_EQ(cells.position({ 1, 2, 0 }), (vmc::Vector3{ 1, 12, 0.5e-3 }));
  EXPECT_EQ(points.determinant(), 1);
}

TEST(Geometry, CellsOfPointsEndHalfWayToTheirNeighbours)
{
  const vmc::Coordinates sides = { { { -1, 0, 2 }, { 5, 7, 8, 16 }, { 0, 1 } } };
  const SampleGeometry points = SampleGeometry::ofPoints({ sides[0], sides[1], { 3 } }),
                       cells = SampleGeometry::ofCells(sides);
  const auto widths = [](const SampleGeometry& map, std::size_t axis, std::size_t count)
  {
    std::vector<double> found;
    for (std::size_t i = 0; i < count; ++i)
      found.push_back(map.width(axis, i));
    return found;
  };
  using Numbers = std::vector<double>;
  EXPECT_EQ(widths(cells, 0, 2), (Numbers{ 1, 2 }));
  EXPECT_EQ(widths(cells, 1, 3), (Numbers{ 2, 1, 8 }));
  EXPECT_EQ(widths(points, 0, 3), (Numbers{ 1, 1.5, 2 }));
  EXPECT_EQ(widths(points, 1, 4), (Numbers{ 2, 1.5, 4.5, 8 }));
  EXPECT_EQ(widths(points, 2, 1), (Numbers{ 1 }));
}

TEST(Geometry, AnotherOriginMovesSamplesAtCoordinates)
{
  SampleGeometry map = SampleGeometry::ofCells({ { { 1, 2, 4 }, { 5, 7 }, { 0, 1 } } });
  map.setOrigin({ 0, 0, 100 });
  EXPECT_EQ(map.origin(), (vmc::Vector3{ 0, 0, 100 }));
  EXPECT_EQ(map.position({ 1, 0, 0 }), (vmc::Vector3{ 1.5, 0, 100 }));
}

TEST(Geometry, PaddingLiesOnTheBorder)
{
  vmc::Volume volume;
  volume.size = { 2, 1, 3 };
  volume.padding = { { 2, 1, 0 }, { 1, 2, 0 }, true, 0.5f };
  using Numbers = std::vector<double>;
  EXPECT_EQ(volume.gridCoordinates(0), (Numbers{ -0.5, -0.5, 0, 1, 1.5 }));
  EXPECT_EQ(volume.gridCoordinates(1), (Numbers{ -0.5, 0, 0.5, 0.5 }));
  EXPECT_EQ(volume.gridCoordinates(2), (Numbers{ 0, 1, 2 }));
  volume.geometry = SampleGeometry::ofCells({ { { 1, 2, 4 }, { 5, 7 }, { 0, 1, 2, 3 } } });
  EXPECT_EQ(volume.gridCoordinates(0), (Numbers{ 1, 1, 1.5, 3, 4 }));
  EXPECT_EQ(volume.gridCoordinates(1), (Numbers{ 5, 6, 7, 7 }));
  EXPECT_EQ(volume.gridCoordinates(2), (Numbers{ 0.5, 1.5, 2.5 }));
  volume.geometry = SampleGeometry::ofPoints({ { { 1, 2 }, { 5 }, { 0, 1, 2 } } });
  EXPECT_EQ(volume.gridCoordinates(0), (Numbers{ 1, 1, 1, 2, 2 }));
  EXPECT_EQ(volume.gridCoordinates(1), (Numbers{ 5, 5, 5, 5 }));
}

TEST(Geometry, RefusesCoordinatesThatDoNotIncrease)
{
  const auto messageOf = [](const std::vector<double>& x)
  {
    return vmc::test::expectError(vmc::Error::Kind::Unsupported,
      [&] {
        SampleGeometry::ofCells({ { { 0, 1 }, x, { 0, 1 } } });
      });
  };
  EXPECT_EQ(messageOf({ 5 }), "The coordinates along y are 1; at least 2 are needed.");
  EXPECT_EQ(messageOf({ 0, 2, 2 }), "The coordinates along y must be finite and increase; number 2 is 2 after 2.");
  EXPECT_EQ(messageOf({ 3, 2, 1 }), "The coordinates along y must be finite and increase; number 1 is 2 after 3.");
  EXPECT_EQ(messageOf({ 0, std::numeric_limits<double>::infinity() }),
    "The coordinates along y must be finite and increase; number 1 is inf.");
  EXPECT_CONTAINS(messageOf({ std::numeric_limits<double>::quiet_NaN(), 0 }), "number 0 is nan");
}

TEST(Geometry, CoordinatesOfTheKernelsAreSumsOfTwoFloats)
{
  vmc::Volume volume;
  volume.size = { 3, 2, 2 };
  EXPECT_TRUE(vmc::coordinatesOf(volume, { 0, 0, 0 }).empty());
  volume.geometry = SampleGeometry::ofPoints({ { { 0.1, 0.3, 5e6 + 0.1 }, { 0, 1 }, { 2, 4 } } });
  const std::vector<vmc::GridCoordinate> table = vmc::coordinatesOf(volume, { -0.1, 0, 3 });
  ASSERT_EQ(table.size(), 7u);
  const double x[] = { 0, 0.3 - 0.1, 5e6 + 0.1 - 0.1, 0, 1, 5, 7 };
  for (std::size_t i = 0; i < table.size(); ++i)
    EXPECT_NEAR(double(table[i].high) + table[i].low, x[i], std::fabs(x[i]) * 0x1p-48);
  EXPECT_EQ(table[0].toNext, float(0.3 - 0.1));
  EXPECT_EQ(table[2].toNext, 0);
  EXPECT_EQ(table[5].toNext, 2);
}

TEST(Geometry, CoordinatesSplitIntoTwoFloatsKeepTheirDigits)
{
  const SampleGeometry map = obliqueMap();
  const Geometry geometry = vmc::geometryOf(map);
  // Two floats hold 48 bits.
  for (int c = 0; c < 3; ++c)
    EXPECT_NEAR(
      double(geometry.originHigh[c]) + geometry.originLow[c], map.origin()[c], std::fabs(map.origin()[c]) * 0x1p-48);
  for (int a = 0; a < 3; ++a)
    for (int c = 0; c < 3; ++c)
      EXPECT_NEAR(
        double(geometry.axisHigh[a][c]) + geometry.axisLow[a][c], map.step(a)[c], std::fabs(map.step(a)[c]) * 0x1p-48);
}

TEST(Geometry, GradientTransformIsTheInverseTranspose)
{
  const SampleGeometry map = obliqueMap();
  const Geometry geometry = vmc::geometryOf(map);
  // The sum over c of element (c, a) of the transform times component c of axis b is 1 for a = b and 0 otherwise. The
  // elements are rounded to floats of at most 4 in magnitude.
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b)
    {
      double sum = 0;
      for (int c = 0; c < 3; ++c)
        sum += std::scalbn(double(geometry.gradientToWorld[c][a]), geometry.gradientExponent[a]) * map.step(b)[c];
      EXPECT_NEAR(sum, a == b ? 1 : 0, 3 * 4 * 0x1p-24);
    }
}

TEST(Geometry, GradientsOfUnequalStepsKeepTheirExponentsApart)
{
  SampleGeometry map;
  map.setSteps({ { { 3e21, 0, 0 }, { 0, 1e-11, 0 }, { 0, 0, 1 } } });
  const vmc::Geometry geometry = vmc::geometryOf(map);
  for (std::size_t a = 0; a < 3; ++a)
  {
    const double element = geometry.gradientToWorld[a][a];
    EXPECT_GE(element, 1);
    EXPECT_LE(element, 2);
    const double expected = 1 / map.step(a)[a];
    EXPECT_NEAR(std::scalbn(element, geometry.gradientExponent[a]), expected, expected * 0x1p-24); // rounded to float
  }
}

TEST(Geometry, RefusesMapsThatCannotBeInverted)
{
  SampleGeometry flat;
  flat.setStep(2, { 0, 0, 0 });
  expectUnsupported(flat);
  SampleGeometry nan;
  nan.setStep(0, alongAxis(0, std::numeric_limits<double>::quiet_NaN()));
  expectUnsupported(nan);
  SampleGeometry endless;
  endless.setStep(0, alongAxis(0, std::numeric_limits<double>::infinity()));
  expectUnsupported(endless);
}
