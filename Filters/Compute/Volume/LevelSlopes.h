// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Gradients at the leaves of a hierarchy.
#ifndef vmcLevelSlopes_h
#define vmcLevelSlopes_h

#include "Compute/Volume/LevelBricks.h"
#include "Compute/Volume/SampleDifference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace vmc
{

// The central difference, or without one of the neighbours the one-sided one, as in an image. Null: none.
template <class Sample>
double slopeBetween(const Sample* lower, Sample own, const Sample* upper)
{
  if (!lower && !upper)
    return 0;
  return differenceOf(lower ? *lower : own, upper ? *upper : own) * (lower && upper ? 0.5 : 1);
}

// The gradient at a leaf depends on the leaf alone, so that normals are continuous over the faces between levels. It is
// the least-squares solution for the differences to the neighbours at the six sides, in which each side counts once. So
// it is exact for linear fields, and between neighbours of one level it is the central difference.
template <class Sample>
class LevelSlopes
{
public:
  explicit LevelSlopes(const LevelBricks& bricks)
    : Bricks(bricks)
  {
  }

  // The leaves at a side of a leaf, averaged over the face.
  struct Side
  {
    double weight = 0;                 // 0: nothing; else 1, or while it is summed up the area
    Vector3 offset{ 0, 0, 0 };         // of the centre, in steps
    double difference = 0;             // of the value
    const Sample* neighbour = nullptr; // of the same level
  };

  // Derivatives per step at a leaf, which has the sample `own`, from what is at its six sides.
  static Vector3 between(const std::array<Side, 6>& sides, Sample own)
  {
    const bool areOfOneLevel =
      std::all_of(sides.begin(), sides.end(), [](const Side& side) { return side.weight == 0 || side.neighbour; });
    return areOfOneLevel ? differences(sides, own) : leastSquares(sides);
  }

  // Derivatives per step of the level of the leaf.
  Vector3 at(std::size_t level, const LevelIndex& cell) const
  {
    const Sample own = *this->find(level, cell).sample;
    std::array<Side, 6> sides;
    for (std::size_t i = 0; i < 6; ++i)
      sides[i] = this->sideOf(level, cell, own, i / 2, i % 2 == 0);
    return between(sides, own);
  }

private:
  struct Leaf
  {
    const Sample* sample = nullptr; // null: none
    std::size_t level = 0;
    LevelIndex cell{ 0, 0, 0 };
    bool hidesCoarser = false; // see LevelOfBricks::hiding
  };

  // The leaf of this level at the cell.
  Leaf find(std::size_t number, const LevelIndex& cell) const
  {
    const LevelOfBricks& level = this->Bricks.levels[number];
    const CellPlace place = level.table.placeOf(cell);
    const bool isLeaf = place.isIn(level.leaf);
    return { isLeaf ? level.samplesOf<Sample>() + place.sample() : nullptr, number, cell, place.isIn(level.hiding) };
  }

  // The leaf of a coarser level that contains the cell.
  Leaf findCoarser(std::size_t level, const LevelIndex& cell) const
  {
    for (std::size_t coarse = level; coarse-- > 0;)
      if (const Leaf leaf = this->find(coarse, this->Bricks.parentOf(level, cell, coarse));
          leaf.sample || leaf.hidesCoarser)
        return leaf;
    return {};
  }

  Side sideOf(std::size_t level, const LevelIndex& cell, Sample own, std::size_t axis, bool isLow) const
  {
    LevelIndex beside = cell;
    beside[axis] += isLow ? -1 : 1;
    Side side;
    if (const Leaf same = this->find(level, beside); same.sample)
    {
      side.neighbour = same.sample;
      this->add(level, cell, own, same, 1, side);
    }
    else if (const Leaf coarser = same.hidesCoarser ? Leaf() : this->findCoarser(level, beside); coarser.sample)
      this->add(level, cell, own, coarser, 1, side);
    else
      this->addFiner(level, cell, own, { nullptr, level, beside }, axis, isLow, 1, side);
    if (side.weight == 0)
      return side;
    for (double& offset : side.offset)
      offset /= side.weight;
    side.difference /= side.weight;
    side.weight = 1;
    return side;
  }

  // Adds the finer leaves in a cell that touch the face. isLow: the cell is at the low side of the face.
  void addFiner(std::size_t level, const LevelIndex& cell, Sample own, const Leaf& beside, std::size_t axis, bool isLow,
    double area, Side& side) const
  {
    const std::size_t fine = beside.level + 1;
    if (fine == this->Bricks.levels.size())
      return;
    const std::array<std::int64_t, 3> ratio = this->Bricks.cellsPerCell(beside.level, fine);
    LevelIndex first{}, count = ratio;
    for (std::size_t a = 0; a < 3; ++a)
      first[a] =
        (this->Bricks.levels[beside.level].low[a] + beside.cell[a]) * ratio[a] - this->Bricks.levels[fine].low[a];
    first[axis] += isLow ? ratio[axis] - 1 : 0;
    count[axis] = 1;
    area /= double(count[0] * count[1] * count[2]);
    for (std::int64_t z = 0; z < count[2]; ++z)
      for (std::int64_t y = 0; y < count[1]; ++y)
        for (std::int64_t x = 0; x < count[0]; ++x)
        {
          const Leaf leaf = this->find(fine, { first[0] + x, first[1] + y, first[2] + z });
          if (leaf.sample)
            this->add(level, cell, own, leaf, area, side);
          else
            this->addFiner(level, cell, own, leaf, axis, isLow, area, side);
        }
  }

  void add(std::size_t level, const LevelIndex& cell, Sample own, const Leaf& leaf, double area, Side& side) const
  {
    const LevelOfBricks& here = this->Bricks.levels[level];
    const LevelOfBricks& there = this->Bricks.levels[leaf.level];
    side.weight += area;
    side.difference += area * differenceOf(own, *leaf.sample);
    for (std::size_t a = 0; a < 3; ++a)
    {
      const double steps = double(here.perCell[a]) / double(there.perCell[a]);
      const double center = (double(there.low[a] + leaf.cell[a]) + 0.5) * steps - 0.5;
      side.offset[a] += area * (center - double(here.low[a] + cell[a]));
    }
  }

  static Vector3 differences(const std::array<Side, 6>& sides, Sample own)
  {
    Vector3 slopes;
    for (std::size_t a = 0; a < 3; ++a)
      slopes[a] = slopeBetween(sides[2 * a].neighbour, own, sides[2 * a + 1].neighbour);
    return slopes;
  }

  // Along an axis without a neighbour, the derivative is 0 as far as the others do not determine it.
  static Vector3 leastSquares(const std::array<Side, 6>& sides)
  {
    std::array<Vector3, 3> matrix{};
    Vector3 right{};
    for (std::size_t i = 0; i < 6; ++i)
    {
      const Side& side = sides[i];
      for (std::size_t a = 0; a < 3 && side.weight != 0; ++a)
      {
        right[a] += side.offset[a] * side.difference;
        for (std::size_t b = 0; b < 3; ++b)
          matrix[a][b] += side.offset[a] * side.offset[b];
      }
      if (i % 2 == 1 && side.weight == 0 && sides[i - 1].weight == 0)
        matrix[i / 2][i / 2] += 1;
    }
    return solve(matrix, right);
  }

  // By Cramer's rule.
  static Vector3 solve(const std::array<Vector3, 3>& matrix, const Vector3& right)
  {
    const auto cross = [](const Vector3& a, const Vector3& b) -> Vector3 {
      return { a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0] };
    };
    const auto dot = [](const Vector3& a, const Vector3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; };
    const Vector3 columns[3] = { cross(matrix[1], matrix[2]), cross(matrix[2], matrix[0]),
      cross(matrix[0], matrix[1]) };
    const double determinant = dot(matrix[0], columns[0]);
    // A coarse leaf that contains the finer one is its neighbour at several sides, and determines one direction only.
    const bool isDetermined = std::abs(determinant) > 1e-9 * matrix[0][0] * matrix[1][1] * matrix[2][2];
    Vector3 solution{};
    for (std::size_t a = 0; a < 3 && isDetermined; ++a) // the matrix is symmetric
      solution[a] = dot({ columns[0][a], columns[1][a], columns[2][a] }, right) / determinant;
    return solution;
  }

  const LevelBricks& Bricks;
};

}

#endif
