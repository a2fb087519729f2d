// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Cells of a layer and their cases on software Vulkan.
// Include after CaseTable.glsl.

// CellRow of each row of cells.
shared uvec2 cellRowOf[Gpu ? 1 : BRICK_ROWS];

void keepCellRow(uint row, CellRow inside) { cellRowOf[row] = uvec2(inside.low, inside.high); }

uint caseInRow(uint row, uint x)
{
  const uvec2 inside = cellRowOf[row];
  return caseOfCell(x, CellRow(inside.x, inside.y));
}

// A set of cells of a layer. Cell x of row y is bit 8 * y + x of the two words.
void addCells(inout uvec2 cells, uint y, uint ofRow)
{
  cells.x |= y < 4 ? ofRow << (8 * y) : 0;
  cells.y |= y < 4 ? 0 : ofRow << (8 * y - 32);
}

bool isEmpty(uvec2 cells) { return (cells.x | cells.y) == 0; }
uint firstCell(uvec2 cells) { return cells.x != 0 ? findLSB(cells.x) : 32 + findLSB(cells.y); }

uvec2 withoutFirst(uvec2 cells)
{
  return cells.x != 0 ? uvec2(cells.x & (cells.x - 1), cells.y) : uvec2(0, cells.y & (cells.y - 1));
}
