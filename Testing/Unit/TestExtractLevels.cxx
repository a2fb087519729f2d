// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Cpu/ExtractOnCpu.h"
#include "Compute/System/Error.h"
#include "Compute/System/InstructionSet.h"
#include "Compute/Volume/LevelSlopes.h"
#include "Reference/BorderedLevels.h"
#include "Reference/LevelSurface.h"
#include "Support/AnalyticVolumes.h"
#include "Support/BlockValues.h"
#include "Support/LevelOrder.h"
#include "Support/LevelViews.h"
#include "Support/MeshProperties.h"
#include "Support/PiecesOfLevels.h"
#include "Support/RandomLevels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

using namespace vmc;

namespace
{

using reference::LevelPair;
using reference::LevelSurface;
using test::contains;
using test::CutImage;
using test::idsOf;
using test::isBeside;
using test::RandomLevels;
using test::Region;
using test::rotated;
using test::Side;
using test::sortedTriangles;
using test::TriangleOfLeaf;
using test::viewOf;

// input: a volume or levels.
template <class Input>
Mesh extract(const Input& input, const Request& request)
{
  static HostMemoryPool memory(false);
  CpuState state{ memory, std::make_shared<BrickRangeCache>() };
  Report report;
  return std::move(extractOnCpu(state, std::vector<Input>{ input }, request, report, {})->front());
}

Request requestOf(double isovalue)
{
  Request request;
  request.isovalues = { isovalue };
  request.computeGradients = true;
  request.splitPositions = true;
  return request;
}

// Returns whether each axis has a neighbour of the leaf with a value that does not contain the leaf. If not, the
// gradient is not determined.
bool hasNeighbours(
  const reference::Levels& levels, const reference::LevelLeaves& leaves, const reference::LevelCell& leaf)
{
  const auto hasValue = [&](const auto& neighbour)
  { return neighbour && leaves.at(*neighbour).isValid && !contains(levels, *neighbour, leaf); };
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (!isBeside(levels, leaves, leaf, { axis, true }, Region::Face, hasValue) &&
        !isBeside(levels, leaves, leaf, { axis, false }, Region::Face, hasValue))
      return false;
  return true;
}

// The attribute of each patch is its samples.
Levels withAttribute(Levels levels)
{
  for (LevelPatch& patch : levels.patches)
    patch.attributes = { { patch.samples, levels.type, 1, patch.identity } };
  return levels;
}

double sizeOf(const reference::Vector& vector)
{
  return std::sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]);
}

// The attribute of withAttribute at a point: the isovalue, but on the cap of a closed domain the sample.
double attributeAt(const reference::LevelLeaves& leaves, const reference::LevelPoint& point, double isovalue)
{
  const double first = leaves.at(point.leaves.first).sample, second = leaves.at(point.leaves.second).sample;
  return std::isinf(first) ? second : std::isinf(second) ? first : isovalue;
}

// Compares the surface with that of the reference. Returns the number of triangles. input: without cells beyond its
// border; sourceOf(cell): the cell of the input that a cell repeats.
template <class SourceOf>
std::size_t expectReference(const Levels& input, const reference::Levels& levels, const LevelBricks& bricks,
  double isovalue, const SourceOf& sourceOf)
{
  const reference::LevelLeaves leaves(levels);
  const LevelSurface expected(levels, leaves, isovalue);
  Request request = requestOf(isovalue);
  request.computeCells = true;
  const Mesh mesh = extract(withAttribute(input), request);
  EXPECT_EQ(mesh.pointCount, expected.points.size());
  EXPECT_EQ(mesh.triangleCount, expected.triangles.size());
  if (testing::Test::HasFailure())
    return 0;
  const std::vector<std::uint32_t> ids = idsOf(levels, leaves, bricks, expected);
  std::vector<TriangleOfLeaf> triangles;
  for (const reference::LevelTriangle& triangle : expected.triangles)
    triangles.push_back({ rotated({ ids[triangle.points[0]], ids[triangle.points[1]], ids[triangle.points[2]] }),
      sourceOf(expected.dualCells[triangle.dualCell].owner) });
  std::sort(triangles.begin(), triangles.end());
  EXPECT_TRUE(sortedTriangles(input, mesh) == triangles);
  const auto attribute = test::valuesOf<float>(mesh.attributes.front());
  const auto* const high = reinterpret_cast<const float*>(mesh.positions.data());
  const auto* const low = reinterpret_cast<const float*>(mesh.positionsLow.data());
  for (std::size_t i = 0; i < ids.size(); ++i)
  {
    EXPECT_FLOAT_EQ(attribute[ids[i]], static_cast<float>(attributeAt(leaves, expected.points[i], isovalue)));
    for (std::size_t c = 0; c < 3; ++c)
    {
      const std::size_t at = 3 * std::size_t(ids[i]) + c;
      const double found = mesh.origin[c] + (double(high[at]) + double(low[at]));
      // Two floats hold 48 bits of a distance of at most some hundred; the origin has 53.
      EXPECT_NEAR(found, expected.points[i].position[c], 1e-9 + 0x1p-50 * std::abs(levels.origin[c]));
    }
  }
  return mesh.triangleCount;
}

std::size_t expectReference(const reference::Levels& levels, const LevelBricks& bricks, double isovalue)
{
  return expectReference(
    viewOf(levels), levels, bricks, isovalue, [](const reference::LevelCell& cell) { return cell; });
}

// A patch of a hierarchy with unit steps.
reference::LevelPatch gyroidPatch(const reference::Levels& levels, std::size_t level, const reference::LevelIndex& low,
  const reference::LevelIndex& size)
{
  reference::LevelPatch patch;
  patch.level = level;
  patch.low = low;
  patch.size = size;
  const test::AnalyticVolume gyroid = test::gyroid(9);
  for (std::int64_t i = 0; i < patch.count(); ++i)
    patch.samples.push_back(gyroid.value(levels.centerOf({ level, patch.cellAt(i) })));
  return patch;
}

// Compares gradients with those of the leaves, which do not depend on bricks.
void expectGradientsOfLeaves(const reference::Levels& levels, const LevelBricks& bricks, double isovalue)
{
  const reference::LevelLeaves leaves(levels);
  const LevelSurface surface(levels, leaves, isovalue);
  const std::vector<std::uint32_t> ids = idsOf(levels, leaves, bricks, surface);
  const Mesh mesh = extract(viewOf(levels), requestOf(isovalue));
  const auto* const gradients = reinterpret_cast<const float*>(mesh.gradients.data());
  const LevelSlopes<double> slopes(bricks);
  const auto slopeAt = [&](const reference::LevelCell& leaf, std::size_t a)
  {
    LevelIndex cell = leaf.index;
    for (std::size_t axis = 0; axis < 3; ++axis)
      cell[axis] -= bricks.levels[leaf.level].low[axis];
    return slopes.at(leaf.level, cell)[a] * double(bricks.levels[leaf.level].perCell[a]);
  };
  for (std::size_t i = 0; i < ids.size(); ++i)
    for (std::size_t a = 0; a < 3; ++a) // unit steps: the axes of the world
    {
      const auto& [leaf, other] = surface.points[i].leaves;
      const double t = surface.points[i].fraction;
      const double expected = slopeAt(leaf, a) * (1 - t) + slopeAt(other, a) * t;
      EXPECT_NEAR(gradients[3 * std::size_t(ids[i]) + a], expected, 1e-6); // floats of at most 2, with 24 bits
    }
}

void expectSameBytes(const Mesh& found, const Mesh& expected)
{
  for (HostBlock Mesh::*block :
    { &Mesh::positions, &Mesh::positionsLow, &Mesh::normals, &Mesh::gradients, &Mesh::triangles, &Mesh::offsets })
    EXPECT_TRUE(test::valuesOf<std::uint8_t>(found.*block) == test::valuesOf<std::uint8_t>(expected.*block));
  ASSERT_EQ(found.attributes.size(), expected.attributes.size());
  for (std::size_t i = 0; i < found.attributes.size(); ++i)
    EXPECT_TRUE(test::valuesOf<float>(found.attributes[i]) == test::valuesOf<float>(expected.attributes[i]));
}

// Calls use(hierarchy, bricks) for each seed, and names a seed that fails.
template <class Use>
void forEachSeed(const Use& use)
{
  for (std::uint64_t seed = 0; seed < test::levelSeedCount(); ++seed)
  {
    const RandomLevels input = test::randomLevels(seed);
    const Levels view = viewOf(input.levels);
    use(input, bricksOf(view, 2));
    if (testing::Test::HasFailure())
    {
      ADD_FAILURE() << "seed " << seed;
      return;
    }
  }
}

}

TEST(ExtractLevels, PointsAndTrianglesAreThoseOfTheReference)
{
  std::size_t triangles = 0;
  forEachSeed([&](const RandomLevels& input, const LevelBricks& bricks)
    { triangles += expectReference(input.levels, bricks, input.isovalue); });
  EXPECT_GT(triangles, 50'000u);
}

TEST(ExtractLevels, SurfacesUpToTheBorderAreThoseOfTheReference)
{
  std::size_t triangles = 0;
  forEachSeed(
    [&](const RandomLevels& input, const LevelBricks&)
    {
      const reference::LevelLeaves leaves(input.levels);
      for (const bool isClosed : { false, true })
      {
        Levels view = viewOf(input.levels);
        view.border = LevelBorder{ isClosed, {}, {} };
        const reference::BorderedLevels bordered(input.levels, reference::borderOf(input.levels, leaves, isClosed));
        triangles += expectReference(view, bordered.levels, bricksOf(view, 2), input.isovalue,
          [&](const reference::LevelCell& cell) { return bordered.sourceOf(cell); });
      }
    });
  EXPECT_GT(triangles, 150'000u);
}

// Its levels have bricks of every kind.
TEST(ExtractLevels, ALargeHierarchyIsThatOfTheReference)
{
  for (const std::int64_t ratio : { 2, 3 })
  {
    reference::Levels levels;
    levels.ratio = { { 1, 1, 1 }, { ratio, ratio, ratio } };
    levels.patches = { gyroidPatch(levels, 0, { 0, 0, 0 }, { 40, 34, 33 }),
      gyroidPatch(levels, 1, { 3 * ratio, 2 * ratio, ratio }, { 11 * ratio, 13 * ratio, 13 * ratio }) };
    const Levels view = viewOf(levels);
    const LevelBricks bricks = bricksOf(view, 2);
    for (const BrickKind kind : { BrickKind::Plain, BrickKind::Bordered, BrickKind::Masked, BrickKind::Stitched })
    {
      std::size_t count = 0;
      for (const LevelOfBricks& level : bricks.levels)
        count += static_cast<std::size_t>(std::count(level.kind.begin(), level.kind.end(), kind));
      EXPECT_GT(count, 0u);
    }
    EXPECT_GT(expectReference(levels, bricks, 0.2), 10'000u);
    expectGradientsOfLeaves(levels, bricks, 0.2);
  }
}

// Finer levels lie at a corner, at an edge and at a face of the domain; one of them without the level between. The
// field is the coordinate along an axis, so that the surface is a plane and the solid behind it a box.
TEST(ExtractLevels, AClosedDomainEnclosesTheExactVolume)
{
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    reference::Levels levels;
    levels.ratio = { { 1, 1, 1 }, { 2, 2, 2 }, { 3, 2, 3 } };
    for (const auto& [level, low, size] :
      { std::tuple<std::size_t, LevelIndex, LevelIndex>{ 0, { 0, 0, 0 }, { 11, 10, 9 } },
        { 1, { 0, 0, 0 }, { 8, 8, 8 } }, { 1, { 6, 16, 4 }, { 8, 4, 8 } }, { 2, { 0, 0, 0 }, { 12, 8, 12 } },
        { 2, { 30, 20, 42 }, { 12, 12, 12 } } })
    {
      reference::LevelPatch& patch = levels.patches.emplace_back();
      patch.level = level;
      patch.low = low;
      patch.size = size;
      for (std::int64_t i = 0; i < patch.count(); ++i)
        patch.samples.push_back(levels.centerOf({ level, patch.cellAt(i) })[axis]);
    }
    Levels view = viewOf(levels);
    view.border = LevelBorder{ true, {}, {} };
    Request request;
    for (const double isovalue : { 1.9, 5.3, 7.75 })
    {
      request.isovalues = { isovalue };
      const Mesh mesh = extract(view, request);
      const auto positions = test::valuesOf<float>(mesh.positions);
      const auto ids = test::valuesOf<std::uint32_t>(mesh.triangles);
      const test::MeshView surface = { positions.data(), mesh.pointCount, ids.data(), mesh.triangleCount };
      EXPECT_TRUE(test::edgeUseOf(surface).isClosed());
      const std::array<double, 3> size = { 11, 10, 9 };
      const double whole = size[0] * size[1] * size[2];
      EXPECT_NEAR(test::signedVolumeOf(surface), whole * (1 - isovalue / size[axis]), 1e-3); // positions are floats
    }
  }
}

// A level of 3 x 3 x 3 bricks and more has bricks whose neighbours are all full.
TEST(ExtractLevels, OneLevelInAnyPatchesGivesTheBytesOfTheImage)
{
  Levels lattice;
  lattice.origin = { 3.1, -2, 1 };
  lattice.steps = { { { 0, 0.5, 0 }, { 0, 0, 0.3 }, { 2, 0, 0 } } };
  for (const SampleType type :
    { SampleType::Int8, SampleType::UInt8, SampleType::Int16, SampleType::UInt16, SampleType::Int32, SampleType::UInt32,
      SampleType::Float32, SampleType::Int64, SampleType::UInt64, SampleType::Float64 })
  {
    const test::Samples image = test::sampleNoise({ 41, 35, 27 }, type, 5);
    Volume volume = image.volume();
    volume.geometry =
      SampleGeometry(SampleGeometry(lattice.origin, lattice.steps).position({ 0.5, 0.5, 0.5 }), lattice.steps);
    volume.attributes = { { volume.samples, type, 1, 0 } };
    const Request request = requestOf(test::middleOf(type));
    const Mesh expected = extract(volume, request);
    EXPECT_GT(expected.triangleCount, 10'000u);
    for (const std::uint32_t cut : { 100u, 16u, 7u })
      expectSameBytes(extract(withAttribute(CutImage(image, lattice, cut).levels), request), expected);
  }
}

// Also with an isovalue below all samples, for which a closed domain has a cap only.
TEST(ExtractLevels, OneLevelUpToTheBorderGivesTheBytesOfTheImage)
{
  Levels lattice;
  lattice.origin = { 3.1, -2, 1 };
  lattice.steps = { { { 0, 0.5, 0 }, { 0, 0, 0.3 }, { 2, 0, 0 } } };
  lattice.border = LevelBorder{ false, { 0, 0, 0 }, { 25, 20, 19 } };
  for (const SampleType type : { SampleType::UInt8, SampleType::Float32, SampleType::Int64, SampleType::Float64 })
  {
    const test::Samples image = test::sampleNoise({ 25, 20, 19 }, type, 5);
    Volume volume = image.volume();
    volume.geometry =
      SampleGeometry(SampleGeometry(lattice.origin, lattice.steps).position({ 0.5, 0.5, 0.5 }), lattice.steps);
    volume.attributes = { { volume.samples, type, 1, 0 } };
    for (const bool isClosed : { false, true })
    {
      lattice.border->isClosed = volume.padding.closed = isClosed;
      const std::uint32_t layers = isClosed ? 2 : 1;
      volume.padding.low = volume.padding.high = { layers, layers, layers };
      volume.padding.border = 0.5f;
      for (const double isovalue : { test::middleOf(type), -1e30 })
      {
        const Request request = requestOf(isovalue);
        const Mesh expected = extract(volume, request);
        EXPECT_EQ(expected.triangleCount > 0, isClosed || isovalue > -1e30);
        for (const std::uint32_t cut : { 100u, 16u, 7u })
          expectSameBytes(extract(withAttribute(CutImage(image, lattice, cut).levels), request), expected);
      }
    }
  }
}

TEST(ExtractLevels, SeveralIsovaluesFollowEachOther)
{
  const RandomLevels input = test::randomLevels(4);
  const Levels levels = viewOf(input.levels);
  Request request = requestOf(input.isovalue);
  const Mesh alone = extract(levels, request);
  request.isovalues = { input.isovalue, 1e30, input.isovalue };
  const Mesh both = extract(levels, request);
  EXPECT_GT(alone.triangleCount, 0u);
  EXPECT_EQ(both.triangleCount, 2 * alone.triangleCount);
  EXPECT_EQ(both.firstPoint, (std::vector<std::size_t>{ 0, alone.pointCount, alone.pointCount, 2 * alone.pointCount }));
  request = requestOf(input.isovalue);
  request.mergePoints = false;
  EXPECT_EQ(extract(levels, request).pointCount, 3 * alone.triangleCount);
}

TEST(ExtractLevels, PiecesTogetherMakeTheTrianglesOfTheWhole)
{
  std::size_t triangles = 0;
  for (std::uint64_t seed = 0; seed < 120 && !testing::Test::HasFailure(); ++seed)
  {
    const RandomLevels input = test::randomLevels(seed);
    Request request;
    request.isovalues = { input.isovalue };
    request.computeCells = request.relativePositions = true; // the origin is that of the lattice
    for (const std::size_t pieces : { 2, 4, 8 })
      triangles += test::expectPiecesMakeTheWhole(
        input.levels, pieces, [&](const Levels& levels) { return extract(levels, request); });
  }
  EXPECT_GT(triangles, 60'000u);
}

// Where differences cancel out, a sum that is rounded otherwise in a piece gives another direction.
TEST(ExtractLevels, PiecesHaveTheNormalsOfTheWholeWhereGradientsVanish)
{
  Request request = requestOf(2);
  request.computeCells = request.relativePositions = true;
  EXPECT_GT(test::expectPiecesMakeTheWhole(
              test::randomLevels(281572019).levels, 3, [&](const Levels& levels) { return extract(levels, request); }),
    2000u);
}

TEST(ExtractLevels, HeldBricksAreReusedUntilAnArrayChanges)
{
  HostMemoryPool memory(false);
  CpuState first{ memory, std::make_shared<BrickRangeCache>() };
  CpuState second{ memory, first.ranges, first.levels };
  test::Samples image = test::sampleNoise({ 30, 20, 20 }, SampleType::Float32, 3);
  CutImage cut(image, {}, 10);
  for (std::size_t i = 0; i < cut.levels.patches.size(); ++i)
    cut.levels.patches[i].identity = i + 1;
  const auto isRead = [&](CpuState& state, const Levels& levels)
  {
    Report report;
    const auto meshes =
      extractOnCpu(state, std::vector<Levels>{ levels }, requestOf(test::middleOf(image.type)), report, {});
    EXPECT_GT(meshes->front().triangleCount, 1000u);
    return report.stages[Stage::Upload].has_value();
  };
  EXPECT_TRUE(isRead(first, cut.levels));
  EXPECT_FALSE(isRead(first, cut.levels));
  EXPECT_FALSE(isRead(second, cut.levels));
  EXPECT_TRUE(isRead(first, withAttribute(cut.levels)));
  EXPECT_FALSE(isRead(first, withAttribute(cut.levels)));
  second.release(1);
  EXPECT_FALSE(isRead(first, cut.levels));
  Levels other = cut.levels;
  other.patches[5].identity = 100;
  EXPECT_TRUE(isRead(first, other));
  first.release(100);
  EXPECT_FALSE(isRead(first, other));
  for (const LevelPatch& patch : other.patches)
    first.release(patch.identity);
  EXPECT_TRUE(isRead(first, other));
  other.patches[5].identity = 0;
  EXPECT_TRUE(isRead(first, other));
  EXPECT_TRUE(isRead(first, other));
}

// The patches are bricks. Those that have not changed have no samples any more.
TEST(ExtractLevels, PatchesThatDoNotChangeAreNotReadAgain)
{
  HostMemoryPool memory(false);
  CpuState state{ memory, std::make_shared<BrickRangeCache>() };
  const CutImage before(test::sampleNoise({ 56, 48, 40 }, SampleType::Float32, 3), {}, 8);
  const CutImage after(test::sampleNoise({ 56, 48, 40 }, SampleType::Float32, 4), {}, 8);
  CutImage changed = before;
  const auto isOther = [](std::size_t patch) { return patch == 0 || patch == 50; };
  const std::vector<std::byte> zeros(8 * 8 * 8 * sizeof(float));
  for (std::size_t i = 0; i < changed.bytes.size(); ++i)
  {
    if (isOther(i))
      changed.bytes[i] = after.bytes[i];
    changed.levels.patches[i].samples = changed.bytes[i].data();
  }
  Levels first = before.levels, second = changed.levels;
  for (std::size_t i = 0; i < first.patches.size(); ++i)
  {
    first.patches[i].identity = i + 1;
    second.patches[i].identity = isOther(i) ? i + 1001 : i + 1;
    second.patches[i].samples = isOther(i) ? second.patches[i].samples : zeros.data();
  }
  const Request request = requestOf(test::middleOf(SampleType::Float32));
  const auto run = [&](const Levels& levels)
  {
    Report report;
    return std::move(extractOnCpu(state, std::vector<Levels>{ levels }, request, report, {})->front());
  };
  run(first);
  state.release(1); // its array does not exist any more
  const Mesh found = run(second);
  EXPECT_GT(found.triangleCount, 1000u);
  expectSameBytes(found, extract(changed.levels, request));
}

// Samples change, become NaN, and are numbers again.
TEST(ExtractLevels, ChangesOfSomePatchesGiveTheBytesOfANewRun)
{
  HostMemoryPool memory(false);
  CpuState state{ memory, std::make_shared<BrickRangeCache>() };
  std::uint64_t identity = 0, triangles = 0;
  for (std::uint64_t seed = 0; seed < 100 && !testing::Test::HasFailure(); ++seed)
  {
    SCOPED_TRACE(seed);
    RandomLevels input = test::randomLevels(seed);
    Levels levels = viewOf(input.levels);
    for (LevelPatch& patch : levels.patches)
      patch.identity = ++identity;
    if (seed % 3 != 0)
      levels.border.emplace().isClosed = seed % 3 == 1;
    for (std::size_t step = 0; step < 4; ++step)
    {
      const std::size_t number = (seed + step) % levels.patches.size();
      std::vector<double>& samples = input.levels.patches[number].samples;
      for (std::size_t i = step % 2; i < samples.size(); i += 2)
        samples[i] = step == 1 ? std::nan("") : input.isovalue + double(i % 5) - 2;
      levels.patches[number].identity = ++identity;
      Report report;
      const Mesh found =
        std::move(extractOnCpu(state, std::vector<Levels>{ levels }, requestOf(input.isovalue), report, {})->front());
      expectSameBytes(found, extract(levels, requestOf(input.isovalue)));
      triangles += found.triangleCount;
    }
  }
  EXPECT_GT(triangles, 20'000u);
}

// Ten levels meet in a corner of the domain, where cells of the finest one are repeated along a cell of the coarsest.
TEST(ExtractLevels, ABorderOfManyLevelsNeedsFewBricks)
{
  constexpr std::size_t LevelCount = 10;
  const std::vector<float> samples(16 * 16 * 16, 1);
  Levels levels;
  for (std::size_t level = 0; level < LevelCount; ++level)
  {
    levels.ratio.push_back(
      level == 0 ? std::array<std::uint32_t, 3>{ 1, 1, 1 } : std::array<std::uint32_t, 3>{ 2, 2, 2 });
    LevelPatch& patch = levels.patches.emplace_back();
    patch.level = level;
    patch.size = { 16, 16, 16 };
    patch.samples = samples.data();
  }
  const std::size_t bricks = bricksOf(levels, 1).brickCount();
  for (const bool isClosed : { false, true })
  {
    levels.border.emplace().isClosed = isClosed;
    EXPECT_LT(bricksOf(levels, 1).brickCount(), 8 * bricks) << isClosed; // each axis has at most 16 cells more
  }
  const Mesh cap = extract(levels, requestOf(0.5));
  EXPECT_GT(cap.triangleCount, 1000u);
  const auto positions = test::valuesOf<float>(cap.positions);
  const auto ids = test::valuesOf<std::uint32_t>(cap.triangles);
  EXPECT_TRUE(test::edgeUseOf({ positions.data(), cap.pointCount, ids.data(), cap.triangleCount }).isClosed());
}

TEST(ExtractLevels, WithoutCellsThereIsNoSurface)
{
  Levels levels;
  levels.ratio = { { 1, 1, 1 }, { 2, 2, 2 } };
  EXPECT_EQ(extract(levels, requestOf(0)).pointCount, 0u);
  const double sample = 1;
  levels.type = SampleType::Float64;
  levels.patches.emplace_back();
  levels.patches.back().level = 1;
  levels.patches.back().size = { 1, 1, 1 };
  levels.patches.back().samples = &sample;
  EXPECT_EQ(extract(levels, requestOf(0)).pointCount, 0u);
}

TEST(ExtractLevels, ADescriptionWithoutSenseIsAnError)
{
  const double sample = 1;
  Levels good;
  good.type = SampleType::Float64;
  good.ratio = { { 1, 1, 1 } };
  good.patches.emplace_back();
  good.patches.back().size = { 1, 1, 1 };
  good.patches.back().samples = &sample;
  EXPECT_NO_THROW(bricksOf(good, 1));
  const auto expectError = [&](const auto& spoil)
  {
    Levels levels = good;
    spoil(levels);
    EXPECT_THROW(bricksOf(levels, 1), Error);
  };
  expectError([](Levels& levels) { levels.ratio.clear(); });
  expectError([](Levels& levels) { levels.ratio.push_back({ 2, 0, 2 }); });
  expectError([](Levels& levels) { levels.ratio.push_back({ 65536, 65536, 1 }); });
  expectError([](Levels& levels) { levels.ratio.resize(65, { 1, 1, 1 }); });
  expectError([](Levels& levels) { levels.ratio.resize(40, { 2, 2, 2 }); });
  expectError([](Levels& levels) { levels.patches[0].level = 1; });
  expectError([](Levels& levels) { levels.patches[0].samples = nullptr; });
  expectError(
    [&](Levels& levels)
    {
      levels.patches.push_back(levels.patches[0]);
      levels.patches.back().low = { 1 << 24, 0, 0 };
    });
}

TEST(ExtractLevels, AnyOrderOfPatchesGivesTheSameBytes)
{
  forEachSeed(
    [](const RandomLevels& input, const LevelBricks&)
    {
      const reference::Levels other = test::shuffled(input.levels, 7);
      const Mesh first = extract(viewOf(input.levels), requestOf(input.isovalue));
      const Mesh second = extract(viewOf(other), requestOf(input.isovalue));
      expectSameBytes(second, first);
    });
}

#ifdef VMC_HAS_AVX2
TEST(ExtractLevels, EveryInstructionSetGivesTheSameBytes)
{
  if (!mayUseAvx2())
    GTEST_SKIP() << "This processor has no AVX2.";
  forEachSeed(
    [](const RandomLevels& input, const LevelBricks&)
    {
      const Mesh withAvx2 = extract(viewOf(input.levels), requestOf(input.isovalue));
      setenv("VMC_CPU_INSTRUCTIONS", "baseline", 1); // POSIX
      EXPECT_FALSE(mayUseAvx2());
      expectSameBytes(extract(viewOf(input.levels), requestOf(input.isovalue)), withAvx2);
      unsetenv("VMC_CPU_INSTRUCTIONS");
    });
}
#endif

// Three levels take several passes that count.
TEST(ExtractLevels, ProgressGrowsAndStops)
{
  std::size_t hierarchies = 0;
  forEachSeed(
    [&](const RandomLevels& input, const LevelBricks& bricks)
    {
      if (bricks.levels.size() != 3)
        return;
      HostMemoryPool memory(false);
      CpuState state{ memory, std::make_shared<BrickRangeCache>() };
      const std::vector<Levels> levels = { viewOf(input.levels) };
      Report report;
      double last = 0;
      const auto watch = [&](double done)
      {
        EXPECT_GE(done, last);
        EXPECT_LE(done, 1.0);
        last = done;
        return true;
      };
      EXPECT_TRUE(extractOnCpu(state, levels, requestOf(input.isovalue), report, watch));
      EXPECT_EQ(last, 1.0);
      for (const double end : { 0.0, 0.05, 0.1, 0.6 })
        EXPECT_FALSE(
          extractOnCpu(state, levels, requestOf(input.isovalue), report, [=](double done) { return done < end; }));
      ++hierarchies;
    });
  EXPECT_GT(hierarchies, 0u);
}

// Also at the faces between levels, and at the border.
TEST(ExtractLevels, GradientsOfALinearFieldAreExact)
{
  std::size_t points = 0, undetermined = 0;
  forEachSeed(
    [&](const RandomLevels& input, const LevelBricks& bricks)
    {
      if (input.field != test::LevelField::Linear)
        return;
      const reference::LevelLeaves leaves(input.levels);
      const LevelSurface surface(input.levels, leaves, input.isovalue);
      const std::vector<std::uint32_t> ids = idsOf(input.levels, leaves, bricks, surface);
      const Mesh mesh = extract(viewOf(input.levels), requestOf(input.isovalue));
      ASSERT_EQ(mesh.pointCount, ids.size());
      const std::array<Vector3, 3> toWorld = SampleGeometry(input.levels.origin, input.levels.steps).gradientToWorld();
      Vector3 expected{};
      for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t c = 0; c < 3; ++c)
          expected[c] += toWorld[a][c] * input.slope[a];
      const auto* const gradients = reinterpret_cast<const float*>(mesh.gradients.data());
      for (std::size_t i = 0; i < ids.size(); ++i)
      {
        const auto& [leaf, other] = surface.points[i].leaves;
        const bool isDetermined =
          hasNeighbours(input.levels, leaves, leaf) && hasNeighbours(input.levels, leaves, other);
        // Floats hold 24 bits; 1e-6 is 17 roundings of a component of the size of the gradient.
        for (std::size_t c = 0; c < 3 && isDetermined; ++c)
          EXPECT_NEAR(gradients[3 * std::size_t(ids[i]) + c], expected[c], 1e-6 * sizeOf(expected));
        ++(isDetermined ? points : undetermined);
      }
    });
  EXPECT_GT(points, 4'000u);
  EXPECT_LT(undetermined, points / 20);
}
