// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Signed fixed-point numbers of 96 bits: three words, the lowest first. Their sums do not depend on the order of
// additions. The bits suffice for the sum over a large surface in units so small that a tiny region has all its digits.
#include "Shared/FloatPair.glsl"

uvec3 sumOfFixed(uvec3 a, uvec3 b)
{
  uvec3 sum = a + b;
  if (sum.x < a.x && ++sum.y == 0)
    ++sum.z;
  if (a.y + b.y < a.y)
    ++sum.z;
  return sum;
}

// value * 2^exponent without its fraction. Its magnitude must be below 2^95, and 2^exponent a normal float.
uvec3 fixedOf(float value, int exponent)
{
  const float magnitude = abs(value) * powerOfTwo(exponent);
  const float high = floor(magnitude * powerOfTwo(-64));
  const float rest = magnitude - high * powerOfTwo(64);
  const float middle = floor(rest * powerOfTwo(-32));
  const uvec3 words = uvec3(uint(rest - middle * powerOfTwo(32)), uint(middle), uint(high));
  return value >= 0 ? words : sumOfFixed(~words, uvec3(1, 0, 0));
}
