// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One invocation: one listed edge.
// Adds to the vector area of its region or isovalue: that is half the sum over all edges of triangles of the cross
// products of their ends, by Stokes' theorem, and those of edges that are not listed cancel out. Reads the edges that
// are listed for the smaller point of the edge, and counts it if no other one has the same points.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "Shared/Constants.h"
layout(local_size_x = LINEAR_GROUP_SIZE) in;
#include "Shared/Bindings.h"
#include "Shared/Invocation.glsl"
#include "Shared/Structs.h"
#include "Positions.glsl"

layout(push_constant) uniform Push { MeshConstants push; };
layout(std430, binding = BINDING_OPEN_EDGES) readonly buffer OpenEdges { uint openEdges[]; };
layout(std430, binding = BINDING_EDGE_OF_POINT) readonly buffer EdgeOfPoint { uint edgeOfPoint[]; };
layout(std430, binding = BINDING_SUMS) readonly buffer Sums { uint sums[]; };
layout(std430, binding = BINDING_OPEN_SUMS) buffer OpenSums { uint openSums[]; };

#define SUM_ARRAY openSums
#define GROUP_SUMS 3 // the vector area
#include "FixedSums.glsl"

shared uint groupEdges;

// Returns the cross product of the ends of the edge that begins at this word, in the order in which its triangle passes
// them. Lengths are multiplied by the scale.
vec3 orientedProduct(uint word, uint key, float scale)
{
  const uint first = key * SUM_WORDS + SUM_FIRST;
  const vec3 origin =
    vec3(uintBitsToFloat(sums[first]), uintBitsToFloat(sums[first + 1]), uintBitsToFloat(sums[first + 2]));
  const vec3 low = positionOf(openEdges[word]), high = positionOf(openEdges[word + 1]);
  const vec3 product = cross((low - origin) * scale, (high - low) * scale); // low x high, with more digits
  return (openEdges[word + 2] & EDGE_IS_REVERSED) != 0 ? -product : product;
}

// Returns whether no other edge has the same points.
bool isOpen(uint edge, uint word)
{
  for (uint other = edgeOfPoint[openEdges[word]]; other != 0; other = openEdges[other * OPEN_EDGE_WORDS + 3])
    if (other != 1 + edge && openEdges[other * OPEN_EDGE_WORDS + 1] == openEdges[word + 1])
      return false;
  return true;
}

void addVectorArea(uint key, uint axis, uvec3 sum)
{
  addFixed(key * OPEN_SUM_WORDS + OPEN_VECTOR_AREA + FIXED_WORDS * axis, sum);
}

void addEdges(uint key, uint edges)
{
  if (edges != 0)
    atomicAdd(openSums[key * OPEN_SUM_WORDS + OPEN_EDGES], edges);
}

void main()
{
  const uint invocation = gl_LocalInvocationID.x, edges = min(openEdges[0], push.capacity);
  if (workgroupIndex() * gl_WorkGroupSize.x >= edges)
    return;
  if (invocation == 0)
    groupEdges = 0;
  const uint edge = invocationIndex(), word = (1 + edge) * OPEN_EDGE_WORDS;
  const uint key = edge < edges ? openEdges[word + 2] & ~EDGE_IS_REVERSED : NO_SLOT;
  findSmallestKey(key);
  uint count = 0;
  vec3 product = vec3(0);
  if (key != NO_SLOT)
  {
    product = orientedProduct(word, key, powerOfTwo(-push.units.unit));
    count = isOpen(edge, word) ? 1 : 0;
  }
  const bool isOfGroup = key == smallestKey;
  for (uint axis = 0; axis < 3; ++axis)
  {
    const uvec3 vectorArea = fixedOf(product[axis], push.units.vectorArea);
    shareWithGroup(axis, isOfGroup ? vectorArea : uvec3(0));
    if (!isOfGroup)
      addVectorArea(key, axis, vectorArea); // of NO_SLOT: nothing, as it is 0
  }
  if (isOfGroup)
    atomicAdd(groupEdges, count);
  else
    addEdges(key, count);
  barrier();
  if (invocation < GROUP_SUMS)
    addVectorArea(smallestKey, invocation, sumOfGroup(invocation));
  else if (invocation == GROUP_SUMS)
    addEdges(smallestKey, groupEdges);
}
