// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One invocation: one element.
// Reads its place. Copies its words if it is kept.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "Shared/Constants.h"
layout(local_size_x = MESH_GROUP_SIZE) in;
#include "Shared/Bindings.h"
#include "Shared/Invocation.glsl"
#include "Shared/Structs.h"

layout(push_constant) uniform Push { MeshConstants push; };
layout(std430, binding = BINDING_PLACE) readonly buffer Place { uint place[]; };
layout(std430, binding = BINDING_OLD_VALUES) readonly buffer OldValues { uint oldValue[]; };
layout(std430, binding = BINDING_KEPT_VALUES) writeonly buffer KeptValues { uint keptValue[]; };

void main()
{
  const uint element = invocationIndex();
  if (element >= push.points)
    return;
  const uint to = place[element];
  for (uint i = 0; i < push.components && to != NO_SLOT; ++i)
    keptValue[to * push.components + i] = oldValue[element * push.components + i];
}
