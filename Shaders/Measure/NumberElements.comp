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
  uint rankOfElement[SCAN_RUN], count = 0;
  for (uint i = 0; i < SCAN_RUN; ++i)
  {
    rankOfElement[i] = NO_SLOT;
    if (first + i < elements())
      rankOfElement[i] = Element != ELEMENT_ROOT  ? rankOf(first + i) :
        toParent[first + i] == 0 ? first + i :
                                   NO_SLOT;
    count += rankOfElement[i] != NO_SLOT ? 1 : 0;
  }
  uint sum;
  uint next = blockCount[workgroupIndex()] + exclusiveScan(count, sum);
  for (uint i = 0; i < SCAN_RUN && first + i < elements(); ++i)
  {
    const bool isCounted = rankOfElement[i] != NO_SLOT;
    place[first + i] = isCounted ? next : NO_SLOT;
    if (isCounted && WritesRegion != 0)
      regionId[next] = rankOfElement[i];
    next += isCounted ? 1 : 0;
  }
}
