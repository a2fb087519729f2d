// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One workgroup: one block of SCAN_BLOCK_SIZE bricks of the slab. One invocation: every SCAN_GROUP_SIZE-th of them.
// Reads the ranges of the bricks. Writes the number of active bricks of the block for CompactBricks; sets the sums of
// points and triangles to 0 for CountBricks.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "Shared/Constants.h"
layout(local_size_x = SCAN_GROUP_SIZE) in;
#include "Shared/Slab.glsl"
#include "Shared/BrickRange.glsl"
#include "Shared/Scan.glsl"

layout(std430, binding = BINDING_BLOCK_SUM) writeonly buffer BlockSum { uint sum[]; };

void main()
{
  const uint block = workgroupIndex();
  const uint end = min((block + 1) * SCAN_BLOCK_SIZE, slab.brickCount);
  uint count = 0;
  for (uint brick = block * SCAN_BLOCK_SIZE + gl_LocalInvocationID.x; brick < end; brick += SCAN_GROUP_SIZE)
    count += isActive(brick) ? 1 : 0;
  const uint total = sumOfGroup(count);
  if (gl_LocalInvocationID.x == 0 && block < scanBlocks())
  {
    sum[BLOCK_SUM_ACTIVE * scanBlocks() + block] = total;
    sum[BLOCK_SUM_POINTS * scanBlocks() + block] = 0;
    sum[BLOCK_SUM_TRIANGLES * scanBlocks() + block] = 0;
  }
}
