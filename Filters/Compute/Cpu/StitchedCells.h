// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The dual cells around a brick that has coarser leaves in reach, and the names of their edges.
#ifndef vmcStitchedCells_h
#define vmcStitchedCells_h

#include "Compute/Cpu/Cases.h"
#include "Compute/Cpu/DualCells.h"
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
  BrickTable::Brick brick() const
  {
    return { static_cast<std::uint32_t>(this->cell[0] >> 3), static_cast<std::uint32_t>(this->cell[1] >> 3),
      static_cast<std::uint32_t>(this->cell[2] >> 3) };
  }
};

// The distances between neighbouring positions of a block along each axis.
constexpr std::array<int, 3> BlockStride = { 1, BlockSize, BlockRows };

// An edge of a dual cell: from a position to the next one along an axis.
struct BlockEdge
{
  int start;
  std::size_t axis;

  int end() const { return this->start + BlockStride[this->axis]; }
};

// cell: the position of its minimum corner.
inline BlockEdge edgeOfCell(int cell, unsigned edge)
{
  return { cell + blockPosition(int(EDGE_START_X(edge)), int(EDGE_START_Y(edge)), int(EDGE_START_Z(edge))),
    EDGE_AXIS(edge) };
}

// Where a position of a block is: its brick, by its offset, and its place in it.
struct BlockPlace
{
  std::int8_t brickX, brickY, brickZ; // -1, 0 or 1
  std::uint8_t x, row;                // row: 8 * z + y

  bool isInBrick() const { return this->brickX == 0 && this->brickY == 0 && this->brickZ == 0; }
};

inline constexpr auto BlockPlaces = []
{
  std::array<BlockPlace, BlockPositions> places{};
  const auto brickOf = [](int i) { return static_cast<std::int8_t>(i < 1 ? -1 : i > BRICK_SIZE ? 1 : 0); };
  for (int i = 0; i < BlockPositions; ++i)
  {
    const int x = i % BlockSize, y = i / BlockSize % BlockSize, z = i / BlockRows;
    places[std::size_t(i)] = { brickOf(x), brickOf(y), brickOf(z), static_cast<std::uint8_t>((x - 1) & 7),
      static_cast<std::uint8_t>(((z - 1) & 7) * BRICK_SIZE + ((y - 1) & 7)) };
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
  int owner;  // the first corner that is a leaf of the level
  bool isOwn; // this brick has the owner, and makes the triangles
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

// The stitched cells around a brick.
class StitchedCells
{
public:
  // inside: bits of the positions whose leaves are inside.
  StitchedCells(const LevelBricks& bricks, const LevelBlock& block, const BlockBits& inside)
    : Bricks(bricks)
    , Block(block)
    , Cells(bricks, block)
    , Inside(inside)
    , WholeLeaves(wholeLeavesOf(block))
  {
  }

  // Calls use(cell) for each of them that this piece owns, by z, y and x.
  template <class Use>
  void forEach(const Use& use) const
  {
    for (int z = 0; z <= BRICK_SIZE; ++z)
      for (int y = 0; y <= BRICK_SIZE; ++y)
        for (std::uint32_t cells = this->cutCells(std::size_t(z) * BlockSize + std::size_t(y)); cells != 0;
             cells &= cells - 1)
        {
          const int position = blockPosition(int(lowestBit(cells)), y, z);
          if (!this->Cells.isMade(position))
            continue;
          const StitchedCell cell = this->describe(position);
          if ((this->Block.notOwned[std::size_t(cell.owner / BlockSize)] >> cell.owner % BlockSize & 1u) == 0)
            use(cell);
        }
  }

  // Calls use(edges) for each triangle of the cell, but not for those that use a point twice.
  template <class Use>
  void forTriangles(const StitchedCell& cell, const Use& use) const
  {
    for (const CellTriangle& triangle : trianglesOfCase(cell.cellCase))
    {
      std::array<BlockEdge, 3> edges;
      for (std::size_t i = 0; i < 3; ++i)
        edges[i] = edgeOfCell(cell.position, triangle[i]);
      const std::array<std::uint32_t, 3> pairs = { this->pairOf(edges[0]), this->pairOf(edges[1]),
        this->pairOf(edges[2]) };
      if (pairs[0] == pairs[1] || pairs[1] == pairs[2] || pairs[2] == pairs[0])
        continue;
      use(edges);
    }
  }

  // Names an edge: calls own(position, isLow) with the position of the finer leaf, or of the lower one, if the leaf is
  // of the level of the block and no search is needed; or else other(name).
  template <class Own, class Other>
  void withName(const BlockEdge& edge, const Own& own, const Other& other) const
  {
    const bool startIsOwn = this->Block.depth[std::size_t(edge.start)] == 0,
               endIsOwn = this->Block.depth[std::size_t(edge.end())] == 0;
    if (startIsOwn && (endIsOwn || this->Bricks.isWellNested))
      own(edge.start, false);
    else if (endIsOwn && this->Bricks.isWellNested)
      own(edge.end(), true);
    else
      other(this->nameOf(edge));
  }

private:
  EdgeName nameOf(const BlockEdge& edge) const
  {
    const std::uint8_t start = this->Block.depth[std::size_t(edge.start)],
                       end = this->Block.depth[std::size_t(edge.end())];
    const bool isLow = start > end;
    const int finer = isLow ? edge.end() : edge.start, other = isLow ? edge.start : edge.end();
    const EdgeName name = { this->Block.levelAt(finer), this->Block.leafAt(finer), edge.axis, isLow };
    return !this->Bricks.isWellNested && start != end ? this->firstName(name, other) : name;
  }

  // Stitched cells of a row: with a leaf at each corner, one of them of this level but not all, and on both sides of
  // the isovalue. One bit per position of the minimum corner.
  std::uint32_t cutCells(std::size_t row) const
  {
    return this->Cells.inRow(row) & someCorners(this->Inside, row) & ~allCorners(this->Inside, row) &
           ~allCorners(this->WholeLeaves, row);
  }

  StitchedCell describe(int position) const
  {
    StitchedCell cell{ position, 0, -1, false };
    for (unsigned corner = 0; corner < 8; ++corner)
    {
      const int at = cornerOfCell(position, corner);
      const auto row = static_cast<std::size_t>(at / BlockSize);
      cell.cellCase |= (this->Inside[row] >> at % BlockSize & 1u) << corner;
      if (cell.owner < 0 && this->Block.depth[std::size_t(at)] == 0)
        cell.owner = at;
    }
    cell.isOwn = isInBrick(cell.owner);
    return cell;
  }

  // The keys of the leaves of an edge.
  std::uint32_t pairOf(const BlockEdge& edge) const
  {
    const std::uint32_t start = this->Block.key[std::size_t(edge.start)],
                        end = this->Block.key[std::size_t(edge.end())];
    return std::min(start, end) << 16 | std::max(start, end);
  }

  EdgeName firstName(const EdgeName& name, int other) const
  {
    const std::size_t coarse = this->Block.levelAt(other);
    const LevelIndex leaf = this->Block.leafAt(other);
    if (this->Bricks.parentOf(name.level, name.cell, coarse) != leaf)
      return name;
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (const bool isLow : { true, false })
      {
        LevelIndex beside = name.cell;
        beside[axis] += isLow ? -1 : 1;
        if (this->Bricks.parentOf(name.level, beside, coarse) == leaf &&
            !this->Bricks.hasCellBetween(coarse, name.level, beside))
          return { name.level, name.cell, axis, isLow };
      }
    return name;
  }

  const LevelBricks& Bricks;
  const LevelBlock& Block;
  const DualCells Cells;
  const BlockBits& Inside;
  const BlockBits WholeLeaves;
};

}

#endif
