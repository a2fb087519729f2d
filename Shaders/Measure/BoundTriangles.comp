// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One invocation: SUM_RUN triangles.
// Reads the corners of the triangles. Writes the largest coordinate of their edges, and the box around them: SumTriangles
// chooses the units of its sums by them.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "Shared/Constants.h"
layout(local_size_x = LINEAR_GROUP_SIZE) in;
#include "Shared/Invocation.glsl"
#include "Triangles.glsl"
#include "Positions.glsl"

layout(std430, binding = BINDING_EXTENT) buffer Extent { uint extent[]; };

shared uint groupExtent[EXTENT_WORDS];

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
  }
  atomicMax(groupExtent[EXTENT_EDGE], floatBitsToUint(edge));
  for (uint axis = 0; axis < 3; ++axis)
  {
    atomicMax(groupExtent[EXTENT_LOW + axis], low[axis]);
    atomicMax(groupExtent[EXTENT_HIGH + axis], high[axis]);
  }
  barrier();
  if (invocation < EXTENT_WORDS)
    atomicMax(extent[invocation], groupExtent[invocation]);
}
