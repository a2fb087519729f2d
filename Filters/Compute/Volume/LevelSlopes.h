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
#include <cstdint>
#include <vector>

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
    , Pairs(bricks.levels.size() * bricks.levels.size())
  {
    for (std::size_t here = 0; here < bricks.levels.size(); ++here)
      for (std::size_t there = 0; there < bricks.levels.size(); ++there)
        for (std::size_t a = 0; a < 3; ++a)
        {
          Pair& pair = this->Pairs[here * bricks.levels.size() + there];
          const std::int64_t cells = bricks.levels[here].perCell[a] / bricks.levels[there].perCell[a];
          pair.cells[a] = cells;
          pair.steps[a] = double(bricks.levels[here].perCell[a]) / double(bricks.levels[there].perCell[a]);
          pair.shift[a] = cells > 0 && (cells & (cells - 1)) == 0 ? __builtin_ctzll(std::uint64_t(cells)) : -1;
        }
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

  // Steps of a level in a step of another one.
  const Vector3& stepsInStep(std::size_t level, std::size_t other) const { return this->pair(level, other).steps; }

  // Derivatives per step of the level of the leaf.
  Vector3 at(std::size_t level, const LevelIndex& cell) const
  {
    const CellPlace place = this->Bricks.levels[level].table.placeOf(cell);
    const Center center = { level, cell, place, this->Bricks.levels[level].template samplesOf<Sample>()[place.sample()],
      this->Bricks.levels[level].kind[place.slot] };
    std::array<Side, 6> sides;
    for (std::size_t i = 0; i < 6; ++i)
      sides[i] = this->sideOf(center, i / 2, i % 2 == 0);
    return between(sides, center.sample);
  }

private:
  // How two levels compare.
  struct Pair
  {
    std::array<std::int64_t, 3> cells; // of the first one in a cell of the second one, if this is the coarser one
    std::array<int, 3> shift;          // cells is this power of two, or -1
    Vector3 steps;                     // of the first one in one of the second one
  };

  // The leaf whose gradient is computed.
  struct Center
  {
    std::size_t level;
    LevelIndex cell;
    CellPlace place;
    Sample sample;
    BrickKind kind;
  };

  struct Leaf
  {
    const Sample* sample = nullptr; // null: none
    std::size_t level = 0;
    LevelIndex cell{ 0, 0, 0 };
    bool hidesCoarser = false; // see LevelOfBricks::hiding
  };

  // The place of a cell of a level. near: a cell whose brick is `slot`, often that of the cell.
  CellPlace placeOf(std::size_t level, const LevelIndex& cell, const LevelIndex& near, std::uint32_t slot) const
  {
    if ((((cell[0] ^ near[0]) | (cell[1] ^ near[1]) | (cell[2] ^ near[2])) >> 3) != 0)
      return this->Bricks.levels[level].table.placeOf(cell);
    return { slot, numberInBrick(std::size_t(cell[0] & 7), std::size_t(cell[1] & 7), std::size_t(cell[2] & 7)) };
  }

  // The leaf of this level at the cell.
  Leaf find(std::size_t number, const LevelIndex& cell, const CellPlace& place) const
  {
    const LevelOfBricks& level = this->Bricks.levels[number];
    const bool isLeaf = place.isIn(level.leaf);
    return { isLeaf ? level.samplesOf<Sample>() + place.sample() : nullptr, number, cell, place.isIn(level.hiding) };
  }

  const Pair& pair(std::size_t first, std::size_t second) const
  {
    return this->Pairs[first * this->Bricks.levels.size() + second];
  }

  // The leaf of a coarser level that contains the cell.
  Leaf findCoarser(std::size_t level, const LevelIndex& cell) const
  {
    for (std::size_t coarse = level; coarse-- > 0;)
    {
      const Pair& pair = this->pair(level, coarse);
      LevelIndex parent{};
      for (std::size_t a = 0; a < 3; ++a)
      {
        const std::int64_t fine = this->Bricks.levels[level].low[a] + cell[a];
        parent[a] = (pair.shift[a] >= 0 ? fine >> pair.shift[a] : floorOfQuotient(fine, pair.cells[a])) -
                    this->Bricks.levels[coarse].low[a];
      }
      if (const Leaf leaf = this->find(coarse, parent, this->Bricks.levels[coarse].table.placeOf(parent));
          leaf.sample || leaf.hidesCoarser)
        return leaf;
    }
    return {};
  }

  Side sideOf(const Center& center, std::size_t axis, bool isLow) const
  {
    LevelIndex beside = center.cell;
    beside[axis] += isLow ? -1 : 1;
    Side side;
    if (this->Bricks.levels[center.level].endsAt(center.cell, axis, isLow))
      return side;
    const Leaf same =
      this->find(center.level, beside, this->placeOf(center.level, beside, center.cell, center.place.slot));
    if (same.sample)
    {
      side.neighbour = same.sample;
      side.weight = 1;
      side.offset[axis] = isLow ? -1 : 1;
      side.difference = differenceOf(center.sample, *same.sample);
      return side;
    }
    if (center.kind == BrickKind::Stitched && !same.hidesCoarser)
      if (const Leaf coarser = this->findCoarser(center.level, beside); coarser.sample)
      {
        this->add(center, coarser, 1, side);
        return side;
      }
    if (center.kind == BrickKind::Bordered)
      return side;
    this->addFiner(center, { nullptr, center.level, beside }, axis, isLow, 1, side);
    if (side.weight == 0)
      return side;
    for (double& offset : side.offset)
      offset /= side.weight;
    side.difference /= side.weight;
    side.weight = 1;
    return side;
  }

  // Adds the finer leaves in a cell that touch the face. isLow: the cell is at the low side of the face.
  void addFiner(const Center& center, const Leaf& beside, std::size_t axis, bool isLow, double area, Side& side) const
  {
    const std::size_t fine = beside.level + 1;
    if (fine == this->Bricks.levels.size())
      return;
    const std::array<std::int64_t, 3>& ratio = this->pair(fine, beside.level).cells;
    LevelIndex first{}, count = ratio;
    for (std::size_t a = 0; a < 3; ++a)
      first[a] =
        (this->Bricks.levels[beside.level].low[a] + beside.cell[a]) * ratio[a] - this->Bricks.levels[fine].low[a];
    first[axis] += isLow ? ratio[axis] - 1 : 0;
    count[axis] = 1;
    area /= double(count[0] * count[1] * count[2]);
    const std::uint32_t slot = this->Bricks.levels[fine].table.placeOf(first).slot;
    for (std::int64_t z = 0; z < count[2]; ++z)
      for (std::int64_t y = 0; y < count[1]; ++y)
        for (std::int64_t x = 0; x < count[0]; ++x)
        {
          const LevelIndex cell = { first[0] + x, first[1] + y, first[2] + z };
          const Leaf leaf = this->find(fine, cell, this->placeOf(fine, cell, first, slot));
          if (leaf.sample)
            this->add(center, leaf, area, side);
          else
            this->addFiner(center, leaf, axis, isLow, area, side);
        }
  }

  void add(const Center& center, const Leaf& leaf, double area, Side& side) const
  {
    const LevelOfBricks& here = this->Bricks.levels[center.level];
    const LevelOfBricks& there = this->Bricks.levels[leaf.level];
    const Vector3& steps = this->pair(center.level, leaf.level).steps;
    side.weight += area;
    side.difference += area * differenceOf(center.sample, *leaf.sample);
    for (std::size_t a = 0; a < 3; ++a)
    {
      const double at = (double(there.low[a] + leaf.cell[a]) + 0.5) * steps[a] - 0.5;
      const double from = here.domain.clamped(a, double(here.low[a] + center.cell[a]));
      side.offset[a] += area * (here.domain.clamped(a, at) - from);
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
        for (std::size_t b = a; b < 3; ++b)
          matrix[a][b] += side.offset[a] * side.offset[b];
      }
      if (i % 2 == 1 && side.weight == 0 && sides[i - 1].weight == 0)
        matrix[i / 2][i / 2] += 1;
    }
    for (std::size_t a = 1; a < 3; ++a)
      for (std::size_t b = 0; b < a; ++b)
        matrix[a][b] = matrix[b][a];
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
  std::vector<Pair> Pairs; // [first * levels + second]
};

}

#endif
