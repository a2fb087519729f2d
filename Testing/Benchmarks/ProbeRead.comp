// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One invocation handles PROBE_RUN vectors of 16 bytes, interleaved with those of its workgroup.
// Reads each vector of the buffer once. Writes only if the vectors combine to a value that the host never stores, so
// that the compiler cannot remove a load.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "ProbeConstants.h"
layout(local_size_x = PROBE_GROUP_SIZE) in;

layout(push_constant) uniform Push { uint never; };
layout(std430, binding = BINDING_PROBED) readonly buffer Probed { uvec4 vector[]; };
layout(std430, binding = BINDING_PROBE_RESULT) writeonly buffer Result { uint result; };

void main()
{
  const uint group = gl_WorkGroupID.x + gl_NumWorkGroups.x * gl_WorkGroupID.y;
  const uint first = group * PROBE_GROUP_VECTORS + gl_LocalInvocationID.x;
  uvec4 sum = uvec4(0);
  for (uint i = 0; i < PROBE_RUN; ++i)
    sum |= vector[first + i * PROBE_GROUP_SIZE];
  if ((sum.x | sum.y | sum.z | sum.w) == never)
    result = 1;
}
