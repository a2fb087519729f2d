// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The triangles of a brick from the rows of the brick and of its neighbours, for EmitTriangles and EmitLevelTriangles.
// Include after the kernel has declared its workgroup size.
#include "Shared/Slab.glsl"
#include "Shared/Cell.h"
#include "Shared/CaseTable.glsl"
#include "Shared/ActiveRows.glsl"
#include "Shared/Totals.glsl"

layout(std430, binding = BINDING_VALID_CELLS) readonly buffer ValidCells { uint validCells[]; };
layout(std430, binding = BINDING_TRIANGLE) writeonly buffer Triangle { uint pointId[]; };
layout(std430, binding = BINDING_TRIANGLE_CELL) writeonly buffer TriangleCell { uint cellOfTriangle[]; };

shared uint slotAt[8]; // slot of the brick at offset (bit 0, bit 1, bit 2), or NO_SLOT
// First word of a row (0 in a brick without a slot) and id of its first point. Row 9 * z + y of the brick and of the
// first layer beyond it; plus BRICK_SAMPLE_ROWS for the next brick along x, of which only the first sample is used.
shared uvec2 rowOf[2 * BRICK_SAMPLE_ROWS];
// Triangles of the brick in output order, packed by listEntry().
shared uint listed[EMIT_LIST_SIZE];

// The row of the brick in rowOf that the invocation handles.
uint ownSampleRow() { return gl_LocalInvocationID.x / BRICK_SIZE * BRICK_SAMPLES + gl_LocalInvocationID.x % BRICK_SIZE; }

// Returns the id of the first point of a row of an active brick, from the words of the row. Every invocation reads
// the offset of the brick itself, so that it need not wait at a barrier for another one.
uint firstPointOf(uint slot, uvec2 words)
{
  // A halo layer whose rows the next slab has counted follows the active bricks of this one; its points follow those of
  // this slab.
  const uint before = slot < total[TOTAL_ACTIVE] ? 0 : total[TOTAL_POINTS];
  return slab.pointBase + before + brickOffset[slot] + pointsBefore(words);
}

// Loads row (y, z) of the brick (across = 0) or of the next brick along x (across = 1). y and z may be 8.
void loadRow(uint across, uint y, uint z)
{
  const uint slot = slotAt[across + 2 * (y / BRICK_SIZE) + 4 * (z / BRICK_SIZE)];
  uvec2 loaded = uvec2(0);
  if (slot != NO_SLOT)
  {
    const uvec2 words = wordsOfRow(slot, z % BRICK_SIZE * BRICK_SIZE + y % BRICK_SIZE);
    loaded = uvec2(words.x, firstPointOf(slot, words));
  }
  rowOf[across * BRICK_SAMPLE_ROWS + BRICK_SAMPLES * z + y] = loaded;
}

// Loads rows of other bricks: of the next brick along x, one row per invocation; then, for both bricks along x, the 17
// rows beyond y and z.
void loadOtherRows()
{
  const uint invocation = gl_LocalInvocationID.x;
  loadRow(1, invocation % BRICK_SIZE, invocation / BRICK_SIZE);
  const uint beyond = invocation % 32;
  if (beyond <= 2 * BRICK_SIZE)
    loadRow(invocation / 32, min(beyond, BRICK_SIZE), beyond < BRICK_SIZE ? BRICK_SIZE : beyond - BRICK_SIZE);
}

// Crossed edges of the row that start at samples 0 to 8 along x. Sample 8 is in the row of the next brick.
uint nineEdges(uint own, uint next, uint shift) { return (own >> shift & 0xFFu) | (next >> shift & 1u) << BRICK_SIZE; }

// Inside bits of the 9 samples of a row of the brick.
uint nineInside(uint own)
{
  const uint eight = own >> ROW_SHIFT_INSIDE;
  const uint last = eight >> (BRICK_SIZE - 1) ^ (own >> (ROW_SHIFT_X + BRICK_SIZE - 1) & 1u);
  return eight | last << BRICK_SIZE;
}

// Inside bits around a row of cells, from the words of the row and of the next row in y, in the brick (own) and in the
// next brick along x. The inside bits of a valid cell follow from one sample and the crossed edges, even if a brick has
// no slot.
CellRow insideBetween(uint own, uint next, uint ownBeyond, uint nextBeyond)
{
  const uint here = nineInside(own);
  const uint nextY = here ^ nineEdges(own, next, ROW_SHIFT_Y);
  const uint nextZ = here ^ nineEdges(own, next, ROW_SHIFT_Z);
  return cellRow(here, nextY, nextZ, nextY ^ nineEdges(ownBeyond, nextBeyond, ROW_SHIFT_Z));
}

uint pointOfEdge(uint place, uint x, uint row)
{
  const uint column = x + PLACE_SAMPLES(place);
  const uvec2 found = rowOf[row + PLACE_ROWS(place) + column / BRICK_SIZE * BRICK_SAMPLE_ROWS];
  const uint bit = PLACE_AXIS(place) * BRICK_SIZE + column % BRICK_SIZE;
  return found.y + bitCount(found.x & ((1u << bit) - 1));
}

// A listed triangle: x of its cell in bits 0 to 2, the cell's row of rowOf in bits 3 to 9, and its word of the case
// table from bit 10. Of what follows the edges in that word one bit is left, which is not used.
uint listEntry(uint x, uint row, uint word) { return x | row << 3 | word << 10; }
uint listedX(uint entry) { return entry & 7u; }
uint listedRow(uint entry) { return entry >> 3 & 127u; }
uint listedWord(uint entry) { return entry >> 10; }

// The cells of a row that have triangles.
struct CutRow
{
  uint cells; // one bit per cell
  CellRow inside;
};

// Lists those triangles of the row that belong in the list. `triangle` is the number of the row's first triangle in the
// brick, `listStart` that of the list's first triangle. One loop over all triangles is faster than one over those of
// each cell, in which the invocations of a subgroup wait for the largest number at every cell.
void listTriangles(CutRow row, uint triangle, uint listStart)
{
  const uint ownRow = ownSampleRow();
  uint number = 0; // of the triangle in its cell
  for (uint cells = row.cells; cells != 0; ++triangle)
  {
    const uint x = findLSB(cells);
    const uint word = wordOfTriangle(caseOfCell(x, row.inside), number);
    if (triangle - listStart < EMIT_LIST_SIZE)
      listed[triangle - listStart] = listEntry(x, ownRow, word);
    const bool isLast = trianglesLeft(word) == 1;
    number = isLast ? 0 : number + 1;
    cells = isLast ? cells & cells - 1 : cells;
  }
}

// Writes the point of a corner.
void writeId(uint corner, uint id)
{
  if (isSet(SETTING_WIDE_IDS))
  {
    pointId[2 * corner] = id;
    pointId[2 * corner + 1] = 0;
  }
  else
    pointId[corner] = id;
}

// The corner of a triangle that is written in place of this one, so that the winding is that of the geometry.
uint turnedCorner(uint corner) { return isSet(SETTING_FLIP_WINDING) && corner != 0 ? 3 - corner : corner; }

// Emits a corner of the listed triangles.
void emitCorner(uint corner, uint firstTriangle)
{
  const uint entry = listed[corner / 3];
  const uint place = edgePlace(listedWord(entry), turnedCorner(corner % 3));
  const uint id = pointOfEdge(place, listedX(entry), listedRow(entry));
  writeId(3 * firstTriangle + corner, id);
}

// The kernel defines it: writes the cell of a triangle, which is cell x of a row of rowOf.
void emitCell(uint triangle, uint row, uint x, uint brick);

// Emits the triangles of the list. `start` is the number of the first one in the brick.
void emitListed(uint start, uint triangles, uint firstTriangle, uint brick)
{
  barrier();
  const uint count = min(EMIT_LIST_SIZE, triangles - start);
  for (uint corner = gl_LocalInvocationID.x; corner < 3 * count; corner += BRICK_ROWS)
    emitCorner(corner, firstTriangle + start);
  if (writes(BINDING_TRIANGLE_CELL))
    for (uint index = gl_LocalInvocationID.x; index < count; index += BRICK_ROWS)
      emitCell(firstTriangle + start + index, listedRow(listed[index]), listedX(listed[index]), brick);
}

// Loads the rows of the brick and of its neighbours, whose slots are set. Returns the words of the row that the
// invocation handles. Every invocation of the workgroup must call this.
uvec2 loadRows(uint slot)
{
  const uvec2 own = wordsOfRow(slot, gl_LocalInvocationID.x);
  rowOf[ownSampleRow()] = uvec2(own.x, firstPointOf(slot, own));
  barrier();
  loadOtherRows();
  barrier();
  return own;
}

// The row of cells that the invocation handles. cells: the valid ones.
CutRow cutRow(uint cells)
{
  const uint ownRow = ownSampleRow();
  const CellRow inside = insideBetween(rowOf[ownRow].x, rowOf[ownRow + BRICK_SAMPLE_ROWS].x, rowOf[ownRow + 1].x,
    rowOf[ownRow + 1 + BRICK_SAMPLE_ROWS].x);
  return CutRow(cells & cutCells(inside), inside);
}

// Emits the triangles of the rows of the brick. `before` is their number in the rows before that of the invocation,
// `triangles` in all rows, `firstTriangle` the place of the first one in the output. Every invocation of the workgroup
// must call this.
void emitRows(CutRow row, uint before, uint triangles, uint firstTriangle, uint brick)
{
  for (uint start = 0; start < triangles; start += EMIT_LIST_SIZE)
  {
    listTriangles(row, before, start);
    emitListed(start, triangles, firstTriangle, brick);
    barrier(); // all invocations have read the list
  }
}
