// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One invocation: one triangle.
// Reads its point ids. Adds to the difference of each corner: the next corner counts positive, the previous one negative.
// Where all edges at a point have two triangles of one orientation, each neighbour is next once and previous once, and
// the difference is 0. Where two edges have one triangle alone, it is not 0, because no two points have one hash. Where
// four have (cells that meet at an edge of the grid, between cells without a value), it is 0 with a probability of
// 2^-32.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "Shared/Constants.h"
layout(local_size_x = LINEAR_GROUP_SIZE) in;
#include "Shared/Invocation.glsl"
#include "Triangles.glsl"

layout(std430, binding = BINDING_DIFFERENCE) buffer Difference { uint difference[]; };

// Each step can be undone: so different points have different hashes.
uint hashOf(uint point)
{
  uint hash = (point ^ point >> 15) * 0x9E3779B1u;
  hash = (hash ^ hash >> 13) * 0x85EBCA77u;
  return hash ^ hash >> 16;
}

void main()
{
  const uint triangle = invocationIndex();
  if (triangle >= push.triangles)
    return;
  const uvec3 corners = cornersOf(triangle);
  const uvec3 hash = uvec3(hashOf(corners.x), hashOf(corners.y), hashOf(corners.z));
  atomicAdd(difference[corners.x], hash.y - hash.z);
  atomicAdd(difference[corners.y], hash.z - hash.x);
  atomicAdd(difference[corners.z], hash.x - hash.y);
}
