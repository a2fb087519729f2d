// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The dual cells around a brick of a level.
#ifndef vmcDualCells_h
#define vmcDualCells_h

#include "Compute/Volume/LevelBlock.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace vmc::cpu
{

// The position of a corner of a dual cell.
constexpr int cornerOfCell(int cell, unsigned corner)
{
  return cell + blockPosition(int(corner & 1u), int(corner >> 1 & 1u), int(corner >> 2));
}

// Joins the bits of the corners of the dual cells of a row. One bit per position of the minimum corner.
template <class Join>
std::uint32_t joinCorners(const BlockBits& bits, std::size_t row, const Join& join)
{
  const auto at = [&](std::size_t offset) -> std::uint32_t { return bits[row + offset]; };
  const std::uint32_t rows = join(join(at(0), at(1)), join(at(BlockSize), at(BlockSize + 1)));
  return join(rows, rows >> 1);
}

// The dual cells of a row with a bit at each corner.
inline std::uint32_t allCorners(const BlockBits& bits, std::size_t row)
{
  return joinCorners(bits, row, [](std::uint32_t a, std::uint32_t b) { return a & b; });
}

// The dual cells of a row with a bit at some corner.
inline std::uint32_t someCorners(const BlockBits& bits, std::size_t row)
{
  return joinCorners(bits, row, [](std::uint32_t a, std::uint32_t b) { return a | b; });
}

// The dual cells around a brick with a leaf at each corner, one of them of the brick's level. A cell belongs to the
// brick that has its first corner of this level.
class DualCells
{
public:
  DualCells(const LevelBricks& bricks, const LevelBlock& block)
    : Bricks(bricks)
    , Block(block)
  {
  }

  // The cells of a row, also those that are not made. One bit per position of the minimum corner.
  std::uint32_t inRow(std::size_t row) const
  {
    constexpr std::uint32_t Cells = (1u << BRICK_SAMPLES) - 1;
    return allCorners(this->Block.hasLeaf, row) & someCorners(this->Block.isLeaf, row) & Cells;
  }

  // The cells of a row that are made and belong to the brick, and to this piece of the hierarchy.
  std::uint32_t ownInRow(std::size_t row) const
  {
    std::uint32_t own = 0, left = this->inRow(row);
    for (unsigned corner = 0; corner < 8 && left != 0; ++corner)
    {
      const std::size_t at = row + (corner >> 1 & 1u) + BlockSize * (corner >> 2);
      const std::uint32_t leaves = std::uint32_t(this->Block.isLeaf[at]) >> (corner & 1u);
      own |= left & leaves & (cellsOfBrick(at) & ~std::uint32_t(this->Block.notOwned[at])) >> (corner & 1u);
      left &= ~leaves;
    }
    for (std::uint32_t cells = this->Block.hasPartlyCovered ? own : 0; cells != 0; cells &= cells - 1)
      if (const int x = __builtin_ctz(cells); !this->isMade(static_cast<int>(row * BlockSize) + x))
        own &= ~(1u << x);
    return own;
  }

  // Returns whether no finer leaf is at a corner of the cell. A position that finer leaves cover in part is the leaf at
  // those of its eight octants that are not covered.
  bool isMade(int position) const
  {
    for (unsigned corner = 0; this->Block.hasPartlyCovered && corner < 8; ++corner)
    {
      const int at = cornerOfCell(position, corner);
      if ((this->Block.isPartlyCovered[std::size_t(at / BlockSize)] >> at % BlockSize & 1u) != 0 &&
          this->isCovered(this->Block.cellAt(at), this->Block.level(), 7 - corner))
        return false;
    }
    return true;
  }

private:
  // The positions of a row that are in the brick.
  static constexpr std::uint32_t cellsOfBrick(std::size_t row)
  {
    const auto isInside = [](std::size_t i) { return i >= 1 && i <= BRICK_SIZE; };
    return isInside(row % BlockSize) && isInside(row / BlockSize) ? ((1u << BRICK_SIZE) - 1) << 1 : 0;
  }

  // Returns whether a finer cell covers the octant of a cell of a level.
  bool isCovered(LevelIndex cell, std::size_t level, unsigned octant) const
  {
    for (std::size_t fine = level + 1; fine < this->Bricks.levels.size(); ++fine)
    {
      const LevelOfBricks& own = this->Bricks.levels[fine - 1];
      const LevelOfBricks& finer = this->Bricks.levels[fine];
      const std::array<std::int64_t, 3> ratio = this->Bricks.cellsPerCell(fine - 1, fine);
      for (std::size_t a = 0; a < 3; ++a)
        cell[a] = (own.low[a] + cell[a]) * ratio[a] + ((octant >> a & 1u) != 0 ? ratio[a] - 1 : 0) - finer.low[a];
      if (this->Bricks.hasCell(fine, cell))
        return true;
    }
    return false;
  }

  const LevelBricks& Bricks;
  const LevelBlock& Block;
};

}

#endif
