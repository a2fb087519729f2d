// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Whole extractions: points, triangles and normals of surfaces.
#include "ExtractionTest.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

namespace vmc::test
{

namespace
{

using Size = std::array<std::uint32_t, 3>;

constexpr double Infinity = std::numeric_limits<double>::infinity();
constexpr double Nan = std::numeric_limits<double>::quiet_NaN();

// A rotation about an oblique axis, scaled by 1/3.
SampleGeometry rotatedMap()
{
  SampleGeometry map;
  map.setOrigin({ 5, -7, 11 });
  // Columns of the rotation by the quaternion (1, 2, 3, 4) / sqrt 30, times a third.
  const double s = 1.0 / 90;
  map.setSteps({ { { -20 * s, 20 * s, 10 * s }, { 4 * s, -10 * s, 28 * s }, { 22 * s, 20 * s, 4 * s } } });
  return map;
}

}

class MarchingCubesTest : public EngineTest
{
protected:
  // Relative errors of area and volume of a closed surface.
  std::array<double, 2> errorsOf(const AnalyticVolume& volume, std::uint32_t size)
  {
    const Mesh mesh = this->extract(sample(volume, { size, size, size }).volume(), 0);
    expectClosed(mesh);
    expectNormalsAgreeWithWinding(mesh);
    EXPECT_EQ(eulerCharacteristicOf(viewOf(mesh)), *volume.eulerCharacteristic);
    return { std::fabs(areaOf(viewOf(mesh)) / *volume.area - 1),
      std::fabs(signedVolumeOf(viewOf(mesh)) / *volume.enclosedVolume - 1) };
  }

  void expectSecondOrder(const AnalyticVolume& coarse, const AnalyticVolume& fine, std::uint32_t size)
  {
    const std::array<double, 2> before = this->errorsOf(coarse, size), after = this->errorsOf(fine, 2 * size);
    for (std::size_t i = 0; i < 2; ++i)
    {
      // A chord of one step lies up to 1/8 of a step^2 / radius inside a circle; the radius is at least 5 steps.
      EXPECT_LT(before[i], 0.02);
      // The ratio is 4 for second order. It varies with the position of the surface on the grid.
      EXPECT_GT(before[i] / after[i], 3.0);
      EXPECT_LT(before[i] / after[i], 5.5);
    }
  }
};

VMC_ON_EACH_ENGINE(MarchingCubesTest);

TEST_P(MarchingCubesTest, RandomCubesOfEverySizeMatchBruteForce)
{
  for (std::uint32_t size = 2; size <= 40; ++size)
    this->expectWholeSurface(sampleNoise({ size, size, size }, SampleType::Float32, size), 0.1);
}

TEST_P(MarchingCubesTest, RandomVolumesOfMixedSizesMatchBruteForce)
{
  for (const Size& size :
    { Size{ 2, 3, 5 }, Size{ 2, 2, 67 }, Size{ 67, 2, 2 }, Size{ 2, 67, 2 }, Size{ 7, 11, 13 }, Size{ 8, 9, 10 },
      Size{ 17, 16, 15 }, Size{ 31, 2, 37 }, Size{ 41, 23, 3 }, Size{ 9, 129, 5 }, Size{ 257, 3, 9 } })
    this->expectWholeSurface(sampleNoise(size, SampleType::Float32, size[0]), -0.2);
}

TEST_P(MarchingCubesTest, RandomVolumesOfEveryTypeMatchBruteForce)
{
  for (const SampleType type : AllSampleTypes)
    for (const Size& size : { Size{ 9, 10, 11 }, Size{ 19, 17, 23 } })
      this->expectWholeSurface(sampleNoise(size, type, 3), middleOf(type));
}

TEST_P(MarchingCubesTest, IsovalueEqualToSamplesMatchesBruteForce)
{
  Samples steps = sampleNoise({ 19, 17, 13 }, SampleType::Float32, 4);
  for (std::uint64_t i = 0; i < steps.count(); ++i)
    steps.setValue(i, std::floor(4 * steps.value(i)));
  for (const double isovalue : { -3.0, -1.0, 0.0, 1.0, 3.0 })
    this->expectWholeSurface(steps, isovalue);
  const Samples bytes = sampleNoise({ 19, 17, 13 }, SampleType::UInt8, 5);
  for (const double isovalue : { 1.0, 2.0, 128.0, 254.0, 255.0 })
    this->expectWholeSurface(bytes, isovalue);
}

TEST_P(MarchingCubesTest, VolumesWithNanMatchBruteForce)
{
  for (const double part : { 0.001, 0.02, 0.2, 0.7, 1.0 })
  {
    Samples samples = sampleNoise({ 29, 18, 21 }, SampleType::Float32, 6);
    scatter(samples, Nan, part, 7);
    this->expectWholeSurface(samples, 0.1);
  }
}

TEST_P(MarchingCubesTest, InfiniteSamplesKeepPointsFiniteAndNormalsUnit)
{
  Samples samples = sampleNoise({ 19, 18, 17 }, SampleType::Float32, 8);
  scatter(samples, Infinity, 0.1, 9);
  scatter(samples, -Infinity, 0.1, 10);
  this->expectWholeSurface(samples, 0.1);
  const Mesh mesh = this->extract(samples.volume(), 0.1);
  const std::vector<float> normals = valuesOf<float>(mesh.normals);
  for (std::size_t i = 0; i < mesh.pointCount; ++i)
    ASSERT_NEAR(std::hypot(normals[3 * i], normals[3 * i + 1], normals[3 * i + 2]), 1, 0x1p-21) << "point " << i;
}

TEST_P(MarchingCubesTest, IsovaluesBeyondTheFloatRangeSeparateInfinities)
{
  Samples samples = sampleNoise({ 9, 9, 9 }, SampleType::Float32, 11);
  scatter(samples, Infinity, 0.2, 12);
  scatter(samples, -Infinity, 0.2, 13);
  for (const double isovalue : { 1e300, -1e300, Infinity })
    this->expectWholeSurface(samples, isovalue);
}

TEST_P(MarchingCubesTest, ConstantVolumeHasNoSurface)
{
  for (const SampleType type : AllSampleTypes)
  {
    Samples samples = sampleNoise({ 20, 20, 20 }, type, 1);
    for (std::uint64_t i = 0; i < samples.count(); ++i)
      samples.setValue(i, 1);
    for (const double isovalue : { 0.5, 1.0, 1.5, Nan, Infinity, -Infinity })
    {
      const Mesh mesh = this->extract(samples.volume(), isovalue);
      EXPECT_EQ(mesh.pointCount, 0u) << nameOf(type) << ", isovalue " << isovalue;
      EXPECT_EQ(mesh.triangleCount, 0u);
      EXPECT_EQ(mesh.positions.data(), nullptr);
      EXPECT_EQ(mesh.firstPoint, (std::vector<std::size_t>{ 0, 0 }));
    }
  }
}

TEST_P(MarchingCubesTest, VolumeWithoutADualCellGivesAnEmptyMesh)
{
  for (const Size& size : { Size{ 1, 9, 9 }, Size{ 9, 1, 9 }, Size{ 9, 9, 1 }, Size{ 1, 1, 1 }, Size{ 0, 5, 5 } })
  {
    const Mesh mesh = this->extract(sampleNoise(size, SampleType::Float32, 1).volume(), 0);
    EXPECT_EQ(mesh.pointCount, 0u);
    EXPECT_EQ(mesh.triangleCount, 0u);
  }
}

TEST_P(MarchingCubesTest, SphereIsClosedAndConverges)
{
  this->expectSecondOrder(sphere({ 15.3, 15.1, 14.8 }, 11.7), sphere({ 30.6, 30.2, 29.6 }, 23.4), 31);
}

TEST_P(MarchingCubesTest, TorusIsClosedAndConverges)
{
  this->expectSecondOrder(torus({ 19.2, 19.4, 18.9 }, 12, 5.1), torus({ 38.4, 38.8, 37.8 }, 24, 10.2), 39);
}

// The samples are linear, so every crossing lies on the plane.
TEST_P(MarchingCubesTest, PointsOfAPlaneLieOnIt)
{
  const Point normal = { 2.0 / 7, 3.0 / 7, 6.0 / 7 };
  const AnalyticVolume tilted = plane(normal, 14.4);
  const Mesh mesh = this->extract(sample(tilted, { 21, 22, 23 }).volume(), 0);
  expectSound(mesh);
  expectNormalsAgreeWithWinding(mesh);
  ASSERT_GT(mesh.pointCount, 500u);
  const std::vector<float> normals = valuesOf<float>(mesh.normals);
  for (std::size_t i = 0; i < mesh.pointCount; ++i)
  {
    // Samples beside the plane are below 1 and rounded by 2^-25, coordinates below 32 by 2^-20.
    ASSERT_NEAR(tilted.value(viewOf(mesh).position(i)), 0, 0x1p-19) << "point " << i;
    // Differences over two steps of samples below 32, which are rounded by 2^-20.
    for (std::size_t c = 0; c < 3; ++c)
      ASSERT_NEAR(normals[3 * i + c], normal[c], 0x1p-18) << "point " << i; // towards lower values
  }
}

TEST_P(MarchingCubesTest, AxisAlignedPlaneHasTheAreaOfItsCrossSection)
{
  for (const Point& normal : { Point{ 1, 0, 0 }, Point{ 0, 1, 0 }, Point{ 0, 0, 1 }, Point{ -1, 0, 0 } })
  {
    const double offset = normal[0] < 0 ? -7.25 : 7.25;
    const Mesh mesh = this->extract(sample(plane(normal, offset), { 17, 17, 17 }).volume(), 0);
    EXPECT_EQ(mesh.pointCount, 17u * 17u);
    EXPECT_EQ(mesh.triangleCount, 2u * 16u * 16u);
    EXPECT_DOUBLE_EQ(areaOf(viewOf(mesh)), 256); // every coordinate is exact
    EXPECT_EQ(edgeUseOf(viewOf(mesh)).border, 64u);
  }
}

TEST_P(MarchingCubesTest, PlaneAcrossTheVolumeIsADisc)
{
  const double third = 1 / std::sqrt(3.0);
  for (const Point& normal : { Point{ 0, 0, 1 }, Point{ third, third, third } })
    EXPECT_EQ(eulerCharacteristicOf(viewOf(this->extract(sample(plane(normal, 9.3), { 17, 17, 17 }).volume(), 0))), 1);
}

// The gyroid has genus 3 in the quotient by its body-centred lattice, whose cell is half the cubic one: its Euler
// characteristic per cubic cell is 2 * (2 - 2 * 3) = -8 (A. H. Schoen, "Infinite periodic minimal surfaces without
// self-intersections", NASA TN D-5541, 1970). Points and edges on the high sides of the cell repeat those on the low
// sides.
TEST_P(MarchingCubesTest, GyroidHasTheEulerCharacteristicOfItsUnitCell)
{
  constexpr std::uint32_t Period = 24;
  const Mesh mesh = this->extract(sample(gyroid(Period), { Period + 1, Period + 1, Period + 1 }).volume(), 0.01);
  const MeshView view = viewOf(mesh);
  const auto onHighSide = [&](std::size_t point, int axis) { return view.position(point)[axis] == Period; };
  long points = 0;
  for (std::size_t p = 0; p < view.pointCount; ++p)
    points += onHighSide(p, 0) || onHighSide(p, 1) || onHighSide(p, 2) ? 0 : 1;
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::size_t corner = 0; corner < 3 * view.triangleCount; ++corner)
  {
    const std::uint32_t a = view.triangles[corner];
    const std::uint32_t b = view.triangles[corner % 3 == 2 ? corner - 2 : corner + 1];
    bool isRepeated = false;
    for (int axis = 0; axis < 3; ++axis)
      isRepeated = isRepeated || (onHighSide(a, axis) && onHighSide(b, axis));
    if (!isRepeated)
      edges.insert(std::minmax(a, b));
  }
  EXPECT_EQ(points - long(edges.size()) + long(view.triangleCount), -8);
}

TEST_P(MarchingCubesTest, GyroidAreaConvergesAtSecondOrder)
{
  // The area of one period, in units of the squared period.
  const auto areaOfPeriod = [this](std::uint32_t period)
  {
    const Mesh mesh = this->extract(sample(gyroid(period), { period + 1, period + 1, period + 1 }).volume(), 0);
    return areaOf(viewOf(mesh)) / (double(period) * period);
  };
  const double coarse = areaOfPeriod(32), middle = areaOfPeriod(64), fine = areaOfPeriod(128);
  // Half the step gives a quarter of the error, so successive differences have the ratio 4. It would be 2 for first
  // order and 8 for third order.
  EXPECT_NEAR((middle - coarse) / (fine - middle), 4, 1);
}

TEST_P(MarchingCubesTest, GyroidStaysWithinTheErrorOfLinearInterpolation)
{
  const AnalyticVolume surface = gyroid(20);
  const Mesh mesh = this->extract(sample(surface, { 41, 41, 41 }).volume(), 0);
  expectSound(mesh);
  expectNormalsAgreeWithWinding(mesh);
  // The error of linear interpolation over a step h is at most h^2 / 8 times the second derivative, here 2 k^2 with
  // k = 2 pi / 20.
  const double k = 2 * std::acos(-1.0) / 20;
  const double bound = 2 * k * k / 8;
  for (std::size_t i = 0; i < mesh.pointCount; ++i)
    ASSERT_LT(std::fabs(surface.value(viewOf(mesh).position(i))), bound);
}

TEST_P(MarchingCubesTest, MirroredGeometryKeepsNormalsOutward)
{
  const AnalyticVolume ball = sphere({ 12.2, 11.9, 12.1 }, 9.3);
  const Samples samples = sample(ball, { 25, 25, 25 });
  Volume volume = samples.volume();
  for (int axis = 0; axis < 3; ++axis)
  {
    volume.geometry = SampleGeometry();
    volume.geometry.setStep(axis, alongAxis(axis, -2));
    const Mesh mesh = this->extract(volume, 0);
    expectClosed(mesh);
    expectNormalsAgreeWithWinding(mesh);
    EXPECT_NEAR(signedVolumeOf(viewOf(mesh)) / (2 * *ball.enclosedVolume), 1,
      0.02); // the resolution and so the tolerance of SphereIsClosedAndConverges
  }
}

TEST_P(MarchingCubesTest, RotatedGeometryRotatesPointsAndNormals)
{
  const AnalyticVolume ball = sphere({ 12.2, 11.9, 12.1 }, 9.3);
  const Samples samples = sample(ball, { 25, 25, 25 });
  Volume volume = samples.volume();
  const Mesh straight = this->extract(volume, 0);
  volume.geometry = rotatedMap();
  const Mesh turned = this->extract(volume, 0);
  ASSERT_EQ(turned.pointCount, straight.pointCount);
  EXPECT_EQ(valuesOf<std::uint32_t>(turned.triangles), valuesOf<std::uint32_t>(straight.triangles));
  expectNormalsAgreeWithWinding(turned);
  const std::vector<float> before = valuesOf<float>(straight.normals), after = valuesOf<float>(turned.normals);
  for (std::size_t i = 0; i < turned.pointCount; ++i)
    for (std::size_t c = 0; c < 3; ++c)
    {
      double position = volume.geometry.origin()[c], normal = 0;
      for (std::size_t a = 0; a < 3; ++a)
      {
        position += viewOf(straight).position(i)[a] * volume.geometry.step(a)[c];
        normal += before[3 * i + a] * 3 * volume.geometry.step(a)[c]; // axes have the length 1/3
      }
      // Both meshes are rounded: coordinates below 32 by 2^-20, unit normals after a dozen operations.
      ASSERT_NEAR(viewOf(turned).position(i)[c], position, 0x1p-19);
      ASSERT_NEAR(after[3 * i + c], normal, 0x1p-19);
    }
}

// The error is at most the larger of 2^-22 of a cell and one unit in the last place of the coordinate.
TEST_P(MarchingCubesTest, LargeOriginsKeepTheFractionOfACell)
{
  const Samples samples = sample(plane({ 1, 0, 0 }, 10.25), { 20, 9, 9 });
  Volume volume = samples.volume();
  for (const double origin : { 0.0, 1000.1, -98765.4321, 1e6 + 1.0 / 3, 3e7 + 0.3 })
    for (const double spacing : { 1.0, 0.1, 1e-3, 17.3 })
    {
      volume.geometry.setOrigin({ origin, -origin, 2 * origin });
      for (int a = 0; a < 3; ++a)
        volume.geometry.setStep(a, alongAxis(a, spacing));
      const Mesh mesh = this->extract(volume, 0);
      ASSERT_EQ(mesh.pointCount, 81u);
      for (std::size_t i = 0; i < mesh.pointCount; ++i)
      {
        const float x = static_cast<float>(viewOf(mesh).position(i)[0]);
        const double unit = std::nextafter(std::fabs(x), std::numeric_limits<float>::max()) - std::fabs(x);
        ASSERT_NEAR(x, origin + 10.25 * spacing, std::max(0x1p-22 * spacing, unit))
          << "origin " << origin << ", spacing " << spacing;
      }
    }
}

// Far from the first sample, with an origin that cancels the large index times the step: the step must not be rounded.
TEST_P(MarchingCubesTest, LargeSampleIndicesKeepTheFractionOfACell)
{
  const Samples samples = sample(plane({ 1, 0, 0 }, 2990.25), { 3000, 2, 2 });
  Volume volume = samples.volume();
  for (const double spacing : { 0.1, 1.0 / 3, 17.3 })
  {
    volume.geometry.setStep(0, alongAxis(0, spacing));
    volume.geometry.setOrigin({ -2990 * spacing, 0, 0 });
    const Mesh mesh = this->extract(volume, 0);
    ASSERT_EQ(mesh.pointCount, 4u);
    const double expected = volume.geometry.origin()[0] + 2990.25 * spacing;
    for (std::size_t i = 0; i < mesh.pointCount; ++i)
      EXPECT_NEAR(viewOf(mesh).position(i)[0], expected, 0x1p-22 * spacing) << "spacing " << spacing; // as above
  }
}

// Adjacent samples differ by one unit in the last place. An isovalue of one float would lose every digit of the
// fraction.
TEST_P(MarchingCubesTest, NearlyEqualLargeSamplesKeepTheirFraction)
{
  const Samples samples = sample(plane({ 1, 0, 0 }, 0), { 12, 3, 3 }, SampleType::Float32, -0.0625, 1e6);
  const Mesh mesh = this->extract(samples.volume(), 1e6 + 0.0625 * 4.3);
  ASSERT_EQ(mesh.pointCount, 9u);
  for (std::size_t i = 0; i < mesh.pointCount; ++i)
    EXPECT_NEAR(
      viewOf(mesh).position(i)[0], 4.3, 4 * 0x1p-24 + FractionTolerance); // positions below 8 are rounded once
}

// The same between a power of two and the next float on either side. There, the low part of the isovalue may be as
// large as the difference of its high part and the sample.
TEST_P(MarchingCubesTest, NeighboursOfPowersOfTwoKeepTheirFraction)
{
  for (const int exponent : { -100, -1, 0, 1, 20, 100 })
    for (const double digit : { -0x1p-24, 0x1p-23 })
      for (const double fraction : { 0.0625, 0.3, 0.5, 0.7, 0.9375 })
      {
        SCOPED_TRACE(testing::Message() << "2^" << exponent << ", " << digit << ", " << fraction);
        const double power = std::scalbn(1.0, exponent), step = std::abs(digit) * power;
        const double first = digit < 0 ? power - step : power;
        const Samples samples = sample(plane({ 1, 0, 0 }, 0), { 2, 2, 2 }, SampleType::Float32, -step, first);
        ASSERT_EQ(samples.value(1) - samples.value(0), step);
        const Mesh mesh = this->extract(samples.volume(), first + step * fraction);
        ASSERT_EQ(mesh.pointCount, 4u);
        for (std::size_t i = 0; i < mesh.pointCount; ++i)
          EXPECT_NEAR(viewOf(mesh).position(i)[0], fraction, 0x1p-25 + FractionTolerance); // a position is rounded once
      }
}

// The same near the smallest normal float, where kernels read the digits of a sample as an integer, and among denormal
// ones.
TEST_P(MarchingCubesTest, NearlyEqualTinySamplesKeepTheirFraction)
{
  constexpr double SmallestFloat = 0x1p-149;
  for (const double unit : { SmallestFloat, 0x1p-120, 0x1p-100 })
    for (const double first : { unit * 0x1p23, unit * 0x1.8p23, SmallestFloat * 1000 })
    {
      SCOPED_TRACE("from " + std::to_string(std::log2(first)) + " in steps of " + std::to_string(std::log2(unit)));
      const Samples samples = sample(plane({ 1, 0, 0 }, 0), { 12, 3, 3 }, SampleType::Float32, -unit, first);
      const Mesh mesh = this->extract(samples.volume(), first + unit * 4.3);
      ASSERT_EQ(mesh.pointCount, 9u);
      for (std::size_t i = 0; i < mesh.pointCount; ++i)
        EXPECT_NEAR(viewOf(mesh).position(i)[0], 4.3, 4 * 0x1p-24 + FractionTolerance); // as above
    }
}

// In a checkerboard all central differences are 0. Then the normal has the direction of the crossed edge.
TEST_P(MarchingCubesTest, NormalsFollowTheEdgeWhereTheGradientVanishes)
{
  Samples samples = sampleNoise({ 11, 11, 11 }, SampleType::UInt8, 1);
  for (std::uint32_t i = 0; i < samples.count(); ++i)
    samples.setValue(i, (i % 11 + i / 11 % 11 + i / 121) % 2 == 0 ? 200 : 100);
  this->expectWholeSurface(samples, 150);
  const Mesh mesh = this->extract(samples.volume(), 150);
  const std::vector<float> normals = valuesOf<float>(mesh.normals);
  std::size_t inner = 0;
  for (std::size_t i = 0; i < mesh.pointCount; ++i)
  {
    const std::array<double, 3> p = viewOf(mesh).position(i);
    if (*std::min_element(p.begin(), p.end()) < 1 || *std::max_element(p.begin(), p.end()) > 9)
      continue; // one-sided differences at the border
    ++inner;
    for (std::size_t c = 0; c < 3; ++c)
    {
      const bool along = p[c] != std::floor(p[c]); // crossings lie in the middle of edges
      const bool startsHigh = int(std::floor(p[0]) + std::floor(p[1]) + std::floor(p[2])) % 2 == 0;
      ASSERT_EQ(normals[3 * i + c], along ? (startsHigh ? 1.0f : -1.0f) : 0.0f) << "point " << i;
    }
  }
  EXPECT_EQ(inner, 3u * 8 * 9 * 9);
}

}
