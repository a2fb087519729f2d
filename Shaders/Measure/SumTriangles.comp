// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One invocation: SUM_RUN triangles.
// Reads the corners of the triangles and their extent, or their regions. Adds to the sums of each region, or to those of
// the key. The triangles of the smallest key in a workgroup are summed there first, so that those of a large region do
// not wait for each other.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "Shared/Constants.h"
layout(local_size_x = LINEAR_GROUP_SIZE) in;
#include "Shared/Invocation.glsl"
#include "Triangles.glsl"
#include "Positions.glsl"
#include "RegionOf.glsl"

layout(constant_id = SPECIALIZE_BY_REGION) const uint ByRegion = 0;
layout(constant_id = SPECIALIZE_MEASURES) const uint WithMeasures = 1;
layout(std430, binding = BINDING_SUMS) buffer Sums { uint sums[]; };

#define SUM_ARRAY sums
#include "FixedSums.glsl"

const uint Words = WithMeasures != 0 ? SUM_WORDS : 1;
const uint Fixed = 5; // area, volume and moment

shared uint smallestKey, firstPointOfGroup;
shared uint groupSums[SUM_FIRST][gl_WorkGroupSize.x];

// The sums over triangles of one key.
struct TriangleSums
{
  uint triangles;
  uvec3 fixedSum[Fixed];
  uvec3 low, high; // keys of the bounds, low ones inverted
};

void addTriangle(uvec3 corners, uint firstPoint, FixedUnits units, inout TriangleSums sum)
{
  ++sum.triangles;
  if (WithMeasures == 0)
    return;
  const vec3 atA = positionOf(corners.x), atB = positionOf(corners.y), atC = positionOf(corners.z);
  const vec3 origin = positionOf(firstPoint);
  const float scale = powerOfTwo(-units.unit);
  const vec3 a = (atA - origin) * scale, b = (atB - origin) * scale, c = (atC - origin) * scale;
  const vec3 normal = cross((atB - atA) * scale, (atC - atA) * scale);
  const float twiceArea = length(normal);
  const vec3 moment = twiceArea * (a + b + c);
  sum.fixedSum[0] = sumOfFixed(sum.fixedSum[0], fixedOf(twiceArea, units.area));
  sum.fixedSum[1] = sumOfFixed(sum.fixedSum[1], fixedOf(dot(a, normal), units.volume));
  for (uint axis = 0; axis < 3; ++axis)
    sum.fixedSum[2 + axis] = sumOfFixed(sum.fixedSum[2 + axis], fixedOf(moment[axis], units.moment));
  sum.low = max(sum.low, ~keysOf(min(atA, min(atB, atC))));
  sum.high = max(sum.high, keysOf(max(atA, max(atB, atC))));
}

// Races do no harm: all invocations write the same values.
void writeFirst(uint key, uint axis, uint firstPoint)
{
  sums[key * Words + SUM_FIRST + axis] = floatBitsToUint(position[3 * firstPoint + axis]);
}

void addToKey(uint key, uint firstPoint, TriangleSums sum)
{
  const uint first = key * Words;
  atomicAdd(sums[first + SUM_TRIANGLES], sum.triangles);
  if (WithMeasures == 0)
    return;
  for (uint i = 0; i < Fixed; ++i)
    addFixed(first + SUM_AREA + FIXED_WORDS * i, sum.fixedSum[i]);
  for (uint axis = 0; axis < 3; ++axis)
  {
    atomicMax(sums[first + SUM_EXTENT + axis], sum.low[axis]);
    atomicMax(sums[first + SUM_EXTENT + 3 + axis], sum.high[axis]);
    writeFirst(key, axis, firstPoint);
  }
}

void shareSums(TriangleSums sum)
{
  const uint invocation = gl_LocalInvocationID.x;
  groupSums[SUM_TRIANGLES][invocation] = sum.triangles;
  if (WithMeasures == 0)
    return;
  for (uint i = 0; i < Fixed; ++i)
    for (uint word = 0; word < FIXED_WORDS; ++word)
      groupSums[SUM_AREA + FIXED_WORDS * i + word][invocation] = sum.fixedSum[i][word];
  for (uint axis = 0; axis < 3; ++axis)
  {
    groupSums[SUM_EXTENT + axis][invocation] = sum.low[axis];
    groupSums[SUM_EXTENT + 3 + axis][invocation] = sum.high[axis];
  }
}

// Adds one quantity of the workgroup to the smallest key: the number of triangles, one of the fixed-point sums, or one
// of the six bounds.
void addQuantity(uint quantity)
{
  const uint first = smallestKey * Words;
  const uint word = quantity == 0 ? SUM_TRIANGLES :
    quantity <= Fixed             ? SUM_AREA + FIXED_WORDS * (quantity - 1) :
                                    SUM_EXTENT + quantity - 1 - Fixed;
  uvec3 value = uvec3(0);
  for (uint i = 0; i < gl_WorkGroupSize.x; ++i)
  {
    const uint at = (i + quantity) % gl_WorkGroupSize.x; // another bank for each quantity
    if (quantity == 0)
      value.x += groupSums[word][at];
    else if (quantity <= Fixed)
      value = sumOfFixed(value, uvec3(groupSums[word][at], groupSums[word + 1][at], groupSums[word + 2][at]));
    else
      value.x = max(value.x, groupSums[word][at]);
  }
  if (quantity == 0)
    atomicAdd(sums[first + word], value.x);
  else if (quantity <= Fixed)
    addFixed(first + word, value);
  else
    atomicMax(sums[first + word], value.x);
}

void main()
{
  const uint invocation = gl_LocalInvocationID.x;
  const uint first = push.firstTriangle + workgroupIndex() * SUM_RUN * gl_WorkGroupSize.x + invocation;
  if (invocation == 0)
    smallestKey = NO_SLOT;
  barrier();
  uint key[SUM_RUN], smallest = NO_SLOT;
  for (uint i = 0; i < SUM_RUN; ++i)
  {
    const uint triangle = first + i * gl_WorkGroupSize.x;
    key[i] = NO_SLOT;
    if (triangle < push.lastTriangle)
      key[i] = ByRegion != 0 ? regionOf(cornersOf(triangle).x) : push.key;
    smallest = min(smallest, key[i]);
  }
  atomicMin(smallestKey, smallest);
  barrier();
  FixedUnits units;
  if (WithMeasures != 0)
    units = unitsOf();
  const TriangleSums nothing = { 0, { uvec3(0), uvec3(0), uvec3(0), uvec3(0), uvec3(0) }, uvec3(0), uvec3(0) };
  TriangleSums shareOfGroup = nothing;
  for (uint i = 0; i < SUM_RUN; ++i)
  {
    if (key[i] == NO_SLOT)
      continue;
    const uvec3 corners = cornersOf(first + i * gl_WorkGroupSize.x);
    const uint firstPoint = ByRegion != 0 ? rootOf(corners.x) : push.firstPoint;
    if (key[i] == smallestKey)
    {
      firstPointOfGroup = firstPoint;
      addTriangle(corners, firstPoint, units, shareOfGroup);
      continue;
    }
    TriangleSums alone = nothing;
    addTriangle(corners, firstPoint, units, alone);
    addToKey(key[i], firstPoint, alone);
  }
  shareSums(shareOfGroup);
  barrier();
  if (smallestKey != NO_SLOT && invocation < (WithMeasures != 0 ? 1 + Fixed + 6 : 1))
    addQuantity(invocation);
  if (smallestKey != NO_SLOT && WithMeasures != 0 && invocation < 3)
    writeFirst(smallestKey, invocation, firstPointOfGroup);
}
