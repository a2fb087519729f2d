// One group: one active brick; one invocation, of BRICK_ROWS: first one row, whose points it lists, then every
// BRICK_ROWS-th of the brick's points; on software Vulkan, of BRICK_SIZE: a layer of rows (Software/EmitPoints.glsl).
// Reads the rows that CountBricks kept, the two samples of each crossed edge and, for normals and gradients, their
// neighbours and the flags of these; writes position and crossing of each point and, where they are asked for, the
// low parts of its coordinates, its normal and its gradient, in the order of bricks, rows, axes and x, for the output
// and for InterpolateAttribute.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "Shared/Constants.h"
layout(local_size_x_id = SPECIALIZE_GROUP_SIZE) in;
#include "Shared/Slab.glsl"
#include "Shared/Samples.glsl"
#include "Shared/Ghosts.glsl"
#include "Shared/ActiveRows.glsl"
#include "Shared/Crossing.glsl"
#include "Shared/WorldPosition.glsl"
#include "Shared/Totals.glsl"

// Whether normals or gradients may be wanted.
layout(constant_id = SPECIALIZE_SLOPES) const bool Slopes = true;
layout(constant_id = SPECIALIZE_GPU) const bool Gpu = false; // short lists, many groups at once
layout(std430, binding = BINDING_ACTIVE_BRICK) readonly buffer ActiveBrick { uint activeBrick[]; };
layout(std430, binding = BINDING_BRICK_OFFSET) readonly buffer BrickOffset { uint brickOffset[]; };
layout(std430, binding = BINDING_POSITION) writeonly buffer Position { float position[]; };
layout(std430, binding = BINDING_NORMAL) writeonly buffer Normal { float normal[]; };
layout(std430, binding = BINDING_GRADIENT) writeonly buffer Gradient { float gradientOf[]; };
layout(std430, binding = BINDING_POSITION_LOW) writeonly buffer PositionLow { float positionLow[]; };
layout(std430, binding = BINDING_CROSSING) writeonly buffer Crossings { uvec2 crossing[]; };

// Points of the brick in their order: row from bit 5, then the number of the crossed edge in the row.
const uint ListSize = Gpu ? GPU_LIST_SIZE : BRICK_MAX_POINTS;
shared uint listed[ListSize];
shared uint pointCount;

// Lists those points of a row, the first of which has this number in the brick, that the list reaches.
void listPoints(uint edges, uint point, uint listStart)
{
  for (; edges != 0; edges &= edges - 1, ++point)
    if (point - listStart < ListSize)
      listed[point - listStart] = gl_LocalInvocationID.x << 5 | findLSB(edges);
}

// A neighbour that tells of the slope: in the domain, not blank, and not the same image sample again. One that another
// piece owns tells too: both pieces give the points of their seam the same normals.
bool isNeighbour(uvec3 at, uvec3 neighbour, uvec2 value)
{
  return !isOutside(neighbour) && !isBlank(ghostOf(neighbour), value) && imagePosition(neighbour) != imagePosition(at);
}

// Central difference along one axis, one-sided at the border and beside a blank sample, in values a step.
float derivative(uvec3 at, uint axis, uvec2 value)
{
  uvec3 step = uvec3(0);
  step[axis] = 1;
  uvec2 before = value;
  uvec2 after = value;
  uint steps = 0;
  if (at[axis] > 0)
  {
    const uvec2 neighbour = gridSample(at - step);
    const bool usable = isNeighbour(at, at - step, neighbour);
    before = usable ? neighbour : value;
    steps += usable ? 1 : 0;
  }
  if (at[axis] + 1 < gridSize()[axis])
  {
    const uvec2 neighbour = gridSample(at + step);
    const bool usable = isNeighbour(at, at + step, neighbour);
    after = usable ? neighbour : value;
    steps += usable ? 1 : 0;
  }
  return steps == 0 ? 0 : sampleDifference(before, after) / float(steps);
}

vec3 gradient(uvec3 at, uvec2 value)
{
  return vec3(derivative(at, 0, value), derivative(at, 1, value), derivative(at, 2, value));
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

// In values a step. On the lid of a closed surface that of the border, whichever end is outside.
vec3 gradientOnEdge(Edge edge)
{
  const vec3 low = isOutside(edge.start) ? vec3(0) : gradient(edge.start, edge.startSample);
  const vec3 high = isOutside(edge.end) ? low : gradient(edge.end, edge.endSample);
  return isOutside(edge.start) ? high : mix(low, high, edge.fraction);
}

// Unit vector towards lower values. Where the interpolated gradient vanishes, and on the lid of a closed surface, the
// crossed edge itself tells the side.
vec3 unitNormal(Edge edge, vec3 slope)
{
  float size = max(max(abs(slope.x), abs(slope.y)), abs(slope.z));
  if (!(size > 0 && size < uintBitsToFloat(0x7F800000u)) || isOutside(edge.start) || isOutside(edge.end))
  {
    vec3 along = vec3(0);
    const bool rises = isOutside(edge.start) || (!isOutside(edge.end) && isBelow(edge.startSample, edge.endSample));
    along[edge.axis] = rises ? 1 : -1;
    slope = gradientToWorld(along);
    size = max(max(abs(slope.x), abs(slope.y)), abs(slope.z));
  }
  return -normalize(slope / size); // scaled first: the square of a large or small slope would not fit
}

void emitPosition(uint point, Edge edge)
{
  const vec3 at = gridCoordinate(edge.start);
  const float step = gridCoordinate(edge.end)[edge.axis] - at[edge.axis];
  const WorldPosition world = worldPosition(at, edge.axis, step, edge.fraction);
  for (uint c = 0; c < 3; ++c)
  {
    position[3 * point + c] = world.high[c];
    if (slab.writesLow != 0)
      positionLow[3 * point + c] = world.low[c];
  }
}

void emitSlope(uint point, Edge edge)
{
  const vec3 slope = gradientToWorld(gradientOnEdge(edge));
  const vec3 n = unitNormal(edge, slope);
  for (uint c = 0; c < 3; ++c)
  {
    if (slab.writesNormals != 0)
      normal[3 * point + c] = n[c];
    if (slab.writesGradients != 0)
      gradientOf[3 * point + c] = slope[c];
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
    edge.fraction = 0; // an edge of the padding: both ends are one sample, in one place
  emitPosition(point, edge);
  if (Slopes && (slab.writesNormals != 0 || slab.writesGradients != 0))
    emitSlope(point, edge);
  if (slab.writesCrossings != 0)
    crossing[point] = packCrossing(sampleNumber(image), edge.axis, edge.fraction);
}

// Lists and emits as many points as the list holds, from the one of this number in the brick.
void emitListed(uint start, uint edges, uint before, uint firstPoint, uvec3 corner)
{
  listPoints(edges, before, start);
  barrier();
  const uint count = min(ListSize, pointCount - start);
  for (uint index = gl_LocalInvocationID.x; index < count; index += BRICK_ROWS)
    emitPoint(firstPoint + start + index, listed[index], corner);
}

#include "Software/EmitPoints.glsl"

void main()
{
  const uint slot = groupIndex();
  if (slot >= emitCount(TOTAL_POINTS, TOTAL_OWN_POINTS, slab.pointRoom))
    return;
  if (!Gpu)
  {
    emitBrick(slot);
    return;
  }
  const uint lane = gl_LocalInvocationID.x;
  const uint edges = rowEdges[slot * ROW_WORDS + lane] & EdgeMask;
  const uint before = pointsBeforeRow(slot, lane);
  const uint firstPoint = brickOffset[slot];
  const uvec3 corner = brickCorner(activeBrick[slot]);
  if (lane == BRICK_ROWS - 1)
    pointCount = before + bitCount(edges);
  barrier();
  for (uint start = 0; start < pointCount; start += ListSize)
  {
    emitListed(start, edges, before, firstPoint, corner);
    barrier(); // every point of the list has been read
  }
}
