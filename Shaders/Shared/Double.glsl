// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Arithmetic on 64-bit floats without the device feature shaderFloat64. A number is the sum of three floats that hold
// 24, 24 and 5 bits of its significand; all numbers of a calculation are scaled by one power of two. The relative error
// of a difference is a few units of 2^-46, however close the numbers are: parts of equal rank subtract exactly where
// they cancel (P. H. Sterbenz, "Floating-Point Computation", 1974), and no part is rounded before all are summed.
#include "Shared/FloatPair.glsl"

struct Parts
{
  float high;
  float middle;
  float low;
};

int exponentOfDouble(uvec2 bits) { return max(int(bits.y >> 20 & 0x7FFu), 1); }

// The number with these bits (low word, high word) times 2^(1075 - exponent): parts of at most 2^53. Parts smaller than
// 2^-126 of the largest number become 0.
Parts partsOfDouble(uvec2 bits, int exponent)
{
  const uint biased = bits.y >> 20 & 0x7FFu;
  const uint top = (bits.y & 0xFFFFFu) | (biased != 0 ? 1u << 20 : 0);
  const int shift = exponentOfDouble(bits) - exponent;
  const float scale = (bits.y >> 31 != 0 ? -1.0 : 1.0) * powerOfTwo(shift);
  // The 53 bits of the significand, 21 in the high word and 32 in the low word, are cut after 24 and after 48.
  const uint high = top << 3 | bits.x >> 29;
  const uint middle = bits.x >> 5 & 0xFFFFFFu;
  return Parts(float(high) * 536870912.0 * scale, float(middle) * 32.0 * scale, float(bits.x & 31u) * scale);
}

// a - b.
Pair difference(Parts a, Parts b)
{
  return sumOfPairs(sumOfTwo(a.high, -b.high), sumOfTwo(a.middle - b.middle, a.low - b.low));
}

float valueOfParts(Parts a)
{
  precise float value = a.high + (a.middle + a.low);
  return value;
}

// A double rounded to float, or infinity. The error is about one unit in the last place.
float floatOfDouble(uvec2 bits)
{
  const int exponent = exponentOfDouble(bits);
  if (exponent == 0x7FF)
    return ((bits.y & 0xFFFFFu) | bits.x) != 0 ? uintBitsToFloat(0x7FC00000u)
                                               : (bits.y >> 31 != 0 ? -infinity() : infinity());
  // The parts are below 2^53. Two steps scale them, so that the first does not leave the range of floats.
  const float value = valueOfParts(partsOfDouble(bits, exponent)) * powerOfTwo(-52);
  return value * powerOfTwo(max(exponent - 1023, -127));
}
