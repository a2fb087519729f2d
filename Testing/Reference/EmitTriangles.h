// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Reference implementation of the kernel EmitTriangles.
#ifndef vmcReferenceEmitTriangles_h
#define vmcReferenceEmitTriangles_h

#include "Compute/Contour/CaseTable.h"
#include "Reference/SlabGrid.h"
#include "Shared/Cell.h"

#include <map>
#include <utility>
#include <vector>

namespace vmc::reference
{

using Edge = std::pair<Position, std::uint32_t>; // start and axis

// The point id of every crossed edge of the active bricks.
inline std::map<Edge, std::uint32_t> pointIds(const SlabConstants& slab, const SlabGrid& grid,
  const std::vector<std::uint32_t>& activeBrick, const std::vector<std::uint32_t>& rows,
  const std::vector<std::uint32_t>& brickOffset)
{
  std::map<Edge, std::uint32_t> ids;
  for (std::uint32_t slot = 0; slot < activeBrick.size(); ++slot)
  {
    std::uint32_t next = slab.pointBase + brickOffset[slot];
    forEachCrossedEdge(grid.brickCorner(activeBrick[slot]), rows.data() + slot * ROW_WORDS,
      [&](const Position& start, std::uint32_t axis) {
        ids[{ start, axis }] = next++;
      });
  }
  return ids;
}

// Unlike the kernel, reads the samples to find cases and valid cells.
inline void emitTriangles(const SlabConstants& slab, const SlabGrid& grid,
  const std::vector<std::uint32_t>& activeBrick, const std::vector<std::uint32_t>& rows,
  const std::vector<std::uint32_t>& brickOffset, std::uint32_t emitCount, std::vector<std::uint32_t>& pointId,
  std::vector<std::uint32_t>& cellOfTriangle)
{
  const std::map<Edge, std::uint32_t> ids = pointIds(slab, grid, activeBrick, rows, brickOffset);
  for (std::uint32_t slot = 0; slot < emitCount; ++slot)
  {
    std::size_t triangle = std::size_t(slab.triangleStart) + brickOffset[slab.activeCapacity + slot];
    for (std::uint32_t cellOfBrick = 0; cellOfBrick < BRICK_ROWS * BRICK_SIZE; ++cellOfBrick)
    {
      Position cell = rowStart(grid.brickCorner(activeBrick[slot]), cellOfBrick / BRICK_SIZE);
      cell[0] += cellOfBrick % BRICK_SIZE;
      if (!grid.isValidCell(cell))
        continue;
      for (const CellTriangle& edges : trianglesOfCase(grid.caseOfCell(cell)))
      {
        std::array<std::uint32_t, 3> corner;
        for (std::size_t i = 0; i < 3; ++i)
        {
          const unsigned edge = edges[i];
          const Position start = { cell[0] + EDGE_START_X(edge), cell[1] + EDGE_START_Y(edge),
            cell[2] + EDGE_START_Z(edge) };
          corner[i] = ids.at({ start, EDGE_AXIS(edge) });
        }
        if ((slab.settings & SETTING_FLIP_WINDING) != 0)
          std::swap(corner[1], corner[2]);
        const bool isWide = (slab.settings & SETTING_WIDE_IDS) != 0;
        for (std::size_t i = 0; i < 3; ++i)
          pointId[(3 * triangle + i) * (isWide ? 2 : 1)] = corner[i];
        for (std::size_t i = 0; isWide && i < 3; ++i)
          pointId[(3 * triangle + i) * 2 + 1] = 0;
        const std::uint64_t sample = grid.indexInVolume(grid.imageOf(cell));
        cellOfTriangle[2 * triangle] = static_cast<std::uint32_t>(sample);
        cellOfTriangle[2 * triangle + 1] = static_cast<std::uint32_t>(sample >> 32);
        ++triangle;
      }
    }
  }
}

}

#endif
