// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One invocation: one triangle.
// Reads its point ids. Joins the trees of its corners, so that the smaller root is that of both.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "Shared/Constants.h"
layout(local_size_x = LINEAR_GROUP_SIZE) in;
#include "Shared/Invocation.glsl"
#include "Triangles.glsl"
#include "Forest.glsl"

void join(uint a, uint b)
{
  for (uint i = 0; i < FOREST_ATTEMPTS; ++i)
  {
    a = rootOf(a);
    b = rootOf(b);
    if (a == b)
      return;
    const uint root = min(a, b), child = max(a, b);
    if (atomicCompSwap(toParent[child], 0, child - root) == 0)
      return;
  }
  unfinished[0] = 1;
}

void main()
{
  const uint triangle = invocationIndex();
  if (triangle >= push.triangles)
    return;
  const uvec3 corners = cornersOf(triangle);
  join(corners.x, corners.y);
  join(corners.x, corners.z);
}
