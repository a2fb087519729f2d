// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One invocation: one point.
// Makes the root of its tree its parent. Writes no other parent: else an older one could replace a root.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "Shared/Constants.h"
layout(local_size_x = MESH_GROUP_SIZE) in;
#include "Shared/Invocation.glsl"
#include "Shared/Bindings.h"
#include "Shared/Structs.h"
#include "Forest.glsl"

layout(push_constant) uniform Push { MeshConstants push; };

void main()
{
  const uint point = invocationIndex();
  if (point >= push.points)
    return;
  uint root = point;
  for (uint i = 0; i < FOREST_STEPS && parentOf(root) != root; ++i)
    root = parentOf(root);
  toParent[point] = point - root;
  if (parentOf(root) != root)
    unfinished[0] = 1;
}
