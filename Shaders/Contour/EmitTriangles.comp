// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One workgroup: one active brick. One invocation: first one row of dual cells, whose triangles it lists, then every
// BRICK_ROWS-th word of the brick's output, so that neighbouring invocations write neighbouring words.
// Reads the rows that CountBricks wrote for the brick and for its neighbours on the high sides, and no samples. Writes
// the point ids of each triangle and, if requested, its dual cell, for the output. The order of the triangles is that
// of bricks, rows and cells.
// The place of a triangle is the offset of its brick, plus the number of triangles before its row, plus the number of
// those before it in the row. The id of an edge's point is the offset of its brick, plus the number of points before
// its row, plus the number of crossed edges before it in the row.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "Shared/Constants.h"
layout(local_size_x = BRICK_ROWS) in;
#include "Contour/EmitTriangles.glsl"

layout(constant_id = SPECIALIZE_BLANKING) const bool Blanking = false;
layout(std430, binding = BINDING_SLOT_OF_BRICK) readonly buffer SlotOfBrick { uint slotOfBrick[]; };

void findSlot(uint side, uint brick, uvec3 corner)
{
  const uvec3 offset = uvec3(side & 1u, side >> 1 & 1u, side >> 2);
  const uvec2 at = corner.xy / BRICK_SIZE + offset.xy;
  const uint neighbour = brick + brickNumber(offset);
  const bool exists = at.x < bricksX() && at.y < bricksY() && neighbour < slab.brickCount;
  slotAt[side] = exists ? slotOfBrick[neighbour] : NO_SLOT;
}

uint validCellsOfRow(uint slot, uint row, uvec3 at)
{
  if (Blanking)
    return validCells[slot * VALID_CELL_WORDS + row / 4] >> (8 * (row % 4)) & 0xFFu;
  return at.y + 1 < slab.sizeY && at.z + 1 < slab.sizeZ ? (1u << min(BRICK_SIZE, slab.sizeX - 1 - at.x)) - 1 : 0;
}

void emitCell(uint triangle, uint row, uint x, uint brick)
{
  const uvec3 local = uvec3(x, row % BRICK_SAMPLES, row / BRICK_SAMPLES);
  const uvec3 at = imagePosition(brickCorner(brick) + local);
  const uvec3 size = imageSize();
  uint high, low, carry;
  umulExtended(samplesPerLayer(), at.z, high, low);
  cellOfTriangle[2 * triangle] = uaddCarry(low, at.x + size.x * at.y, carry);
  cellOfTriangle[2 * triangle + 1] = high + carry;
}

// Returns the number of triangles of the bricks before the slot, which may be the one after the last counted brick. If
// the rows of the halo layer are copied, only the bricks before it are counted, and it has no offsets here.
uint trianglesBeforeSlot(uint slot)
{
  return slot < total[TOTAL_ACTIVE] ? brickOffset[slab.activeCapacity + slot] : total[TOTAL_TRIANGLES];
}

void main()
{
  const uint slot = workgroupIndex();
  if (slot >= emitCount(TOTAL_TRIANGLES, TOTAL_OWN_TRIANGLES, slab.triangleCapacity))
    return;
  const uint invocation = gl_LocalInvocationID.x;
  const uint brick = activeBrick[slot];
  const uvec3 corner = brickCorner(brick);
  if (invocation < 8)
    findSlot(invocation, brick, corner);
  const uvec2 words = loadRows(slot);
  const uint cells =
    validCellsOfRow(slot, invocation, corner + uvec3(0, invocation % BRICK_SIZE, invocation / BRICK_SIZE));
  const uint first = trianglesBeforeSlot(slot);
  emitRows(cutRow(cells), trianglesBefore(words), trianglesBeforeSlot(slot + 1) - first, slab.triangleStart + first,
    brick);
}
