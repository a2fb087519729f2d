// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Whether the range of a brick contains the isovalue. The range holds only the high words of 64-bit keys: so a brick
// without points may be active, but no brick with points is missed.
// Include after Slab.glsl.
#include "Shared/Bindings.h"

layout(std430, binding = BINDING_BRICK_RANGE) readonly buffer BrickRange { uvec2 range[]; };

bool isActive(uint brick)
{
  const uvec2 keys = range[rangeOfBrick(brick)];
  return keys.x <= slab.selectUpTo && keys.y >= slab.thresholdKey;
}

// Returns isActive(brick), or false beyond the bricks of the slab, which has at least one. The load follows no branch,
// so that an unrolled loop has several loads in flight.
bool isActiveInSlab(uint brick)
{
  const bool found = isActive(min(brick, slab.brickCount - 1));
  return found && brick < slab.brickCount;
}
