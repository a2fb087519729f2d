// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The leaves around a brick of a level, gathered from the bricks of this level and of coarser ones.
#ifndef vmcLevelBlock_h
#define vmcLevelBlock_h

#include "Compute/Volume/LevelBricks.h"

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

  // The place of a cell by its distance from the first cell of the brick, which is at least -8 and less than 16.
  CellPlace placeOf(int x, int y, int z) const
  {
    return { this->at(x >> 3, y >> 3, z >> 3),
      numberInBrick(std::size_t(x & 7), std::size_t(y & 7), std::size_t(z & 7)) };
  }
};

// Copies what the bricks have per cell to a cube that begins Before cells before the brick and ends Beyond cells after
// it. Cells without a brick keep what they are. to: x fastest.
template <int Before, int Beyond, class Value>
[[gnu::always_inline]] inline void gatherCells(const SlotsAround& around, const Value* values, Value* to)
{
  constexpr int Size = Before + BRICK_SIZE + Beyond;
  for (int brickZ = Before != 0 ? -1 : 0; brickZ <= (Beyond != 0 ? 1 : 0); ++brickZ)
    for (int brickY = Before != 0 ? -1 : 0; brickY <= (Beyond != 0 ? 1 : 0); ++brickY)
    {
      const auto brickAt = [&](int brickX) -> const Value*
      {
        const std::uint32_t slot = around.at(brickX, brickY, brickZ);
        return slot == NO_SLOT ? nullptr : values + slot * BrickCells;
      };
      const Value* const brick = brickAt(0);
      const Value* const before = Before != 0 ? brickAt(-1) : nullptr;
      const Value* const beyond = Beyond != 0 ? brickAt(1) : nullptr;
      const int firstZ = brickZ < 0 ? BRICK_SIZE - Before : 0, endZ = brickZ > 0 ? Beyond : BRICK_SIZE;
      const int firstY = brickY < 0 ? BRICK_SIZE - Before : 0, endY = brickY > 0 ? Beyond : BRICK_SIZE;
      for (int z = firstZ; z < endZ; ++z)
        for (int y = firstY; y < endY; ++y)
        {
          const int from = (z * BRICK_SIZE + y) * BRICK_SIZE;
          Value* const row = to + ((brickZ * BRICK_SIZE + z + Before) * Size + brickY * BRICK_SIZE + y + Before) * Size;
          if (brick)
            std::memcpy(row + Before, brick + from, BRICK_SIZE * sizeof(Value));
          if (before)
            std::memcpy(row, before + from + BRICK_SIZE - Before, Before * sizeof(Value));
          if (beyond)
            std::memcpy(row + Before + BRICK_SIZE, beyond + from, Beyond * sizeof(Value));
        }
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

// One bit per cell of a cube around a brick: bit x of element Size * z + y.
template <int Before, int Beyond>
using CubeBits = std::array<std::uint16_t, std::size_t(Before + BRICK_SIZE + Beyond) * (Before + BRICK_SIZE + Beyond)>;

// Gathers bits as gatherCells does values. Cells without a brick have 0, and so have all if `bits` is empty.
template <int Before, int Beyond>
CubeBits<Before, Beyond> gatherBits(const SlotsAround& around, const std::vector<BrickBits>& bits)
{
  constexpr int Size = Before + BRICK_SIZE + Beyond;
  CubeBits<Before, Beyond> rows{};
  if (bits.empty())
    return rows;
  for (int z = 0; z < Size; ++z)
    for (int y = 0; y < Size; ++y)
    {
      const int cellY = y - Before, cellZ = z - Before;
      const auto rowOf = [&](std::int64_t brickX) -> std::uint32_t
      {
        const std::uint32_t slot = around.at(brickX, cellY >> 3, cellZ >> 3);
        return slot == NO_SLOT
                 ? 0
                 : static_cast<std::uint32_t>(bits[slot][std::size_t(cellZ & 7)] >> 8 * (cellY & 7) & 0xFFu);
      };
      rows[std::size_t(z) * Size + std::size_t(y)] =
        static_cast<std::uint16_t>(rowOf(-1) >> (BRICK_SIZE - Before) | rowOf(0) << Before |
                                   (rowOf(1) & ((1u << Beyond) - 1)) << (Before + BRICK_SIZE));
    }
  return rows;
}

using BlockBits = CubeBits<1, 1>;

// The leaf at each position.
class LevelBlock
{
public:
  // Levels between this one and that of the leaf; without a meaning where there is none, and so are keys.
  std::array<std::uint8_t, BlockPositions> depth;
  std::array<std::uint16_t, BlockPositions> key; // equal for the positions of one leaf
  BlockBits isLeaf;                              // the position is a leaf of this level
  BlockBits hasLeaf;                             // it has a leaf
  BlockBits isPartlyCovered{};                   // finer leaves cover a part of it
  BlockBits notOwned;                            // it is a cell of this level that belongs to another piece
  bool hasCoarse = false, hasPartlyCovered = false;

  // mayBeStitched: false if no coarser leaf is in the block and no finer one covers a position in part.
  LevelBlock(const LevelBricks& bricks, std::size_t level, std::size_t slot, bool mayBeStitched);

  const SlotsAround& around() const { return this->Around; }
  std::size_t level() const { return this->Level; }
  std::size_t keyCount() const { return BlockPositions + this->CoarseCount; } // keys are below this number

  // The samples of the leaves. Those of positions without one have no meaning.
  template <class Sample>
  std::array<Sample, BlockPositions> samples() const;

  // The cell of this level at a position.
  LevelIndex cellAt(int position) const
  {
    return { this->First[0] + position % BlockSize, this->First[1] + position / BlockSize % BlockSize,
      this->First[2] + position / BlockRows };
  }

  std::size_t levelAt(int position) const { return this->Level - this->depth[std::size_t(position)]; }

  // The number of the sample of the leaf at a position that has one, among those of all levels.
  std::size_t sampleAt(int position) const
  {
    const std::size_t first = this->Bricks.levels[this->levelAt(position)].firstBrick * BrickCells;
    return first +
           (this->depth[std::size_t(position)] == 0
               ? this->Around
                   .placeOf(position % BlockSize - 1, position / BlockSize % BlockSize - 1, position / BlockRows - 1)
                   .sample()
               : this->CoarseSample[std::size_t(this->key[std::size_t(position)]) - BlockPositions]);
  }

  // The centre of the leaf at a position that has one, as a coordinate of LevelOfBricks::geometry of this level.
  Vector3 centerAt(int position) const
  {
    return this->Bricks.centerOf(this->levelAt(position), this->leafAt(position), this->Level);
  }

  // The leaf at a position that has one, as a cell of its level.
  LevelIndex leafAt(int position) const
  {
    return this->depth[std::size_t(position)] == 0
             ? this->cellAt(position)
             : this->CoarseCell[std::size_t(this->key[std::size_t(position)]) - BlockPositions];
  }

private:
  class Parents;

  void findCoarseLeaves();
  bool findLeavesOf(std::size_t level, BlockBits& open);
  std::uint16_t findCoarse(const LevelOfBricks& level, const LevelIndex& cell, const CellPlace& place);

  const LevelBricks& Bricks;
  const std::size_t Level;
  const SlotsAround Around;
  LevelIndex First{}; // the cell at position 0
  // The coarse leaves, by their keys: the cell, and the place of its sample in its level. Each has a position.
  std::uint16_t CoarseCount = 0;
  std::array<LevelIndex, BlockPositions> CoarseCell;
  std::array<std::size_t, BlockPositions> CoarseSample;
  std::size_t CoarsePositions = 0;
  std::array<std::uint16_t, BlockPositions> CoarsePosition; // the positions with coarse leaves
};

template <class Sample>
std::array<Sample, BlockPositions> LevelBlock::samples() const
{
  std::array<Sample, BlockPositions> values; // what is not a leaf is not initialized
  gatherCells<1, 1>(this->Around, this->Bricks.levels[this->Level].samplesOf<Sample>(), values.data());
  const Sample* coarse = nullptr;
  for (std::size_t i = 0, depth = 0; i < this->CoarsePositions; ++i)
  {
    const std::size_t at = this->CoarsePosition[i];
    if (this->depth[at] != depth)
      coarse = this->Bricks.levels[this->Level - (depth = this->depth[at])].template samplesOf<Sample>();
    values[at] = coarse[this->CoarseSample[std::size_t(this->key[at]) - BlockPositions]];
  }
  return values;
}

}

#endif
