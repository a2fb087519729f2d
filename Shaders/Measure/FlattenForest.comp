// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One invocation: one point.
// Makes the root of its tree its parent.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "Shared/Constants.h"
layout(local_size_x = LINEAR_GROUP_SIZE) in;
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
  const uint root = rootOf(point);
  if (toParent[root] == 0)
    toParent[point] = point - root;
  else
    unfinished[0] = 1;
}
