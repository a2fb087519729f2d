// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One workgroup: one block of elements. One invocation: SCAN_RUN of them.
// Reads parents of points, ranks of regions or places of points (Elements.glsl). Writes the number of counted elements
// of each block.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "Shared/Constants.h"
layout(local_size_x = SCAN_GROUP_SIZE) in;
#include "Elements.glsl"

layout(std430, binding = BINDING_BLOCK_COUNT) writeonly buffer BlockCount { uint blockCount[]; };

void main()
{
  const uint first = firstElement();
  uint count = 0;
  for (uint i = first; i < min(first + SCAN_RUN, elements()); ++i)
    count += isCounted(i) ? 1 : 0;
  uint sum;
  exclusiveScan(count, sum);
  if (gl_LocalInvocationID.x == 0)
    blockCount[workgroupIndex()] = sum;
}
