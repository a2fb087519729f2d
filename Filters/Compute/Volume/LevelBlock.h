// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The leaves around a brick of a level, gathered from the bricks of this level and of coarser ones.
#ifndef vmcLevelBlock_h
#define vmcLevelBlock_h

#include "Compute/Volume/LevelBricks.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace vmc
{

// The bricks of a level around a brick, by the offset of each along x, y and z, which is -1, 0 or 1.
struct SlotsAround
{
  std::array<std::uint32_t, 27> slot; // NO_SLOT where there is none

  SlotsAround(const LevelOfBricks& level, std::size_t center)
  {
    const BrickTable::Brick& brick = level.brick[center];
    for (std::int64_t z = -1; z <= 1; ++z)
      for (std::int64_t y = -1; y <= 1; ++y)
        for (std::int64_t x = -1; x <= 1; ++x)
          this->slot[number(x, y, z)] = level.table.slotOf(brick[0] + x, brick[1] + y, brick[2] + z);
  }

  static constexpr std::size_t number(std::int64_t x, std::int64_t y, std::int64_t z)
  {
    return static_cast<std::size_t>((z + 1) * 9 + (y + 1) * 3 + x + 1);
  }

  std::uint32_t at(std::int64_t x, std::int64_t y, std::int64_t z) const { return this->slot[number(x, y, z)]; }
};

// Copies what the bricks have per cell to a cube that begins `before` cells before the brick and ends `beyond` cells
// after it. Cells without a brick keep what they are. to: x fastest.
template <class Value>
void gatherCells(const SlotsAround& around, const Value* values, int before, int beyond, Value* to)
{
  const int size = before + BRICK_SIZE + beyond;
  for (int z = 0; z < size; ++z)
    for (int y = 0; y < size; ++y)
    {
      const int cellZ = z - before, cellY = y - before;
      const std::int64_t brickZ = cellZ >> 3, brickY = cellY >> 3;
      Value* const row = to + (z * size + y) * size;
      const auto copy = [&](std::int64_t brickX, int first, int count, Value* target)
      {
        const std::uint32_t slot = around.at(brickX, brickY, brickZ);
        if (slot != NO_SLOT)
          std::memcpy(target,
            values + slot * BrickCells +
              numberInBrick(std::size_t(first), std::size_t(cellY & 7), std::size_t(cellZ & 7)),
            std::size_t(count) * sizeof(Value));
      };
      copy(-1, BRICK_SIZE - before, before, row);
      copy(0, 0, BRICK_SIZE, row + before);
      copy(1, 0, beyond, row + before + BRICK_SIZE);
    }
}

// Positions of a block: cells of the level, from one before the brick to one beyond it.
constexpr int BlockSize = BRICK_SIZE + 2;
constexpr int BlockRows = BlockSize * BlockSize;
constexpr int BlockPositions = BlockSize * BlockRows;

constexpr int blockPosition(int x, int y, int z)
{
  return (z * BlockSize + y) * BlockSize + x;
}

// One bit per position: bit x of element 10 * z + y.
using BlockBits = std::array<std::uint16_t, BlockRows>;

inline BlockBits gatherBits(const SlotsAround& around, const std::vector<BrickBits>& bits)
{
  BlockBits rows{};
  if (bits.empty())
    return rows;
  const auto rowOf = [&](std::uint32_t slot, int y, int z) -> std::uint32_t
  { return slot == NO_SLOT ? 0 : static_cast<std::uint32_t>(bits[slot][std::size_t(z)] >> 8 * y & 0xFFu); };
  for (int z = 0; z < BlockSize; ++z)
    for (int y = 0; y < BlockSize; ++y)
    {
      const int cellY = (y - 1) & 7, cellZ = (z - 1) & 7;
      const std::int64_t brickY = (y - 1) >> 3, brickZ = (z - 1) >> 3;
      rows[std::size_t(z * BlockSize + y)] =
        static_cast<std::uint16_t>(rowOf(around.at(-1, brickY, brickZ), cellY, cellZ) >> 7 |
                                   rowOf(around.at(0, brickY, brickZ), cellY, cellZ) << 1 |
                                   (rowOf(around.at(1, brickY, brickZ), cellY, cellZ) & 1u) << 9);
    }
  return rows;
}

// The leaf at each position.
template <class Sample>
class LevelBlock
{
public:
  static constexpr std::uint8_t NoLeaf = 0xFF;

  std::array<Sample, BlockPositions> sample; // of the leaf; has no meaning without one
  // Levels between this one and that of the leaf, or NoLeaf.
  std::array<std::uint8_t, BlockPositions> depth;
  std::array<std::uint16_t, BlockPositions> key; // equal for the positions of one leaf
  BlockBits isLeaf;                              // the position is a leaf of this level
  BlockBits isThere;                             // it has a leaf
  BlockBits isPartly;                            // finer leaves cover a part of it
  bool hasCoarse = false, hasPartly = false;

  LevelBlock(const LevelBricks& bricks, std::size_t level, std::size_t slot)
    : Bricks(bricks)
    , Level(level)
    , Around(bricks.levels[level], slot)
  {
    const LevelOfBricks& own = bricks.levels[level];
    for (std::size_t a = 0; a < 3; ++a)
      this->First[a] = std::int64_t(BRICK_SIZE) * own.brick[slot][a] - 1;
    gatherCells(this->Around, reinterpret_cast<const Sample*>(own.samples.get()), 1, 1, this->sample.data());
    this->isLeaf = this->isThere = gatherBits(this->Around, own.leaf);
    this->isPartly = gatherBits(this->Around, own.partlyCovered);
    for (const std::uint16_t row : this->isPartly)
      this->hasPartly |= row != 0;
    this->nameOwnLeaves();
    this->findCoarseLeaves();
  }

  std::size_t level() const { return this->Level; }

  // The cell of this level at a position.
  LevelIndex cellAt(int position) const
  {
    return { this->First[0] + position % BlockSize, this->First[1] + position / BlockSize % BlockSize,
      this->First[2] + position / BlockRows };
  }

  std::size_t levelAt(int position) const { return this->Level - this->depth[std::size_t(position)]; }

  // The leaf at a position that has one, as a cell of its level.
  LevelIndex leafAt(int position) const
  {
    const LevelIndex cell = this->cellAt(position);
    return this->depth[std::size_t(position)] == 0 ? cell
                                                   : this->Bricks.parentOf(this->Level, cell, this->levelAt(position));
  }

private:
  void nameOwnLeaves()
  {
    for (int row = 0; row < BlockRows; ++row)
      for (int x = 0; x < BlockSize; ++x)
      {
        const auto position = static_cast<std::size_t>(row * BlockSize + x);
        this->depth[position] = (this->isLeaf[std::size_t(row)] >> x & 1u) != 0 ? 0 : NoLeaf;
        this->key[position] = static_cast<std::uint16_t>(position);
      }
  }

  // Positions without a leaf of this level that no cell of it blocks.
  void findCoarseLeaves()
  {
    constexpr std::uint16_t All = (1u << BlockSize) - 1;
    BlockBits open = gatherBits(this->Around, this->Bricks.levels[this->Level].blocked);
    bool isOpen = false;
    for (std::size_t row = 0; row < BlockRows; ++row)
    {
      open[row] = static_cast<std::uint16_t>(All & ~(this->isLeaf[row] | open[row]));
      isOpen |= open[row] != 0;
    }
    std::uint32_t firstKey = BlockPositions;
    for (std::size_t level = this->Level; isOpen && level-- > 0;)
      this->findLeavesOf(level, firstKey, open);
  }

  // The cells of a coarser level that contain the positions.
  struct Parents
  {
    LevelIndex first;                                           // the lowest one
    std::array<std::array<std::uint8_t, BlockSize>, 3> place{}; // [axis][position]: counted from there
    std::array<int, 3> count{};

    int number(int x, int y, int z) const { return (z * this->count[1] + y) * this->count[0] + x; }
  };

  Parents parentsIn(std::size_t level) const
  {
    Parents parents{ this->Bricks.parentOf(this->Level, this->First, level) };
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

  enum class Found : std::uint8_t
  {
    Nothing, // continues with a coarser level
    Blocked,
    Leaf
  };

  // What a level has at a cell, and its sample if it is a leaf.
  Found find(const LevelOfBricks& level, const LevelIndex& cell, Sample& value) const
  {
    const std::uint32_t slot = level.table.slotOf(cell[0] >> 3, cell[1] >> 3, cell[2] >> 3);
    if (slot == NO_SLOT)
      return Found::Nothing;
    const auto x = static_cast<std::size_t>(cell[0] & 7), y = static_cast<std::size_t>(cell[1] & 7),
               z = static_cast<std::size_t>(cell[2] & 7);
    const std::uint64_t bit = 1ull << (8 * y + x);
    if ((level.leaf[slot][z] & bit) != 0)
    {
      value = reinterpret_cast<const Sample*>(level.samples.get())[slot * BrickCells + numberInBrick(x, y, z)];
      return Found::Leaf;
    }
    return !level.blocked.empty() && (level.blocked[slot][z] & bit) != 0 ? Found::Blocked : Found::Nothing;
  }

  // Fills the open positions that the leaves of a coarser level contain, and closes them.
  void findLeavesOf(std::size_t level, std::uint32_t& firstKey, BlockBits& open)
  {
    const Parents parents = this->parentsIn(level);
    std::array<Found, BlockPositions> found;
    std::array<Sample, BlockPositions> values;
    for (int z = 0, i = 0; z < parents.count[2]; ++z)
      for (int y = 0; y < parents.count[1]; ++y)
        for (int x = 0; x < parents.count[0]; ++x, ++i)
          found[std::size_t(i)] = this->find(this->Bricks.levels[level],
            { parents.first[0] + x, parents.first[1] + y, parents.first[2] + z }, values[std::size_t(i)]);
    for (int row = 0; row < BlockRows; ++row)
      for (int x = 0; open[std::size_t(row)] >> x != 0; ++x)
      {
        const std::uint16_t bit = static_cast<std::uint16_t>(1u << x);
        const int parent = parents.number(parents.place[0][std::size_t(x)],
          parents.place[1][std::size_t(row % BlockSize)], parents.place[2][std::size_t(row / BlockSize)]);
        if ((open[std::size_t(row)] & bit) == 0 || found[std::size_t(parent)] == Found::Nothing)
          continue;
        open[std::size_t(row)] &= static_cast<std::uint16_t>(~bit);
        if (found[std::size_t(parent)] == Found::Leaf)
          this->setCoarse(row, x, level, values[std::size_t(parent)], firstKey + std::uint32_t(parent));
      }
    firstKey += std::uint32_t(parents.count[0] * parents.count[1] * parents.count[2]);
  }

  void setCoarse(int row, int x, std::size_t level, Sample value, std::uint32_t leafKey)
  {
    const auto position = static_cast<std::size_t>(row * BlockSize + x);
    this->sample[position] = value;
    this->depth[position] = static_cast<std::uint8_t>(this->Level - level);
    this->key[position] = static_cast<std::uint16_t>(leafKey);
    this->isThere[std::size_t(row)] |= static_cast<std::uint16_t>(1u << x);
    this->hasCoarse = true;
  }

  const LevelBricks& Bricks;
  const std::size_t Level;
  const SlotsAround Around;
  LevelIndex First{}; // the cell at position 0
};

}

#endif
