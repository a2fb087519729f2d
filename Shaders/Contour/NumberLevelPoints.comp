// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One workgroup: one active brick of a level. One invocation: one of its BRICK_ROWS rows.
// Reads the edges that CountLevelBricks has marked. Writes the number of the brick's points before each row for the
// emitting kernels; and, for ScanBricks, the number of points of the brick, which it adds to the sum of the brick's
// block. The points of a row are those of its row word, then those of its low word.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "Shared/Constants.h"
layout(local_size_x = BRICK_ROWS) in;
#include "Shared/Slab.glsl"
#include "Shared/Scan.glsl"
#include "Shared/Totals.glsl"
#include "Contour/BlockSums.glsl"

layout(std430, binding = BINDING_ROW_EDGES) readonly buffer RowEdges { uint rowEdges[]; };
layout(std430, binding = BINDING_ROW_OFFSET) writeonly buffer RowOffset { uint rowOffset[]; };
layout(std430, binding = BINDING_BRICK_OFFSET) writeonly buffer BrickOffset { uint brickCountOf[]; };

void main()
{
  const uint slot = workgroupIndex();
  if (slot >= activeCount())
    return;
  const uint invocation = gl_LocalInvocationID.x;
  const uint word = slot * ROW_WORDS + invocation;
  const uint points =
    bitCount(rowEdges[word] & ROW_EDGE_BITS) + bitCount(rowEdges[ROW_WORDS * slab.activeCapacity + word]);
  uint all;
  const uint before = exclusiveScan(points, all);
  rowOffset[word] = before;
  if (invocation != 0)
    return;
  brickCountOf[slot] = all;
  addToBlock(BLOCK_SUM_POINTS, slot, all);
}
