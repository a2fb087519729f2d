// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Contour/Parameters.h"
#include "Compute/Cpu/ExtractOnCpu.h"
#include "Compute/Measure/JoinRegions.h"
#include "Compute/Measure/MeasureMesh.h"
#include "Compute/System/InstructionSet.h"
#include "Support/AnalyticVolumes.h"
#include "Support/BlockValues.h"
#include "Support/LevelViews.h"
#include "Support/MeshProperties.h"
#include "Support/ObliqueMap.h"
#include "Support/RandomCoordinates.h"
#include "Support/RandomLevels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

using namespace vmc;
using namespace vmc::test;

namespace
{

// Sums of the reference are doubles. Those of a mesh are rounded to float in each triangle and block.
constexpr double Tolerance = 1e-6;

class Measures : public testing::Test
{
protected:
  template <class Input>
  Mesh extract(const Input& input, Request request, std::vector<double> isovalues)
  {
    request.isovalues = std::move(isovalues);
    request.computeMeasures = true;
    CpuState state{ this->Memory, this->Ranges };
    Report report;
    return std::move(extractOnCpu(state, std::vector<Input>{ input }, request, report, {})->front());
  }

  // The part of a mesh with narrow ids that belongs to one isovalue, relative to the first point of the mesh.
  static MeshView viewOf(const Mesh& mesh, std::size_t isovalue)
  {
    MeshView view;
    view.positions = reinterpret_cast<const float*>(mesh.positions.data());
    view.pointCount = mesh.pointCount;
    view.triangles = reinterpret_cast<const std::uint32_t*>(mesh.triangles.data()) + 3 * mesh.firstTriangle[isovalue];
    view.triangleCount = mesh.firstTriangle[isovalue + 1] - mesh.firstTriangle[isovalue];
    return view;
  }

  static Vector3 centroidOf(const MeshView& mesh)
  {
    Vector3 moment{};
    for (std::size_t t = 0; t < mesh.triangleCount; ++t)
    {
      const auto normal = windingNormal(mesh, t);
      const double area = std::hypot(normal[0], normal[1], normal[2]) / 2;
      for (std::size_t corner = 0; corner < 3; ++corner)
        for (std::size_t axis = 0; axis < 3; ++axis)
          moment[axis] += area * mesh.position(mesh.triangles[3 * t + corner])[axis] / 3;
    }
    for (double& value : moment)
      value /= areaOf(mesh);
    return moment;
  }

  // Compares the measures of a mesh that has no origin of its own.
  static void expectMeasures(const Mesh& mesh)
  {
    ASSERT_EQ(mesh.measures.size(), mesh.firstPoint.size() - 1);
    for (std::size_t i = 0; i < mesh.measures.size(); ++i)
    {
      const SurfaceMeasures& found = mesh.measures[i];
      const MeshView view = viewOf(mesh, i);
      EXPECT_EQ(found.triangles, view.triangleCount);
      EXPECT_EQ(found.bounds.isEmpty(), view.triangleCount == 0);
      EXPECT_EQ(found.openEdges, edgeUseOf(view).border);
      EXPECT_NEAR(found.area, areaOf(view), Tolerance * areaOf(view));
      if (view.triangleCount == 0)
        continue;
      if (found.isClosed())
      {
        EXPECT_NEAR(found.volume, signedVolumeOf(view), Tolerance * std::abs(signedVolumeOf(view)) + 1e-6 * found.area);
      }
      Bounds bounds;
      for (std::size_t p = mesh.firstPoint[i]; p < mesh.firstPoint[i + 1]; ++p)
        bounds.add({ view.position(p), view.position(p) });
      EXPECT_EQ(found.bounds.low, bounds.low);
      EXPECT_EQ(found.bounds.high, bounds.high);
      for (std::size_t axis = 0; axis < 3; ++axis)
        EXPECT_NEAR(
          found.centroid[axis], centroidOf(view)[axis], Tolerance * (bounds.high[axis] - bounds.low[axis] + 1));
    }
  }

  HostMemoryPool Memory{ false };
  std::shared_ptr<BrickRangeCache> Ranges = std::make_shared<BrickRangeCache>();
};

Request narrow()
{
  return Request();
}

Request wide()
{
  Request request;
  request.wideIds = true;
  return request;
}

}

TEST_F(Measures, ThoseOfASphereAreThoseOfMathematics)
{
  const AnalyticVolume exact = sphere({ 40.3, 39.1, 41.7 }, 30);
  const Mesh mesh = this->extract(sample(exact, { 80, 81, 82 }).volume(), narrow(), { 0 });
  const SurfaceMeasures& found = mesh.measures.front();
  EXPECT_TRUE(found.isClosed());
  EXPECT_NEAR(found.area, *exact.area, 1e-3 * *exact.area); // triangles are inside the sphere
  EXPECT_NEAR(found.volume, *exact.enclosedVolume, 1e-3 * *exact.enclosedVolume);
  const Vector3 center{ 40.3, 39.1, 41.7 };
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    EXPECT_NEAR(found.centroid[axis], center[axis], 1e-3);
    EXPECT_NEAR(found.bounds.high[axis] - found.bounds.low[axis], 60, 0.1);
  }
}

TEST_F(Measures, ASurfaceAroundLowerValuesHasANegativeVolume)
{
  const AnalyticVolume exact = sphere({ 20, 20, 20 }, 15);
  const Mesh mesh = this->extract(sample(exact, { 40, 40, 40 }, SampleType::Float32, -1).volume(), narrow(), { 0 });
  EXPECT_NEAR(mesh.measures.front().volume, -*exact.enclosedVolume, 1e-2 * *exact.enclosedVolume);
}

TEST_F(Measures, AreSumsOverTheTrianglesOfEachIsovalue)
{
  for (const std::array<std::uint32_t, 3>& size :
    { std::array<std::uint32_t, 3>{ 2, 2, 2 }, { 9, 9, 9 }, { 8, 17, 5 }, { 33, 40, 61 } })
    for (const SampleType type : { SampleType::UInt8, SampleType::Float32, SampleType::Float64 })
    {
      SCOPED_TRACE(testing::Message() << size[0] << " x " << size[1] << " x " << size[2] << ", " << nameOf(type));
      const Samples samples = sampleNoise(size, type, 3);
      const double middle = middleOf(type), step = rangeOf(type)[1] / 4;
      expectMeasures(this->extract(samples.volume(), narrow(), { middle, middle - step, 2e99, middle + step }));
    }
}

TEST_F(Measures, ABlankSampleOpensTheSurfaceAroundIt)
{
  Samples samples = sampleNoise({ 41, 30, 35 }, SampleType::Float32, 7);
  for (const double part : { 1e-4, 0.01, 0.3 })
  {
    std::vector<std::uint8_t> flags(samples.count());
    for (std::size_t i = 0; i < flags.size(); ++i)
      flags[i] = i % std::size_t(1 / part) == 5 ? Ghost::Blank : i % 211 == 7 ? Ghost::NotOwned : 0;
    Volume volume = samples.volume();
    volume.ghosts = flags.data();
    expectMeasures(this->extract(volume, narrow(), { 0.1, -0.5 }));
    scatter(samples, std::nan(""), part, 5);
    expectMeasures(this->extract(samples.volume(), narrow(), { 0.1 }));
  }
}

TEST_F(Measures, ASurfaceThatIsClosedAtTheBorderHasNoOpenEdge)
{
  const Samples samples = sampleNoise({ 21, 18, 19 }, SampleType::Float32, 9);
  Volume volume = samples.volume();
  volume.padding = { { 1, 1, 1 }, { 1, 1, 1 }, false, 0.5f };
  const Mesh extended = this->extract(volume, narrow(), { 0.2 });
  expectMeasures(extended);
  EXPECT_FALSE(extended.measures.front().isClosed());
  volume.padding = { { 2, 2, 2 }, { 2, 2, 2 }, true, 0.5f };
  const Mesh closed = this->extract(volume, narrow(), { 0.2 });
  expectMeasures(closed);
  EXPECT_TRUE(closed.measures.front().isClosed());
}

// The layers [begin, end) of a volume, with two layers of those beside them.
struct Piece
{
  Piece(const Volume& whole, std::uint32_t begin, std::uint32_t end)
    : first(begin < 2 ? 0 : begin - 2)
    , volume(whole)
  {
    const std::uint32_t last = std::min(whole.size[2], end + 2);
    const std::size_t layer = std::size_t(whole.size[0]) * whole.size[1];
    for (std::size_t i = 0; i < layer * (last - this->first); ++i)
      this->flags.push_back(this->first + i / layer < begin || this->first + i / layer >= end ? Ghost::NotOwned : 0);
    this->volume.samples =
      static_cast<const std::byte*>(whole.samples) + layer * this->first * bytesOf(this->volume.type);
    this->volume.size[2] = last - this->first;
    this->volume.ghosts = this->flags.data();
    this->volume.geometry.setOrigin({ 0, 0, double(this->first) });
  }
  Piece(const Piece&) = delete;

  std::uint32_t first;
  std::vector<std::uint8_t> flags;
  Volume volume;
};

TEST_F(Measures, EdgesAtTheSeamOfAPieceAreOpen)
{
  constexpr std::uint32_t Z = 40, Seam = 17;
  const Samples samples = sampleNoise({ 22, 19, Z }, SampleType::Float32, 2);
  const Mesh whole = this->extract(samples.volume(), narrow(), { 0.1 });
  double area = 0;
  for (const auto& [begin, end] : { std::pair<std::uint32_t, std::uint32_t>(0, Seam), { Seam, Z } })
  {
    const Mesh mesh = this->extract(Piece(samples.volume(), begin, end).volume, narrow(), { 0.1 });
    expectMeasures(mesh);
    EXPECT_GT(mesh.measures.front().openEdges, 100u);
    area += mesh.measures.front().area;
  }
  EXPECT_NEAR(area, whole.measures.front().area, Tolerance * area);
}

// With integer samples and isovalues, points of several edges have one position.
TEST_F(Measures, OfPiecesAreJoined)
{
  Samples samples = sampleNoise({ 22, 19, 40 }, SampleType::UInt8, 2);
  for (std::byte& sample : samples.bytes)
    sample = std::byte(std::to_integer<unsigned>(sample) / 32);
  const std::vector<double> isovalues = { 4, 5, 2.5 };
  const Mesh whole = this->extract(samples.volume(), narrow(), isovalues);
  const MeshRegions ofWhole = findRegions(whole, this->Memory, 2);
  std::vector<SurfaceRegion> expected = regionsOf(whole, ofWhole, {}, true, {}, 2);
  std::vector<PieceRegions> pieces;
  for (const std::uint32_t begin : { 0u, 9u, 18u, 31u })
  {
    const Piece piece(samples.volume(), begin, begin == 0 ? 9 : begin == 9 ? 18 : begin == 18 ? 31 : 40);
    Request request;
    request.nameOpenEdges = true;
    const Mesh mesh = this->extract(piece.volume, request, isovalues);
    const MeshRegions ofMesh = findRegions(mesh, this->Memory, 2);
    PieceRegions& found = pieces.emplace_back();
    found.regions = regionsOf(mesh, ofMesh, {}, true, {}, 2);
    for (SurfaceRegion& region : found.regions)
      region.measures.openEdges = 0;
    found.add(mesh, ofMesh, 0, 7, { 0, 0, int(piece.first) });
  }
  std::vector<SurfaceRegion> joined = joinRegions(pieces).regions;
  ASSERT_GT(expected.size(), 30u);
  ASSERT_EQ(joined.size(), expected.size());
  const auto isBefore = [](const SurfaceRegion& a, const SurfaceRegion& b)
  {
    return std::tie(a.isovalue, a.measures.triangles, a.measures.bounds.low, a.measures.bounds.high) <
           std::tie(b.isovalue, b.measures.triangles, b.measures.bounds.low, b.measures.bounds.high);
  };
  std::sort(joined.begin(), joined.end(), isBefore);
  std::sort(expected.begin(), expected.end(), isBefore);
  for (std::size_t i = 0; i < joined.size(); ++i)
  {
    EXPECT_EQ(joined[i].isovalue, expected[i].isovalue);
    EXPECT_EQ(joined[i].measures.triangles, expected[i].measures.triangles);
    EXPECT_EQ(joined[i].measures.openEdges, expected[i].measures.openEdges);
    EXPECT_NEAR(joined[i].measures.area, expected[i].measures.area, Tolerance * expected[i].measures.area);
    // As in Accuracy.md: the diagonal of the volume is shorter than 64.
    EXPECT_NEAR(joined[i].measures.volume, expected[i].measures.volume,
      Tolerance * std::abs(expected[i].measures.volume) + 0x1p-18 * expected[i].measures.area);
  }
}

TEST_F(Measures, OfLevelsAreSumsOverTheirTriangles)
{
  for (std::uint64_t seed = 0; seed < 40; ++seed)
  {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const RandomLevels random = randomLevels(seed);
    const Mesh mesh = this->extract(test::viewOf(random.levels), narrow(), { random.isovalue });
    const MeshView view = viewOf(mesh, 0);
    EXPECT_EQ(mesh.measures.front().openEdges, edgeUseOf(view).border);
    EXPECT_NEAR(mesh.measures.front().area, areaOf(view), Tolerance * areaOf(view));
  }
}

TEST_F(Measures, HaveTheOriginOfTheMesh)
{
  Samples samples = sample(sphere({ 10, 10, 10 }, 7), { 20, 20, 20 });
  Volume volume = samples.volume();
  volume.geometry.setOrigin({ 1e6, -2e6, 3e6 });
  Request request;
  request.splitPositions = true;
  const SurfaceMeasures found = this->extract(volume, request, { 0 }).measures.front();
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const double center = 10 + volume.geometry.origin()[axis];
    EXPECT_NEAR(found.centroid[axis], center, 1e-5);
    EXPECT_NEAR(found.bounds.low[axis], center - 7, 0.01);
    EXPECT_NEAR(found.bounds.high[axis], center + 7, 0.01);
  }
}

// Grids of atoms and of galaxies in metres: the squares of the areas of their triangles are no floats.
TEST_F(Measures, OfTinyAndHugeCellsAreThoseOfCellsOfSizeOneInOtherUnits)
{
  const Samples samples = sampleNoise({ 19, 20, 21 }, SampleType::Float32, 4);
  Volume volume = samples.volume();
  const SurfaceMeasures expected = this->extract(volume, narrow(), { 0 }).measures.front();
  ASSERT_GT(expected.area, 100);
  for (const int exponent : { -100, -60, -40, -33, 40, 70, 115 })
  {
    const double unit = std::ldexp(1, exponent);
    volume.geometry.setSteps({ { { unit, 0, 0 }, { 0, unit, 0 }, { 0, 0, unit } } });
    const SurfaceMeasures found = this->extract(volume, narrow(), { 0 }).measures.front();
    EXPECT_EQ(found.area, expected.area * unit * unit) << exponent;
    EXPECT_EQ(found.volume, expected.volume * unit * unit * unit) << exponent;
    for (std::size_t axis = 0; axis < 3; ++axis)
      EXPECT_EQ(found.centroid[axis], expected.centroid[axis] * unit) << exponent;
  }
}

TEST_F(Measures, DoNotDependOnThreadsIdsAndInstructions)
{
  const Samples samples = sampleNoise({ 61, 50, 43 }, SampleType::Float32, 5);
  const Mesh first = this->extract(samples.volume(), narrow(), { 0.1, 0.4 });
  const auto expectSame = [&](const Mesh& mesh)
  {
    for (std::size_t i = 0; i < 2; ++i)
    {
      const SurfaceMeasures &a = mesh.measures[i], &b = first.measures[i];
      EXPECT_EQ(a.area, b.area);
      EXPECT_EQ(a.volume, b.volume);
      EXPECT_EQ(a.centroid, b.centroid);
      EXPECT_EQ(a.bounds.low, b.bounds.low);
      EXPECT_EQ(a.bounds.high, b.bounds.high);
      EXPECT_EQ(a.openEdges, b.openEdges);
    }
    EXPECT_EQ(mesh.openEnds, first.openEnds);
  };
  for (const unsigned threads : { 1u, 2u, 7u })
  {
    Request request;
    request.threads = threads;
    expectSame(this->extract(samples.volume(), request, { 0.1, 0.4 }));
  }
  expectSame(this->extract(samples.volume(), wide(), { 0.1, 0.4 }));
  setenv("VMC_CPU_INSTRUCTIONS", "baseline", 1); // POSIX
  expectSame(this->extract(samples.volume(), narrow(), { 0.1, 0.4 }));
  unsetenv("VMC_CPU_INSTRUCTIONS");
}

TEST_F(Measures, OfAMeshAreThoseOfItsExtraction)
{
  const Samples samples = sampleNoise({ 40, 41, 42 }, SampleType::UInt16, 8);
  for (const Request& request : { narrow(), wide() })
  {
    Mesh mesh = this->extract(samples.volume(), request, { 3e4, 4e4 });
    const std::vector<SurfaceMeasures> extracted = mesh.measures;
    std::sort(mesh.openEnds.begin(), mesh.openEnds.end());
    EXPECT_EQ(mesh.openEnds, findOpenEnds(mesh, 3));
    measureMesh(mesh, 2);
    for (std::size_t i = 0; i < 2; ++i)
    {
      EXPECT_EQ(mesh.measures[i].openEdges, extracted[i].openEdges);
      EXPECT_EQ(mesh.measures[i].bounds.low, extracted[i].bounds.low);
      EXPECT_NEAR(mesh.measures[i].area, extracted[i].area, 1e-9 * extracted[i].area); // other parts
    }
  }
}

TEST_F(Measures, WithoutARequestThereAreNone)
{
  const Samples samples = sampleNoise({ 9, 9, 9 }, SampleType::Float32, 1);
  CpuState state{ this->Memory, this->Ranges };
  Report report;
  Request request;
  request.isovalues = { 0.1 };
  const auto meshes = extractOnCpu(state, { samples.volume() }, request, report, {});
  EXPECT_TRUE(meshes->front().measures.empty());
  EXPECT_TRUE(meshes->front().openEnds.empty());
  EXPECT_FALSE(report.stages[Stage::MeasureSurface]);
}

// Returns the largest coordinates of edges, and of vectors between points.
static MeshLengths lengthsIn(const MeshView& mesh)
{
  MeshLengths lengths;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (std::size_t t = 0; t < mesh.triangleCount; ++t)
      for (std::size_t corner = 0; corner < 3; ++corner)
      {
        const double from = mesh.position(mesh.triangles[3 * t + corner])[axis],
                     to = mesh.position(mesh.triangles[3 * t + (corner + 1) % 3])[axis];
        lengths.edge = std::max(lengths.edge, std::abs(to - from));
        low = std::min(low, from);
        high = std::max(high, from);
      }
    lengths.extent = std::max(lengths.extent, high - low);
  }
  return lengths;
}

static Request onDevice(Request request)
{
  request.memory = OutputMemory::Device;
  return request;
}

TEST_F(Measures, LengthsAreWithinTheirBounds)
{
  const Samples samples = sampleNoise({ 17, 18, 19 }, SampleType::Float32, 4);
  Volume oblique = samples.volume(), closed = samples.volume(), coordinates = samples.volume();
  oblique.geometry = obliqueMap();
  closed.padding = { { 2, 2, 2 }, { 2, 2, 2 }, true, 0.5f };
  coordinates.geometry = SampleGeometry::ofCells(randomCoordinates({ 18, 19, 20 }, 5, { 1e6, 0, -20 }));
  Volume closedCoordinates = coordinates;
  closedCoordinates.padding = closed.padding;
  for (const Volume& volume : { samples.volume(), oblique, closed, coordinates, closedCoordinates })
    for (const bool relative : { false, true })
    {
      Request request;
      request.relativePositions = relative;
      const MeshLengths found = lengthsIn(viewOf(this->extract(volume, request, { 0.5 }), 0)),
                        bounds = lengthsOf(volume, onDevice(request));
      EXPECT_LE(found.edge, bounds.edge);
      EXPECT_LE(found.extent, bounds.extent);
      // Noise cuts cells near every corner and side, so the bounds are near, except for oblique steps.
      EXPECT_GE(found.edge, bounds.edge / 4);
      EXPECT_GE(found.extent, bounds.extent / 2);
    }
}

TEST_F(Measures, LengthsOfLevelsAreWithinTheirBounds)
{
  std::size_t edges = 0;
  for (std::uint64_t seed = 0; seed < levelSeedCount(); ++seed)
    for (const bool relative : { false, true })
    {
      const RandomLevels input = randomLevels(seed);
      Levels levels = test::viewOf(input.levels);
      if (seed % 3 != 0)
        levels.border = LevelBorder{ seed % 3 == 1, {}, {} };
      Request request;
      request.relativePositions = relative;
      const Mesh mesh = this->extract(levels, request, { input.isovalue });
      if (mesh.triangleCount == 0)
        continue;
      const MeshLengths found = lengthsIn(viewOf(mesh, 0)), bounds = lengthsOf(bricksOf(levels, 2), onDevice(request));
      EXPECT_LE(found.edge, bounds.edge) << seed;
      EXPECT_LE(found.extent, bounds.extent) << seed;
      edges += 3 * mesh.triangleCount;
    }
  EXPECT_GT(edges, 100'000u);
}
