// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Surfaces of volumes whose samples have coordinates along each axis, on each engine.
#include "ExtractionTest.h"
#include "Support/RandomCoordinates.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace vmc::test
{

namespace
{

constexpr std::array<std::uint32_t, 3> Size = { 21, 19, 20 }; // with a brick whose neighbours are all there

enum class Boundary
{
  Open,
  Extend,
  Close
};

Padding paddingOf(bool isCellData, Boundary boundary)
{
  const std::uint32_t layers =
    (boundary != Boundary::Open && isCellData ? 1 : 0) + (boundary == Boundary::Close ? 1 : 0);
  Padding padding;
  padding.low = padding.high = { layers, layers, layers };
  padding.closed = boundary == Boundary::Close;
  padding.border = isCellData ? 0.5f : 0.0f;
  return padding;
}

// Coordinates of the points of a grid with Size samples.
std::array<std::uint32_t, 3> pointsOf(bool isCellData)
{
  const std::uint32_t more = isCellData ? 1 : 0;
  return { Size[0] + more, Size[1] + more, Size[2] + more };
}

SampleGeometry geometryAt(const Coordinates& points, bool isCellData)
{
  return isCellData ? SampleGeometry::ofCells(points) : SampleGeometry::ofPoints(points);
}

// The coordinates of the positions of the padded grid along an axis, as text books say.
std::vector<double> expectedCoordinates(const std::vector<double>& points, bool isCellData, std::uint32_t layers)
{
  std::vector<double> samples = points;
  if (isCellData)
    for (std::size_t i = 0; i + 1 < points.size(); ++i)
      samples[i] = (points[i] + points[i + 1]) / 2;
  samples.resize(points.size() - (isCellData ? 1 : 0));
  samples.insert(samples.begin(), layers, points.front());
  samples.insert(samples.end(), layers, points.back());
  return samples;
}

double unitInTheLastPlace(double value)
{
  const float magnitude = static_cast<float>(std::fabs(value));
  return std::nextafter(magnitude, std::numeric_limits<float>::infinity()) - magnitude;
}

// The distance of the coordinates around one between them; 0 if there are none.
double cellAround(double coordinate, const std::vector<double>& coordinates)
{
  const auto next = std::upper_bound(coordinates.begin(), coordinates.end(), coordinate);
  return next == coordinates.begin() || next == coordinates.end() ? 0 : *next - *(next - 1);
}

// The coordinates of the samples as values of an attribute of three components.
std::vector<double> positionsOf(const Coordinates& samples)
{
  std::vector<double> positions;
  for (const double z : samples[2])
    for (const double y : samples[1])
      for (const double x : samples[0])
        positions.insert(positions.end(), { x, y, z });
  return positions;
}

void expectNear(const HostBlock& found, const HostBlock& expected, double tolerance, const std::string& name)
{
  const std::vector<float> a = valuesOf<float>(found), b = valuesOf<float>(expected);
  ASSERT_EQ(a.size(), b.size()) << name;
  for (std::size_t i = 0; i < a.size(); ++i)
    ASSERT_NEAR(a[i], b[i], tolerance) << name << " " << i / 3 << ", component " << i % 3;
}

}

class SamplesAtCoordinates : public EngineTest
{
protected:
  // The error of a position is at most the larger of 2^-22 of a cell and one unit in the last place of the coordinate.
  // The gradient is a sum of a dozen rounded terms, none larger than the range of the samples divided by the least
  // distance. Its interpolation adds the error of the fraction.
  static void expectPoints(
    const Mesh& mesh, const reference::WholeSurface& expected, const Coordinates& grid, double range)
  {
    ASSERT_EQ(mesh.pointCount, expected.points.size());
    EXPECT_EQ(valuesOf<std::uint32_t>(mesh.triangles), expected.triangles);
    EXPECT_EQ(valuesOf<std::int64_t>(mesh.triangleCells), expected.cells);
    const std::vector<float> positions = valuesOf<float>(mesh.positions), gradients = valuesOf<float>(mesh.gradients);
    const double slopeTolerance = (12 * 0x1p-24 + FractionTolerance) * range / LeastDistance;
    for (std::size_t i = 0; i < positions.size(); ++i)
    {
      const reference::SurfacePoint& point = expected.points[i / 3];
      const double truth = point.index[i % 3], cell = cellAround(truth, grid[i % 3]);
      ASSERT_NEAR(positions[i], truth, std::max(0x1p-22 * cell, unitInTheLastPlace(truth))) << "point " << i / 3;
      ASSERT_NEAR(gradients[i], point.gradient[i % 3], slopeTolerance) << "point " << i / 3;
    }
  }

  // Extracts noise at random coordinates, and compares with a search in double.
  void expectReference(SampleType type, bool isCellData, Boundary boundary, bool hasFlags)
  {
    SCOPED_TRACE(std::string(nameOf(type)) + (isCellData ? ", cells" : ", points") + ", boundary " +
                 std::to_string(int(boundary)) + (hasFlags ? ", flags" : ""));
    const Samples samples = sampleNoise(Size, type, 3);
    const Coordinates points = randomCoordinates(pointsOf(isCellData), 4);
    std::vector<std::uint8_t> flags(samples.count(), 0);
    for (std::size_t i = 0; i < flags.size(); i += 997)
      flags[i] = i % 2 == 0 ? Ghost::Blank : Ghost::NotOwned;
    Volume volume = samples.volume();
    volume.padding = paddingOf(isCellData, boundary);
    volume.ghosts = hasFlags ? flags.data() : nullptr;
    reference::PaddedGrid grid(volume, [&samples](std::size_t i) { return samples.value(i); });
    for (std::size_t axis = 0; axis < 3; ++axis)
      grid.coordinate[axis] = expectedCoordinates(points[axis], isCellData, volume.padding.low[axis]);
    volume.geometry = geometryAt(points, isCellData);
    const std::array<double, 2> ends = rangeOf(type);
    const double isovalue = ends[0] + 0.55 * (ends[1] - ends[0]);
    const reference::WholeSurface expected(grid, isovalue);
    expectPoints(this->extract(volume, requestOfAll(isovalue)), expected, grid.coordinate, ends[1] - ends[0]);
  }

  static Request requestOfAll(double isovalue)
  {
    Request request = requestOf({ isovalue });
    request.computeCells = request.computeGradients = true;
    return request;
  }

  // A volume of a linear function of the position.
  struct LinearField
  {
    Coordinates points;
    Vector3 slope{ 2, -3, 0.5 };
    Samples samples;

    LinearField(const Coordinates& coordinates)
      : points(coordinates)
    {
      this->samples = sample(plane({ 0, 0, 1 }, 0), Size, SampleType::Float64);
      const std::vector<double> positions = positionsOf(this->points);
      for (std::uint64_t i = 0; i < this->samples.count(); ++i)
        this->samples.setValue(i, this->value(&positions[3 * i]));
    }

    double value(const double* at) const
    {
      return this->slope[0] * at[0] + this->slope[1] * at[1] + this->slope[2] * at[2];
    }

    Volume volume() const
    {
      Volume volume = this->samples.volume();
      volume.geometry = SampleGeometry::ofPoints(this->points);
      return volume;
    }
  };
};

VMC_ON_EACH_ENGINE(SamplesAtCoordinates);
VMC_ON_TWO_DEVICES(SamplesAtCoordinates);

TEST_P(SamplesAtCoordinates, AtEqualDistancesMakeTheSurfaceOfTheImage)
{
  const Samples samples = sample(gyroid(9), Size);
  Request request = requestOf({ 0.1, -0.4 });
  request.computeGradients = request.computeCells = true;
  for (const double spacing : { 0.5, 0.1 })
    for (const bool isCellData : { true, false })
      for (const Boundary boundary : { Boundary::Open, Boundary::Extend, Boundary::Close })
      {
        Coordinates points;
        Volume image = samples.volume();
        image.padding = paddingOf(isCellData, boundary);
        for (std::size_t axis = 0; axis < 3; ++axis)
        {
          image.geometry.setStep(axis, alongAxis(axis, spacing));
          for (std::uint32_t i = 0; i < pointsOf(isCellData)[axis]; ++i)
            points[axis].push_back(-3 + i * spacing);
        }
        const double first = -3 + (isCellData ? spacing / 2 : 0);
        image.geometry.setOrigin({ first, first, first });
        Volume volume = image;
        volume.geometry = geometryAt(points, isCellData);
        const Mesh expected = this->extract(image, request), mesh = this->extract(volume, request);
        ASSERT_GT(expected.triangleCount, 100u);
        EXPECT_EQ(mesh.firstPoint, expected.firstPoint);
        EXPECT_EQ(valuesOf<std::uint32_t>(mesh.triangles), valuesOf<std::uint32_t>(expected.triangles));
        EXPECT_EQ(valuesOf<std::int64_t>(mesh.triangleCells), valuesOf<std::int64_t>(expected.triangleCells));
        // Each position is at most one unit in the last place of a coordinate below 16 from the exact one. Gradients
        // are at most 2 * pi / 9 / spacing; rounded coordinates change distances by 2^-50 of them.
        expectNear(mesh.positions, expected.positions, 2 * 0x1p-20, "position");
        expectNear(mesh.gradients, expected.gradients, 24 * 0x1p-24 / spacing, "gradient");
        expectNear(mesh.normals, expected.normals, 1e-5, "normal");
      }
}

TEST_P(SamplesAtCoordinates, AreThoseOfTheReference)
{
  for (const SampleType type : { SampleType::UInt8, SampleType::Int64, SampleType::Float32, SampleType::Float64 })
    for (const bool isCellData : { true, false })
      for (const Boundary boundary : { Boundary::Open, Boundary::Extend, Boundary::Close })
        for (const bool hasFlags : { false, true })
          this->expectReference(type, isCellData, boundary, hasFlags);
}

TEST_P(SamplesAtCoordinates, HaveTheGradientOfALinearField)
{
  const LinearField field(randomCoordinates(Size, 11));
  const Mesh mesh = this->extract(field.volume(), requestOfAll(1.25));
  ASSERT_GT(mesh.triangleCount, 100u);
  expectSound(mesh);
  const std::vector<float> gradients = valuesOf<float>(mesh.gradients), normals = valuesOf<float>(mesh.normals);
  const double length = std::hypot(field.slope[0], field.slope[1], field.slope[2]);
  for (std::size_t i = 0; i < mesh.pointCount; ++i)
  {
    // Coordinates below 32 have units of 2^-19, and the slopes along the axes are below 6 together.
    ASSERT_NEAR(field.value(viewOf(mesh).position(i).data()), 1.25, 6 * 0x1p-19) << "point " << i;
    for (std::size_t c = 0; c < 3; ++c)
    {
      ASSERT_NEAR(gradients[3 * i + c], field.slope[c], 12 * 0x1p-24 * length) << "point " << i;
      ASSERT_NEAR(normals[3 * i + c], -field.slope[c] / length, 24 * 0x1p-24) << "point " << i;
    }
  }
}

TEST_P(SamplesAtCoordinates, SeveralIsovaluesFollowEachOther)
{
  const LinearField field(randomCoordinates(Size, 12));
  const Mesh both = this->extract(field.volume(), requestOf({ 1.25, -4 }));
  const Mesh first = this->extract(field.volume(), 1.25), second = this->extract(field.volume(), -4);
  ASSERT_EQ(both.firstPoint[1], first.pointCount);
  std::vector<float> expected = valuesOf<float>(first.positions);
  const std::vector<float> behind = valuesOf<float>(second.positions);
  expected.insert(expected.end(), behind.begin(), behind.end());
  EXPECT_EQ(valuesOf<float>(both.positions), expected);
}

TEST_P(SamplesAtCoordinates, AttributesAreInterpolatedAlongTheEdges)
{
  const LinearField field(randomCoordinates(Size, 13));
  const std::vector<double> positions = positionsOf(field.points);
  Volume volume = field.volume();
  volume.attributes = { { positions.data(), SampleType::Float64, 3 } };
  const Mesh mesh = this->extract(volume, 1.25);
  ASSERT_GT(mesh.pointCount, 0u);
  expectNear(mesh.attributes.front(), mesh.positions, 8 * 0x1p-20, "attribute"); // eight roundings below 32
}

// In double, the error is at most 2^-22 of a cell.
TEST_P(SamplesAtCoordinates, FarFromTheOriginKeepTheFractionOfACell)
{
  const Vector3 first = { 5e6, -7e6, 1e6 };
  const Coordinates points = randomCoordinates(Size, 14, first);
  const Samples samples = sample(plane({ 1, 0, 0 }, 10.25), Size);
  Volume volume = samples.volume();
  volume.geometry = SampleGeometry::ofPoints(points);
  Request request = requestOf({ 0 });
  request.splitPositions = true;
  const Mesh mesh = this->extract(volume, request);
  ASSERT_EQ(mesh.pointCount, Size[1] * Size[2]);
  EXPECT_EQ(mesh.origin, first);
  Coordinates expected = points;
  expected[0] = { points[0][10] + 0.25 * (points[0][11] - points[0][10]) };
  const std::vector<float> low = valuesOf<float>(mesh.positionsLow);
  for (std::size_t i = 0; i < mesh.pointCount; ++i)
    for (std::size_t c = 0; c < 3; ++c)
    {
      const double found = mesh.origin[c] + (viewOf(mesh).position(i)[c] + low[3 * i + c]);
      const auto isNear = [=](double coordinate) { return std::fabs(found - coordinate) <= 0x1p-22 * LeastDistance; };
      ASSERT_TRUE(std::any_of(expected[c].begin(), expected[c].end(), isNear))
        << "point " << i << ", component " << c << ", " << found - first[c] << " from the first sample";
    }
}

// Cells that are small beside the distance of the first sample from the origin.
TEST_P(SamplesAtCoordinates, CloseTogetherKeepTheFractionOfACell)
{
  Coordinates points;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    points[axis] = { -1000 };
    for (std::uint32_t i = 1; i < Size[axis]; ++i)
      points[axis].push_back((i - 10.5) * 1e-9);
  }
  const Samples samples = sample(plane({ 1, 0, 0 }, 10.25), Size);
  Volume volume = samples.volume();
  volume.geometry = SampleGeometry::ofPoints(points);
  const Mesh mesh = this->extract(volume, 0);
  ASSERT_EQ(mesh.pointCount, Size[1] * Size[2]);
  for (std::size_t i = 0; i < mesh.pointCount; ++i)
    ASSERT_NEAR(viewOf(mesh).position(i)[0], -0.25e-9, 0x1p-22 * 1e-9) << "point " << i;
}

TEST_P(SamplesAtCoordinates, RefusesOtherNumbersOfCoordinates)
{
  const Samples samples = sampleNoise(Size, SampleType::UInt8, 5);
  Volume volume = samples.volume();
  volume.geometry = SampleGeometry::ofCells(randomCoordinates(Size, 15)); // one sample less along each axis
  EXPECT_EQ(this->expectError(Error::Kind::Unsupported, volume, requestOf({ 100 })),
    "The numbers of coordinates differ from the numbers of samples along the axes, which are 21, 19 and 20.");
  volume.geometry = SampleGeometry::ofPoints(randomCoordinates(Size, 15));
  EXPECT_GT(this->extract(volume, 100).triangleCount, 0u);
}

TEST_P(SamplesAtCoordinates, RefuseRays)
{
  const LinearField field(randomCoordinates(Size, 16));
  RayRequest request;
  request.isovalues = { 1.25 };
  request.camera.width = request.camera.height = 8;
  EXPECT_EQ(test::expectError(
              Error::Kind::Unsupported, [&] { this->session().cast(field.volume(), request, this->LastReport); }),
    "Rays need samples at equal distances along each axis; these samples have coordinates of their own.");
}

class SlabsAtCoordinates : public ExtractionTest
{
};

TEST_F(SlabsAtCoordinates, HaveTheSameBytesWithLittleMemory)
{
  const Samples samples = sampleNoise({ 24, 24, 160 }, SampleType::UInt8, 11);
  const std::vector<float> indices = sampleIndices(samples.size);
  Volume volume = samples.volume();
  volume.padding = paddingOf(true, Boundary::Close);
  volume.geometry = SampleGeometry::ofCells(randomCoordinates({ 25, 25, 161 }, 17));
  volume.attributes = { { indices.data(), SampleType::Float32, 3 } };
  Request request = requestOf({ 100, 150 });
  request.computeGradients = true;
  const Mesh whole = this->extract(volume, request);
  const std::uint64_t needed = this->LastReport.deviceBytes;
  for (const double part : { 0.9, 0.8, 0.7 })
  {
    SCOPED_TRACE(part);
    request.memoryLimit = static_cast<std::uint64_t>(part * needed);
    const std::unique_ptr<Session> fresh = this->newSession();
    expectSameBytes(this->extract(*fresh, volume, request), whole);
    EXPECT_LE(this->LastReport.deviceBytes, request.memoryLimit);
  }
}

TEST_F(SlabsAtCoordinates, HaveTheSameBytesWithSmallBindings)
{
  const Samples samples = sample(sphere({ 16, 16, 64 }, 62), { 32, 32, 137 });
  Volume volume = samples.volume();
  volume.geometry = SampleGeometry::ofPoints(randomCoordinates(samples.size, 19));
  Request request = requestOf({ 0.5, -7 });
  request.computeGradients = true;
  const Mesh whole = this->extract(volume, request);
  const std::uint64_t layers = BRICK_SIZE * 5 + 3; // four layers of bricks, one more, and three layers for gradients
  const std::unique_ptr<Session> small =
    newSessionOn(std::make_shared<Context>(optionsWith({ (layers * 32 * 32 + 64) * sizeof(float), 64 })));
  expectSameBytes(this->extract(*small, volume, request), whole);
  EXPECT_GT(this->LastReport.slabs, 1u);
}

}
