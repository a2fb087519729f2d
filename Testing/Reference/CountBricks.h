// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Reference implementation of the kernel CountBricks.
#ifndef vmcReferenceCountBricks_h
#define vmcReferenceCountBricks_h

#include "Compute/Contour/CaseTable.h"
#include "Reference/SelectBricks.h"
#include "Reference/SlabGrid.h"

#include <vector>

namespace vmc::reference
{

// The results of one row.
struct CountedRow
{
  std::uint32_t word = 0;       // crossed edges and inside samples
  std::uint32_t validCells = 0; // bit x: the cell that starts at sample x
  std::uint32_t points = 0;
  std::uint32_t triangles = 0;
};

inline CountedRow countRow(const SlabGrid& grid, const Position& start, bool blanking)
{
  CountedRow row;
  for (std::uint32_t x = 0; x < BRICK_SIZE; ++x)
  {
    const Position p = { start[0] + x, start[1], start[2] };
    if (!grid.contains(p))
      continue;
    row.word |= (grid.isInside(p) ? 1u : 0u) << (ROW_SHIFT_INSIDE + x);
    for (std::uint32_t axis = 0; axis < 3; ++axis)
    {
      const Position end = SlabGrid::endOf(p, axis);
      if (!grid.contains(end) || grid.isInside(p) == grid.isInside(end) || (blanking && !hasValidCell(grid, p, axis)))
        continue;
      row.word |= 1u << (BRICK_SIZE * axis + x);
      ++row.points;
    }
    if (grid.isValidCell(p))
    {
      row.validCells |= 1u << x;
      row.triangles += static_cast<std::uint32_t>(trianglesOfCase(grid.caseOfCell(p)).size());
    }
  }
  return row;
}

// Inside bits of samples beyond the volume are 0 here and undefined in the kernel. validCells is written only with
// blanking. The points and triangles of each brick are added to the sums of its block. Without blanking no sample may
// be NaN, blank or not owned.
inline void countBricks(const SlabGrid& grid, const SlabConstants& slab, bool blanking,
  const std::vector<std::uint32_t>& activeBrick, std::vector<std::uint32_t>& rows,
  std::vector<std::uint32_t>& validCells, std::vector<std::uint32_t>& brickOffset, std::vector<std::uint32_t>& blockSum)
{
  for (std::uint32_t slot = 0; slot < activeBrick.size(); ++slot)
  {
    const Position corner = grid.brickCorner(activeBrick[slot]);
    std::uint32_t points = 0, triangles = 0;
    for (std::uint32_t row = 0; row < BRICK_ROWS; ++row)
    {
      const CountedRow counted = countRow(grid, rowStart(corner, row), blanking);
      rows[slot * ROW_WORDS + 2 * row] = counted.word;
      rows[slot * ROW_WORDS + 2 * row + 1] = points | triangles << 16;
      if (blanking)
      {
        std::uint32_t& four = validCells[slot * VALID_CELL_WORDS + row / 4];
        four = (row % 4 == 0 ? 0 : four) | counted.validCells << (8 * (row % 4));
      }
      points += counted.points;
      triangles += counted.triangles;
    }
    brickOffset[slot] = points;
    brickOffset[slab.activeCapacity + slot] = triangles;
    blockSum[blockSumWord(slab, BLOCK_SUM_POINTS, slot)] += points;
    blockSum[blockSumWord(slab, BLOCK_SUM_TRIANGLES, slot)] += triangles;
  }
}

}

#endif
