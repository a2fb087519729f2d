// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Active bricks (CompactBricks), their rows (CountBricks) and offsets (ScanBricks).
#include "Shared/Bindings.h"
#include "Shared/Constants.h"

layout(std430, binding = BINDING_ACTIVE_BRICK) readonly buffer ActiveBrick { uint activeBrick[]; };
layout(std430, binding = BINDING_ROWS) readonly buffer Rows { uvec2 rows[]; };
layout(std430, binding = BINDING_BRICK_OFFSET) readonly buffer BrickOffset { uint brickOffset[]; };

uvec2 wordsOfRow(uint slot, uint row) { return rows[slot * BRICK_ROWS + row]; }

// Numbers of the brick's points and triangles before the row with these words.
uint pointsBefore(uvec2 words) { return words.y & 0xFFFFu; }
uint trianglesBefore(uvec2 words) { return words.y >> 16; }
