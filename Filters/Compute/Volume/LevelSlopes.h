// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Gradients at the leaves of a hierarchy.
#ifndef vmcLevelSlopes_h
#define vmcLevelSlopes_h

#include "Compute/Volume/LevelBricks.h"
#include "Compute/Volume/SampleDifference.h"

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

// Collects the neighbours at the six sides of a leaf and computes its gradient. This is the least-squares solution for
// the differences to the neighbours, in which each side counts once. It is exact for linear fields, and between
// neighbours of one level it is the central difference.
template <class Sample>
class LeafSides
{
public:
  explicit LeafSides(Sample own)
    : Own(own)
  {
  }

  // Adds a leaf of the same level.
  void addNeighbour(std::size_t axis, bool isLow, const Sample* neighbour)
  {
    this->Neighbours[axis][isLow ? 0 : 1] = neighbour;
  }

  // Adds another leaf, or the mean of several ones at a side. offset: of the centre, in steps. difference: of the
  // value.
  void add(std::size_t axis, const Vector3& offset, double difference)
  {
    this->HasOthers[axis] = true;
    for (std::size_t a = 0; a < 3; ++a)
    {
      this->Right[a] += offset[a] * difference;
      for (std::size_t b = a; b < 3; ++b)
        this->Matrix[a][b] += offset[a] * offset[b];
    }
  }

  // Derivatives per step. Along an axis without a neighbour, the derivative is 0 as far as the others do not determine
  // it.
  Vector3 slopes() const
  {
    Vector3 right = this->Right;
    std::array<Vector3, 3> matrix = this->Matrix;
    if (!this->HasOthers[0] && !this->HasOthers[1] && !this->HasOthers[2])
    {
      for (std::size_t a = 0; a < 3; ++a)
        right[a] = slopeBetween(this->Neighbours[a][0], this->Own, this->Neighbours[a][1]);
      return right;
    }
    for (std::size_t a = 0; a < 3; ++a)
    {
      const auto& [lower, upper] = this->Neighbours[a];
      right[a] += differenceOf(lower ? *lower : this->Own, upper ? *upper : this->Own);
      matrix[a][a] += lower && upper ? 2 : lower || upper || !this->HasOthers[a] ? 1 : 0;
    }
    return solve(matrix, right);
  }

private:
  // By Cramer's rule. The matrix is symmetric; what is below its diagonal is not used.
  static Vector3 solve(const std::array<Vector3, 3>& matrix, const Vector3& right)
  {
    const double xx = matrix[0][0], xy = matrix[0][1], xz = matrix[0][2], yy = matrix[1][1], yz = matrix[1][2],
                 zz = matrix[2][2];
    const Vector3 x = { yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy };
    const double yOfY = xx * zz - xz * xz, zOfY = xy * xz - xx * yz, zOfZ = xx * yy - xy * xy;
    const double determinant = xx * x[0] + xy * x[1] + xz * x[2];
    // A coarse leaf that contains the finer one is its neighbour at several sides, and determines one direction only.
    if (!(std::abs(determinant) > 1e-9 * xx * yy * zz))
      return { 0, 0, 0 };
    const double scale = 1 / determinant;
    return { (x[0] * right[0] + x[1] * right[1] + x[2] * right[2]) * scale,
      (x[1] * right[0] + yOfY * right[1] + zOfY * right[2]) * scale,
      (x[2] * right[0] + zOfY * right[1] + zOfZ * right[2]) * scale };
  }

  Sample Own;
  std::array<std::array<const Sample*, 2>, 3> Neighbours{}; // [axis]: at the low side and at the high one; null: none
  std::array<bool, 3> HasOthers{};                          // [axis]
  std::array<Vector3, 3> Matrix{};
  Vector3 Right{};
};

// The gradients at leaves. Each depends on the leaf alone, so that normals are continuous over the faces between
// levels.
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

  struct Leaf
  {
    const Sample* sample = nullptr; // null: none
    std::size_t level = 0;
    LevelIndex cell{ 0, 0, 0 };
    CellPlace place{ NO_SLOT, 0 };
    bool hidesCoarser = false; // see LevelOfBricks::hiding
  };

  // The leaf of this level or of a coarser one that contains the cell. place: of the cell.
  Leaf leafAt(std::size_t level, const LevelIndex& cell, const CellPlace& place) const
  {
    const Leaf leaf = this->find(level, cell, place);
    return leaf.sample || leaf.hidesCoarser ? leaf : this->findCoarser(level, cell);
  }

  // The centre of a leaf, as a coordinate of LevelOfBricks::geometry of a level.
  Vector3 centerOf(std::size_t level, const Leaf& leaf) const
  {
    const Vector3& steps = this->pair(level, leaf.level).steps;
    Vector3 center;
    for (std::size_t a = 0; a < 3; ++a)
      center[a] = this->Bricks.levels[level].domain.clamped(
        a, (double(this->Bricks.levels[leaf.level].low[a] + leaf.cell[a]) + 0.5) * steps[a] - 0.5);
    return center;
  }

  // Steps of a level in a step of another one.
  const Vector3& stepsInStep(std::size_t level, std::size_t other) const { return this->pair(level, other).steps; }

  // Derivatives per step of the level of the leaf.
  Vector3 at(std::size_t level, const LevelIndex& cell) const
  {
    return this->at(this->find(level, cell, this->Bricks.levels[level].table.placeOf(cell)));
  }

  Vector3 at(const Leaf& leaf) const
  {
    return this->at(leaf, [&](std::size_t axis, bool isLow) { return this->neighbourOf(leaf, axis, isLow); });
  }

  // neighbour(axis, isLow): the sample of the leaf of the same level at a side, or null.
  template <class Neighbour>
  Vector3 at(const Leaf& leaf, const Neighbour& neighbour) const
  {
    const LevelOfBricks& level = this->Bricks.levels[leaf.level];
    LeafSides<Sample> sides(*leaf.sample);
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (const bool isLow : { true, false })
      {
        if (level.endsAt(leaf.cell, axis, isLow))
          continue;
        if (const Sample* const sample = neighbour(axis, isLow))
          sides.addNeighbour(axis, isLow, sample);
        else
          this->addOthers(leaf, axis, isLow, sides);
      }
    return sides.slopes();
  }

private:
  // How two levels compare.
  struct Pair
  {
    std::array<std::int64_t, 3> cells; // of the first one in a cell of the second one, if this is the coarser one
    std::array<int, 3> shift;          // cells is this power of two, or -1
    Vector3 steps;                     // of the first one in one of the second one
  };

  // Finer leaves at a side, while they are summed up by their area.
  struct Mean
  {
    double area = 0;
    Vector3 offset{ 0, 0, 0 };
    double difference = 0;
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
    return { isLeaf ? level.samplesOf<Sample>() + place.sample() : nullptr, number, cell, place,
      place.isIn(level.hiding) };
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

  // The sample of the leaf of the same level at a side, or null.
  const Sample* neighbourOf(const Leaf& leaf, std::size_t axis, bool isLow) const
  {
    LevelIndex beside = leaf.cell;
    beside[axis] += isLow ? -1 : 1;
    return this->find(leaf.level, beside, this->placeOf(leaf.level, beside, leaf.cell, leaf.place.slot)).sample;
  }

  // Adds the leaves of other levels at a side.
  void addOthers(const Leaf& center, std::size_t axis, bool isLow, LeafSides<Sample>& sides) const
  {
    const LevelOfBricks& level = this->Bricks.levels[center.level];
    LevelIndex beside = center.cell;
    beside[axis] += isLow ? -1 : 1;
    const BrickKind kind = level.kind[center.place.slot];
    if (kind == BrickKind::Stitched && (level.hiding.empty() || !level.table.placeOf(beside).isIn(level.hiding)))
      if (const Leaf coarser = this->findCoarser(center.level, beside); coarser.sample)
      {
        sides.add(axis, this->offsetOf(center, coarser), differenceOf(*center.sample, *coarser.sample));
        return;
      }
    if (kind == BrickKind::Bordered || this->addChildren(center, beside, axis, isLow, sides))
      return;
    Mean mean;
    this->addFiner(center, { nullptr, center.level, beside, {}, false }, axis, isLow, 1, mean);
    if (mean.area == 0)
      return;
    for (double& offset : mean.offset)
      offset /= mean.area;
    sides.add(axis, mean.offset, mean.difference / mean.area);
  }

  // A box of cells of the next finer level.
  struct Children
  {
    LevelIndex first{}, count{}; // along each axis
  };

  // The children of a cell that touch one of its faces across the axis. isLow: the cell is at the low side of the face.
  Children childrenOf(std::size_t level, const LevelIndex& cell, std::size_t axis, bool isLow) const
  {
    Children children;
    children.count = this->pair(level + 1, level).cells;
    for (std::size_t a = 0; a < 3; ++a)
      children.first[a] =
        (this->Bricks.levels[level].low[a] + cell[a]) * children.count[a] - this->Bricks.levels[level + 1].low[a];
    children.first[axis] += isLow ? children.count[axis] - 1 : 0;
    children.count[axis] = 1;
    return children;
  }

  // Adds the mean of the children of a cell, as addFiner does, if all are leaves. The sum is not rounded differently
  // where bricks begin elsewhere, as in a piece of the hierarchy. Returns false if not all are leaves, or if centres
  // may have to be clamped to a border.
  bool addChildren(
    const Leaf& center, const LevelIndex& beside, std::size_t axis, bool isLow, LeafSides<Sample>& sides) const
  {
    const std::size_t fine = center.level + 1;
    if (fine == this->Bricks.levels.size() || this->Bricks.levels[fine].hasBorder())
      return false;
    const auto [first, count] = this->childrenOf(center.level, beside, axis, isLow);
    const std::uint32_t slot = this->Bricks.levels[fine].table.placeOf(first).slot;
    double sum = 0;
    for (std::int64_t z = 0; z < count[2]; ++z)
      for (std::int64_t y = 0; y < count[1]; ++y)
        for (std::int64_t x = 0; x < count[0]; ++x)
        {
          const LevelIndex cell = { first[0] + x, first[1] + y, first[2] + z };
          const Leaf child = this->find(fine, cell, this->placeOf(fine, cell, first, slot));
          if (!child.sample)
            return false;
          sum += differenceOf(*center.sample, *child.sample);
        }
    Vector3 offset{ 0, 0, 0 };
    offset[axis] = (isLow ? -0.5 : 0.5) * (1 + this->pair(center.level, fine).steps[axis]);
    sides.add(axis, offset, sum / double(count[0] * count[1] * count[2]));
    return true;
  }

  // Adds the finer leaves in a cell that touch the face. isLow: the cell is at the low side of the face.
  void addFiner(const Leaf& center, const Leaf& beside, std::size_t axis, bool isLow, double area, Mean& mean) const
  {
    const std::size_t fine = beside.level + 1;
    if (fine == this->Bricks.levels.size())
      return;
    const auto [first, count] = this->childrenOf(beside.level, beside.cell, axis, isLow);
    area /= double(count[0] * count[1] * count[2]);
    const std::uint32_t slot = this->Bricks.levels[fine].table.placeOf(first).slot;
    for (std::int64_t z = 0; z < count[2]; ++z)
      for (std::int64_t y = 0; y < count[1]; ++y)
        for (std::int64_t x = 0; x < count[0]; ++x)
        {
          const LevelIndex cell = { first[0] + x, first[1] + y, first[2] + z };
          const Leaf leaf = this->find(fine, cell, this->placeOf(fine, cell, first, slot));
          if (!leaf.sample)
          {
            this->addFiner(center, leaf, axis, isLow, area, mean);
            continue;
          }
          const Vector3 offset = this->offsetOf(center, leaf);
          mean.area += area;
          mean.difference += area * differenceOf(*center.sample, *leaf.sample);
          for (std::size_t a = 0; a < 3; ++a)
            mean.offset[a] += area * offset[a];
        }
  }

  // From centre to centre, in steps of the level of the first one.
  Vector3 offsetOf(const Leaf& center, const Leaf& leaf) const
  {
    const Vector3 from = this->centerOf(center.level, center);
    Vector3 offset = this->centerOf(center.level, leaf);
    for (std::size_t a = 0; a < 3; ++a)
      offset[a] -= from[a];
    return offset;
  }

  const LevelBricks& Bricks;
  std::vector<Pair> Pairs; // [first * levels + second]
};

}

#endif
