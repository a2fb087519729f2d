// What the kernels that work on a brick share on software Vulkan. There a group is a vector of BRICK_SIZE invocations,
// and each takes a layer of the brick, its rows at one z: with a row each, most of those that run together would wait
// for the one with the most to do.
// Software Vulkan runs what a condition leaves out, too. It pays for a load or store of shared memory what it pays for
// one of a buffer, whether an invocation takes part or not, and little more for two words at once. After the test that
// ends a loop it runs the rest of the loop once more: so loops are tested at the end.
// Include after CaseTable.glsl.

// Inside bits around each row of cells: a CellRow.
shared uvec2 cellRowOf[Gpu ? 1 : BRICK_ROWS];

void keepCellRow(uint row, CellRow inside) { cellRowOf[row] = uvec2(inside.low, inside.high); }

uint caseInRow(uint row, uint x)
{
  const uvec2 inside = cellRowOf[row];
  return caseOfCell(x, CellRow(inside.x, inside.y));
}

// A set of cells of a layer: cell x of row y is bit 8 * y + x of the two words.
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
