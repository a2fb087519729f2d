// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One invocation: one triangle.
// Reads the differences of its corners. Lists its edges between points whose differences are not 0: all that have one
// triangle alone, and some that have two, which are listed twice. The order of the list is not defined.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "Shared/Constants.h"
layout(local_size_x = MESH_GROUP_SIZE) in;
#include "Shared/Invocation.glsl"
#include "Triangles.glsl"
#include "RegionOf.glsl"

layout(constant_id = SPECIALIZE_BY_REGION) const uint ByRegion = 0;
layout(std430, binding = BINDING_DIFFERENCE) readonly buffer Difference { uint difference[]; };
layout(std430, binding = BINDING_OPEN_EDGES) buffer OpenEdges { uint openEdges[]; };
layout(std430, binding = BINDING_EDGE_OF_POINT) buffer EdgeOfPoint { uint edgeOfPoint[]; };

// Lists the edge that a triangle passes from a to b.
void listEdge(uint a, uint b)
{
  const uint edge = atomicAdd(openEdges[0], 1);
  if (edge >= push.capacity)
    return;
  const uint first = (1 + edge) * OPEN_EDGE_WORDS;
  openEdges[first] = min(a, b);
  openEdges[first + 1] = max(a, b);
  openEdges[first + 2] = (ByRegion != 0 ? regionOf(a) : push.key) | (a < b ? 0u : EDGE_IS_REVERSED);
  openEdges[first + 3] = atomicExchange(edgeOfPoint[min(a, b)], 1 + edge);
}

void main()
{
  const uint triangle = push.firstTriangle + invocationIndex();
  if (triangle >= push.lastTriangle)
    return;
  const uvec3 corners = cornersOf(triangle);
  const bvec3 mayBeOpen =
    bvec3(difference[corners.x] != 0, difference[corners.y] != 0, difference[corners.z] != 0);
  if (mayBeOpen.x && mayBeOpen.y)
    listEdge(corners.x, corners.y);
  if (mayBeOpen.y && mayBeOpen.z)
    listEdge(corners.y, corners.z);
  if (mayBeOpen.z && mayBeOpen.x)
    listEdge(corners.z, corners.x);
}
