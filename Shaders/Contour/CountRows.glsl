// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The crossed edges and the valid cells of a row of a brick, for CountBricks and CountLevelBricks.
#include "Shared/Bindings.h"
#include "Shared/Constants.h"

layout(std430, binding = BINDING_VALID_CELLS) writeonly buffer ValidCells { uint validCells[]; };

shared uint rowValid[Blanking ? BRICK_ROWS : 1];

// The kernel defines it: valid cells of the row of cells at (y, z), from x = -1 (bit 0) to x = 7. y and z may be -1.
uint validRow(int y, int z);

struct Row
{
  uint edges; // crossed x, y and z edges, shifted as in the first word of a row
  uint cells; // valid cells
};

// Removes the invalid cells, and the edges whose four cells are all invalid.
Row withoutInvalid(Row row, int y, int z)
{
  const uint here = validRow(y, z);
  const uint besideY = here | validRow(y, z - 1); // cells around y edges: same y, both z
  const uint besideZ = here | validRow(y - 1, z); // cells around z edges: same z, both y
  const uint besideX = besideY | besideZ | validRow(y - 1, z - 1);
  row.edges &= (besideX >> 1 & 0xFFu) << ROW_SHIFT_X | ((besideY | besideY >> 1) & 0xFFu) << ROW_SHIFT_Y |
    ((besideZ | besideZ >> 1) & 0xFFu) << ROW_SHIFT_Z;
  row.cells &= here >> 1;
  return row;
}

// The crossed edges of a row of samples, from its inside bits and those of the next rows in y and z.
uint crossedEdges(uint here, uint nextY, uint nextZ)
{
  return ((here ^ here >> 1) & 0xFFu) << ROW_SHIFT_X | ((here ^ nextY) & 0xFFu) << ROW_SHIFT_Y |
    ((here ^ nextZ) & 0xFFu) << ROW_SHIFT_Z;
}

void writeValidCells(uint slot, uint cells)
{
  const uint invocation = gl_LocalInvocationID.x;
  rowValid[invocation] = cells;
  barrier();
  if (invocation < VALID_CELL_WORDS)
    validCells[slot * VALID_CELL_WORDS + invocation] = rowValid[4 * invocation] | rowValid[4 * invocation + 1] << 8 |
      rowValid[4 * invocation + 2] << 16 | rowValid[4 * invocation + 3] << 24;
}
