// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Active bricks (CompactBricks), their rows (CountBricks) and offsets (ScanBricks).
#include "Shared/Bindings.h"
#include "Shared/Constants.h"

layout(std430, binding = BINDING_ACTIVE_BRICK) readonly buffer ActiveBrick { uint activeBrick[]; };
layout(std430, binding = BINDING_ROW_EDGES) readonly buffer RowEdges { uint rowEdges[]; };
layout(std430, binding = BINDING_ROW_OFFSET) readonly buffer RowOffset { uint rowOffset[]; };
layout(std430, binding = BINDING_BRICK_OFFSET) readonly buffer BrickOffset { uint brickOffset[]; };

// Numbers of the brick's points and triangles before the row.
uint pointsBeforeRow(uint slot, uint row) { return rowOffset[slot * ROW_WORDS + row] & 0xFFFFu; }
uint trianglesBeforeRow(uint slot, uint row) { return rowOffset[slot * ROW_WORDS + row] >> 16; }
