// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Cpu/ExtractOnCpu.h"
#include "Reference/LevelSurface.h"
#include "Support/BlockValues.h"
#include "Support/RandomLevels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

using namespace vmc;

namespace
{

using reference::LevelPair;
using reference::LevelSurface;
using test::RandomLevels;

// The first seeds run in each test; the variable VMC_LEVEL_SEEDS, a number, runs more.
std::uint64_t seedCount()
{
  const char* const seeds = std::getenv("VMC_LEVEL_SEEDS");
  return seeds ? std::strtoull(seeds, nullptr, 10) : 320;
}

// Views of the hierarchy.
Levels viewOf(const reference::Levels& from)
{
  Levels levels;
  levels.type = SampleType::Float64;
  for (const reference::LevelIndex& ratio : from.ratio)
    levels.ratio.push_back({ std::uint32_t(ratio[0]), std::uint32_t(ratio[1]), std::uint32_t(ratio[2]) });
  for (const reference::LevelPatch& patch : from.patches)
  {
    LevelPatch view;
    view.level = patch.level;
    view.low = patch.low;
    for (std::size_t a = 0; a < 3; ++a)
      view.size[a] = static_cast<std::uint32_t>(patch.size[a]);
    view.samples = patch.samples.data();
    view.flags = patch.flags.empty() ? nullptr : patch.flags.data();
    levels.patches.push_back(view);
  }
  levels.origin = from.origin;
  levels.steps = from.steps;
  return levels;
}

Mesh extract(const LevelBricks& bricks, const Request& request)
{
  static HostMemoryPool memory(nullptr);
  static const auto ranges = std::make_shared<BrickRangeCache>();
  CpuState state{ memory, ranges };
  Report report;
  return std::move(*extractOnCpu(state, bricks, request, report, {}));
}

Request requestOf(double isovalue)
{
  Request request;
  request.isovalues = { isovalue };
  request.computeGradients = true;
  request.splitPositions = true;
  return request;
}

// Returns whether the leaf of an equal or coarser level contains the cell.
bool contains(const reference::Levels& levels, const reference::LevelCell& leaf, const reference::LevelCell& cell)
{
  const reference::LevelIndex cells = levels.cellsPerCell(leaf.level, cell.level);
  for (std::size_t a = 0; a < 3; ++a)
    if (leaf.level > cell.level || reference::floorOfQuotient(cell.index[a], cells[a]) != leaf.index[a])
      return false;
  return true;
}

// A side of a leaf: low or high along an axis.
struct Side
{
  std::size_t axis = 0;
  bool isLow = false;
};

// The region beside a leaf: a cell of its level, or the positions of this cell that are at the face.
enum class Region
{
  Cell,
  Face
};

// Returns whether meets(leaf) is true for a leaf, or for nothing, in the region beside a leaf at this side.
template <class Meets>
bool isBeside(const reference::Levels& levels, const reference::LevelLeaves& leaves, const reference::LevelCell& leaf,
  const Side& side, Region region, const Meets& meets)
{
  reference::LevelIndex beside = leaf.index;
  beside[side.axis] += side.isLow ? -1 : 1;
  reference::LevelIndex at = leaves.toFinest(leaf.level, beside);
  reference::LevelIndex count = levels.cellsPerCell(leaf.level, leaves.finestLevel());
  if (region == Region::Face)
  {
    at[side.axis] += side.isLow ? count[side.axis] - 1 : 0;
    count[side.axis] = 1;
  }
  for (std::int64_t z = 0; z < count[2]; ++z)
    for (std::int64_t y = 0; y < count[1]; ++y)
      for (std::int64_t x = 0; x < count[0]; ++x)
        if (meets(leaves.leafAt({ at[0] + x, at[1] + y, at[2] + z })))
          return true;
  return false;
}

// The first side of the first leaf, in the order -x, +x, -y and so on, at which the second one is.
Side sideOf(const reference::Levels& levels, const reference::LevelLeaves& leaves, const LevelPair& pair)
{
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (const bool isLow : { true, false })
    {
      reference::LevelCell beside = pair.first;
      beside.index[axis] += isLow ? -1 : 1;
      if (contains(levels, pair.second, beside) && isBeside(levels, leaves, pair.first, { axis, isLow }, Region::Cell,
                                                     [&](const auto& leaf) { return leaf == pair.second; }))
        return { axis, isLow };
    }
  ADD_FAILURE() << "The leaves of a pair do not meet.";
  return {};
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

// The place of a point in the mesh: level, brick, row, whether it is towards the low side, axis, x.
using PlaceInMesh = std::array<std::int64_t, 9>;

PlaceInMesh placeOf(const LevelBricks& bricks, const LevelPair& pair, const Side& side)
{
  const std::size_t level = pair.first.level;
  std::array<std::int64_t, 3> cell{};
  for (std::size_t a = 0; a < 3; ++a)
    cell[a] = pair.first.index[a] - bricks.levels[level].low[a];
  return { std::int64_t(level), cell[2] / 8, cell[1] / 8, cell[0] / 8, cell[2] % 8, cell[1] % 8, side.isLow ? 1 : 0,
    std::int64_t(side.axis), cell[0] % 8 };
}

// The ids that the points of the reference have in the mesh.
std::vector<std::uint32_t> idsOf(const reference::Levels& levels, const reference::LevelLeaves& leaves,
  const LevelBricks& bricks, const LevelSurface& surface)
{
  std::vector<PlaceInMesh> places;
  for (const reference::LevelPoint& point : surface.points)
    places.push_back(placeOf(bricks, point.leaves, sideOf(levels, leaves, point.leaves)));
  std::vector<std::uint32_t> order(places.size()), ids(places.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return places[a] < places[b]; });
  for (std::uint32_t id = 0; id < order.size(); ++id)
    ids[order[id]] = id;
  return ids;
}

using Triangle = std::array<std::uint32_t, 3>;

// Begins with the smallest id.
Triangle rotated(Triangle triangle)
{
  std::rotate(triangle.begin(), std::min_element(triangle.begin(), triangle.end()), triangle.end());
  return triangle;
}

std::vector<Triangle> sortedTriangles(const Mesh& mesh)
{
  std::vector<Triangle> triangles(mesh.triangleCount);
  std::memcpy(triangles.data(), mesh.triangles.data(), triangles.size() * sizeof(Triangle));
  std::transform(triangles.begin(), triangles.end(), triangles.begin(), rotated);
  std::sort(triangles.begin(), triangles.end());
  return triangles;
}

double sizeOf(const reference::Vector& vector)
{
  return std::sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]);
}

// Calls use(hierarchy, bricks) for each seed, and names a seed that fails.
template <class Use>
void forEachSeed(const Use& use)
{
  for (std::uint64_t seed = 0; seed < seedCount(); ++seed)
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
  forEachSeed(
    [&](const RandomLevels& input, const LevelBricks& bricks)
    {
      const reference::LevelLeaves leaves(input.levels);
      const LevelSurface expected(input.levels, leaves, input.isovalue);
      const Mesh mesh = extract(bricks, requestOf(input.isovalue));
      ASSERT_EQ(mesh.pointCount, expected.points.size());
      ASSERT_EQ(mesh.triangleCount, expected.triangles.size());
      const std::vector<std::uint32_t> ids = idsOf(input.levels, leaves, bricks, expected);
      std::vector<Triangle> ofReference;
      for (const reference::LevelTriangle& triangle : expected.triangles)
        ofReference.push_back(rotated({ ids[triangle.points[0]], ids[triangle.points[1]], ids[triangle.points[2]] }));
      std::sort(ofReference.begin(), ofReference.end());
      EXPECT_EQ(sortedTriangles(mesh), ofReference);
      const auto* const high = reinterpret_cast<const float*>(mesh.positions.data());
      const auto* const low = reinterpret_cast<const float*>(mesh.positionsLow.data());
      for (std::size_t i = 0; i < ids.size(); ++i)
        for (std::size_t c = 0; c < 3; ++c)
        {
          const std::size_t at = 3 * std::size_t(ids[i]) + c;
          const double found = mesh.origin[c] + (double(high[at]) + double(low[at]));
          // Two floats hold 48 bits of a distance of at most some hundred; the origin is rounded to 2^-32.
          EXPECT_NEAR(found, expected.points[i].position[c], 1e-9 + 0x1p-50 * std::abs(input.levels.origin[c]));
        }
      triangles += mesh.triangleCount;
    });
  EXPECT_GT(triangles, 100'000u);
}

TEST(ExtractLevels, AnyOrderOfPatchesGivesTheSameBytes)
{
  forEachSeed(
    [](const RandomLevels& input, const LevelBricks& bricks)
    {
      const reference::Levels other = test::shuffled(input.levels, 7);
      const Mesh first = extract(bricks, requestOf(input.isovalue));
      const Mesh second = extract(bricksOf(viewOf(other), 1), requestOf(input.isovalue));
      for (HostBlock Mesh::*block :
        { &Mesh::positions, &Mesh::positionsLow, &Mesh::normals, &Mesh::gradients, &Mesh::triangles })
        EXPECT_TRUE(test::valuesOf<std::uint8_t>(first.*block) == test::valuesOf<std::uint8_t>(second.*block));
    });
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
      const Mesh mesh = extract(bricks, requestOf(input.isovalue));
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
