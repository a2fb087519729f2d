// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The positions of points.
layout(std430, binding = BINDING_POSITION) readonly buffer Position { float position[]; };

vec3 positionOf(uint point) { return vec3(position[3 * point], position[3 * point + 1], position[3 * point + 2]); }

// Keys of floats, which have their order. 0 is below all of them.
uint keyOf(float value)
{
  const uint bits = floatBitsToUint(value);
  return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}

uvec3 keysOf(vec3 at) { return uvec3(keyOf(at.x), keyOf(at.y), keyOf(at.z)); }
