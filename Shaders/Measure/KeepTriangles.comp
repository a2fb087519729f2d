// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One invocation: one corner of a triangle.
// Reads the places of its triangle and of its point. Writes the new point ids of triangles that are kept.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "Shared/Constants.h"
layout(local_size_x = LINEAR_GROUP_SIZE) in;
#include "Shared/Invocation.glsl"
#include "Triangles.glsl"

layout(std430, binding = BINDING_PLACE) readonly buffer Place { uint place[]; };
layout(std430, binding = BINDING_POINT_PLACE) readonly buffer PointPlace { uint pointPlace[]; };
layout(std430, binding = BINDING_KEPT_VALUES) writeonly buffer KeptValues { uint keptId[]; };

void main()
{
  const uint corner = invocationIndex();
  if (corner >= 3 * push.triangles)
    return;
  const uint to = place[corner / 3];
  if (to == NO_SLOT)
    return;
  const uint word = (3 * to + corner % 3) * push.keptIdWords;
  keptId[word] = pointPlace[pointId[corner * push.idWords]];
  if (push.keptIdWords == 2)
    keptId[word + 1] = 0;
}
