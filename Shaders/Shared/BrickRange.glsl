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

// The same, and false beyond the bricks of the slab, which has some. No branch is before the load, so that the loads of
// several bricks are under way together.
bool isActiveInSlab(uint brick)
{
  const bool found = isActive(min(brick, slab.brickCount - 1));
  return found && brick < slab.brickCount;
}
