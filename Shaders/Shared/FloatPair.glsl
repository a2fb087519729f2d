// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Numbers of about 48 bits: unevaluated sums of two floats (T. J. Dekker, "A floating-point technique for extending
// the available precision", Numerische Mathematik 18, 1971), and
// products with powers of two.
#ifndef VMC_SHARED_FLOAT_PAIR_GLSL
#define VMC_SHARED_FLOAT_PAIR_GLSL

// Powers of two and products with them. They work on the bits of floats, so that results are the same on devices that
// flush denormal floats to 0.

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

// high + low = a + b exactly.
void twoSum(float a, float b, out float high, out float low)
{
  precise float sum = a + b;
  precise float bPart = sum - a;
  precise float aPart = sum - bPart;
  precise float error = (a - aPart) + (b - bPart);
  high = sum;
  low = error;
}

// high + low = a * b exactly, if the product neither overflows nor underflows.
void twoProduct(float a, float b, out float high, out float low)
{
  const float Splitter = 4097; // 2^12 + 1: halves of 12 bits
  precise float aScaled = Splitter * a;
  precise float aHigh = aScaled - (aScaled - a);
  precise float aLow = a - aHigh;
  precise float bScaled = Splitter * b;
  precise float bHigh = bScaled - (bScaled - b);
  precise float bLow = b - bHigh;
  precise float product = a * b;
  precise float error = ((aHigh * bHigh - product) + aHigh * bLow + aLow * bHigh) + aLow * bLow;
  high = product;
  low = error;
}

struct Pair
{
  float high; // rounded to float
  float low;  // rounding error of high
};

Pair sumOfTwo(float a, float b)
{
  Pair sum;
  twoSum(a, b, sum.high, sum.low);
  return sum;
}

Pair sumOfPairs(Pair a, Pair b)
{
  const Pair sum = sumOfTwo(a.high, b.high);
  precise float low = sum.low + (a.low + b.low);
  return sumOfTwo(sum.high, low);
}

// a + b, where b is the low part of an isovalue: |b| is at most |a.high|, unless a.high is 0. If a.low is not 0, b is
// so small that the rounding error of a.low + b does not matter beside a.high. Takes less time than sumOfPairs.
Pair sumWithLowPart(Pair a, float b)
{
  precise float rest = a.low + b;
  precise float high = a.high + rest;
  precise float low = rest - (high - a.high);
  return Pair(high, low);
}

// Adds n times a pair to high + low.
void addMultiple(Pair a, float n, inout float high, inout float low)
{
  float product, productError, sum, sumError;
  twoProduct(a.high, n, product, productError);
  twoSum(high, product, sum, sumError);
  precise float rest = low + (sumError + (productError + a.low * n));
  high = sum;
  low = rest;
}

// a / b as one float. The error is little more than its rounding, also on devices with an inexact division.
float quotientOfPairs(Pair a, Pair b)
{
  // b is scaled, so that no product leaves the range of floats.
  const int exponent = biasedExponent(b.high) - 127;
  const float scale = uintBitsToFloat(uint(127 + clamp(-exponent, -126, 126)) << 23);
  const float dividend = a.high * scale, divisor = b.high * scale;
  const float reciprocal = 1 / divisor;
  precise float quotient = dividend * reciprocal;
  float product, error;
  twoProduct(quotient, divisor, product, error);
  precise float rest = ((dividend - product) - error) + (a.low * scale - quotient * (b.low * scale));
  precise float corrected = quotient + rest * reciprocal;
  return corrected;
}

#endif
