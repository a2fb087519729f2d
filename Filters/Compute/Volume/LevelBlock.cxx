// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Volume/LevelBlock.h"

#include <algorithm>

namespace vmc
{

namespace
{

// Each position is the key of a leaf of the level of the block.
constexpr auto OwnKeys = []
{
  std::array<std::uint16_t, BlockPositions> keys{};
  for (std::size_t position = 0; position < BlockPositions; ++position)
    keys[position] = static_cast<std::uint16_t>(position);
  return keys;
}();

}

CoarseLeaves::CoarseLeaves(
  const LevelBricks& bricks, std::size_t level, const LevelIndex& first, std::size_t coarse, std::size_t firstKey)
  : Level(coarse)
  , FirstKey(firstKey)
{
  const std::array<std::int64_t, 3> cells = bricks.cellsPerCell(coarse, level); // of the block's level in a cell
  const LevelOfBricks& own = bricks.levels[coarse];
  for (std::size_t a = 0; a < 3; ++a)
  {
    const std::int64_t low = bricks.levels[level].low[a] + first[a], lowCell = floorOfQuotient(low, cells[a]);
    this->First[a] = lowCell - own.low[a];
    for (std::int64_t i = 0, cell = lowCell; i < BlockSize; ++i)
    {
      cell += low + i == (cell + 1) * cells[a] ? 1 : 0;
      const std::int64_t inLevel = cell - own.low[a];
      this->Place[a][std::size_t(i)] = static_cast<std::uint8_t>(cell - lowCell);
      this->Brick[a][std::size_t(i)] = static_cast<std::uint8_t>((inLevel >> 3) - (this->First[a] >> 3));
      this->InBrick[a][std::size_t(i)] = static_cast<std::uint8_t>(inLevel & 7);
    }
    this->Count[a] = this->Place[a][BlockSize - 1] + 1u;
  }
  std::array<std::uint16_t, BlockSize> positions{}; // [cell along x]
  for (std::size_t x = 0; x < BlockSize; ++x)
    positions[this->Place[0][x]] |= static_cast<std::uint16_t>(1u << x);
  for (std::size_t x = 0; x < BRICK_SIZE; ++x)
    this->FirstPlacesX[x] = this->Place[0][x];
  for (std::size_t half = 0; half < this->PositionsX.size(); ++half)
  {
    this->PositionsX[half][0] = 0;
    for (std::size_t cells = 1; cells < this->PositionsX[half].size(); ++cells)
      this->PositionsX[half][cells] =
        this->PositionsX[half][cells & (cells - 1)] | positions[half * HalfRow + std::size_t(__builtin_ctzll(cells))];
  }
  for (std::size_t i = 0; i < this->Slot.size(); ++i)
  {
    const std::array<std::size_t, 3> brick = { i % MostBricks, i / MostBricks % MostBricks,
      i / (MostBricks * MostBricks) };
    this->Slot[i] = NO_SLOT;
    if (brick[0] <= this->Brick[0].back() && brick[1] <= this->Brick[1].back() && brick[2] <= this->Brick[2].back())
      this->Slot[i] = own.table.slotOf((this->First[0] >> 3) + std::int64_t(brick[0]),
        (this->First[1] >> 3) + std::int64_t(brick[1]), (this->First[2] >> 3) + std::int64_t(brick[2]));
  }
}

LevelBlock::LevelBlock(const LevelBricks& bricks, std::size_t level, const SlotsAround& around, bool mayBeStitched)
  : Bricks(bricks)
  , Level(level)
  , Around(around)
{
  const LevelOfBricks& own = bricks.levels[level];
  for (std::size_t a = 0; a < 3; ++a)
    this->First[a] = std::int64_t(BRICK_SIZE) * around.center[a] - 1;
  this->isLeaf = this->hasLeaf = gatherBits<1, 1>(this->Around, own.leaf);
  this->notOwned = gatherBits<1, 1>(this->Around, own.notOwned);
  if (!own.outside.empty())
    this->isOutside = gatherBits<1, 1>(this->Around, own.outside);
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

// Fills the open positions that the leaves of a coarser level contain, and closes them. Returns whether others are
// left.
bool LevelBlock::findLeavesOf(std::size_t level, BlockBits& open)
{
  const LevelOfBricks& own = this->Bricks.levels[level];
  const std::size_t firstKey = this->Coarse.empty() ? BlockPositions : this->Coarse.back().endKey();
  CoarseLeaves& leaves = this->Coarse.emplace_back(this->Bricks, this->Level, this->First, level, firstKey);
  bool isFound = false;
  leaves.forRows(open, bitsOfRows(own.leaf.data()),
    [&](std::size_t row, std::uint16_t here)
    {
      isFound = isFound || here != 0;
      open[row] &= static_cast<std::uint16_t>(~here);
      leaves.isIn[row] = here;
      this->hasLeaf[row] |= here;
      leaves.setKeys(row, here, this->key.data() + row * BlockSize);
    });
  if (!own.hiding.empty())
    leaves.forRows(open, bitsOfRows(own.hiding.data()),
      [&](std::size_t row, std::uint16_t here) { open[row] &= static_cast<std::uint16_t>(~here); });
  if (isFound && !own.outside.empty())
  {
    BlockBits here = leaves.isIn;
    leaves.forRows(here, bitsOfRows(own.outside.data()),
      [&](std::size_t row, std::uint16_t outside) { this->isOutside[row] |= outside; });
  }
  if (!isFound)
    this->Coarse.pop_back();
  return std::any_of(open.begin(), open.end(), [](std::uint16_t row) { return row != 0; });
}

}
