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
