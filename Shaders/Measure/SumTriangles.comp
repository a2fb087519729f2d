// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One invocation: SUM_RUN triangles.
// Reads the corners of the triangles, or their regions. Adds to the sums of each region, or to those of the key.
// Adds to the difference of each corner, which ListOpenEdges reads: the next corner counts positive, the previous one
// negative. Where all edges at a point have two triangles of one orientation, each neighbour is next once and previous
// once, and the difference is 0. Where two edges have one triangle alone, it is not 0, because no two points have one
// hash. Where four have (cells that meet at an edge of the grid, between cells without a value), it is 0 with a
// probability of 2^-32.
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
layout(std430, binding = BINDING_DIFFERENCE) buffer Difference { uint difference[]; };

#define SUM_ARRAY sums
#define GROUP_SUMS 5 // area, volume and moment
#include "FixedSums.glsl"

const uint Words = WithMeasures != 0 ? SUM_WORDS : 1;

// Sums of few keys have parts, because additions to one word wait for each other: workgroup w adds to part
// w % push.parts. The host adds the parts.
uint firstWordOf(uint key) { return (workgroupIndex() % push.parts * push.keys + key) * Words; }

const uint Bounds = SUM_FIRST - SUM_EXTENT;

shared uint groupTriangles, firstPointOfGroup;
shared uint groupBounds[Bounds];

// The sums over triangles of one key.
struct TriangleSums
{
  uint triangles;
  uvec3 fixedSum[GROUP_SUMS];
  uvec3 low, high; // keys of the bounds, low ones inverted
};

// Each step can be undone: so different points have different hashes.
uint hashOf(uint point)
{
  uint hash = (point ^ point >> 15) * 0x9E3779B1u;
  hash = (hash ^ hash >> 13) * 0x85EBCA77u;
  return hash ^ hash >> 16;
}

void addDifferences(uvec3 corners)
{
  const uvec3 hash = uvec3(hashOf(corners.x), hashOf(corners.y), hashOf(corners.z));
  atomicAdd(difference[corners.x], hash.y - hash.z);
  atomicAdd(difference[corners.y], hash.z - hash.x);
  atomicAdd(difference[corners.z], hash.x - hash.y);
}

void addTriangle(uvec3 corners, uint firstPoint, inout TriangleSums sum)
{
  ++sum.triangles;
  if (WithMeasures == 0)
    return;
  const vec3 atA = positionOf(corners.x), atB = positionOf(corners.y), atC = positionOf(corners.z);
  const vec3 origin = positionOf(firstPoint);
  const float scale = powerOfTwo(-push.units.unit);
  const vec3 a = (atA - origin) * scale, b = (atB - origin) * scale, c = (atC - origin) * scale;
  const vec3 normal = cross((atB - atA) * scale, (atC - atA) * scale);
  const float twiceArea = length(normal);
  const vec3 moment = twiceArea * (a + b + c);
  sum.fixedSum[0] = sumOfFixed(sum.fixedSum[0], fixedOf(twiceArea, push.units.area));
  sum.fixedSum[1] = sumOfFixed(sum.fixedSum[1], fixedOf(dot(a, normal), push.units.volume));
  for (uint axis = 0; axis < 3; ++axis)
    sum.fixedSum[2 + axis] = sumOfFixed(sum.fixedSum[2 + axis], fixedOf(moment[axis], push.units.moment));
  sum.low = max(sum.low, ~keysOf(min(atA, min(atB, atC))));
  sum.high = max(sum.high, keysOf(max(atA, max(atB, atC))));
  addDifferences(corners);
}

// Adds to the number of triangles of a key. The first addition also writes its first point, to the first part.
void addTriangles(uint key, uint firstPoint, uint triangles)
{
  if (atomicAdd(sums[firstWordOf(key) + SUM_TRIANGLES], triangles) == 0 && WithMeasures != 0)
    for (uint axis = 0; axis < 3; ++axis)
      sums[key * Words + SUM_FIRST + axis] = floatBitsToUint(position[3 * firstPoint + axis]);
}

void addBound(uint key, uint bound, uint value)
{
  const uint word = firstWordOf(key) + SUM_EXTENT + bound;
  if (sums[word] < value) // values only grow, so an old one does no harm
    atomicMax(sums[word], value);
}

void addToKey(uint key, uint firstPoint, TriangleSums sum)
{
  addTriangles(key, firstPoint, sum.triangles);
  if (WithMeasures == 0)
    return;
  for (uint i = 0; i < GROUP_SUMS; ++i)
    addFixed(firstWordOf(key) + SUM_AREA + FIXED_WORDS * i, sum.fixedSum[i]);
  for (uint axis = 0; axis < 3; ++axis)
  {
    addBound(key, axis, sum.low[axis]);
    addBound(key, 3 + axis, sum.high[axis]);
  }
}

void shareSums(TriangleSums sum)
{
  atomicAdd(groupTriangles, sum.triangles);
  if (WithMeasures == 0)
    return;
  for (uint i = 0; i < GROUP_SUMS; ++i)
    shareWithGroup(i, sum.fixedSum[i]);
  for (uint axis = 0; axis < 3; ++axis)
  {
    atomicMax(groupBounds[axis], sum.low[axis]);
    atomicMax(groupBounds[3 + axis], sum.high[axis]);
  }
}

// Adds what the workgroup has summed for the smallest key.
void addSumsOfGroup()
{
  const uint invocation = gl_LocalInvocationID.x;
  if (invocation == GROUP_SUMS + Bounds)
    addTriangles(smallestKey, firstPointOfGroup, groupTriangles);
  if (WithMeasures == 0)
    return;
  if (invocation < GROUP_SUMS)
    addFixed(firstWordOf(smallestKey) + SUM_AREA + FIXED_WORDS * invocation, sumOfGroup(invocation));
  else if (invocation < GROUP_SUMS + Bounds)
    addBound(smallestKey, invocation - GROUP_SUMS, groupBounds[invocation - GROUP_SUMS]);
}

void main()
{
  const uint invocation = gl_LocalInvocationID.x;
  const uint first = push.firstTriangle + workgroupIndex() * SUM_RUN * gl_WorkGroupSize.x + invocation;
  if (invocation == 0)
    groupTriangles = 0;
  if (invocation < Bounds)
    groupBounds[invocation] = 0;
  uint key[SUM_RUN], smallest = NO_SLOT;
  for (uint i = 0; i < SUM_RUN; ++i)
  {
    const uint triangle = first + i * gl_WorkGroupSize.x;
    key[i] = NO_SLOT;
    if (triangle < push.lastTriangle)
      key[i] = ByRegion != 0 ? regionOf(cornersOf(triangle).x) : push.key;
    smallest = min(smallest, key[i]);
  }
  findSmallestKey(smallest);
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
      addTriangle(corners, firstPoint, shareOfGroup);
      continue;
    }
    TriangleSums alone = nothing;
    addTriangle(corners, firstPoint, alone);
    addToKey(key[i], firstPoint, alone);
  }
  shareSums(shareOfGroup);
  barrier();
  if (smallestKey != NO_SLOT)
    addSumsOfGroup();
}
