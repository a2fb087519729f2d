// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The code of EmitPoints and EmitPointsAtCoordinates.
// Include after the kernel has declared its workgroup size. COORDINATES_PER_AXIS: see WorldPosition.glsl.
#include "Shared/Slab.glsl"
#include "Shared/Samples.glsl"
#include "Shared/ActiveRows.glsl"
#include "Shared/Crossing.glsl"
#include "Shared/WorldPosition.glsl"
#include "Shared/Gradient.glsl"
#include "Shared/Totals.glsl"
#include "Contour/PointOutputs.glsl"

// Points of the brick in output order: row from bit 5, number of the crossed edge in the row from bit 0.
shared uint listed[EMIT_LIST_SIZE];
shared uint pointCount;
// If the axes of the volume are parallel to those of the world: the coordinates of the brick's grid positions along x,
// then y, then z, which are computed once per brick.
const uint AxisPositions = Aligned ? 3 * BRICK_SIZE : 1;
shared vec2 axisCoordinate[AxisPositions]; // high and low part
shared float axisStep[AxisPositions];      // distance to the next position

// Lists those points of a row that belong in the list. `point` is the number of the row's first point in the brick,
// `listStart` that of the list's first point.
void listPoints(uint edges, uint point, uint listStart)
{
  for (; edges != 0; edges &= edges - 1, ++point)
    if (point - listStart < EMIT_LIST_SIZE)
      listed[point - listStart] = gl_LocalInvocationID.x << 5 | findLSB(edges);
}

// Computes the coordinates of the brick's grid positions. A barrier must follow before they are read. Positions beyond
// the grid repeat the last one; no edge starts there.
void fillCoordinates(uvec3 corner)
{
  const uint invocation = gl_LocalInvocationID.x;
  if (!Aligned || invocation >= 3 * BRICK_SIZE)
    return;
  const uvec3 at = min(corner + invocation % BRICK_SIZE, gridSize() - 1);
  const GridCoordinate found = coordinateOf(at, invocation / BRICK_SIZE);
  axisCoordinate[invocation] = vec2(found.high, found.low);
  axisStep[invocation] = found.toNext;
}

// A crossed edge of the grid.
struct Edge
{
  uvec3 start;
  uvec3 end;
  uint axis;
  uvec2 startSample;
  uvec2 endSample;
  float fraction;
};

// World position of the crossing. corner: that of the brick.
WorldPosition positionOn(Edge edge, uvec3 corner)
{
#ifndef COORDINATES_PER_AXIS
  if (!Aligned)
    return worldPosition(edge.start, edge.axis, edge.fraction);
#endif
  const uvec3 local = edge.start - corner;
  WorldPosition world;
  for (uint c = 0; c < 3; ++c)
  {
    const uint entry = BRICK_SIZE * c + local[c];
    const vec2 at = axisCoordinate[entry];
    precise float rest = at.y;
    if (c == edge.axis)
      rest += edge.fraction * axisStep[entry];
    twoSum(at.x, rest, world.high[c], world.low[c]);
  }
  return world;
}

// Gradient in values per step. On the cap of a closed surface: the gradient at the end that is not outside.
Scaled gradientOnEdge(Edge edge)
{
  const bool startIsOutside = isOutside(edge.start), endIsOutside = isOutside(edge.end);
  Neighbours ofEnds[2];
  [[unroll]] for (uint end = 0; end < 2; ++end)
  {
    const bool isAtStart = end == 0 ? !startIsOutside : endIsOutside;
    ofEnds[end] = neighboursOf(isAtStart ? edge.start : edge.end, isAtStart ? edge.startSample : edge.endSample);
  }
  return gradientBetween(ofEnds, startIsOutside || endIsOutside ? 0 : edge.fraction);
}

// Writes the gradient of a point, which is in values per step.
void emitSlope(uint point, Edge edge)
{
  const bool startIsOutside = isOutside(edge.start), endIsOutside = isOutside(edge.end);
  const bool rises = startIsOutside || (!endIsOutside && isBelow(edge.startSample, edge.endSample));
  writeSlope(point, gradientOnEdge(edge), CrossedAxis(edge.axis, rises, startIsOutside || endIsOutside));
}

// See EdgeCrossing. image: the position of the image sample at the start.
uint placeOf(Edge edge, uvec3 image)
{
  uint place = edge.axis;
  for (uint a = 0; Padded && a < 3; ++a)
    place = bitfieldInsert(place, edge.start[a] - lowPadding()[a] - image[a],
      int(CROSSING_OFFSET_SHIFT + a * CROSSING_OFFSET_BITS), CROSSING_OFFSET_BITS);
  return place;
}

void emitPoint(uint point, uint entry, uvec3 corner)
{
  const uint row = entry >> 5;
  const uint bit = entry & 31u;
  Edge edge;
  edge.axis = bit / BRICK_SIZE;
  edge.start = corner + uvec3(bit % BRICK_SIZE, row % BRICK_SIZE, row / BRICK_SIZE);
  edge.end = edge.start;
  edge.end[edge.axis] += 1;
  edge.startSample = gridSample(edge.start);
  edge.endSample = gridSample(edge.end);
  edge.fraction = crossingFraction(edge.startSample, edge.endSample);

  const uvec3 start = imagePosition(edge.start), end = imagePosition(edge.end);
  if (start == end)
    edge.fraction = 0; // an edge of the padding: both ends are one image sample
  writePosition(point, positionOn(edge, corner));
  if (Slopes && (writes(BINDING_NORMAL) || writes(BINDING_GRADIENT)))
    emitSlope(point, edge);
  if (writes(BINDING_CROSSING))
    crossing[point] = EdgeCrossing(sampleNumber(start), sampleNumber(end), edge.fraction, placeOf(edge, start));
}

// Lists and emits the points of the brick from number `start` on, as many as the list holds.
void emitListed(uint start, uint edges, uint before, uint firstPoint, uvec3 corner)
{
  listPoints(edges, before, start);
  barrier();
  const uint count = min(EMIT_LIST_SIZE, pointCount - start);
  for (uint index = gl_LocalInvocationID.x; index < count; index += BRICK_ROWS)
    emitPoint(firstPoint + start + index, listed[index], corner);
}

void main()
{
  const uint slot = workgroupIndex();
  if (slot >= emitCount(TOTAL_POINTS, TOTAL_OWN_POINTS, slab.pointCapacity))
    return;
  const uint invocation = gl_LocalInvocationID.x;
  const uvec2 words = wordsOfRow(slot, invocation);
  const uint edges = words.x & ROW_EDGE_BITS, before = pointsBefore(words);
  const uint firstPoint = slab.pointStart + brickOffset[slot];
  const uvec3 corner = brickCorner(activeBrick[slot]);
  fillCoordinates(corner);
  if (invocation == BRICK_ROWS - 1)
    pointCount = before + bitCount(edges);
  barrier();
  for (uint start = 0; start < pointCount; start += EMIT_LIST_SIZE)
  {
    emitListed(start, edges, before, firstPoint, corner);
    barrier(); // all invocations have read the list
  }
}
