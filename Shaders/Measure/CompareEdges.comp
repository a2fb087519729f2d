// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One invocation: SUM_RUN triangles.
// Reads their corners. Writes the largest coordinate of their edges, and the box around them, which give the units of
// sums (FixedUnits.h). Adds to the difference of each corner, which ListOpenEdges reads: the next corner counts
// positive, the previous one negative. Where all edges at a point have two triangles of one orientation, each neighbour
// is next once and previous once, and the difference is 0. Where two edges have one triangle alone, it is not 0,
// because no two points have one hash. Where four have (cells that meet at an edge of the grid, between cells without a
// value), it is 0 with a probability of 2^-32.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "Shared/Constants.h"
layout(local_size_x = LINEAR_GROUP_SIZE) in;
#include "Shared/Invocation.glsl"
#include "Triangles.glsl"
#include "Positions.glsl"

layout(std430, binding = BINDING_EXTENT) buffer Extent { uint extent[]; };
layout(std430, binding = BINDING_DIFFERENCE) buffer Difference { uint difference[]; };

shared uint groupExtent[EXTENT_WORDS];

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

float largestOf(vec3 vector) { return max(abs(vector.x), max(abs(vector.y), abs(vector.z))); }

void main()
{
  const uint invocation = gl_LocalInvocationID.x;
  if (invocation < EXTENT_WORDS)
    groupExtent[invocation] = 0;
  barrier();
  float edge = 0;
  uvec3 low = uvec3(0), high = uvec3(0);
  for (uint i = 0; i < SUM_RUN; ++i)
  {
    const uint triangle = (workgroupIndex() * SUM_RUN + i) * gl_WorkGroupSize.x + invocation;
    if (triangle >= push.triangles)
      break;
    const uvec3 corners = cornersOf(triangle);
    const vec3 a = positionOf(corners.x), b = positionOf(corners.y), c = positionOf(corners.z);
    edge = max(edge, max(largestOf(b - a), max(largestOf(c - b), largestOf(a - c))));
    low = max(low, ~keysOf(min(a, min(b, c))));
    high = max(high, keysOf(max(a, max(b, c))));
    addDifferences(corners);
  }
  atomicMax(groupExtent[EXTENT_EDGE], floatBitsToUint(edge));
  for (uint axis = 0; axis < 3; ++axis)
  {
    atomicMax(groupExtent[EXTENT_LOW + axis], low[axis]);
    atomicMax(groupExtent[EXTENT_HIGH + axis], high[axis]);
  }
  barrier();
  // Values only grow, so an old one does no harm.
  if (invocation < EXTENT_WORDS && extent[invocation] < groupExtent[invocation])
    atomicMax(extent[invocation], groupExtent[invocation]);
}
