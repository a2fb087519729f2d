// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Sums of points and triangles of each block of active bricks, for the kernels that count them.
// Include after Slab.glsl.
#include "Shared/Bindings.h"
#include "Shared/Constants.h"

layout(std430, binding = BINDING_BLOCK_SUM) buffer BlockSum { uint sum[]; };

// Adds the points or triangles of a brick to the sum of its block. array: BLOCK_SUM_POINTS or BLOCK_SUM_TRIANGLES.
void addToBlock(uint array, uint slot, uint count)
{
  atomicAdd(sum[(array + slot % BLOCK_SUM_PARTS) * scanBlocks() + slot / SCAN_BLOCK_SIZE], count);
}
