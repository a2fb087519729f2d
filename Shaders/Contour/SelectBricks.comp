// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One workgroup: one block of SCAN_BLOCK_SIZE bricks of the slab. One invocation: every SCAN_GROUP_SIZE-th of them.
// Reads the ranges of the bricks. Writes the number of active bricks of the block for CompactBricks; sets the sums of
// points and triangles to 0 for CountBricks.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "Shared/Constants.h"
layout(local_size_x = SCAN_GROUP_SIZE) in;
#include "Shared/Slab.glsl"
#include "Shared/BrickRange.glsl"
#include "Shared/Scan.glsl"

layout(std430, binding = BINDING_BLOCK_SUM) writeonly buffer BlockSum { uint sum[]; };

void main()
{
  const uint block = workgroupIndex();
  const uint first = block * SCAN_BLOCK_SIZE + gl_LocalInvocationID.x;
  uint count = 0;
  [[unroll]] for (uint i = 0; i < SCAN_BLOCK_SIZE; i += SCAN_GROUP_SIZE)
    count += isActiveInSlab(first + i) ? 1 : 0;
  const uint total = sumOfGroup(count);
  const uint array = gl_LocalInvocationID.x;
  if (array < BLOCK_SUM_ARRAYS && block < scanBlocks())
    sum[array * scanBlocks() + block] = array == BLOCK_SUM_ACTIVE ? total : 0;
}
