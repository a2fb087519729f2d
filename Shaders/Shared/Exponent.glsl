// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Powers of two and products with them. Works on the bits of floats, so that results are the same on devices that flush
// denormal floats to 0.
#ifndef VMC_SHARED_EXPONENT_GLSL
#define VMC_SHARED_EXPONENT_GLSL

float infinity() { return uintBitsToFloat(0x7F800000u); }

// 2^exponent; 0 or infinity outside the range of normal floats.
float powerOfTwo(int exponent)
{
  return exponent < -126 ? 0 : exponent > 127 ? infinity() : uintBitsToFloat(uint(127 + exponent) << 23);
}

// The biased exponent: 0 for 0 and denormal floats, 255 for infinity and NaN.
int biasedExponent(float value) { return int(floatBitsToUint(value) >> 23 & 0xFFu); }

// value * 2^exponent; 0 or infinity outside the range of normal floats. Infinity and NaN are returned unchanged.
float timesPowerOfTwo(float value, int exponent)
{
  const uint bits = floatBitsToUint(value);
  const int biased = biasedExponent(value);
  if (biased == 255)
    return value;
  if (biased == 0 || biased + exponent <= 0)
    return 0;
  return biased + exponent >= 255 ? uintBitsToFloat((bits & 0x80000000u) | 0x7F800000u) :
                                    uintBitsToFloat(bits + (uint(exponent) << 23));
}

#endif
