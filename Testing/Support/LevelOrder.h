// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The points and triangles of reference::LevelSurface in the order of meshes.
#ifndef vmcLevelOrder_h
#define vmcLevelOrder_h

#include "Compute/Contour/Mesh.h"
#include "Compute/Volume/LevelBricks.h"
#include "Compute/Volume/Levels.h"
#include "Reference/LevelLeaves.h"
#include "Reference/LevelSurface.h"
#include "Support/BlockValues.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace vmc::test
{

using reference::LevelPair;
using reference::LevelSurface;

// Returns whether the leaf of an equal or coarser level contains the cell.
inline bool contains(
  const reference::Levels& levels, const reference::LevelCell& leaf, const reference::LevelCell& cell)
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
inline Side sideOf(const reference::Levels& levels, const reference::LevelLeaves& leaves, const LevelPair& pair)
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

// The place of a point in the mesh: level, brick, row, whether it is towards the low side, axis, x.
using PlaceInMesh = std::array<std::int64_t, 9>;

inline PlaceInMesh placeOf(const LevelBricks& bricks, const LevelPair& pair, const Side& side)
{
  const std::size_t level = pair.first.level;
  std::array<std::int64_t, 3> cell{};
  for (std::size_t a = 0; a < 3; ++a)
    cell[a] = pair.first.index[a] - bricks.levels[level].low[a];
  return { std::int64_t(level), cell[2] / 8, cell[1] / 8, cell[0] / 8, cell[2] % 8, cell[1] % 8, side.isLow ? 1 : 0,
    std::int64_t(side.axis), cell[0] % 8 };
}

// The ids that the points of the reference have in the mesh.
inline std::vector<std::uint32_t> idsOf(const reference::Levels& levels, const reference::LevelLeaves& leaves,
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
inline Triangle rotated(Triangle triangle)
{
  std::rotate(triangle.begin(), std::min_element(triangle.begin(), triangle.end()), triangle.end());
  return triangle;
}

// A triangle with the first leaf of the finest level of its dual cell.
using TriangleOfLeaf = std::pair<Triangle, reference::LevelCell>;

inline std::vector<TriangleOfLeaf> sortedTriangles(const Levels& levels, const Mesh& mesh)
{
  const auto ids = valuesOf<std::uint32_t>(mesh.triangles);
  const auto cells = valuesOf<std::int64_t>(mesh.triangleCells);
  const auto patches = valuesOf<std::int32_t>(mesh.trianglePatches);
  std::vector<TriangleOfLeaf> triangles;
  for (std::size_t i = 0; i < mesh.triangleCount; ++i)
  {
    const LevelPatch& patch = levels.patches[std::size_t(patches[i])];
    EXPECT_EQ(patch.flags ? patch.flags[cells[i]] & LevelFlag::Duplicate : 0, 0);
    const std::int64_t x = cells[i] % patch.size[0], y = cells[i] / patch.size[0] % patch.size[1],
                       z = cells[i] / (std::int64_t(patch.size[0]) * patch.size[1]);
    triangles.push_back({ rotated({ ids[3 * i], ids[3 * i + 1], ids[3 * i + 2] }),
      { patch.level, { patch.low[0] + x, patch.low[1] + y, patch.low[2] + z } } });
  }
  std::sort(triangles.begin(), triangles.end());
  return triangles;
}

}

#endif
