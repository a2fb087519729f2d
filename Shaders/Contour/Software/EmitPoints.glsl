// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// EmitPoints on software Vulkan. One invocation: first a layer of 8 rows, whose points it lists, then every 8th point
// of the brick. The list holds all points of the brick. Loops have their test at the end (see Layer.glsl).
#include "Contour/Software/Layer.glsl"

// The buffer rowEdges in vectors of four words.
layout(std430, binding = BINDING_ROW_EDGES) readonly buffer RowEdgesOfLayer { uvec4 layerEdges[]; };

// One loop over rows and points together: an inner loop would run as often as the fullest of 8 rows needs.
void listLayer(uint slot, uint z)
{
  uvec4 rows = layerEdges[edgesOfLayer(slot, z)] & EdgeMask;
  uvec4 moreRows = layerEdges[edgesOfLayer(slot, z) + 1] & EdgeMask;
  uint point = pointsBeforeRow(slot, BRICK_SIZE * z);
  uint row = BRICK_SIZE * z;
  do
  {
    if (rows.x != 0)
      listed[point++] = row << 5 | findLSB(rows.x);
    rows.x &= rows.x - 1;
    const bool done = rows.x == 0;
    rows = done ? uvec4(rows.yzw, moreRows.x) : rows;
    moreRows = done ? uvec4(moreRows.yzw, 0) : moreRows;
    row += done ? 1 : 0;
  } while (row < BRICK_SIZE * (z + 1));
  if (z == BRICK_SIZE - 1)
    pointCount = point;
}

void emitBrick(uint slot)
{
  const uint firstPoint = brickOffset[slot];
  const uvec3 corner = brickCorner(activeBrick[slot]);
  listLayer(slot, gl_LocalInvocationID.x);
  barrier();
  uint index = gl_LocalInvocationID.x;
  do
  {
    if (index < pointCount)
      emitPoint(firstPoint + index, listed[index], corner);
    index += BRICK_SIZE;
  } while (index < pointCount);
}
