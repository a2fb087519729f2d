// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Volume/LevelBlock.h"

#include <algorithm>

namespace vmc
{

namespace
{

// A coarser level has a leaf at a cell, given by its number, or one of these.
enum : std::uint16_t
{
  Unknown = BlockPositions,
  Nothing, // the search continues with the next coarser level
  Hiding   // a cell that is no leaf hides coarser ones
};

// Each position is the key of a leaf of the level of the block.
constexpr auto OwnKeys = []
{
  std::array<std::uint16_t, BlockPositions> keys{};
  for (std::size_t position = 0; position < BlockPositions; ++position)
    keys[position] = static_cast<std::uint16_t>(position);
  return keys;
}();

}

// The cells of a coarser level that contain the positions.
class LevelBlock::Parents
{
public:
  // first: the cell at position 0.
  Parents(const LevelBricks& bricks, std::size_t level, const LevelIndex& first, std::size_t coarse)
  {
    const LevelOfBricks& own = bricks.levels[coarse];
    const std::array<std::int64_t, 3> cells = bricks.cellsPerCell(coarse, level);
    for (std::size_t a = 0; a < 3; ++a)
    {
      const std::int64_t low = bricks.levels[level].low[a] + first[a];
      const std::int64_t lowParent = floorOfQuotient(low, cells[a]);
      this->First[a] = lowParent - own.low[a];
      for (std::int64_t i = 0, parent = lowParent; i < BlockSize; ++i)
      {
        parent += low + i == (parent + 1) * cells[a] ? 1 : 0;
        this->Place[a][std::size_t(i)] = static_cast<std::uint8_t>(parent - lowParent);
      }
    }
    this->findSlots(own.table);
  }

  std::size_t count() const { return this->numberInRow(BlockRows - 1) + this->x(BlockSize - 1) + 1; }

  // The number of the parent of a position is that of its row plus x(position in the row).
  std::size_t numberInRow(std::size_t row) const
  {
    const std::size_t countX = this->Place[0][BlockSize - 1] + 1u, countY = this->Place[1][BlockSize - 1] + 1u;
    return (this->Place[2][row / BlockSize] * countY + this->Place[1][row % BlockSize]) * countX;
  }

  std::size_t x(std::size_t inRow) const { return this->Place[0][inRow]; }

  // The parent of a position, as a cell of its level.
  LevelIndex cellAt(std::size_t inRow, std::size_t row) const
  {
    return { this->First[0] + this->Place[0][inRow], this->First[1] + this->Place[1][row % BlockSize],
      this->First[2] + this->Place[2][row / BlockSize] };
  }

  CellPlace placeOf(const LevelIndex& cell) const
  {
    std::size_t brick = 0;
    for (std::size_t a = 3; a-- > 0;)
      brick = MostBricks * brick + static_cast<std::size_t>((cell[a] >> 3) - (this->First[a] >> 3));
    return { this->Slot[brick],
      numberInBrick(std::size_t(cell[0] & 7), std::size_t(cell[1] & 7), std::size_t(cell[2] & 7)) };
  }

private:
  static constexpr std::size_t MostBricks = 3; // along an axis, of as many cells as a block has positions

  void findSlots(const BrickTable& table)
  {
    LevelIndex last{};
    for (std::size_t a = 0; a < 3; ++a)
      last[a] = ((this->First[a] + this->Place[a][BlockSize - 1]) >> 3) - (this->First[a] >> 3);
    for (std::int64_t z = 0; z <= last[2]; ++z)
      for (std::int64_t y = 0; y <= last[1]; ++y)
        for (std::int64_t x = 0; x <= last[0]; ++x)
          this->Slot[static_cast<std::size_t>((z * std::int64_t(MostBricks) + y) * std::int64_t(MostBricks) + x)] =
            table.slotOf((this->First[0] >> 3) + x, (this->First[1] >> 3) + y, (this->First[2] >> 3) + z);
  }

  LevelIndex First{ 0, 0, 0 };                                // the lowest parent
  std::array<std::array<std::uint8_t, BlockSize>, 3> Place{}; // [axis][position]: its parent, counted from there
  std::array<std::uint32_t, MostBricks * MostBricks * MostBricks> Slot; // of the bricks of the parents
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
  this->notOwned = gatherBits<1, 1>(this->Around, own.notOwned);
  this->depth.fill(0);
  this->key = OwnKeys;
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

std::uint16_t LevelBlock::findCoarse(const LevelOfBricks& level, const LevelIndex& cell, const CellPlace& place)
{
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
  const Parents parents(this->Bricks, this->Level, this->First, level);
  std::array<std::uint16_t, BlockPositions> found; // [number of the parent]
  std::fill_n(found.begin(), parents.count(), Unknown);
  bool isLeft = false;
  for (std::size_t row = 0; row < BlockRows; ++row)
    for (std::uint32_t bits = open[row], number = static_cast<std::uint32_t>(parents.numberInRow(row)); bits != 0;
         bits &= bits - 1)
    {
      const auto x = static_cast<std::size_t>(__builtin_ctz(bits));
      std::uint16_t& parent = found[number + parents.x(x)];
      if (parent == Unknown)
      {
        const LevelIndex cell = parents.cellAt(x, row);
        parent = this->findCoarse(this->Bricks.levels[level], cell, parents.placeOf(cell));
      }
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
      this->CoarsePosition[this->CoarsePositions++] = static_cast<std::uint16_t>(position);
      this->hasLeaf[row] |= bit;
      this->hasCoarse = true;
    }
  return isLeft;
}

}
