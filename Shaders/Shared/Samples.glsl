// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Samples as ordered keys: unsigned numbers that compare like the samples, for every sample type. The inside test, the
// brick ranges and the selection of bricks use keys alone; only differences of samples depend on the sample type.
//   unsigned integer: the value; signed integer: the value with its sign bit flipped;
//   float: the bits, complemented if negative, else with the sign bit set; NaN: 0, which is below minus infinity.
// A sample is (key, low): low is the second word of a 64-bit key, else 0.
// Include after Slab.glsl.
#include "Shared/Bindings.h"
#include "Shared/Double.glsl"
#include "Shared/Packed.glsl"

layout(std430, binding = BINDING_SAMPLES) readonly buffer Samples { uint sampleWord[]; };

const uvec2 NanSample = uvec2(0);
// Sample of a position that isOutside: the smallest key except that of NaN. Two scalars, because software Vulkan
// evaluates a vector selected by specialization constants as 0.
const uint OutsideHigh = SampleKind == SAMPLE_FLOAT && SampleBytes != 8 ? 1 : 0;
const uint OutsideLow = SampleKind == SAMPLE_FLOAT && SampleBytes == 8 ? 1 : 0;

uvec2 sampleOfWord(uint bits)
{
  if (SampleKind == SAMPLE_UNSIGNED)
    return uvec2(bits, 0);
  if (SampleKind == SAMPLE_SIGNED)
    return uvec2(bits ^ (1u << (ValueBits - 1)), 0);
  if ((bits & 0x7FFFFFFFu) > 0x7F800000u)
    return NanSample;
  return uvec2((bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u, 0);
}

uvec2 sampleOfWords(uint low, uint high)
{
  if (SampleKind == SAMPLE_UNSIGNED)
    return uvec2(high, low);
  if (SampleKind == SAMPLE_SIGNED)
    return uvec2(high ^ 0x80000000u, low);
  const uint magnitude = high & 0x7FFFFFFFu;
  if (magnitude > 0x7FF00000u || (magnitude == 0x7FF00000u && low != 0))
    return NanSample;
  return (high & 0x80000000u) != 0 ? uvec2(~high, ~low) : uvec2(high | 0x80000000u, low);
}

uvec2 sampleAt(uint index)
{
  if (SampleBytes == 8)
    return sampleOfWords(sampleWord[2 * index], sampleWord[2 * index + 1]);
  return sampleOfWord(bitsOfValue(sampleWord[wordOfValue(index)], index));
}

// The sample at a grid position.
uvec2 gridSample(uvec3 at)
{
  return isOutside(at) ? uvec2(OutsideHigh, OutsideLow) : sampleAt(slab.windowOffset + sampleNumber(imagePosition(at)));
}

uint bitsOfKey(uint key) { return (key & 0x80000000u) != 0 ? key & 0x7FFFFFFFu : ~key; }

bool isNan(uvec2 value) { return SampleKind == SAMPLE_FLOAT && (value.x | value.y) == 0; }

bool isInside(uvec2 value)
{
  if (SampleBytes != 8)
    return value.x >= slab.thresholdKey;
  return value.x > slab.thresholdKey || (value.x == slab.thresholdKey && value.y >= slab.thresholdLow);
}

// Returns whether a sample of at most 4 bytes with these bits is inside. Floats are compared by their bits, in half as
// many instructions as by keys: the inside ones are a range of bits without a sign and, if the threshold is negative,
// one with a sign. An unsigned difference wraps: so one comparison tests both ends of a range. The threshold is not a
// NaN.
bool isWordInside(uint bits)
{
  if (SampleKind != SAMPLE_FLOAT)
    return isInside(sampleOfWord(bits));
  const bool isNegative = slab.thresholdKey < 0x80000000u;
  const uint threshold = bitsOfKey(slab.thresholdKey);
  const uint least = isNegative ? 0 : threshold; // bits of the smallest inside float without a sign
  return bits - least <= 0x7F800000u - least ||
    (isNegative && bits - 0x80000000u <= threshold - 0x80000000u); // with a sign: from -0 down to the threshold
}

// Returns whether the sample at a grid position is inside. An integer that isOutside has the smallest key of all
// samples, 0: it is not inside, even if all samples are.
bool isInsideAt(uvec3 at, uvec2 value) { return isInside(value) && (slab.thresholdKey != 0 || !isOutside(at)); }

// A 64-bit float, low word first.
uvec2 doubleOfSample(uvec2 value)
{
  return (value.x & 0x80000000u) != 0 ? uvec2(value.y, value.x & 0x7FFFFFFFu) : ~value.yx;
}

Pair pairOfWord(uint word) { return sumOfTwo(float(word & 0xFFFF0000u), float(word & 0xFFFFu)); }

// b - a of the keys of integer samples; a is not above b.
Pair distanceOfKeys(uvec2 a, uvec2 b)
{
  if (SampleBytes != 8)
    return pairOfWord(b.x - a.x);
  const Pair top = pairOfWord(b.x - a.x - (b.y < a.y ? 1 : 0));
  return sumOfPairs(Pair(top.high * 4294967296.0, top.low * 4294967296.0), pairOfWord(b.y - a.y));
}

bool isBelow(uvec2 a, uvec2 b) { return a.x < b.x || (a.x == b.x && a.y < b.y); }

int biasedExponentOfSample(uvec2 value)
{
  return SampleBytes == 8 ? exponentOfDouble(doubleOfSample(value)) : int(max(bitsOfKey(value.x) >> 23 & 0xFFu, 1));
}

// Returns whether the value is infinite; true also for (OutsideHigh, OutsideLow).
bool isInfinite(uvec2 value)
{
  return SampleKind == SAMPLE_FLOAT && biasedExponentOfSample(value) == (SampleBytes == 8 ? 0x7FF : 0xFF);
}

// The unit of a difference of samples is 2^unitExponent(e), where e is at least the exponentOfSample of both. In this
// unit a float can hold the difference of any two samples.

// Integers: 0. Floats: the biased exponent; 1 for infinity.
int exponentOfSample(uvec2 value)
{
  return SampleKind != SAMPLE_FLOAT ? 0 : isInfinite(value) ? 1 : biasedExponentOfSample(value);
}

int unitExponent(int exponent)
{
  return SampleKind != SAMPLE_FLOAT ? 0 : SampleBytes == 8 ? exponent - 1075 : exponent - 150;
}

// A 32-bit float in that unit: at most 2^24; 0 below 2^-126. With an exponent above 60 a denormal sample may become 0.
// Else the significand is read as an integer, because some devices flush denormal floats to 0.
float scaledFloat(uint bits, int exponent)
{
  if (exponent > 60)
    return uintBitsToFloat(bits) * powerOfTwo(150 - exponent);
  const uint biased = bits >> 23 & 0xFFu;
  const uint significand = (bits & 0x7FFFFFu) | (biased != 0 ? 0x800000u : 0);
  const float size = float(significand) * powerOfTwo(max(int(biased), 1) - exponent);
  return (bits & 0x80000000u) != 0 ? -size : size;
}

// Value of sample b minus value of sample a in that unit; infinity or NaN if a sample is infinite.
float sampleDifference(uvec2 a, uvec2 b, int exponent)
{
  if (SampleKind != SAMPLE_FLOAT)
  {
    const bool falls = isBelow(b, a);
    const float size = distanceOfKeys(falls ? b : a, falls ? a : b).high;
    return falls ? -size : size;
  }
  if (SampleBytes != 8)
    return scaledFloat(bitsOfKey(b.x), exponent) - scaledFloat(bitsOfKey(a.x), exponent);
  const uvec2 first = doubleOfSample(a), second = doubleOfSample(b);
  if (max(exponentOfDouble(first), exponentOfDouble(second)) == 0x7FF)
    return floatOfDouble(second) - floatOfDouble(first);
  return difference(partsOfDouble(second, exponent), partsOfDouble(first, exponent)).high;
}

// Flags of samples, and which samples are blank. Without flags the specialization constant removes every read.
layout(constant_id = SPECIALIZE_BLANKING) const bool Blanking = false;
layout(constant_id = SPECIALIZE_GHOSTS) const bool Ghosts = false;
layout(std430, binding = BINDING_GHOSTS) readonly buffer GhostFlags { uint ghostWord[]; };

// GHOST_... flags of the sample at a grid position.
uint ghostOf(uvec3 at)
{
  if (!Ghosts)
    return 0;
  const uint index = slab.ghostOffset + sampleNumber(imagePosition(at));
  return ghostWord[index / 4] >> (8 * (index % 4)) & 0xFFu;
}

// Returns whether a sample with these flags and this value is blank.
bool isBlank(uint ghost, uvec2 value) { return (ghost & GHOST_BLANK) != 0 || isNan(value); }
