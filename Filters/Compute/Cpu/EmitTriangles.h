// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Emits the triangles of a brick from the row words of the brick and of its neighbours. Reads no samples.
#ifndef vmcEmitTriangles_h
#define vmcEmitTriangles_h

#include "Compute/Cpu/BrickKernels.h"
#include "Compute/Cpu/Cases.h"

#include <algorithm>

namespace vmc::cpu
{

// A row word (0 in a brick without a slot) and the id of the row's first point.
struct RowOfPoints
{
  std::uint32_t word, firstPoint;
};

// Row 9 * z + y of the brick and of the first layer beyond it; plus BRICK_SAMPLE_ROWS for the next brick along x, of
// which only the first sample is used.
using RowsAround = std::array<RowOfPoints, 2 * BRICK_SAMPLE_ROWS>;

VMC_INLINE void loadRows(const BrickPass& pass, std::uint32_t brick, RowsAround& rows)
{
  const ActiveBricks& active = pass.active;
  const std::uint32_t bricksX = pass.grid.axis[0].bricks, bricksY = pass.grid.axis[1].bricks;
  const std::array<std::uint32_t, 3> at = { brick % bricksX, brick / bricksX % bricksY, brick / bricksX / bricksY };
  for (std::uint32_t side = 0; side < 8; ++side)
  {
    const std::array<std::uint32_t, 3> offset = { side & 1u, side >> 1 & 1u, side >> 2 };
    bool exists = true;
    for (std::size_t a = 0; a < 3; ++a)
      exists = exists && at[a] + offset[a] < pass.grid.axis[a].bricks;
    const std::uint32_t neighbour = brick + offset[0] + bricksX * (offset[1] + bricksY * offset[2]);
    const std::uint32_t slot = exists ? active.slotOfBrick[neighbour] : NO_SLOT;
    RowOfPoints* const to =
      rows.data() + offset[0] * BRICK_SAMPLE_ROWS + (offset[2] * BRICK_SAMPLES + offset[1]) * BRICK_SIZE;
    const std::uint32_t endY = offset[1] != 0 ? 1 : BRICK_SIZE, endZ = offset[2] != 0 ? 1 : BRICK_SIZE;
    for (std::uint32_t z = 0; z < endZ; ++z)
      for (std::uint32_t y = 0; y < endY; ++y)
      {
        const std::size_t from = std::size_t(slot) * BRICK_ROWS + BRICK_SIZE * z + y;
        to[BRICK_SAMPLES * z + y] =
          slot == NO_SLOT ? RowOfPoints{ 0, 0 }
                          : RowOfPoints{ active.rowWord[from], active.points[slot] + active.rowPoints[from] };
      }
  }
}

// Crossed edges of the row that start at samples 0 to 8 along x. Sample 8 is in the row of the next brick.
VMC_INLINE std::uint32_t nineEdges(std::uint32_t own, std::uint32_t next, std::uint32_t shift)
{
  return (own >> shift & 0xFFu) | (next >> shift & 1u) << BRICK_SIZE;
}

// Inside bits around the row of cells at row 9 * z + y. Those of a valid cell follow from one sample and the crossed
// edges, even if a brick has no slot.
VMC_INLINE CellRow insideAround(const RowsAround& rows, std::uint32_t row)
{
  const std::uint32_t own = rows[row].word, next = rows[row + BRICK_SAMPLE_ROWS].word;
  const std::uint32_t ownBeyond = rows[row + 1].word, nextBeyond = rows[row + 1 + BRICK_SAMPLE_ROWS].word;
  const std::uint32_t eight = own >> ROW_SHIFT_INSIDE;
  const std::uint32_t last = eight >> (BRICK_SIZE - 1) ^ (own >> (ROW_SHIFT_X + BRICK_SIZE - 1) & 1u);
  CellRow inside{};
  inside.here = eight | last << BRICK_SIZE;
  inside.nextY = inside.here ^ nineEdges(own, next, ROW_SHIFT_Y);
  inside.nextZ = inside.here ^ nineEdges(own, next, ROW_SHIFT_Z);
  inside.nextYZ = inside.nextY ^ nineEdges(ownBeyond, nextBeyond, ROW_SHIFT_Z);
  return inside;
}

VMC_INLINE std::uint32_t pointOfEdge(const RowOfPoints* rows, std::uint32_t place, std::uint32_t x)
{
  const std::uint32_t column = x + PLACE_SAMPLES(place);
  const RowOfPoints& row = rows[PLACE_ROWS(place) + column / BRICK_SIZE * BRICK_SAMPLE_ROWS];
  const std::uint32_t bit = PLACE_AXIS(place) * BRICK_SIZE + column % BRICK_SIZE;
  return row.firstPoint + bitCount(row.word & ((1u << bit) - 1));
}

VMC_INLINE void emitTriangles(const BrickPass& pass, std::size_t slot)
{
  const std::uint32_t brick = pass.active.brick[slot];
  const std::array<std::uint32_t, 3> corner = pass.grid.cornerOf(brick);
  const auto& cases = caseTriangles();
  const std::size_t second = pass.toWorld.determinant() < 0 ? 2 : 1; // a map that mirrors flips the winding
  RowsAround rows;
  loadRows(pass, brick, rows);
  std::size_t triangle = pass.active.triangles[slot];
  for (std::uint32_t z = 0; z < BRICK_SIZE && corner[2] + z + 1 < pass.grid.axis[2].size; ++z)
    for (std::uint32_t y = 0; y < BRICK_SIZE && corner[1] + y + 1 < pass.grid.axis[1].size; ++y)
    {
      const std::uint32_t row = BRICK_SAMPLES * z + y;
      if (((rows[row].word | rows[row + 1].word | rows[row + BRICK_SAMPLES].word | rows[row + BRICK_SAMPLES + 1].word) &
            0xFFFFFFu) == 0)
        continue; // no edge of these rows is crossed
      const CellRow inside = insideAround(rows, row);
      std::uint32_t cells = inside.cut();
      if (pass.active.validCells)
        cells &= pass.active.validCells[slot * BRICK_ROWS + BRICK_SIZE * z + y];
      else
        cells &= (1u << std::min<std::uint32_t>(BRICK_SIZE, pass.grid.axis[0].size - 1 - corner[0])) - 1;
      for (; cells != 0; cells &= cells - 1)
      {
        const std::uint32_t x = lowestBit(cells);
        const CaseTriangles& triangles = cases[inside.caseOf(x)];
        for (std::size_t i = 0; i < triangles.count; ++i, ++triangle)
        {
          const std::uint8_t* const place = triangles.place.data() + 3 * i;
          std::uint32_t* const ids = pass.mesh.triangles + 3 * triangle;
          ids[0] = pointOfEdge(rows.data() + row, place[0], x);
          ids[second] = pointOfEdge(rows.data() + row, place[1], x);
          ids[3 - second] = pointOfEdge(rows.data() + row, place[2], x);
          if (pass.mesh.triangleCells)
            pass.mesh.triangleCells[triangle] =
              static_cast<std::int64_t>(pass.grid.sampleAt(corner[0] + x, corner[1] + y, corner[2] + z));
        }
      }
    }
}

}

#endif
