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

// Whether normals or gradients may be requested.
layout(constant_id = SPECIALIZE_SLOPES) const bool Slopes = true;
layout(std430, binding = BINDING_POSITION) writeonly buffer Position { float position[]; };
layout(std430, binding = BINDING_NORMAL) writeonly buffer Normal { float normal[]; };
layout(std430, binding = BINDING_GRADIENT) writeonly buffer Gradient { float gradientOf[]; };
layout(std430, binding = BINDING_POSITION_LOW) writeonly buffer PositionLow { float positionLow[]; };
layout(std430, binding = BINDING_CROSSING) writeonly buffer Crossings { uvec2 crossing[]; };

// Points of the brick in output order: row from bit 5, number of the crossed edge in the row from bit 0.
shared uint listed[EMIT_LIST_SIZE];
shared uint pointCount;

// Lists those points of a row that belong in the list. `point` is the number of the row's first point in the brick,
// `listStart` that of the list's first point.
void listPoints(uint edges, uint point, uint listStart)
{
  for (; edges != 0; edges &= edges - 1, ++point)
    if (point - listStart < EMIT_LIST_SIZE)
      listed[point - listStart] = gl_LocalInvocationID.x << 5 | findLSB(edges);
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

// Gradient in values per step. On the cap of a closed surface: the gradient at the end that is not outside.
Scaled gradientOnEdge(Edge edge)
{
  const bool startIsOutside = isOutside(edge.start), endIsOutside = isOutside(edge.end);
  const Neighbours ofStart = neighboursOf(
    startIsOutside ? edge.end : edge.start, startIsOutside ? edge.endSample : edge.startSample);
  const Neighbours ofEnd =
    neighboursOf(endIsOutside ? edge.start : edge.end, endIsOutside ? edge.startSample : edge.endSample);
  const int exponent = max(largestExponent(ofStart), largestExponent(ofEnd));
  const vec3 low = gradient(ofStart, exponent), high = gradient(ofEnd, exponent);
  return Scaled(mix(low, high, startIsOutside || endIsOutside ? 0 : edge.fraction), unitExponent(exponent));
}

// Unit vector towards lower values. If the interpolated gradient is 0, and on the cap of a closed surface, it is the
// normal of a gradient along the crossed edge alone.
vec3 unitNormal(Edge edge, vec3 slope)
{
  float size = largestComponent(slope);
  if (!(size > 0 && size < infinity()) || isOutside(edge.start) || isOutside(edge.end))
  {
    vec3 along = vec3(0);
    const bool rises = isOutside(edge.start) || (!isOutside(edge.end) && isBelow(edge.startSample, edge.endSample));
    along[edge.axis] = rises ? 1 : -1;
    slope = gradientToWorld(along).value;
    size = largestComponent(slope);
  }
  return -normalize(slope / size);
}

void emitPosition(uint point, Edge edge)
{
  const WorldPosition world = worldPosition(edge.start, edge.axis, edge.fraction);
  for (uint c = 0; c < 3; ++c)
  {
    position[3 * point + c] = world.high[c];
    if (writes(BINDING_POSITION_LOW))
      positionLow[3 * point + c] = world.low[c];
  }
}

void emitSlope(uint point, Edge edge)
{
  const Scaled along = gradientOnEdge(edge);
  const Scaled slope = gradientToWorld(along.value);
  const vec3 n = unitNormal(edge, slope.value);
  for (uint c = 0; c < 3; ++c)
  {
    if (writes(BINDING_NORMAL))
      normal[3 * point + c] = n[c];
    if (writes(BINDING_GRADIENT))
      gradientOf[3 * point + c] = timesPowerOfTwo(slope.value[c], along.exponent + slope.exponent);
  }
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

  const uvec3 image = imagePosition(edge.start);
  if (imagePosition(edge.end) == image)
    edge.fraction = 0; // an edge of the padding: both ends are one image sample
  emitPosition(point, edge);
  if (Slopes && (writes(BINDING_NORMAL) || writes(BINDING_GRADIENT)))
    emitSlope(point, edge);
  if (writes(BINDING_CROSSING))
    crossing[point] = packCrossing(sampleNumber(image), edge.axis, edge.fraction);
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
  const uint edges = rowEdges[slot * ROW_WORDS + invocation] & EdgeMask;
  const uint before = pointsBeforeRow(slot, invocation);
  const uint firstPoint = slab.pointStart + brickOffset[slot];
  const uvec3 corner = brickCorner(activeBrick[slot]);
  if (invocation == BRICK_ROWS - 1)
    pointCount = before + bitCount(edges);
  barrier();
  for (uint start = 0; start < pointCount; start += EMIT_LIST_SIZE)
  {
    emitListed(start, edges, before, firstPoint, corner);
    barrier(); // all invocations have read the list
  }
}
