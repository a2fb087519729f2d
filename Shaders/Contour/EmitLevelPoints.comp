// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One workgroup: one active brick of a level. One invocation: first one row, whose points it lists, then every
// BRICK_ROWS-th point of the brick.
// Reads the rows that CountLevelBricks and NumberLevelPoints wrote, the samples of both leaves of each crossed edge
// and, for normals and gradients, their neighbours. Writes the position of each point for the output and, if requested,
// the low part of the position, the normal, the gradient, and the crossing for InterpolateAttribute. The order of the
// points is that of bricks and rows; in a row, first those towards the high sides, then those towards coarser leaves at
// the low sides, by axes and x.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "Shared/Constants.h"
layout(local_size_x = BRICK_ROWS) in;
#define GEOMETRY_PER_LEVEL
#include "Shared/Slab.glsl"
#include "Shared/Samples.glsl"
#include "Shared/ActiveRows.glsl"
#include "Shared/Crossing.glsl"
#include "Shared/WorldPosition.glsl"
#include "Shared/Gradient.glsl"
#include "Shared/Totals.glsl"
#include "Shared/Levels.glsl"
#include "Contour/LevelGroups.glsl"
#include "Contour/BricksAround.glsl"
#include "Contour/LevelSlopes.glsl"
#include "Contour/PointOutputs.glsl"

layout(std430, binding = BINDING_LOW_EDGES) readonly buffer LowEdges { uint lowEdges[]; };

const uint RowBits = 24; // bits of the edges of a row, and of its low edges

// Points of the brick in output order: row from bit 6; from bit 0 the bit of the edge in the row's first word, or
// RowBits plus that in the word of its low edges.
shared uint listed[EMIT_LIST_SIZE];
shared uint pointCount;

// Lists those points of a word of a row that belong in the list. `point` is the number of the first point in the brick,
// `listStart` that of the list's first point. Returns the number after the last one.
uint listPoints(uint edges, uint firstBit, uint point, uint listStart)
{
  for (; edges != 0; edges &= edges - 1, ++point)
    if (point - listStart < EMIT_LIST_SIZE)
      listed[point - listStart] = gl_LocalInvocationID.x << 6 | firstBit + findLSB(edges);
  return point;
}

// A leaf at an end of a crossed edge.
struct EndLeaf
{
  uint level;
  uint leaf;
  ivec3 cell;
  uvec2 value;
};

EndLeaf endLeaf(uint level, uint leaf, ivec3 cell) { return EndLeaf(level, leaf, cell, sampleAt(leaf)); }

// The leaf of this level or a coarser one at a cell, which has one.
EndLeaf endLeafAt(uint level, ivec3 cell)
{
  const uint number = sampleAround(cell - firstCell);
  if (Kind != BRICK_IS_STITCHED)
    return endLeaf(level, number, cell);
  const uint leaf = leafAt(level, cell, number);
  return leaf == number ? endLeaf(level, leaf, cell) :
                          endLeaf(levelOfBrick(brickOfLeaf(leaf)), leaf, cellOfLeaf(leaf));
}

// The way from the centre of a cell to that of a leaf of its level or a coarser one, in steps of the cell's level.
vec3 stepsTo(uint level, ivec3 cell, EndLeaf leaf)
{
  if (Kind == BRICK_IS_PLAIN)
    return vec3(leaf.cell - cell);
  if (Kind != BRICK_IS_STITCHED || leaf.level == level)
    return withinDomain(level, cell, vec3(leaf.cell - cell));
  const LevelPair pair = levelPair(leaf.level, level);
  return withinDomain(level, cell, vec3(firstChildOf(pair, leaf.cell) - cell) + 0.5 * vec3(pair.cells - 1));
}

// An edge on the cap of a closed domain, whose point is the leaf that is not outside. The normal is that of the border:
// along the edge or, if the leaf is in the domain along the edge's axis, along the first axis along which it is not.
CrossedAxis capOf(EndLeaf leaf, uint axis, bool rises)
{
  const vec3 toDomain = withinDomain(leaf.level, leaf.cell, vec3(0));
  for (uint a = 0; a < 3 && toDomain[axis] == 0; ++a)
    if (toDomain[a] != 0)
    {
      axis = a;
      rises = toDomain[a] > 0;
    }
  return CrossedAxis(axis, rises, true);
}

// The slope at a leaf in steps of this level, which is not coarser.
Scaled slopePerStep(EndLeaf at, uint level)
{
  Scaled slope = slopeAt(at.level, at.leaf, at.value, at.cell);
  if (Kind == BRICK_IS_STITCHED && at.level != level)
    slope.value /= vec3(levelPair(at.level, level).cells);
  return slope;
}

// The slope at a fraction of the way between two leaves, in steps of this level. The leaves at edges of plain bricks
// have no slope in the buffer.
Scaled slopeBetween(EndLeaf start, EndLeaf end, float fraction, uint level)
{
  if (Kind == BRICK_IS_PLAIN)
  {
    Neighbours ofEnds[2];
    [[unroll]] for (uint e = 0; e < 2; ++e)
    {
      const EndLeaf at = e == 0 ? start : end;
      ofEnds[e] = neighboursOfLeaf(level, at.leaf, at.value, at.cell);
    }
    return gradientBetween(ofEnds, fraction);
  }
  Scaled slope[2];
  [[unroll]] for (uint e = 0; e < 2; ++e)
    slope[e] = slopePerStep(e == 0 ? start : end, level);
  return mixSlopes(slope[0], slope[1], fraction);
}

void emitPoint(uint point, uint entry, uint brick, LevelBrick own)
{
  const uint row = entry >> 6, bit = (entry & 63u) % RowBits;
  const bool isLow = Kind == BRICK_IS_STITCHED && (entry & 63u) >= RowBits;
  const uint axis = bit / BRICK_SIZE, number = row * BRICK_SIZE + bit % BRICK_SIZE;
  const ivec3 cell = ivec3(BRICK_SIZE * own.at + uvec3(bit, row, row / BRICK_SIZE) % BRICK_SIZE);
  ivec3 beside = cell;
  beside[axis] += isLow ? -1 : 1;
  const EndLeaf leaf = endLeaf(own.level, brick * BRICK_CELLS + number, cell);
  const EndLeaf other = endLeafAt(own.level, beside);
  EndLeaf start = isLow ? other : leaf, end = isLow ? leaf : other;
  uint second = end.leaf;
  CrossedAxis edge = CrossedAxis(axis, isBelow(start.value, end.value), false);
  float fraction = 0;
  const bool mayBeOutside = Kind != BRICK_IS_PLAIN;
  if (mayBeOutside && isOutsideLeaf(start.leaf))
  {
    edge = capOf(end, axis, true);
    second = start.leaf;
    start = end;
  }
  else if (mayBeOutside && isOutsideLeaf(end.leaf))
  {
    edge = capOf(start, axis, false);
    end = start;
  }
  else
    fraction = crossingFraction(start.value, end.value);
  if (writes(BINDING_CROSSING))
    crossing[point] = EdgeCrossing(start.leaf, end.leaf, fraction, second);

  const vec3 steps = mix(stepsTo(own.level, cell, start), stepsTo(own.level, cell, end), fraction);
  vec3 along = vec3(0);
  for (uint a = 0; a < 3; ++a)
    along += steps[a] * geometry.axisHigh[a].xyz;
  const LevelEntry level = table.level[own.level];
  writePosition(point, worldPosition(vec3(cell + ivec3(level.firstX, level.firstY, level.firstZ)), 1, along));
  if (!Slopes || !(writes(BINDING_NORMAL) || writes(BINDING_GRADIENT)))
    return;
  writeSlope(point, slopeBetween(start, end, fraction, own.level), edge);
}

void main()
{
  const uint slot = slotOfWorkgroup();
  if (slot >= emitCount(TOTAL_POINTS, TOTAL_OWN_POINTS, slab.pointCapacity))
    return;
  const uint invocation = gl_LocalInvocationID.x;
  const uvec2 words = wordsOfRow(slot, invocation);
  const uint edges = words.x & ROW_EDGE_BITS, before = pointsBefore(words);
  const uint low = Kind == BRICK_IS_STITCHED ? lowEdges[slot * BRICK_ROWS + invocation] : 0;
  const uint firstPoint = slab.pointStart + brickOffset[slot];
  const uint brick = activeBrick[slot];
  const LevelBrick own = levelBrick(brick);
  geometryLevel = own.level;
  if (invocation == BRICK_ROWS - 1)
    pointCount = before + bitCount(edges) + bitCount(low);
  findBricksAround(own);
  for (uint start = 0; start < pointCount; start += EMIT_LIST_SIZE)
  {
    listPoints(low, RowBits, listPoints(edges, 0, before, start), start);
    barrier();
    const uint count = min(EMIT_LIST_SIZE, pointCount - start);
    for (uint index = invocation; index < count; index += BRICK_ROWS)
      emitPoint(firstPoint + start + index, listed[index], brick, own);
    barrier(); // all invocations have read the list
  }
}
