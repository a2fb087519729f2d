// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One invocation: every n-th brick of the volume, where n is the number of invocations.
// Reads the ranges of the bricks. Writes the smallest and the largest key of the volume for the host. The host fills
// both with the empty range (largest key, 0) before.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "Shared/Constants.h"
layout(local_size_x = RANGE_GROUP_SIZE) in;
#include "Shared/Bindings.h"
#include "Shared/Structs.h"
#include "Shared/Invocation.glsl"

layout(push_constant) uniform Push { RangeConstants push; };
layout(std430, binding = BINDING_BRICK_RANGE) readonly buffer BrickRange { uvec2 range[]; };
layout(std430, binding = BINDING_KEY_RANGE) buffer KeyRange { uint keyRange[2]; };

shared uint smallestOfGroup;
shared uint largestOfGroup;

void main()
{
  if (gl_LocalInvocationID.x == 0)
  {
    smallestOfGroup = 0xFFFFFFFFu;
    largestOfGroup = 0;
  }
  barrier();
  uvec2 found = uvec2(0xFFFFFFFFu, 0);
  for (uint brick = invocationIndex(); brick < push.brickCount; brick += push.invocations)
    found = uvec2(min(found.x, range[brick].x), max(found.y, range[brick].y));
  atomicMin(smallestOfGroup, found.x);
  atomicMax(largestOfGroup, found.y);
  barrier();
  if (gl_LocalInvocationID.x == 0)
  {
    atomicMin(keyRange[0], smallestOfGroup);
    atomicMax(keyRange[1], largestOfGroup);
  }
}
