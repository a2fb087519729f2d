// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One workgroup: one active brick of a level. One invocation: first one row of dual cells, whose triangles it lists,
// then every BRICK_ROWS-th word of their output; if the brick is stitched, then every BRICK_ROWS-th stitched cell.
// Reads the rows that CountLevelBricks and NumberLevelPoints wrote; of a stitched brick, also the leaves around it and
// their samples. Writes the point ids of each triangle and, if requested, the sample that names its dual cell, for the
// output. The order of the triangles is that of bricks, rows and cells, then that of the stitched cells by z, y and x.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "Shared/Constants.h"
layout(local_size_x = BRICK_ROWS) in;
#include "Contour/EmitTriangles.glsl"
#include "Shared/Scan.glsl"
#include "Shared/Samples.glsl"
#include "Shared/Levels.glsl"
#include "Shared/LevelGroups.glsl"
#include "Shared/LevelBlock.glsl"

layout(std430, binding = BINDING_LOW_EDGES) readonly buffer LowEdges { uint lowEdges[]; };
layout(std430, binding = BINDING_SLOT_OF_BRICK) readonly buffer SlotOfBrick { uint slotOfBrick[]; };

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

// The triangles of a case that do not use a point twice, one bit each.
uint trianglesOf(StitchedCell cell)
{
  const uint count = caseTriangleCount(cell.cellCase);
  uint triangles = 0;
  for (uint triangle = 0; triangle < count; ++triangle)
    triangles |= isDegenerate(triangleOfCell(cell, triangle)) ? 0 : 1u << triangle;
  return triangles;
}

void emitStitchedCell(StitchedCell cell, uint triangles, uint to)
{
  for (; triangles != 0; triangles &= triangles - 1, ++to)
  {
    const EdgeTriangle edges = triangleOfCell(cell, findLSB(triangles));
    for (uint i = 0; i < 3; ++i)
      writeId(3 * to + i, idOf(nameOf(edges.edges[turnedCorner(i)])));
    if (writes(BINDING_TRIANGLE_CELL))
      writeCell(to, cell.owner);
  }
}

// firstTriangle: the number of the first one in the output.
void emitStitchedCells(LevelBrick own, uint brick, uint firstTriangle)
{
  fillBlock(own);
  const uint cells = listStitchedCells(own);
  for (uint first = 0; first < cells; first += BRICK_ROWS)
  {
    const uint i = first + gl_LocalInvocationID.x;
    StitchedCell cell = StitchedCell(0, 0, NO_LEAF);
    if (i < cells)
      cell = describeCell(own.level, listedPosition[i]);
    const uint triangles = brickOfLeaf(cell.owner) == brick && !isNotOwned(cell.owner) ? trianglesOf(cell) : 0;
    uint all;
    const uint before = exclusiveScan(bitCount(triangles), all);
    emitStitchedCell(cell, triangles, firstTriangle + before);
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
    emitStitchedCells(own, brick, firstTriangle + emitted);
}
