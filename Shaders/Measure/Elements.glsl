// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The elements that are counted, in blocks of SCAN_BLOCK_SIZE: roots of regions, points of regions that are kept, or
// triangles of such points.
#include "Shared/Scan.glsl"
#include "Shared/Invocation.glsl"
#include "Triangles.glsl"
#include "RegionOf.glsl"

layout(constant_id = SPECIALIZE_ELEMENT) const uint Element = ELEMENT_ROOT;
layout(std430, binding = BINDING_RANK) readonly buffer Rank { uint rank[]; };
layout(std430, binding = BINDING_POINT_PLACE) readonly buffer PointPlace { uint pointPlace[]; };

uint elements() { return Element == ELEMENT_TRIANGLE ? push.triangles : push.points; }

uint firstCorner(uint triangle) { return pointId[3 * triangle * push.idWords]; }

bool isCounted(uint element)
{
  return Element == ELEMENT_ROOT   ? toParent[element] == 0 :
         Element == ELEMENT_POINT ? rank[regionOf(element)] != NO_SLOT :
                                     pointPlace[firstCorner(element)] != NO_SLOT;
}

// The rank of the region of a point or triangle; of a root, itself.
uint rankOf(uint element)
{
  return Element == ELEMENT_ROOT ? element :
                                   rank[regionOf(Element == ELEMENT_TRIANGLE ? firstCorner(element) : element)];
}

// One invocation handles this element and the next SCAN_RUN - 1 ones.
uint firstElement() { return workgroupIndex() * SCAN_BLOCK_SIZE + gl_LocalInvocationID.x * SCAN_RUN; }
