// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One workgroup: one active brick. One invocation: first one row of dual cells, whose triangles it lists, then every
// BRICK_ROWS-th word of the brick's output, so that neighbouring invocations write neighbouring words.
// Reads the rows that CountBricks wrote for the brick and for its neighbours on the high sides, and no samples. Writes
// the point ids of each triangle and, if requested, its dual cell, for the output. The order of the triangles is that
// of bricks, rows and cells.
// The id of an edge's point is the offset of its brick, plus the number of points before its row, plus the number of
// crossed edges before it in the row.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "Shared/Constants.h"
layout(local_size_x = BRICK_ROWS) in;
#include "Shared/Slab.glsl"
#include "Shared/Cell.h"
#include "Shared/Scan.glsl"
#include "Shared/CaseTable.glsl"
#include "Shared/ActiveRows.glsl"
#include "Shared/Totals.glsl"

layout(constant_id = SPECIALIZE_BLANKING) const bool Blanking = false;
layout(std430, binding = BINDING_SLOT_OF_BRICK) readonly buffer SlotOfBrick { uint slotOfBrick[]; };
layout(std430, binding = BINDING_VALID_CELLS) readonly buffer ValidCells { uint validCells[]; };
layout(std430, binding = BINDING_TRIANGLE) writeonly buffer Triangle { uint pointId[]; };
layout(std430, binding = BINDING_TRIANGLE_CELL) writeonly buffer TriangleCell { uint cellOfTriangle[]; };

shared uint slotAt[8];   // slot of the brick at offset (bit 0, bit 1, bit 2), or NO_SLOT
shared uint pointsAt[8]; // id of its first point
// Row word (0 in a brick without a slot) and id of the row's first point. Row 9 * z + y of the brick and of the first
// layer beyond it; plus BRICK_SAMPLE_ROWS for the next brick along x, of which only the first sample is used.
shared uvec2 rowOf[2 * BRICK_SAMPLE_ROWS];
// Triangles of the brick in output order: case of the cell from bit 16, row of rowOf from bit 8, x from bit 4, first
// corner from bit 0.
shared uint listed[EMIT_LIST_SIZE];

void findSlot(uint side, uint brick, uvec3 corner)
{
  const uvec3 offset = uvec3(side & 1u, side >> 1 & 1u, side >> 2);
  const uvec2 at = corner.xy / BRICK_SIZE + offset.xy;
  const uint neighbour = brick + offset.x + slab.bricksX * (offset.y + slab.bricksY * offset.z);
  const bool exists = at.x < slab.bricksX && at.y < slab.bricksY && neighbour < slab.brickCount;
  const uint slot = exists ? slotOfBrick[neighbour] : NO_SLOT;
  slotAt[side] = slot;
  // A halo layer whose rows the next slab has counted follows the active bricks of this one; its points follow those of
  // this slab.
  const uint before = slot != NO_SLOT && slot >= total[TOTAL_ACTIVE] ? total[TOTAL_POINTS] : 0;
  pointsAt[side] = slot == NO_SLOT ? 0 : slab.pointBase + before + brickOffset[slot];
}

// Loads row (y, z) of the brick (across = 0) or of the next brick along x (across = 1). y and z may be 8.
void loadRow(uint across, uint y, uint z)
{
  const uint side = across + 2 * (y / BRICK_SIZE) + 4 * (z / BRICK_SIZE);
  const uint slot = slotAt[side];
  const uint row = z % BRICK_SIZE * BRICK_SIZE + y % BRICK_SIZE;
  const uint to = across * BRICK_SAMPLE_ROWS + BRICK_SAMPLES * z + y;
  rowOf[to] = slot == NO_SLOT ?
    uvec2(0) : uvec2(rowEdges[slot * ROW_WORDS + row], pointsAt[side] + pointsBeforeRow(slot, row));
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

uint validCellsOfRow(uint slot, uint row, uvec3 at)
{
  if (Blanking)
    return validCells[slot * VALID_CELL_WORDS + row / 4] >> (8 * (row % 4)) & 0xFFu;
  return at.y + 1 < slab.sizeY && at.z + 1 < slab.sizeZ ? (1u << min(BRICK_SIZE, slab.sizeX - 1 - at.x)) - 1 : 0;
}

// The cells of a row that have triangles.
struct CutRow
{
  uint cells; // one bit per cell
  CellRow inside;
  uint counts; // number of triangles of each cell, 4 bits each
  uint count;  // number of triangles of the row
};

CutRow cutRow(uint cells, CellRow inside)
{
  CutRow row = CutRow(cells, inside, 0, 0);
  for (; cells != 0; cells &= cells - 1)
  {
    const uint x = findLSB(cells);
    const uint count = caseTriangleCount(caseOfCell(x, inside));
    row.counts |= count << (4 * x);
    row.count += count;
  }
  return row;
}

// Lists those triangles of a row of cells that belong in the list. `triangle` is the number of the row's first triangle
// in the brick, `listStart` that of the list's first triangle.
void listTriangles(CutRow row, uint ownRow, uint triangle, uint listStart)
{
  for (uint cells = row.cells; cells != 0; cells &= cells - 1)
  {
    const uint x = findLSB(cells);
    const uint cellCase = caseOfCell(x, row.inside);
    const uint end = triangle + (row.counts >> (4 * x) & 15u);
    for (uint corner = 0; triangle < end; ++triangle, corner += 3)
      if (triangle - listStart < EMIT_LIST_SIZE)
        listed[triangle - listStart] = cellCase << 16 | ownRow << 8 | x << 4 | corner;
  }
}

// Emits a corner of a listed triangle.
void emitCorner(uint word, uint firstTriangle)
{
  const uint entry = listed[word / 3];
  const uint turned = isSet(SETTING_FLIP_WINDING) && word % 3 != 0 ? 3 - word % 3 : word % 3;
  const uint place = caseEdge(entry >> 16, (entry & 15u) + turned);
  const uint id = pointOfEdge(place, entry >> 4 & 7u, entry >> 8 & 127u);
  const uint to = 3 * firstTriangle + word;
  if (isSet(SETTING_WIDE_IDS))
  {
    pointId[2 * to] = id;
    pointId[2 * to + 1] = 0;
  }
  else
    pointId[to] = id;
}

void emitCell(uint triangle, uint row, uint x, uvec3 corner)
{
  const uvec3 local = uvec3(x, row % BRICK_SAMPLES, row / BRICK_SAMPLES);
  const uvec3 at = imagePosition(corner + local);
  const uvec3 size = imageSize();
  uint high, low, carry;
  umulExtended(size.x * size.y, at.z, high, low);
  cellOfTriangle[2 * triangle] = uaddCarry(low, at.x + size.x * at.y, carry);
  cellOfTriangle[2 * triangle + 1] = high + carry;
}

// Emits the triangles of the list. `start` is the number of the first one in the brick.
void emitListed(uint start, uint total, uint firstTriangle, uvec3 corner)
{
  barrier();
  const uint count = min(EMIT_LIST_SIZE, total - start);
  for (uint word = gl_LocalInvocationID.x; word < 3 * count; word += BRICK_ROWS)
    emitCorner(word, firstTriangle + start);
  if (writes(BINDING_TRIANGLE_CELL))
    for (uint index = gl_LocalInvocationID.x; index < count; index += BRICK_ROWS)
      emitCell(firstTriangle + start + index, listed[index] >> 8 & 127u, listed[index] >> 4 & 7u, corner);
}

void main()
{
  const uint slot = workgroupIndex();
  if (slot >= emitCount(TOTAL_TRIANGLES, TOTAL_OWN_TRIANGLES, slab.triangleCapacity))
    return;
  const uint invocation = gl_LocalInvocationID.x;
  const uint ownRow = invocation / BRICK_SIZE * BRICK_SAMPLES + invocation % BRICK_SIZE;
  rowOf[ownRow] =
    uvec2(rowEdges[slot * ROW_WORDS + invocation],
      slab.pointBase + brickOffset[slot] + pointsBeforeRow(slot, invocation));
  const uint firstTriangle = slab.triangleStart + brickOffset[slab.activeCapacity + slot];
  const uint brick = activeBrick[slot];
  const uvec3 corner = brickCorner(brick);
  if (invocation < 8)
    findSlot(invocation, brick, corner);
  barrier();
  loadOtherRows();
  barrier();

  const CellRow inside = insideBetween(rowOf[ownRow].x, rowOf[ownRow + BRICK_SAMPLE_ROWS].x, rowOf[ownRow + 1].x,
    rowOf[ownRow + 1 + BRICK_SAMPLE_ROWS].x);
  const uint cells =
    validCellsOfRow(slot, invocation, corner + uvec3(0, invocation % BRICK_SIZE, invocation / BRICK_SIZE));
  const CutRow row = cutRow(cells & cutCells(inside), inside);
  uint total;
  const uint before = exclusiveScan(row.count, total);

  for (uint start = 0; start < total; start += EMIT_LIST_SIZE)
  {
    listTriangles(row, ownRow, before, start);
    emitListed(start, total, firstTriangle, corner);
    barrier(); // all invocations have read the list
  }
}
