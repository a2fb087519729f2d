// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One workgroup: one active brick of a level. One invocation: first rows of the samples around it, then one of its
// BRICK_ROWS rows of 8 samples along x, then every BRICK_ROWS-th of its stitched cells.
// Reads the leaves in and around the brick, and their samples. Writes per row, for the passes that follow, the crossed
// edges, the inside samples and the cells between leaves of this level alone; for ScanBricks, the number of triangles
// of the brick, which it adds to the sum of the brick's block; and, for EmitLevelTriangles, the rows of the block of a
// stitched brick. Marks the edges of stitched cells in the rows of their leaves: those of the own level in the rows of
// the brick, those between coarser leaves in the rows of their brick, if the brick makes the triangles of the cell. All
// words of edges are 0 before the pass; atomic operations only set bits. NumberLevelPoints counts the edges when all
// bricks have marked theirs.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "Shared/Constants.h"
layout(local_size_x = BRICK_ROWS) in;
#include "Shared/Slab.glsl"
#include "Shared/Samples.glsl"
#include "Shared/Scan.glsl"
#include "Shared/CaseTable.glsl"
#include "Shared/Totals.glsl"
#include "Shared/Levels.glsl"

layout(std430, binding = BINDING_ACTIVE_BRICK) readonly buffer ActiveBrick { uint activeBrick[]; };
#include "Contour/LevelGroups.glsl"
#include "Contour/LevelBlock.glsl"
#include "Contour/FindBlock.glsl"
#include "Contour/CountRows.glsl"
#include "Contour/BlockSums.glsl"

layout(std430, binding = BINDING_SLOT_OF_BRICK) readonly buffer SlotOfBrick { uint slotOfBrick[]; };
layout(std430, binding = BINDING_ROWS) buffer Rows { uvec2 rows[]; };
layout(std430, binding = BINDING_LOW_EDGES) buffer LowEdges { uint lowEdges[]; };
layout(std430, binding = BINDING_BRICK_OFFSET) writeonly buffer BrickOffset { uint brickCountOf[]; };
layout(std430, binding = BINDING_LEVEL_BLOCK_ROWS) writeonly buffer BlockRow { uint keptRow[]; };

uint validRow(int y, int z)
{
  const uint row = uint((z + 1) * int(BlockSize) + y + 1);
  const uint notOwned = table.notOwned == NO_SLOT ? 0 : gatherRow(table.notOwned, row);
  return allCorners(wholeRow[row], wholeRow[row + 1], wholeRow[row + BlockSize], wholeRow[row + BlockSize + 1]) &
    ~notOwned & (BlockBits >> 1);
}

// Inside leaves of this level in a row of the brick, one bit per sample.
uint ownInside(uint row)
{
  uint inside = blockRow[row] & BlockBits;
  if (Kind != BRICK_IS_PLAIN)
    inside &= wholeRow[row];
  if (Kind == BRICK_IS_MASKED && table.outside != NO_SLOT)
    inside &= ~gatherRow(table.outside, row);
  return inside >> 1;
}

// Writes a row of the brick. Returns the number of triangles of its cells.
uint countRow(uint slot)
{
  const uint invocation = gl_LocalInvocationID.x;
  const uvec3 local = uvec3(0, invocation % BRICK_SIZE, invocation / BRICK_SIZE);
  const uint first = (local.z + 1) * BlockSize + local.y + 1;
  const uint here = ownInside(first), nextY = ownInside(first + 1), nextZ = ownInside(first + BlockSize);
  const CellRow inside = cellRow(here, nextY, nextZ, ownInside(first + BlockSize + 1));
  Row row = Row(crossedEdges(here, nextY, nextZ), 0xFFu);
  if (Kind != BRICK_IS_PLAIN)
    row = withoutInvalid(row, int(local.y), int(local.z));
  const uint triangles = trianglesOfCells(row.cells & cutCells(inside), inside);
  atomicOr(rows[slot * BRICK_ROWS + invocation].x, row.edges | (here & 0xFFu) << ROW_SHIFT_INSIDE);
  writeValidCells(slot, row.cells);
  return triangles;
}

// Marks an edge of a stitched cell in the row of its leaf, unless another brick does. isOwn: the brick makes the
// triangles of the cell.
void mark(EdgeName name, uint brick, bool isOwn)
{
  const uint marked = brickOfLeaf(name.leaf);
  if (isOfLevel(name.leaf, ownLevel) ? marked != brick : !isOwn)
    return;
  const uint row = slotOfBrick[marked] * BRICK_ROWS + rowOfLeaf(name.leaf), bit = 1u << bitOfName(name);
  if (name.isLow)
    atomicOr(lowEdges[row], bit);
  else
    atomicOr(rows[row].x, bit);
}

// Marks the edges of a stitched cell. Returns the number of its triangles that the brick makes.
uint countCell(uint position, uint brick)
{
  const StitchedCell cell = describeCell(position);
  if (isNotOwned(cell.owner))
    return 0;
  const bool isOwn = brickOfLeaf(cell.owner) == brick;
  const uint triangles = trianglesOf(cell);
  uint edges = 0; // one bit per edge of the cell: the corner where it starts, plus 8 times its axis
  for (uint rest = triangles; rest != 0; rest &= rest - 1)
  {
    const uint word = wordOfTriangle(cell.cellCase, findLSB(rest));
    for (uint i = 0; i < 3; ++i)
      edges |= 1u << edgeInCell(edgePlace(word, i));
  }
  for (; edges != 0; edges &= edges - 1)
    mark(nameOf(edgeOfCell(position, findLSB(edges))), brick, isOwn);
  return isOwn ? bitCount(triangles) : 0;
}

void main()
{
  const uint slot = slotOfWorkgroup();
  if (slot >= activeCount())
    return;
  const uint brick = activeBrick[slot];
  const LevelBrick own = levelBrick(brick);
  findBlock(own);
  uint triangles = countRow(slot);
  if (IsStitched)
  {
    for (uint row = gl_LocalInvocationID.x; row < BlockRows; row += BRICK_ROWS)
      keptRow[slot * BlockRows + row] = blockRow[row];
    findStitchedCells();
    const uint cells = listStitchedCells();
    for (uint i = gl_LocalInvocationID.x; i < cells; i += BRICK_ROWS)
      triangles += countCell(listedPosition[i], brick);
  }
  uint all;
  exclusiveScan(triangles, all);
  if (gl_LocalInvocationID.x != 0)
    return;
  brickCountOf[slab.activeCapacity + slot] = all;
  addToBlock(BLOCK_SUM_TRIANGLES, slot, all);
}
