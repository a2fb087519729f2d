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

// Joins two trees. Returns the root of both, or after many attempts an ancestor of a.
uint join(uint a, uint b)
{
  for (uint i = 0; i < FOREST_ATTEMPTS; ++i)
  {
    a = rootOf(a);
    b = rootOf(b);
    const uint root = min(a, b), child = max(a, b);
    if (root == child)
      return root;
    const uint found = atomicCompSwap(toParent[child], 0, child - root);
    if (found == 0)
      return root;
    a = root;
    b = child - found;
  }
  unfinished[0] = 1;
  return a;
}

void main()
{
  const uint triangle = invocationIndex();
  if (triangle >= push.triangles)
    return;
  const uvec3 corners = cornersOf(triangle);
  const uvec3 parents = uvec3(parentOf(corners.x), parentOf(corners.y), parentOf(corners.z));
  if (parents.x != parents.y || parents.x != parents.z)
    join(join(parents.x, parents.y), parents.z);
}
