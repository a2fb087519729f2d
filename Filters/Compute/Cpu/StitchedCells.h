// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The dual cells around a brick that has coarser leaves in reach, and the names of their edges.
#ifndef vmcStitchedCells_h
#define vmcStitchedCells_h

#include "Compute/Cpu/Cases.h"
#include "Compute/Cpu/DualCells.h"
#include "Compute/Cpu/LevelKernels.h"
#include "Compute/Volume/LevelBlock.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace vmc::cpu
{

// The name of a crossed edge: the finer of its two leaves, or of one level the lower one, and the side of this leaf
// where the other one is. Where the other one contains it, they meet at several sides; the first of them counts. Its
// brick is active: the block of this brick has both leaves, on different sides of the isovalue, and so its range has.
struct EdgeName
{
  std::size_t level;
  LevelIndex cell;
  std::size_t axis;
  bool isLow; // the other leaf is at the low side

  std::uint32_t row() const
  {
    return static_cast<std::uint32_t>((this->cell[2] & 7) * BRICK_SIZE + (this->cell[1] & 7));
  }
  std::uint32_t bit() const { return static_cast<std::uint32_t>(this->axis * BRICK_SIZE + (this->cell[0] & 7)); }
};

// The distances between neighbouring positions of a block along each axis.
constexpr std::array<int, 3> BlockStride = { 1, BlockSize, BlockRows };

// An edge of a dual cell, between two of its corners.
struct CellEdge
{
  std::uint8_t start, end; // corners
  std::uint8_t axis;
  std::uint8_t fromStart, fromEnd; // distances of their positions from the minimum corner
};

inline constexpr auto CellEdges = []
{
  std::array<CellEdge, 12> edges{};
  for (unsigned edge = 0; edge < edges.size(); ++edge)
  {
    const unsigned axis = EDGE_AXIS(edge),
                   start = EDGE_START_X(edge) | EDGE_START_Y(edge) << 1 | EDGE_START_Z(edge) << 2;
    edges[edge] = { static_cast<std::uint8_t>(start), static_cast<std::uint8_t>(start | 1u << axis),
      static_cast<std::uint8_t>(axis), static_cast<std::uint8_t>(cornerOfCell(0, start)),
      static_cast<std::uint8_t>(cornerOfCell(0, start | 1u << axis)) };
  }
  return edges;
}();

// Bits of the edges of a cell with one end inside, for each case.
inline constexpr auto CrossedEdges = []
{
  std::array<std::uint16_t, 256> crossed{};
  for (unsigned cellCase = 0; cellCase < crossed.size(); ++cellCase)
    for (unsigned edge = 0; edge < CellEdges.size(); ++edge)
      if (((cellCase >> CellEdges[edge].start ^ cellCase >> CellEdges[edge].end) & 1u) != 0)
        crossed[cellCase] |= static_cast<std::uint16_t>(1u << edge);
  return crossed;
}();

// Where a position of a block is: its brick, as in SlotsAround, and its place in it.
struct BlockPlace
{
  std::uint8_t brick, x, row; // row: 8 * z + y

  std::uint32_t cell() const { return std::uint32_t(this->row) * BRICK_SIZE + this->x; } // number in the brick
  bool isInBrick() const { return this->brick == SlotsAround::number(0, 0, 0); }
};

inline constexpr auto BlockPlaces = []
{
  std::array<BlockPlace, BlockPositions> places{};
  const auto brickOf = [](int i) { return i < 1 ? -1 : i > BRICK_SIZE ? 1 : 0; };
  for (int i = 0; i < BlockPositions; ++i)
  {
    const int x = i % BlockSize, y = i / BlockSize % BlockSize, z = i / BlockRows;
    places[std::size_t(i)] = { static_cast<std::uint8_t>(SlotsAround::number(brickOf(x), brickOf(y), brickOf(z))),
      static_cast<std::uint8_t>((x - 1) & 7), static_cast<std::uint8_t>(((z - 1) & 7) * BRICK_SIZE + ((y - 1) & 7)) };
  }
  return places;
}();

inline bool isInBrick(int position)
{
  return BlockPlaces[std::size_t(position)].isInBrick();
}

// A dual cell with crossed edges that touches a leaf of the level and a coarser one.
struct StitchedCell
{
  int position; // of the minimum corner
  unsigned cellCase;
  unsigned ownCorners; // bits of the corners that are leaves of the level
  int owner;           // the position of the first of them
  bool isOwn;          // this brick has the owner, and makes the triangles

  // The position at a distance from the minimum corner.
  std::size_t corner(int distance) const { return std::size_t(this->position) + std::size_t(distance); }
};

// A crossed edge of a stitched cell.
struct StitchedEdge
{
  std::uint32_t leaves; // the keys of both: equal for edges between the same two
  std::uint32_t ownBit; // the edge in a row of this brick, as one bit; 0 if another brick has the row, or may have it
  RowBit bit;           // of the finer leaf, or of the lower one
};

// Bits of the positions of a block that are leaves of the level which no finer leaf covers in part. Cells between them
// are not stitched.
inline BlockBits wholeLeavesOf(const LevelBlock& block)
{
  BlockBits leaves;
  for (std::size_t row = 0; row < BlockRows; ++row)
    leaves[row] = static_cast<std::uint16_t>(block.isLeaf[row] & ~block.isPartlyCovered[row]);
  return leaves;
}

// The stitched cells around an active brick.
class StitchedCells
{
public:
  // inside: bits of the positions whose leaves are inside.
  VMC_INLINE StitchedCells(const LevelPass& pass, const LevelBlock& block, const BlockBits& inside)
    : Pass(pass)
    , Block(block)
    , Cells(pass.bricks, block)
    , Inside(inside)
  {
    for (std::size_t i = 0; i < this->Slots.size(); ++i)
      this->Slots[i] = block.around().slot[i] == NO_SLOT ? NO_SLOT : pass.active.slotOfBrick[block.around().slot[i]];
    const BlockBits whole = wholeLeavesOf(block);
    for (std::size_t row = 0; row < CellRows; ++row) // of all cells, also of those beyond the last y
      this->Cut[row] = static_cast<std::uint16_t>(
        this->Cells.inRow(row) & someCorners(inside, row) & ~allCorners(inside, row) & ~allCorners(whole, row));
  }

  // Calls use(cell) for each of them that this piece owns, by z, y and x.
  template <class Use>
  VMC_INLINE void forEach(const Use& use) const
  {
    for (int z = 0; z <= BRICK_SIZE; ++z)
      for (int y = 0; y <= BRICK_SIZE; ++y)
        for (std::uint32_t cells = this->Cut[std::size_t(z) * BlockSize + std::size_t(y)]; cells != 0;
             cells &= cells - 1)
        {
          const auto x = static_cast<int>(lowestBit(cells));
          const int position = blockPosition(x, y, z);
          if (!this->Cells.isMade(position))
            continue;
          const std::size_t row = std::size_t(z) * BlockSize + std::size_t(y);
          const unsigned own = cornersOf(this->Block.isLeaf, row, x);
          const int owner = cornerOfCell(position, lowestBit(own));
          if ((this->Block.notOwned[std::size_t(owner / BlockSize)] >> owner % BlockSize & 1u) == 0)
            use(StitchedCell{ position, cornersOf(this->Inside, row, x), own, owner, isInBrick(owner) });
        }
  }

  // Finds the crossed edges of the cell. edges: [edge]. Returns bits of those whose row had to be looked up (nameOf),
  // as it may be of another level; those between coarser leaves need none if another brick makes the triangles.
  VMC_INLINE unsigned findEdges(const StitchedCell& cell, std::array<StitchedEdge, CellEdges.size()>& edges) const
  {
    const bool isWellNested = this->Pass.bricks.isWellNested;
    unsigned lookedUp = 0;
    for (std::uint32_t crossed = CrossedEdges[cell.cellCase]; crossed != 0; crossed &= crossed - 1)
    {
      const std::uint32_t number = lowestBit(crossed);
      const CellEdge& ends = CellEdges[number];
      StitchedEdge& edge = edges[number];
      const std::uint32_t start = this->Block.key[cell.corner(ends.fromStart)],
                          end = this->Block.key[cell.corner(ends.fromEnd)];
      edge.leaves = std::min(start, end) << 16 | std::max(start, end);
      const unsigned startIsOwn = cell.ownCorners >> ends.start & 1u, endIsOwn = cell.ownCorners >> ends.end & 1u;
      if ((isWellNested ? startIsOwn | endIsOwn : startIsOwn & endIsOwn) != 0)
      {
        const BlockPlace& place = BlockPlaces[cell.corner(startIsOwn != 0 ? ends.fromStart : ends.fromEnd)];
        const std::uint32_t bit = std::uint32_t(ends.axis * BRICK_SIZE + place.x);
        edge.bit = { this->Slots[place.brick], RowBit::of(bit, place.row, startIsOwn == 0, this->Pass.level) };
        edge.ownBit = place.isInBrick() ? 1u << bit : 0;
        continue;
      }
      edge.ownBit = 0;
      edge.bit = {};
      if (isWellNested && !cell.isOwn)
        continue;
      edge.bit = this->rowBitOf(this->nameOf(cell.position + ends.fromStart, cell.position + ends.fromEnd, ends.axis));
      lookedUp |= 1u << number;
    }
    return lookedUp;
  }

private:
  static constexpr std::size_t CellRows = BlockRows - BlockSize - 1;

  // The bits of the corners of a cell.
  VMC_INLINE static unsigned cornersOf(const BlockBits& bits, std::size_t row, int x)
  {
    const auto at = [&](std::size_t offset) -> unsigned { return bits[row + offset] >> x & 3u; };
    return at(0) | at(1) << 2 | at(BlockSize) << 4 | at(BlockSize + 1) << 6;
  }

  [[gnu::noinline]] EdgeName nameOf(int start, int end, std::size_t axis) const
  {
    const std::size_t startLevel = this->Block.levelAt(start), endLevel = this->Block.levelAt(end);
    const bool isLow = startLevel < endLevel;
    const int finer = isLow ? end : start, other = isLow ? start : end;
    const EdgeName name = { isLow ? endLevel : startLevel, this->Block.leafAt(finer), axis, isLow };
    return !this->Pass.bricks.isWellNested && startLevel != endLevel ? this->firstName(name, other) : name;
  }

  RowBit rowBitOf(const EdgeName& name) const
  {
    return { this->Pass.levels[name.level].slotOf(name.cell),
      RowBit::of(name.bit(), name.row(), name.isLow, name.level) };
  }

  EdgeName firstName(const EdgeName& name, int other) const
  {
    const LevelBricks& bricks = this->Pass.bricks;
    const std::size_t coarse = this->Block.levelAt(other);
    const LevelIndex leaf = this->Block.leafAt(other);
    if (bricks.parentOf(name.level, name.cell, coarse) != leaf)
      return name;
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (const bool isLow : { true, false })
      {
        LevelIndex beside = name.cell;
        beside[axis] += isLow ? -1 : 1;
        if (bricks.parentOf(name.level, beside, coarse) == leaf && !bricks.hasCellBetween(coarse, name.level, beside))
          return { name.level, name.cell, axis, isLow };
      }
    return name;
  }

  const LevelPass& Pass;
  const LevelBlock& Block;
  const DualCells Cells;
  const BlockBits& Inside;
  std::array<std::uint32_t, 27> Slots; // of the active bricks around, as in SlotsAround
  BlockBits Cut; // [row]: the cells with leaves of the level and others, on both sides of the isovalue
};

}

#endif
