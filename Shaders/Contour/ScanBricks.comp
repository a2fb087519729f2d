// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One workgroup: one block of SCAN_BLOCK_SIZE active bricks, in the array of points (workgroup y = 0) or triangles (1).
// One invocation: SCAN_RUN of them.
// Reads the counts of the bricks and the sums of the blocks before. Writes the exclusive scan over the counts for the
// emitting kernels; writes the sum over all bricks, and that over the bricks before the halo layer, for these kernels
// and for the host.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "Shared/Constants.h"
layout(local_size_x = SCAN_GROUP_SIZE) in;
#include "Shared/Slab.glsl"
#include "Shared/Bindings.h"
#include "Shared/Scan.glsl"

layout(std430, binding = BINDING_BRICK_OFFSET) buffer BrickOffset { uint brickOffset[]; };
layout(std430, binding = BINDING_BLOCK_SUM) readonly buffer BlockSum { uint sum[]; };
layout(std430, binding = BINDING_TOTALS) buffer Totals { uint total[]; };

void main()
{
  const uint block = gl_WorkGroupID.x, array = gl_WorkGroupID.y;
  const uint firstPart = array == 0 ? BLOCK_SUM_POINTS : BLOCK_SUM_TRIANGLES;
  const uint first = block * SCAN_BLOCK_SIZE + gl_LocalInvocationID.x * SCAN_RUN;
  // These loads precede the branch, so that they are in flight together with that of the number of active bricks.
  // Words beyond these are read but not used. The host runs the kernel only if activeCapacity is not 0.
  uint countOf[SCAN_RUN];
  [[unroll]] for (uint i = 0; i < SCAN_RUN; ++i)
    countOf[i] = brickOffset[array * slab.activeCapacity + min(first + i, slab.activeCapacity - 1)];
  const uint count = total[TOTAL_ACTIVE];
  if (count > slab.activeCapacity || (block != 0 && block * SCAN_BLOCK_SIZE >= count))
    return;
  uint runSum = 0;
  [[unroll]] for (uint i = 0; i < SCAN_RUN; ++i)
  {
    countOf[i] = first + i < count ? countOf[i] : 0;
    runSum = addSaturated(runSum, countOf[i]);
  }
  uint before = 0;
  for (uint b = gl_LocalInvocationID.x; b < block * BLOCK_SUM_PARTS; b += SCAN_GROUP_SIZE)
    before = addSaturated(before, sum[(firstPart + b % BLOCK_SUM_PARTS) * scanBlocks() + b / BLOCK_SUM_PARTS]);
  const uint blocksBefore = sumOfGroup(before);
  uint blockSum;
  uint offset = addSaturated(blocksBefore, exclusiveScan(runSum, blockSum));

  if ((block + 1) * SCAN_BLOCK_SIZE >= count && gl_LocalInvocationID.x == 0)
    total[TOTAL_POINTS + array] = addSaturated(blocksBefore, blockSum);
  const bool splits = slab.ownBrickCount < slab.brickCount;
  for (uint i = 0; i < SCAN_RUN; ++i)
  {
    if (first + i >= count)
      break;
    brickOffset[array * slab.activeCapacity + first + i] = offset;
    if (splits && first + i == total[TOTAL_OWN_ACTIVE])
      total[TOTAL_OWN_POINTS + array] = offset;
    offset = addSaturated(offset, countOf[i]);
  }
}
