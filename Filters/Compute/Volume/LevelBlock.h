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
#include <vector>

namespace vmc
{

// The bricks of a level around a brick, by the offset of each along x, y and z, which is -1, 0 or 1.
struct SlotsAround
{
  BrickTable::Brick center;
  std::array<std::uint32_t, 27> slot; // NO_SLOT where there is none

  SlotsAround(const LevelOfBricks& level, std::size_t centerSlot)
    : center(level.brick[centerSlot])
  {
    level.table.slotsAround(this->center, this->slot);
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
constexpr int BlockSize = LEVEL_BLOCK_SIZE;
constexpr int BlockRows = LEVEL_BLOCK_ROWS;
constexpr int BlockPositions = BlockSize * BlockRows;

constexpr int blockPosition(int x, int y, int z)
{
  return (z * BlockSize + y) * BlockSize + x;
}

// One bit per cell of a cube around a brick: bit x of element Size * z + y.
template <int Before, int Beyond>
using CubeBits = std::array<std::uint16_t, std::size_t(Before + BRICK_SIZE + Beyond) * (Before + BRICK_SIZE + Beyond)>;

// The rows of a layer of a brick, of which each is a byte of BrickBits.
using LayerRows [[gnu::vector_size(2 * BRICK_SIZE)]] = std::uint16_t;

inline LayerRows rowsOfLayer(std::uint64_t layer)
{
  using Bytes [[gnu::vector_size(BRICK_SIZE)]] = std::uint8_t;
  Bytes bytes;
  std::memcpy(&bytes, &layer, sizeof(bytes));
  return __builtin_convertvector(bytes, LayerRows);
}

// Gathers bits as gatherCells does values. Cells without a brick have 0. bits: [slot].
template <int Before, int Beyond>
CubeBits<Before, Beyond> gatherBits(const SlotsAround& around, const BrickBits* bits)
{
  CubeBits<Before, Beyond> rows;
  std::uint16_t* row = rows.data();
  for (int z = -Before; z < BRICK_SIZE + Beyond; ++z)
  {
    const auto rowsOfBricks = [&](int brickY)
    {
      const auto layerOf = [&](int brickX)
      {
        const std::uint32_t slot = around.at(brickX, brickY, z >> 3);
        return rowsOfLayer(slot == NO_SLOT ? 0 : bits[slot][std::size_t(z & 7)]);
      };
      LayerRows joined = layerOf(0) << Before;
      if constexpr (Before > 0)
        joined |= layerOf(-1) >> (BRICK_SIZE - Before);
      if constexpr (Beyond > 0)
        joined |= (layerOf(1) & ((1u << Beyond) - 1)) << (Before + BRICK_SIZE);
      return joined;
    };
    const auto store = [&](const LayerRows& joined, std::size_t first, std::size_t count)
    {
      std::memcpy(row, reinterpret_cast<const std::uint16_t*>(&joined) + first, count * sizeof(*row));
      row += count;
    };
    if constexpr (Before > 0)
      store(rowsOfBricks(-1), BRICK_SIZE - Before, Before);
    store(rowsOfBricks(0), 0, BRICK_SIZE);
    if constexpr (Beyond > 0)
      store(rowsOfBricks(1), 0, Beyond);
  }
  return rows;
}

// The same. If `bits` is empty, all cells have 0.
template <int Before, int Beyond>
CubeBits<Before, Beyond> gatherBits(const SlotsAround& around, const std::vector<BrickBits>& bits)
{
  return bits.empty() ? CubeBits<Before, Beyond>{} : gatherBits<Before, Beyond>(around, bits.data());
}

// Returns a function that returns the bits of a row of a brick, see CoarseLeaves::forRows. bits: [slot].
inline auto bitsOfRows(const BrickBits* bits)
{
  return [bits](std::uint32_t slot, std::size_t y, std::size_t z)
  { return static_cast<std::uint32_t>(bits[slot][z] >> 8 * y & 0xFFu); };
}

using BlockBits = CubeBits<1, 1>;

// The leaves of a coarser level that contain positions of a block.
class CoarseLeaves
{
public:
  BlockBits isIn{}; // positions whose leaves are of this level

  // first: the cell of the block's level at position 0. firstKey: of the leaves.
  CoarseLeaves(
    const LevelBricks& bricks, std::size_t level, const LevelIndex& first, std::size_t coarse, std::size_t firstKey);

  std::size_t level() const { return this->Level; }
  std::size_t endKey() const { return this->FirstKey + this->Count[0] * this->Count[1] * this->Count[2]; }

  // Calls use(row, positions) for the rows with open positions: those whose cells of this level have a bit.
  // bitsOf(slot, y, z): of the cells of a row of a brick of the level.
  template <class BitsOf, class Use>
  [[gnu::always_inline]] void forRows(const BlockBits& open, const BitsOf& bitsOf, const Use& use) const
  {
    std::array<std::uint16_t, BlockRows> known; // of the rows of cells
    known.fill(Unknown);
    for (std::size_t z = 0; z < BlockSize; ++z)
      for (std::size_t y = 0; y < BlockSize; ++y)
        if (const std::size_t row = z * BlockSize + y; open[row] != 0)
        {
          std::uint16_t& positions = known[this->Place[2][z] * BlockSize + this->Place[1][y]];
          if (positions == Unknown)
            positions = this->positionsOfRow(y, z, bitsOf);
          use(row, static_cast<std::uint16_t>(positions & open[row]));
        }
  }

  // Sets the keys of some positions of a row. keys: of the row.
  void setKeys(std::size_t row, std::uint16_t positions, std::uint16_t* keys) const
  {
    constexpr Keys Bits = { 1, 1 << 1, 1 << 2, 1 << 3, 1 << 4, 1 << 5, 1 << 6, 1 << 7 };
    constexpr std::size_t AtOnce = sizeof(Keys) / sizeof(std::uint16_t);
    const std::size_t y = this->Place[1][row % BlockSize], z = this->Place[2][row / BlockSize];
    const auto first = static_cast<std::uint16_t>(this->FirstKey + (z * this->Count[1] + y) * this->Count[0]);
    Keys set;
    std::memcpy(&set, keys, sizeof(set));
    const auto isSet = static_cast<Keys>((Bits & positions) != 0);
    set = (isSet & (this->FirstPlacesX + first)) | (~isSet & set);
    std::memcpy(keys, &set, sizeof(set));
    for (std::size_t x = AtOnce; x < BlockSize; ++x)
      keys[x] = (positions >> x & 1u) != 0 ? static_cast<std::uint16_t>(first + this->Place[0][x]) : keys[x];
  }

  // The cell at a position.
  LevelIndex cellAt(int position) const
  {
    const std::array<std::size_t, 3> at = alongAxes(position);
    LevelIndex cell = this->First;
    for (std::size_t a = 0; a < 3; ++a)
      cell[a] += this->Place[a][at[a]];
    return cell;
  }

  // Copies the samples of the leaves to their positions.
  template <class Sample>
  void copySamples(const Sample* from, Sample* to) const
  {
    for (std::size_t row = 0; row < BlockRows; ++row)
    {
      if (this->isIn[row] == 0)
        continue;
      std::array<const Sample*, MostBricks> first;
      for (std::size_t brick = 0; brick < MostBricks; ++brick)
        first[brick] = from + this->firstSample(row % BlockSize, row / BlockSize, brick);
      for (std::uint32_t bits = this->isIn[row]; bits != 0; bits &= bits - 1)
      {
        const auto x = static_cast<std::size_t>(__builtin_ctz(bits));
        to[row * BlockSize + x] = first[this->Brick[0][x]][this->InBrick[0][x]];
      }
    }
  }

private:
  using Keys [[gnu::vector_size(16)]] = std::uint16_t;

  static constexpr std::uint16_t Unknown = 0xFFFF;
  static constexpr std::size_t HalfRow = BlockSize / 2;
  static constexpr std::size_t MostBricks = 3; // along an axis, of as many cells as a block has positions

  static constexpr std::array<std::size_t, 3> alongAxes(int position)
  {
    return { std::size_t(position % BlockSize), std::size_t(position / BlockSize % BlockSize),
      std::size_t(position / BlockRows) };
  }

  // The positions of a row whose cells have a bit.
  template <class BitsOf>
  [[gnu::always_inline]] std::uint16_t positionsOfRow(std::size_t y, std::size_t z, const BitsOf& bitsOf) const
  {
    std::uint32_t cells = 0; // a bit per cell of the bricks
    for (std::size_t brick = 0; brick <= this->Brick[0].back(); ++brick)
      if (const std::uint32_t slot = this->slotOf(y, z, brick); slot != NO_SLOT)
        cells |= bitsOf(slot, this->InBrick[1][y], this->InBrick[2][z]) << 8 * brick;
    cells >>= this->InBrick[0][0];
    constexpr std::uint32_t Half = (1u << HalfRow) - 1;
    return this->PositionsX[0][cells & Half] | this->PositionsX[1][cells >> HalfRow & Half];
  }

  std::uint32_t slotOf(std::size_t y, std::size_t z, std::size_t brickX) const
  {
    return this->Slot[(MostBricks * this->Brick[2][z] + this->Brick[1][y]) * MostBricks + brickX];
  }

  // The index of the first sample of a row of a brick, which has no meaning without the brick. y, z: of a position.
  std::size_t firstSample(std::size_t y, std::size_t z, std::size_t brickX) const
  {
    return this->slotOf(y, z, brickX) * BrickCells + numberInBrick(0, this->InBrick[1][y], this->InBrick[2][z]);
  }

  template <class Value>
  using PerPosition = std::array<std::array<Value, BlockSize>, 3>; // [axis][position along it]

  std::size_t Level, FirstKey;
  LevelIndex First{};                 // the cell at position 0
  std::array<std::size_t, 3> Count{}; // of cells along each axis
  PerPosition<std::uint8_t> Place;    // the cell at a position, counted from First
  Keys FirstPlacesX{};                // those of the first positions of Place[0]
  // [bits of HalfRow cells along x, of the first ones from First or of those behind them]: the positions in them
  std::array<std::array<std::uint16_t, 1u << HalfRow>, 2> PositionsX;
  PerPosition<std::uint8_t> Brick, InBrick; // its brick, counted from that of First, and its place in it
  std::array<std::uint32_t, MostBricks * MostBricks * MostBricks> Slot; // of the bricks
};

// The leaf at each position.
class LevelBlock
{
public:
  // Equal for the positions of one leaf, and of a leaf of this level the position. Keys of positions without a leaf
  // have no meaning.
  std::array<std::uint16_t, BlockPositions> key;
  BlockBits isLeaf;            // the position is a leaf of this level
  BlockBits hasLeaf;           // it has a leaf
  BlockBits isPartlyCovered{}; // finer leaves cover a part of it
  BlockBits isOutside{};       // its leaf counts as below every isovalue
  BlockBits notOwned;          // it is a cell of this level that belongs to another piece
  bool hasPartlyCovered = false;

  // around: of the brick. mayBeStitched: false if no coarser leaf is in the block and no finer one covers a position in
  // part.
  LevelBlock(const LevelBricks& bricks, std::size_t level, const SlotsAround& around, bool mayBeStitched);

  const SlotsAround& around() const { return this->Around; }
  std::size_t level() const { return this->Level; }
  bool hasCoarse() const { return !this->Coarse.empty(); }

  // The samples of the leaves. Those of positions without one have no meaning.
  template <class Sample>
  std::array<Sample, BlockPositions> samples() const
  {
    std::array<Sample, BlockPositions> values; // what is not a leaf is not initialized
    gatherCells<1, 1>(this->Around, this->Bricks.levels[this->Level].samplesOf<Sample>(), values.data());
    for (const CoarseLeaves& coarse : this->Coarse)
      coarse.copySamples(this->Bricks.levels[coarse.level()].samplesOf<Sample>(), values.data());
    return values;
  }

  const std::vector<CoarseLeaves>& coarse() const { return this->Coarse; } // of each coarser level with leaves

  // The cell of this level at a position.
  LevelIndex cellAt(int position) const
  {
    return { this->First[0] + position % BlockSize, this->First[1] + position / BlockSize % BlockSize,
      this->First[2] + position / BlockRows };
  }

  // Returns whether the leaf at a position that has one is of this level.
  bool isOfLevel(int position) const { return this->key[std::size_t(position)] < BlockPositions; }
  std::size_t levelAt(int position) const
  {
    return this->isOfLevel(position) ? this->Level : this->coarseAt(position).level();
  }

  // The leaf at a position that has one, as a cell of its level.
  LevelIndex leafAt(int position) const
  {
    return this->isOfLevel(position) ? this->cellAt(position) : this->coarseAt(position).cellAt(position);
  }

private:
  void findCoarseLeaves();
  bool findLeavesOf(std::size_t level, BlockBits& open);

  // The leaves of the level of the coarser one at a position.
  const CoarseLeaves& coarseAt(int position) const
  {
    const CoarseLeaves* coarse = this->Coarse.data();
    while (coarse->endKey() <= this->key[std::size_t(position)])
      ++coarse;
    return *coarse;
  }

  const LevelBricks& Bricks;
  const std::size_t Level;
  const SlotsAround Around;
  LevelIndex First{};               // the cell at position 0
  std::vector<CoarseLeaves> Coarse; // of each coarser level with leaves, the finest first
};

}

#endif
