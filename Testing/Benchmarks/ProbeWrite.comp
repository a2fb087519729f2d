// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One invocation handles PROBE_RUN vectors of 16 bytes, interleaved with those of its workgroup.
// Writes each vector of the buffer once.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "ProbeConstants.h"
layout(local_size_x = PROBE_GROUP_SIZE) in;

layout(push_constant) uniform Push { uint value; };
layout(std430, binding = BINDING_PROBED) writeonly buffer Probed { uvec4 vector[]; };

void main()
{
  const uint group = gl_WorkGroupID.x + gl_NumWorkGroups.x * gl_WorkGroupID.y;
  const uint first = group * PROBE_GROUP_VECTORS + gl_LocalInvocationID.x;
  for (uint i = 0; i < PROBE_RUN; ++i)
    vector[first + i * PROBE_GROUP_SIZE] = uvec4(value);
}
