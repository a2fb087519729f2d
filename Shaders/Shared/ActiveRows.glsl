// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Active bricks (CompactBricks), their rows (CountBricks) and offsets (ScanBricks).
#include "Shared/Bindings.h"
#include "Shared/Constants.h"

layout(std430, binding = BINDING_ACTIVE_BRICK) readonly buffer ActiveBrick { uint activeBrick[]; };
layout(std430, binding = BINDING_ROW_EDGES) readonly buffer RowEdges { uint rowEdges[]; };
layout(std430, binding = BINDING_ROW_POINT_OFFSET) readonly buffer RowPointOffset { uint rowPointOffset[]; };
layout(std430, binding = BINDING_BRICK_OFFSET) readonly buffer BrickOffset { uint brickOffset[]; };

// Number of the brick's points before the row. A word holds those of two rows.
uint pointsBeforeRow(uint slot, uint row)
{
  return rowPointOffset[slot * ROW_OFFSET_WORDS + row / 2] >> (16 * (row & 1u)) & 0xFFFFu;
}
