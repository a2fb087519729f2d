// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One workgroup: one block of elements. One invocation: SCAN_RUN of them.
// Reads what CountElements reads, and the elements before the block. Writes the number of each element among those that
// are counted, or NO_SLOT. Writes for each of these the rank of its region, or for each root its point.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "Shared/Constants.h"
layout(local_size_x = SCAN_GROUP_SIZE) in;
#include "Elements.glsl"

layout(constant_id = SPECIALIZE_BY_REGION) const uint WritesRegion = 0;
layout(std430, binding = BINDING_BLOCK_COUNT) readonly buffer BlockCount { uint blockCount[]; };
layout(std430, binding = BINDING_PLACE) writeonly buffer Place { uint place[]; };
layout(std430, binding = BINDING_REGION_ID) writeonly buffer RegionId { uint regionId[]; };

void main()
{
  const uint first = firstElement();
  uint isCountedAt = 0; // one bit per element
  for (uint i = 0; i < SCAN_RUN && first + i < elements(); ++i)
    isCountedAt |= isCounted(first + i) ? 1u << i : 0;
  uint sum;
  uint next = blockCount[workgroupIndex()] + exclusiveScan(bitCount(isCountedAt), sum);
  for (uint i = 0; i < SCAN_RUN && first + i < elements(); ++i)
  {
    if ((isCountedAt >> i & 1u) == 0)
    {
      place[first + i] = NO_SLOT;
      continue;
    }
    place[first + i] = next;
    if (WritesRegion != 0)
      regionId[next] = rankOf(first + i);
    ++next;
  }
}
