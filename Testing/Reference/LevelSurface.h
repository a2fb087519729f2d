// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The isosurface of a hierarchy of levels by brute force, with points named by pairs of leaves. It shares the case
// table and the numbers of corners and edges with the engines, and nothing else.
#ifndef vmcReferenceLevelSurface_h
#define vmcReferenceLevelSurface_h

#include "Compute/Contour/CaseTable.h"
#include "Reference/CrossingFraction.h"
#include "Reference/LevelLeaves.h"
#include "Shared/Cell.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace vmc::reference
{

// The leaves in the eight octants around a lattice point, in the order of Shared/Cell.h; nothing where no cell is.
using Octants = std::array<std::optional<LevelCell>, 8>;

// vertex: a lattice point, by its index in the finest lattice.
inline Octants octantsOf(const LevelLeaves& leaves, const LevelIndex& vertex)
{
  Octants octants;
  for (unsigned corner = 0; corner < 8; ++corner)
  {
    LevelIndex position = vertex;
    for (std::size_t a = 0; a < 3; ++a)
      position[a] -= (corner >> a & 1u) == 0 ? 1 : 0;
    octants[corner] = leaves.leafAt(position);
  }
  return octants;
}

// The dual cell of a lattice point that is a corner of a leaf. One leaf may stand at several of its corners.
struct LevelDualCell
{
  LevelIndex vertex{ 0, 0, 0 };  // in the finest lattice
  std::array<LevelCell, 8> leaf; // [corner], as in Shared/Cell.h
  std::size_t level = 0;         // the finest level of the eight leaves
  LevelCell owner;               // the first one of this level in the order z, y, x
  unsigned cellCase = 0;         // bit c: the sample of leaf[c] is not below the isovalue
};

// A pair of leaves whose samples lie on different sides of the isovalue and that a made dual cell joins by an edge.
// The first leaf is the smaller one: the finer one, or of one level the lower one.
using LevelPair = std::pair<LevelCell, LevelCell>;

inline LevelPair pairOf(const LevelCell& a, const LevelCell& b)
{
  return b < a ? LevelPair{ b, a } : LevelPair{ a, b };
}

struct LevelPoint
{
  LevelPair leaves;
  double fraction = 0;        // of the way from the centre of the first leaf to that of the second
  Vector index{ 0, 0, 0 };    // steps from the origin
  Vector position{ 0, 0, 0 }; // world
};

struct LevelTriangle
{
  // Counterclockwise seen from the side of lower values, also if the steps are left-handed. All are different.
  std::array<std::uint32_t, 3> points;
  std::size_t dualCell; // index in LevelSurface::dualCells
};

// The isosurface. A lattice point that is a corner of a leaf has a dual cell if each of its octants has a valid leaf.
// Its triangles are those of the case table, without those that use a point twice. There is one point per pair of
// leaves that some triangle uses.
class LevelSurface
{
public:
  std::vector<LevelDualCell> dualCells; // all that are made, also those without triangles; ascending by z, y, x
  std::vector<LevelPoint> points;       // ascending by their pairs of leaves
  std::vector<LevelTriangle> triangles; // in the order of the dual cells and of the case table
  std::set<LevelPair> unusedPairs;      // crossed edges of dual cells that no triangle uses

  LevelSurface(const Levels& levels, double isovalue)
    : LevelSurface(levels, LevelLeaves(levels), isovalue)
  {
  }

  // leaves: those of the hierarchy.
  LevelSurface(const Levels& levels, const LevelLeaves& leaves, double isovalue)
  {
    for (const LevelIndex& vertex : verticesOf(leaves))
      this->addDualCell(leaves, vertex, isovalue);
    std::map<LevelPair, std::uint32_t> idOfPair = this->findPairs();
    for (auto& [pair, id] : idOfPair)
    {
      id = static_cast<std::uint32_t>(this->points.size());
      this->points.push_back(pointOf(levels, leaves, pair, isovalue));
    }
    for (std::size_t cell = 0; cell < this->dualCells.size(); ++cell)
      this->addTriangles(cell, idOfPair, levels.isMirrored());
  }

  // The pair of leaves at the ends of an edge, as numbered in Shared/Cell.h.
  static LevelPair pairOfEdge(const LevelDualCell& cell, unsigned edge)
  {
    const unsigned start = EDGE_START_X(edge) | EDGE_START_Y(edge) << 1 | EDGE_START_Z(edge) << 2;
    return pairOf(cell.leaf[start], cell.leaf[start | 1u << EDGE_AXIS(edge)]);
  }

private:
  // The corners of all cells that are there, in the finest lattice, ascending by z, y, x. These are the corners of all
  // leaves: at a corner of a covered cell, the leaf in the octant of this cell has the same corner.
  static std::vector<LevelIndex> verticesOf(const LevelLeaves& leaves)
  {
    std::vector<LevelIndex> vertices;
    for (std::size_t level = 0; level <= leaves.finestLevel(); ++level)
      for (const auto& [index, cell] : leaves.cellsOf(level))
        for (unsigned corner = 0; corner < 8; ++corner)
          vertices.push_back(leaves.toFinest(
            level, { index[0] + (corner & 1u), index[1] + (corner >> 1 & 1u), index[2] + (corner >> 2) }));
    std::sort(vertices.begin(), vertices.end(),
      [](const LevelIndex& a, const LevelIndex& b) { return std::tie(a[2], a[1], a[0]) < std::tie(b[2], b[1], b[0]); });
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
    return vertices;
  }

  void addDualCell(const LevelLeaves& leaves, const LevelIndex& vertex, double isovalue)
  {
    const Octants octants = octantsOf(leaves, vertex);
    LevelDualCell cell;
    cell.vertex = vertex;
    for (unsigned corner = 0; corner < 8; ++corner)
    {
      if (!octants[corner] || !leaves.at(*octants[corner]).isValid)
        return;
      cell.leaf[corner] = *octants[corner];
      cell.level = std::max(cell.level, octants[corner]->level);
      cell.cellCase |= (leaves.at(*octants[corner]).sample >= isovalue ? 1u : 0u) << corner;
    }
    cell.owner = *std::find_if(
      cell.leaf.begin(), cell.leaf.end(), [&](const LevelCell& leaf) { return leaf.level == cell.level; });
    this->dualCells.push_back(cell);
  }

  // The pairs that the triangles of the case name, if all three are different.
  static bool pairsOf(const LevelDualCell& cell, const CellTriangle& triangle, std::array<LevelPair, 3>& pairs)
  {
    for (std::size_t i = 0; i < 3; ++i)
      pairs[i] = pairOfEdge(cell, triangle[i]);
    return pairs[0] != pairs[1] && pairs[1] != pairs[2] && pairs[2] != pairs[0];
  }

  // Returns the pairs that triangles use, without ids, and notes the others in unusedPairs.
  std::map<LevelPair, std::uint32_t> findPairs()
  {
    std::map<LevelPair, std::uint32_t> used;
    for (const LevelDualCell& cell : this->dualCells)
      for (const CellTriangle& triangle : trianglesOfCase(cell.cellCase))
      {
        std::array<LevelPair, 3> pairs;
        const bool isTriangle = pairsOf(cell, triangle, pairs);
        for (const LevelPair& pair : pairs)
          if (isTriangle)
            used[pair] = 0;
          else
            this->unusedPairs.insert(pair);
      }
    for (const auto& [pair, id] : used)
      this->unusedPairs.erase(pair);
    return used;
  }

  static LevelPoint pointOf(const Levels& levels, const LevelLeaves& leaves, const LevelPair& pair, double isovalue)
  {
    LevelPoint point;
    point.leaves = pair;
    point.fraction = crossingFraction(isovalue, leaves.at(pair.first).sample, leaves.at(pair.second).sample);
    const Vector from = levels.centerOf(pair.first), to = levels.centerOf(pair.second);
    for (std::size_t a = 0; a < 3; ++a)
      point.index[a] = from[a] + point.fraction * (to[a] - from[a]);
    point.position = levels.worldOf(point.index);
    return point;
  }

  void addTriangles(std::size_t cell, const std::map<LevelPair, std::uint32_t>& idOfPair, bool isMirrored)
  {
    for (const CellTriangle& edges : trianglesOfCase(this->dualCells[cell].cellCase))
    {
      std::array<LevelPair, 3> pairs;
      if (!pairsOf(this->dualCells[cell], edges, pairs))
        continue;
      if (isMirrored)
        std::swap(pairs[1], pairs[2]);
      this->triangles.push_back({ { idOfPair.at(pairs[0]), idOfPair.at(pairs[1]), idOfPair.at(pairs[2]) }, cell });
    }
  }
};

}

#endif
