// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Fixed-point sums in a buffer: SUM_ARRAY is its array.
#include "Fixed.glsl"

layout(std430, binding = BINDING_EXTENT) readonly buffer Extent { uint extent[]; };

// The exponents of the units: lengths are divided by 2^unit, and what is summed is multiplied by 2^[area, ...].
struct Units
{
  int unit, area, volume, moment, vectorArea;
};

// The largest coordinate of an edge is below 1 in these units, and those of all vectors between points are below 2^size.
// So the area, the volume and the moment of one triangle, each with its factor, are below 2^2, 2^(3 + size) and
// 2^(4 + size), and what its edges add to the vector area is below 2^(3 + 2 * size). Sums are below 2^FIXED_BITS.
Units unitsOf()
{
  float largest = 0;
  for (uint axis = 0; axis < 3; ++axis)
    largest = max(largest, floatOfKey(extent[EXTENT_HIGH + axis]) - floatOfKey(~extent[EXTENT_LOW + axis]));
  Units units;
  const int edge = max(biasedExponent(uintBitsToFloat(extent[EXTENT_EDGE])), biasedExponent(largest) - FIXED_MOST_SIZE);
  units.unit = min(edge - 126, 126);
  const int size = biasedExponent(largest) - 126 - units.unit;
  const int bits = FIXED_BITS - (findMSB(push.triangles) + 1);
  units.area = bits - 2;
  units.volume = bits - 3 - size;
  units.moment = bits - 4 - size;
  units.vectorArea = bits - 3 - 2 * size;
  return units;
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
