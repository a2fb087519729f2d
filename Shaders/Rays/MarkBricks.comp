// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One workgroup: one group of 4 x 4 x 4 bricks. One invocation: one of its bricks.
// Reads the brick's range. Writes, for CastRays, one bit per brick of the slab: whether the isosurface may touch it.
// Bits of bricks beyond the slab are 0.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "Shared/Constants.h"
layout(local_size_x = BRICK_GROUP_BRICKS) in;
#include "Shared/Slab.glsl"
#include "Shared/BrickRange.glsl"
#include "Shared/BrickGroups.glsl"

layout(std430, binding = BINDING_BRICK_MASK) writeonly buffer BrickMask { uvec2 brickMask[]; };

shared uint word[2];

void main()
{
  const uint group = workgroupIndex();
  if (group >= brickGroupCount())
    return;
  const uint invocation = gl_LocalInvocationID.x;
  if (invocation < 2)
    word[invocation] = 0;
  barrier();
  const uvec3 brick = BRICK_GROUP_SIZE * brickGroupAt(group) +
    uvec3(invocation, invocation / BRICK_GROUP_SIZE, invocation / (BRICK_GROUP_SIZE * BRICK_GROUP_SIZE)) %
      BRICK_GROUP_SIZE;
  if (brick.x < bricksX() && brick.y < bricksY() && brick.z >= slab.brickLayer &&
    brick.z < slab.brickLayer + ownLayers() &&
    isActive(brickNumber(uvec3(brick.xy, brick.z - slab.brickLayer))))
    atomicOr(word[invocation / 32], 1u << invocation % 32);
  barrier();
  if (invocation == 0)
    brickMask[group] = uvec2(word[0], word[1]);
}
