// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Lists the ends of open edges of a brick's points.
#ifndef vmcOpenEnds_h
#define vmcOpenEnds_h

#include "Compute/Cpu/CountBrick.h"

#include <vector>

namespace vmc::cpu
{

// The cells around a brick that are in the grid.
VMC_INLINE ValidRows rowsInGrid(const Grid& grid, const std::array<std::uint32_t, 3>& corner)
{
  // Position i is that of cell i - 1 of the brick.
  const auto isInGrid = [&](std::size_t a, std::uint32_t i)
  { return corner[a] + i >= 1 && corner[a] + i < grid.axis[a].size; };
  std::uint16_t row = 0;
  for (std::uint32_t x = 0; x < BRICK_SAMPLES; ++x)
    row |= static_cast<std::uint16_t>((isInGrid(0, x) ? 1u : 0u) << x);
  ValidRows rows{};
  for (std::uint32_t z = 0; z < BRICK_SAMPLES; ++z)
    for (std::uint32_t y = 0; y < BRICK_SAMPLES; ++y)
      rows[BRICK_SAMPLES * z + y] = isInGrid(1, y) && isInGrid(2, z) ? row : std::uint16_t(0);
  return rows;
}

// The rows of cells around the edges of a row of samples.
struct RowsOfCells
{
  std::uint32_t here, lowY, lowZ, lowBoth;

  VMC_INLINE RowsOfCells(const ValidRows& made, int y, int z)
  {
    const int row = BRICK_SAMPLES * (z + 1) + y + 1;
    this->here = made[row];
    this->lowY = made[row - 1];
    this->lowZ = made[row - BRICK_SAMPLES];
    this->lowBoth = made[row - BRICK_SAMPLES - 1];
  }

  // Returns whether all of these cells are made.
  VMC_INLINE bool areMade() const
  {
    return (this->here & this->lowY & this->lowZ & this->lowBoth) == (1u << BRICK_SAMPLES) - 1;
  }

  // Returns the four cells around each edge, in their order around it: [axis of the edge][cell], one bit per edge.
  VMC_INLINE std::array<std::array<std::uint32_t, 4>, 3> aroundEdges() const
  {
    return { { { this->here >> 1, this->lowY >> 1, this->lowBoth >> 1, this->lowZ >> 1 },
      { this->here >> 1, this->here, this->lowZ, this->lowZ >> 1 },
      { this->here >> 1, this->here, this->lowY, this->lowY >> 1 } } };
  }
};

// Two neighbouring cells have a face in common, on which the point on their edge is the end of one edge of the surface.
// If only one of these cells is made by this piece, this edge is open. Adds the ids of such ends.
template <class Sample>
VMC_INLINE void listOpenEnds(const BrickPass& pass, std::size_t slot, std::vector<std::uint32_t>& ends)
{
  if (pass.active.isPlain[slot] != 0)
    return;
  const std::array<std::uint32_t, 3> corner = pass.grid.cornerOf(pass.active.brick[slot]);
  ValidRows made = rowsInGrid(pass.grid, corner);
  if (pass.hasBlanking)
  {
    Neighbourhood<Sample> around;
    around.fill(pass, corner);
    made = validRows(around);
  }
  for (int row = 0; row < BRICK_ROWS; ++row)
  {
    const std::uint32_t word = pass.active.rowWord[slot * BRICK_ROWS + row] & 0xFFFFFFu;
    const RowsOfCells rows(made, row % BRICK_SIZE, row / BRICK_SIZE);
    if (word == 0 || rows.areMade())
      continue;
    const std::uint32_t firstPoint = pass.active.points[slot] + pass.active.rowPoints[slot * BRICK_ROWS + row];
    const auto cells = rows.aroundEdges();
    for (std::uint32_t axis = 0; axis < 3; ++axis)
      for (std::size_t face = 0; face < 4; ++face)
      {
        const std::uint32_t differ = (cells[axis][face] ^ cells[axis][(face + 1) % 4]) & 0xFFu;
        for (std::uint32_t open = differ << axis * BRICK_SIZE & word; open != 0; open &= open - 1)
          ends.push_back(firstPoint + bitCount(word & ((1u << lowestBit(open)) - 1)));
      }
  }
}

}

#endif
