// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One invocation: JOIN_RUN triangles. All parents are 0 before.
// Reads their point ids. Joins the trees of their corners in shared memory, as far as the corners are among the
// NEAR_POINTS points from the smallest one of the workgroup. Writes the root among these as the parent of each. Where
// workgroups write parents of the same point, one of these remains. JoinTriangles joins the rest, which is little: most
// triangles have only points whose numbers are near each other.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "Shared/Constants.h"
layout(local_size_x = LINEAR_GROUP_SIZE) in;
#include "Shared/Invocation.glsl"
#include "Triangles.glsl"

layout(std430, binding = BINDING_PARENT) writeonly buffer Parent { uint toParent[]; };

shared uint firstPoint;
shared uint parent[NEAR_POINTS]; // counted from the first point; the parent of a root is itself

uint rootOf(uint point)
{
  uint above = parent[point];
  while (above != point)
  {
    const uint next = parent[above];
    if (next != above)
      parent[point] = next;
    point = above;
    above = next;
  }
  return point;
}

void join(uint a, uint b)
{
  if (max(a, b) >= NEAR_POINTS)
    return;
  a = rootOf(a);
  b = rootOf(b);
  while (a != b)
  {
    const uint root = min(a, b), child = max(a, b), found = atomicCompSwap(parent[child], child, root);
    if (found == child)
      return;
    a = rootOf(root);
    b = rootOf(found);
  }
}

void main()
{
  const uint invocation = gl_LocalInvocationID.x;
  for (uint point = invocation; point < NEAR_POINTS; point += gl_WorkGroupSize.x)
    parent[point] = point;
  if (invocation == 0)
    firstPoint = NO_SLOT;
  barrier();
  uvec3 corners[JOIN_RUN];
  uint smallest = NO_SLOT;
  for (uint i = 0; i < JOIN_RUN; ++i)
  {
    const uint triangle = (workgroupIndex() * JOIN_RUN + i) * gl_WorkGroupSize.x + invocation;
    corners[i] = triangle < push.triangles ? cornersOf(triangle) : uvec3(NO_SLOT);
    smallest = min(smallest, min(corners[i].x, min(corners[i].y, corners[i].z)));
  }
  atomicMin(firstPoint, smallest);
  barrier();
  for (uint i = 0; i < JOIN_RUN; ++i)
  {
    const uvec3 near = corners[i] - firstPoint; // without a triangle: far, or all 0 in a workgroup without any
    join(near.x, near.y);
    join(near.y, near.z);
    join(near.z, near.x);
  }
  barrier();
  for (uint point = invocation; point < NEAR_POINTS; point += gl_WorkGroupSize.x)
  {
    const uint root = rootOf(point);
    if (root != point)
      toParent[firstPoint + point] = point - root;
  }
}
