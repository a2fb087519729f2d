// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One workgroup: one active brick of a level. One invocation: one of its BRICK_ROWS rows.
// Reads the edges that CountLevelBricks has marked. Writes the number of the brick's points before each row for the
// emitting kernels; and, for ScanBricks, the number of points of the brick, which it adds to the sum of the brick's
// block. The points of a row are those of its first word, then those of its low edges.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "Shared/Constants.h"
layout(local_size_x = BRICK_ROWS) in;
#include "Shared/Slab.glsl"
#include "Shared/Scan.glsl"
#include "Shared/Totals.glsl"
#include "Contour/BlockSums.glsl"

layout(std430, binding = BINDING_ROWS) buffer Rows { uvec2 rows[]; };
layout(std430, binding = BINDING_LOW_EDGES) readonly buffer LowEdges { uint lowEdges[]; };
layout(std430, binding = BINDING_BRICK_OFFSET) writeonly buffer BrickOffset { uint brickCountOf[]; };

void main()
{
  const uint slot = workgroupIndex();
  if (slot >= activeCount())
    return;
  const uint invocation = gl_LocalInvocationID.x;
  const uint row = slot * BRICK_ROWS + invocation;
  const uint points = bitCount(rows[row].x & ROW_EDGE_BITS) + bitCount(lowEdges[row]);
  uint all;
  const uint before = exclusiveScan(points, all);
  rows[row].y = before;
  if (invocation != 0)
    return;
  brickCountOf[slot] = all;
  addToBlock(BLOCK_SUM_POINTS, slot, all);
}
