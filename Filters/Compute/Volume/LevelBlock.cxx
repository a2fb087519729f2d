// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Volume/LevelBlock.h"

namespace vmc
{

namespace
{

// What a coarser level has at a cell: a coarse leaf, by its number, or one of these.
enum : std::size_t
{
  Unknown = BlockPositions,
  Nothing, // the search continues with the next coarser level
  Blocked
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
  this->isLeaf = this->isThere = gatherBits<1, 1>(this->Around, own.leaf);
  for (std::size_t position = 0; position < BlockPositions; ++position)
  {
    this->depth[position] = (this->isLeaf[position / BlockSize] >> position % BlockSize & 1u) != 0 ? 0 : NoLeaf;
    this->key[position] = static_cast<std::uint16_t>(position);
  }
  if (!mayBeStitched)
    return;
  this->isPartly = gatherBits<1, 1>(this->Around, own.partlyCovered);
  for (const std::uint16_t row : this->isPartly)
    this->hasPartly |= row != 0;
  this->findCoarseLeaves();
}

// Finds the leaves at positions without a leaf of this level that no cell of it blocks.
void LevelBlock::findCoarseLeaves()
{
  constexpr std::uint16_t All = (1u << BlockSize) - 1;
  BlockBits open = gatherBits<1, 1>(this->Around, this->Bricks.levels[this->Level].blocked);
  bool isOpen = false;
  for (std::size_t row = 0; row < BlockRows; ++row)
  {
    open[row] = static_cast<std::uint16_t>(All & ~(this->isLeaf[row] | open[row]));
    isOpen |= open[row] != 0;
  }
  for (std::size_t level = this->Level; isOpen && level-- > 0;)
    this->findLeavesOf(level, open);
}

auto LevelBlock::parentsIn(std::size_t level) const -> Parents
{
  Parents parents;
  parents.first = this->Bricks.parentOf(this->Level, this->First, level);
  for (int i = 0; i < BlockSize; ++i)
  {
    const LevelIndex parent =
      this->Bricks.parentOf(this->Level, { this->First[0] + i, this->First[1] + i, this->First[2] + i }, level);
    for (std::size_t a = 0; a < 3; ++a)
    {
      parents.place[a][std::size_t(i)] = static_cast<std::uint8_t>(parent[a] - parents.first[a]);
      parents.count[a] = static_cast<int>(parent[a] - parents.first[a]) + 1;
    }
  }
  return parents;
}

std::size_t LevelBlock::findCoarse(std::size_t number, const LevelIndex& cell)
{
  const LevelOfBricks& level = this->Bricks.levels[number];
  const std::uint32_t slot = level.table.slotOf(cell[0] >> 3, cell[1] >> 3, cell[2] >> 3);
  if (slot == NO_SLOT)
    return Nothing;
  const auto x = static_cast<std::size_t>(cell[0] & 7), y = static_cast<std::size_t>(cell[1] & 7),
             z = static_cast<std::size_t>(cell[2] & 7);
  const std::uint64_t bit = 1ull << (8 * y + x);
  if ((level.leaf[slot][z] & bit) == 0)
    return !level.blocked.empty() && (level.blocked[slot][z] & bit) != 0 ? Blocked : Nothing;
  this->CoarseCell[this->CoarseCount] = cell;
  this->CoarseSample[this->CoarseCount] = slot * BrickCells + numberInBrick(x, y, z);
  return this->CoarseCount++;
}

// Fills the open positions that the leaves of a coarser level contain, and closes them.
void LevelBlock::findLeavesOf(std::size_t level, BlockBits& open)
{
  const Parents parents = this->parentsIn(level);
  std::array<std::size_t, BlockPositions> found; // [number of the parent]
  std::fill_n(found.begin(), parents.count[0] * parents.count[1] * parents.count[2], Unknown);
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
      if (parent == Nothing)
        continue;
      const auto bit = static_cast<std::uint16_t>(1u << x);
      open[row] &= static_cast<std::uint16_t>(~bit);
      if (parent == Blocked)
        continue;
      const std::size_t position = row * BlockSize + x;
      this->depth[position] = static_cast<std::uint8_t>(this->Level - level);
      this->key[position] = static_cast<std::uint16_t>(BlockPositions + parent);
      this->isThere[row] |= bit;
      this->hasCoarse = true;
    }
}

}
