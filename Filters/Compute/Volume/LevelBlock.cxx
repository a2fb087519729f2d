// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Volume/LevelBlock.h"

#include <algorithm>

namespace vmc
{

namespace
{

// A coarser level has a leaf at a cell, given by its number, or one of these.
enum : std::size_t
{
  Unknown = BlockPositions,
  Nothing, // the search continues with the next coarser level
  Hiding   // a cell that is no leaf hides coarser ones
};

}

// The cells of a coarser level that contain the positions.
struct LevelBlock::Parents
{
  LevelIndex first{ 0, 0, 0 };                                // the lowest one
  std::array<std::array<std::uint8_t, BlockSize>, 3> place{}; // [axis][position]: counted from there
  std::array<int, 3> count{};

  int number(int x, int y, int z) const { return (z * this->count[1] + y) * this->count[0] + x; }
};

LevelBlock::LevelBlock(const LevelBricks& bricks, std::size_t level, std::size_t slot, bool mayBeStitched)
  : Bricks(bricks)
  , Level(level)
  , Around(bricks.levels[level], slot)
{
  const LevelOfBricks& own = bricks.levels[level];
  for (std::size_t a = 0; a < 3; ++a)
    this->First[a] = std::int64_t(BRICK_SIZE) * own.brick[slot][a] - 1;
  this->isLeaf = this->hasLeaf = gatherBits<1, 1>(this->Around, own.leaf);
  for (std::size_t position = 0; position < BlockPositions; ++position)
  {
    this->depth[position] = (this->isLeaf[position / BlockSize] >> position % BlockSize & 1u) != 0 ? 0 : NoLeaf;
    this->key[position] = static_cast<std::uint16_t>(position);
  }
  if (!mayBeStitched)
    return;
  this->isPartlyCovered = gatherBits<1, 1>(this->Around, own.partlyCovered);
  for (const std::uint16_t row : this->isPartlyCovered)
    this->hasPartlyCovered |= row != 0;
  this->findCoarseLeaves();
}

// Finds the coarser leaves: at positions without a leaf of this level, unless a cell of this level hides them.
void LevelBlock::findCoarseLeaves()
{
  constexpr std::uint16_t All = (1u << BlockSize) - 1;
  BlockBits open = gatherBits<1, 1>(this->Around, this->Bricks.levels[this->Level].hiding);
  bool isOpen = false;
  for (std::size_t row = 0; row < BlockRows; ++row)
  {
    open[row] = static_cast<std::uint16_t>(All & ~(this->isLeaf[row] | open[row]));
    isOpen |= open[row] != 0;
  }
  for (std::size_t level = this->Level; isOpen && level-- > 0;)
    isOpen = this->findLeavesOf(level, open);
}

auto LevelBlock::parentsIn(std::size_t level) const -> Parents
{
  Parents parents;
  const std::array<std::int64_t, 3> cells = this->Bricks.cellsPerCell(level, this->Level);
  for (std::size_t a = 0; a < 3; ++a)
  {
    const std::int64_t low = this->Bricks.levels[this->Level].low[a] + this->First[a];
    const std::int64_t first = floorOfQuotient(low, cells[a]);
    parents.first[a] = first - this->Bricks.levels[level].low[a];
    for (std::int64_t i = 0, parent = first; i < BlockSize; ++i)
    {
      parent += low + i == (parent + 1) * cells[a] ? 1 : 0;
      parents.place[a][std::size_t(i)] = static_cast<std::uint8_t>(parent - first);
      parents.count[a] = static_cast<int>(parent - first) + 1;
    }
  }
  return parents;
}

std::size_t LevelBlock::findCoarse(std::size_t number, const LevelIndex& cell)
{
  const LevelOfBricks& level = this->Bricks.levels[number];
  const CellPlace place = level.table.placeOf(cell);
  if (!place.isIn(level.leaf))
    return place.isIn(level.hiding) ? Hiding : Nothing;
  this->CoarseCell[this->CoarseCount] = cell;
  this->CoarseSample[this->CoarseCount] = place.sample();
  return this->CoarseCount++;
}

// Fills the open positions that the leaves of a coarser level contain, and closes them. Returns whether others are
// left.
bool LevelBlock::findLeavesOf(std::size_t level, BlockBits& open)
{
  const Parents parents = this->parentsIn(level);
  std::array<std::size_t, BlockPositions> found; // [number of the parent]
  std::fill_n(found.begin(), parents.count[0] * parents.count[1] * parents.count[2], Unknown);
  bool isLeft = false;
  for (std::size_t row = 0; row < BlockRows; ++row)
    for (std::uint32_t bits = open[row]; bits != 0; bits &= bits - 1)
    {
      const auto x = static_cast<std::size_t>(__builtin_ctz(bits));
      const int parentX = parents.place[0][x], parentY = parents.place[1][row % BlockSize],
                parentZ = parents.place[2][row / BlockSize];
      std::size_t& parent = found[std::size_t(parents.number(parentX, parentY, parentZ))];
      if (parent == Unknown)
        parent = this->findCoarse(
          level, { parents.first[0] + parentX, parents.first[1] + parentY, parents.first[2] + parentZ });
      isLeft = isLeft || parent == Nothing;
      if (parent == Nothing)
        continue;
      const auto bit = static_cast<std::uint16_t>(1u << x);
      open[row] &= static_cast<std::uint16_t>(~bit);
      if (parent == Hiding)
        continue;
      const std::size_t position = row * BlockSize + x;
      this->depth[position] = static_cast<std::uint8_t>(this->Level - level);
      this->key[position] = static_cast<std::uint16_t>(BlockPositions + parent);
      this->hasLeaf[row] |= bit;
      this->hasCoarse = true;
    }
  return isLeft;
}

}
