// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One workgroup for all blocks. One invocation: SCAN_RUN blocks at a time.
// Replaces the counts of the blocks by their exclusive scan, and writes their sum behind them.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "Shared/Constants.h"
layout(local_size_x = SCAN_GROUP_SIZE) in;
#include "Shared/Bindings.h"
#include "Shared/Scan.glsl"
#include "Shared/Structs.h"

layout(push_constant) uniform Push { MeshConstants push; };
layout(std430, binding = BINDING_BLOCK_COUNT) buffer BlockCount { uint blockCount[]; };

void main()
{
  uint before = 0;
  for (uint begin = 0; begin < push.blocks; begin += SCAN_BLOCK_SIZE)
  {
    const uint first = begin + gl_LocalInvocationID.x * SCAN_RUN;
    uint count[SCAN_RUN], sum = 0;
    for (uint i = 0; i < SCAN_RUN; ++i)
    {
      count[i] = first + i < push.blocks ? blockCount[first + i] : 0;
      sum += count[i];
    }
    uint all;
    uint offset = before + exclusiveScan(sum, all);
    for (uint i = 0; i < SCAN_RUN && first + i < push.blocks; ++i)
    {
      blockCount[first + i] = offset;
      offset += count[i];
    }
    before += all;
  }
  if (gl_LocalInvocationID.x == 0)
    blockCount[push.blocks] = before;
}
