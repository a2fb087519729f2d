// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The elements that are counted, in blocks of SCAN_BLOCK_SIZE: roots of regions, or points or triangles of regions that
// are kept.
#include "Shared/Scan.glsl"
#include "Shared/Invocation.glsl"
#include "Triangles.glsl"
#include "RegionOf.glsl"

layout(constant_id = SPECIALIZE_ELEMENT) const uint Element = ELEMENT_ROOT;
layout(std430, binding = BINDING_RANK) readonly buffer Rank { uint rank[]; };

uint elements() { return Element == ELEMENT_TRIANGLE ? push.triangles : push.points; }

// The rank of the region of a point or triangle, or NO_SLOT.
uint rankOf(uint element)
{
  return rank[regionOf(Element == ELEMENT_TRIANGLE ? pointId[3 * element * push.idWords] : element)];
}

// One invocation handles this element and the next SCAN_RUN - 1 ones.
uint firstElement() { return workgroupIndex() * SCAN_BLOCK_SIZE + gl_LocalInvocationID.x * SCAN_RUN; }
