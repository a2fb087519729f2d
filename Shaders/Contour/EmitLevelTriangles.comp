// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One workgroup: one active brick of a level. One invocation: first one row of dual cells, whose triangles it lists,
// then every BRICK_ROWS-th word of their output; if the brick is stitched, then every BRICK_ROWS-th stitched cell,
// whose triangles it lists, and every BRICK_ROWS-th corner of that list.
// Reads the rows that CountLevelBricks and NumberLevelPoints wrote; of a stitched brick, also the rows of its block,
// and which cells are leaves. Writes the point ids of each triangle and, if requested, the sample that names its dual
// cell, for the output. The order of the triangles is that of bricks, rows and cells, then that of the stitched cells
// by z, y and x.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "Shared/Constants.h"
layout(local_size_x = BRICK_ROWS) in;
#include "Contour/EmitTriangles.glsl"
#include "Shared/Scan.glsl"
#include "Shared/Levels.glsl"
#include "Contour/LevelGroups.glsl"
#include "Contour/LevelBlock.glsl"

layout(std430, binding = BINDING_LOW_EDGES) readonly buffer LowEdges { uint lowEdges[]; };
layout(std430, binding = BINDING_SLOT_OF_BRICK) readonly buffer SlotOfBrick { uint slotOfBrick[]; };
layout(std430, binding = BINDING_LEVEL_BLOCK_ROWS) readonly buffer BlockRow { uint keptRow[]; };

void findSlot(LevelBrick own)
{
  const uint side = gl_LocalInvocationID.x;
  if (side >= 8)
    return;
  const uint brick = brickAt(own.level, ivec3(own.at + (uvec3(side, side >> 1, side >> 2) & 1u)));
  slotAt[side] = brick == NO_SLOT ? NO_SLOT : slotOfBrick[brick];
}

// Writes the number of a sample.
void writeCell(uint triangle, uint number)
{
  cellOfTriangle[2 * triangle] = number;
  cellOfTriangle[2 * triangle + 1] = 0;
}

void emitCell(uint triangle, uint row, uint x, uint brick)
{
  writeCell(triangle, BRICK_CELLS * brick + numberInBrick(uvec3(x, row % BRICK_SAMPLES, row / BRICK_SAMPLES)));
}

uint idOf(EdgeName name)
{
  const uint slot = slotOfBrick[brickOfLeaf(name.leaf)], row = rowOfLeaf(name.leaf);
  const uint below = (1u << bitOfName(name)) - 1;
  const uvec2 words = wordsOfRow(slot, row);
  return firstPointOf(slot, words) +
    (name.isLow ? bitCount(words.x & ROW_EDGE_BITS) + bitCount(lowEdges[slot * BRICK_ROWS + row] & below) :
                  bitCount(words.x & below));
}

// A listed triangle of a stitched cell: the position of the cell in bits 0 to 9, and its word as in listEntry().
uint stitchedEntry(uint position, uint word) { return position | word << 10; }
uint positionOfEntry(uint entry) { return entry & 0x3FFu; } // all positions are less than BlockPositions

// Lists those triangles of a stitched cell that belong in the list. `triangle` is the number of the first one,
// `listStart` that of the list's first one.
void listStitched(StitchedCell cell, uint triangles, uint triangle, uint listStart)
{
  for (; triangles != 0; triangles &= triangles - 1, ++triangle)
    if (triangle - listStart < EMIT_LIST_SIZE)
      listed[triangle - listStart] =
        stitchedEntry(cell.position, wordOfTriangle(cell.cellCase, findLSB(triangles)));
}

// Emits the triangles of the list from this one on in the output.
void emitListedStitched(uint triangles, uint firstTriangle)
{
  for (uint corner = gl_LocalInvocationID.x; corner < 3 * triangles; corner += BRICK_ROWS)
  {
    const uint entry = listed[corner / 3];
    const BlockEdge edge = edgeOfTriangle(positionOfEntry(entry), listedWord(entry), turnedCorner(corner % 3));
    writeId(3 * firstTriangle + corner, idOf(nameOf(edge)));
  }
  if (writes(BINDING_TRIANGLE_CELL))
    for (uint i = gl_LocalInvocationID.x; i < triangles; i += BRICK_ROWS)
      writeCell(firstTriangle + i, describeCell(positionOfEntry(listed[i])).owner);
}

// Restores the block of the brick, with the leaves at the corners of its stitched cells.
void restoreBlock(LevelBrick own, uint slot)
{
  findBricksAround(own);
  for (uint row = gl_LocalInvocationID.x; row < BlockRows; row += BRICK_ROWS)
  {
    blockRow[row] = keptRow[slot * BlockRows + row];
    wholeRow[row] = wholeLeaves(row, ownLeaves(row));
  }
  barrier();
  findStitchedCells();
  const uint corners = listCorners();
  for (uint i = gl_LocalInvocationID.x; i < corners; i += BRICK_ROWS)
  {
    const ivec3 place = placeInBrick(listedPosition[i]);
    leafOf[listedPosition[i]] = leafAt(own.level, firstCell + place, sampleAround(place));
  }
  barrier();
}

// firstTriangle: the number of the first one in the output.
void emitStitchedCells(LevelBrick own, uint brick, uint slot, uint firstTriangle)
{
  restoreBlock(own, slot);
  const uint cells = listStitchedCells();
  for (uint first = 0; first < cells; first += BRICK_ROWS)
  {
    const uint i = first + gl_LocalInvocationID.x;
    StitchedCell cell = StitchedCell(0, 0, NO_LEAF);
    if (i < cells)
      cell = describeCell(listedPosition[i]);
    const uint triangles = brickOfLeaf(cell.owner) == brick && !isNotOwned(cell.owner) ? trianglesOf(cell) : 0;
    uint all;
    const uint before = exclusiveScan(bitCount(triangles), all);
    for (uint start = 0; start < all; start += EMIT_LIST_SIZE)
    {
      listStitched(cell, triangles, before, start);
      barrier();
      emitListedStitched(min(EMIT_LIST_SIZE, all - start), firstTriangle + start);
      barrier(); // all invocations have read the list
    }
    firstTriangle += all;
  }
}

void main()
{
  const uint slot = slotOfWorkgroup();
  if (slot >= emitCount(TOTAL_TRIANGLES, TOTAL_OWN_TRIANGLES, slab.triangleCapacity))
    return;
  const uint row = gl_LocalInvocationID.x;
  const uint brick = activeBrick[slot];
  const LevelBrick own = levelBrick(brick);
  findSlot(own);
  loadRows(slot);
  const uint cells = validCells[slot * VALID_CELL_WORDS + row / 4] >> (8 * (row % 4)) & 0xFFu;
  const uint firstTriangle = slab.triangleStart + brickOffset[slab.activeCapacity + slot];
  const CutRow cut = cutRow(cells);
  uint emitted;
  const uint before = exclusiveScan(trianglesOfCells(cut.cells, cut.inside), emitted);
  emitRows(cut, before, emitted, firstTriangle, brick);
  if (IsStitched)
    emitStitchedCells(own, brick, slot, firstTriangle + emitted);
}
