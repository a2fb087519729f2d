// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Pieces of hierarchies of levels, and their triangles.
#ifndef vmcPiecesOfLevels_h
#define vmcPiecesOfLevels_h

#include "Compute/Contour/Mesh.h"
#include "Reference/Levels.h"
#include "Support/BlockValues.h"
#include "Support/LevelViews.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

namespace vmc::test
{

// A hierarchy from which a piece owns every n-th patch. Of the patches of other pieces, it has the cells that lie
// within two cells of the coarsest level from its own patches.
struct PieceOfLevels
{
  Levels levels;
  std::vector<std::vector<std::uint8_t>> flags; // [patch]

  PieceOfLevels(const reference::Levels& all, std::size_t piece, std::size_t pieces)
    : levels(viewOf(all))
    , flags(all.patches.size())
  {
    for (std::size_t i = 0; i < all.patches.size(); ++i)
    {
      this->levels.patches[i].isOwned = i % pieces == piece;
      if (!this->levels.patches[i].isOwned)
        this->removeFarCells(all, i, piece, pieces);
    }
  }

private:
  void removeFarCells(const reference::Levels& all, std::size_t number, std::size_t piece, std::size_t pieces)
  {
    const reference::LevelPatch& patch = all.patches[number];
    this->flags[number].resize(static_cast<std::size_t>(patch.count()));
    for (std::int64_t cell = 0; cell < patch.count(); ++cell)
    {
      bool isKept = false;
      for (std::size_t own = piece; own < all.patches.size(); own += pieces)
        isKept = isKept || isNear(all, { patch.level, patch.cellAt(cell) }, all.patches[own]);
      this->flags[number][static_cast<std::size_t>(cell)] =
        patch.flagsAt(cell) | (isKept ? std::uint8_t(0) : LevelFlag::Duplicate);
    }
    this->levels.patches[number].flags = this->flags[number].data();
  }

  static bool isNear(const reference::Levels& all, const reference::LevelCell& cell, const reference::LevelPatch& patch)
  {
    const std::size_t finest = all.ratio.size() - 1;
    const reference::LevelIndex ofCell = all.cellsPerCell(cell.level, finest),
                                ofPatch = all.cellsPerCell(patch.level, finest);
    for (std::size_t a = 0; a < 3; ++a)
    {
      const std::int64_t reach = 2 * all.cellsPerCell(0, finest)[a];
      const std::int64_t low = cell.index[a] * ofCell[a], high = low + ofCell[a];
      if (high <= patch.low[a] * ofPatch[a] - reach || low >= (patch.low[a] + patch.size[a]) * ofPatch[a] + reach)
        return false;
    }
    return true;
  }
};

// A triangle with the patch and the cell of the first leaf of its dual cell, and the positions and the normals of its
// corners.
struct TriangleOfPatch
{
  std::int32_t patch;
  std::int64_t cell;
  std::array<float, 18> corners;

  bool operator==(const TriangleOfPatch& b) const
  {
    return this->patch == b.patch && this->cell == b.cell && this->corners == b.corners;
  }
};

inline void addTriangles(const Mesh& mesh, std::vector<TriangleOfPatch>& triangles)
{
  const auto positions = valuesOf<float>(mesh.positions), normals = valuesOf<float>(mesh.normals);
  const auto ids = valuesOf<std::uint32_t>(mesh.triangles);
  const auto cells = valuesOf<std::int64_t>(mesh.triangleCells);
  const auto patches = valuesOf<std::int32_t>(mesh.trianglePatches);
  for (std::size_t i = 0; i < mesh.triangleCount; ++i)
  {
    TriangleOfPatch triangle{ patches[i], cells[i], {} };
    for (std::size_t j = 0; j < 9; ++j)
    {
      const std::size_t at = 3 * std::size_t(ids[3 * i + j / 3]) + j % 3;
      triangle.corners[j] = positions[at];
      triangle.corners[j + 9] = normals[at];
    }
    triangles.push_back(triangle);
  }
}

// Sorts by cells: the triangles of a cell keep their order.
inline void sortByCells(std::vector<TriangleOfPatch>& triangles)
{
  std::stable_sort(triangles.begin(), triangles.end(),
    [](const TriangleOfPatch& a, const TriangleOfPatch& b)
    { return std::tie(a.patch, a.cell) < std::tie(b.patch, b.cell); });
}

// Expects that the meshes of the pieces have the triangles of that of the whole, with every bit. Returns their number.
// extract(levels): makes a mesh with cells and normals.
template <class Extract>
std::size_t expectPiecesMakeTheWhole(const reference::Levels& levels, std::size_t pieces, const Extract& extract)
{
  std::vector<TriangleOfPatch> whole, all;
  addTriangles(extract(viewOf(levels)), whole);
  for (std::size_t piece = 0; piece < pieces; ++piece)
    addTriangles(extract(PieceOfLevels(levels, piece, pieces).levels), all);
  sortByCells(whole);
  sortByCells(all);
  EXPECT_TRUE(all == whole) << pieces << " pieces";
  return whole.size();
}

}

#endif
