// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One invocation: one triangle.
// Reads its place and those of its points. Writes its new point ids if it is kept.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "Shared/Constants.h"
layout(local_size_x = MESH_GROUP_SIZE) in;
#include "Shared/Invocation.glsl"
#include "Triangles.glsl"

layout(std430, binding = BINDING_PLACE) readonly buffer Place { uint place[]; };
layout(std430, binding = BINDING_POINT_PLACE) readonly buffer PointPlace { uint pointPlace[]; };
layout(std430, binding = BINDING_KEPT_VALUES) writeonly buffer KeptValues { uint keptId[]; };

void main()
{
  const uint triangle = invocationIndex();
  if (triangle >= push.triangles)
    return;
  const uint to = place[triangle];
  if (to == NO_SLOT)
    return;
  const uvec3 corners = cornersOf(triangle);
  for (uint i = 0; i < 3; ++i)
  {
    const uint word = (3 * to + i) * push.keptIdWords;
    keptId[word] = pointPlace[corners[i]];
    if (push.keptIdWords == 2)
      keptId[word + 1] = 0;
  }
}
