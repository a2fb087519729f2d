// One group of BRICK_ROWS invocations: one active brick; one invocation: every BRICK_ROWS-th of the brick's points.
// Reads the rows that CountBricks kept, the two samples of each crossed edge and, for normals, their neighbours;
// writes position, normal and crossing of each point, in the order of bricks, rows, axes and x, for the output and
// for InterpolateAttribute.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "Shared/Constants.h"
layout(local_size_x = BRICK_ROWS) in;
#include "Shared/Slab.glsl"
#include "Shared/Samples.glsl"
#include "Shared/ActiveRows.glsl"
#include "Shared/Crossing.glsl"
#include "Shared/WorldPosition.glsl"

layout(std430, binding = BINDING_ACTIVE_BRICK) readonly buffer ActiveBrick { uint activeBrick[]; };
layout(std430, binding = BINDING_BRICK_OFFSET) readonly buffer BrickOffset { uint brickOffset[]; };
layout(std430, binding = BINDING_POSITION) writeonly buffer Position { float position[]; };
layout(std430, binding = BINDING_NORMAL) writeonly buffer Normal { float normal[]; };
layout(std430, binding = BINDING_CROSSING) writeonly buffer Crossings { uvec2 crossing[]; };

shared uint rowOffset[BRICK_ROWS];
shared uint rowWord[BRICK_ROWS];

// The last row with at most `point` points before it: the row that holds the point.
uint rowOfPoint(uint point)
{
  uint row = 0;
  for (uint step = BRICK_ROWS / 2; step > 0; step /= 2)
    if (rowOffset[row + step] <= point)
      row += step;
  return row;
}

// Position of set bit number n (from 0) of a word that has more than n.
uint nthBit(uint word, uint n)
{
  uint bit = 0;
  for (uint step = 16; step > 0; step /= 2)
  {
    const uint below = bitCount(word >> bit & ((1u << step) - 1));
    if (below <= n)
    {
      n -= below;
      bit += step;
    }
  }
  return bit;
}

// Central difference along one axis, one-sided at the border and beside a NaN, in values a step.
float derivative(uvec3 at, uint axis, uint key)
{
  uvec3 step = uvec3(0);
  step[axis] = 1;
  uint before = key;
  uint after = key;
  uint steps = 0;
  if (at[axis] > 0)
  {
    const uint neighbour = sampleKey(sampleIndex(at - step));
    before = isNan(neighbour) ? key : neighbour;
    steps += isNan(neighbour) ? 0 : 1;
  }
  if (at[axis] + 1 < volumeSize()[axis])
  {
    const uint neighbour = sampleKey(sampleIndex(at + step));
    after = isNan(neighbour) ? key : neighbour;
    steps += isNan(neighbour) ? 0 : 1;
  }
  return steps == 0 ? 0 : keyDifference(before, after) / float(steps);
}

vec3 gradient(uvec3 at, uint key) { return vec3(derivative(at, 0, key), derivative(at, 1, key), derivative(at, 2, key)); }

// Unit vector towards lower values. Where the interpolated gradient vanishes, the crossed edge itself tells the side.
vec3 unitNormal(uvec3 start, uvec3 end, uint axis, uint keyStart, uint keyEnd, float fraction)
{
  vec3 slope = gradientToWorld(mix(gradient(start, keyStart), gradient(end, keyEnd), fraction));
  float size = max(max(abs(slope.x), abs(slope.y)), abs(slope.z));
  if (!(size > 0 && size < uintBitsToFloat(0x7F800000u)))
  {
    vec3 along = vec3(0);
    along[axis] = keyEnd > keyStart ? 1 : -1;
    slope = gradientToWorld(along);
    size = max(max(abs(slope.x), abs(slope.y)), abs(slope.z));
  }
  return -normalize(slope / size); // scaled first: the square of a large or small slope would not fit
}

void emitPoint(uint brickPoint, uint firstPoint, uvec3 corner)
{
  const uint row = rowOfPoint(brickPoint);
  const uint bit = nthBit(rowWord[row], brickPoint - rowOffset[row]);
  const uint axis = bit / BRICK_SIZE;
  const uvec3 start = corner + uvec3(bit % BRICK_SIZE, row % BRICK_SIZE, row / BRICK_SIZE);
  uvec3 end = start;
  end[axis] += 1;
  const uint index = sampleIndex(start);
  const uint keyStart = sampleKey(index);
  const uint keyEnd = sampleKey(sampleIndex(end));
  const float fraction = crossingFraction(keyStart, keyEnd);

  const uint point = firstPoint + brickPoint;
  const vec3 world = worldPosition(start, axis, fraction);
  for (uint c = 0; c < 3; ++c)
    position[3 * point + c] = world[c];
  if (slab.writesNormals != 0)
  {
    const vec3 n = unitNormal(start, end, axis, keyStart, keyEnd, fraction);
    for (uint c = 0; c < 3; ++c)
      normal[3 * point + c] = n[c];
  }
  if (slab.writesCrossings != 0)
    crossing[point] = packCrossing(index - slab.windowSkew, axis, fraction);
}

void main()
{
  const uint slot = groupIndex();
  if (slot >= slab.emitCount)
    return;
  const uint lane = gl_LocalInvocationID.x;
  rowWord[lane] = rowEdges[slot * ROW_WORDS + lane] & EdgeMask;
  rowOffset[lane] = pointsBeforeRow(slot, lane);
  barrier();
  const uvec3 corner = brickCorner(activeBrick[slot]);
  const uint pointCount = rowOffset[BRICK_ROWS - 1] + bitCount(rowWord[BRICK_ROWS - 1]);
  for (uint point = lane; point < pointCount; point += BRICK_ROWS)
    emitPoint(point, brickOffset[slot], corner);
}
