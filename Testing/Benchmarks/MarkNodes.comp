// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One workgroup: a node of a level above the first. One invocation: one of its 4 x 4 x 4 children.
// Reads the marks of the level below. Writes, for CastPackets, one bit per child: whether a brick in it is marked. Bits
// of children beyond the volume are 0.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "Shared/Constants.h"
layout(local_size_x = BRICK_GROUP_BRICKS) in;
#include "Shared/Bindings.h"
#include "Shared/Invocation.glsl"
#include "PacketTree.h"

layout(push_constant) uniform Push { PacketLevel level; };
layout(std430, binding = BINDING_BRICK_MASK) buffer BrickMask { uvec2 brickMask[]; };

shared uint word[2];

void main()
{
  const uvec3 below = uvec3(level.belowX, level.belowY, level.belowZ);
  const uvec3 nodes = (below + BRICK_GROUP_SIZE - 1) / BRICK_GROUP_SIZE;
  const uint node = workgroupIndex(), invocation = gl_LocalInvocationID.x;
  if (node >= nodes.x * nodes.y * nodes.z)
    return;
  if (invocation < 2)
    word[invocation] = 0;
  barrier();
  const uvec3 child = BRICK_GROUP_SIZE * uvec3(node % nodes.x, node / nodes.x % nodes.y, node / nodes.x / nodes.y) +
    uvec3(invocation, invocation / BRICK_GROUP_SIZE, invocation / (BRICK_GROUP_SIZE * BRICK_GROUP_SIZE)) %
      BRICK_GROUP_SIZE;
  if (all(lessThan(child, below)) &&
    brickMask[level.firstBelow + child.x + below.x * (child.y + below.y * child.z)] != uvec2(0))
    atomicOr(word[invocation / 32], 1u << invocation % 32);
  barrier();
  if (invocation == 0)
    brickMask[level.first + node] = uvec2(word[0], word[1]);
}
