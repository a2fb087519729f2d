// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Fixed-point sums in a buffer: SUM_ARRAY is its array.
#include "Fixed.glsl"
#include "Shared/FixedUnits.h"

layout(std430, binding = BINDING_EXTENT) readonly buffer Extent { uint extent[]; };

FixedUnits unitsOf()
{
  float largest = 0;
  for (uint axis = 0; axis < 3; ++axis)
    largest = max(largest, floatOfKey(extent[EXTENT_HIGH + axis]) - floatOfKey(~extent[EXTENT_LOW + axis]));
  return fixedUnitsOf(
    biasedExponent(uintBitsToFloat(extent[EXTENT_EDGE])), biasedExponent(largest), findMSB(push.triangles) + 1);
}

void addFixed(uint word, uvec3 value)
{
  uint carry = 0;
  for (uint i = 0; i < FIXED_WORDS; ++i)
  {
    const uint next = value[i] + carry;
    carry = next < carry ? 1 : 0;
    if (next == 0)
      continue;
    const uint before = atomicAdd(SUM_ARRAY[word + i], next);
    carry += before + next < before ? 1 : 0;
  }
}
