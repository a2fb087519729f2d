// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Computes where the isosurface crosses an edge between two samples.
// Include after Slab.glsl and Samples.glsl.

float fractionOfFloats(uvec2 a, uvec2 b)
{
  const int exponent = max(exponentOfSample(a), exponentOfSample(b));
  const float start = scaledFloat(bitsOfKey(a.x), exponent);
  const float scale = powerOfTwo(slab.isovalueExponent - unitExponent(exponent));
  const Pair part = sumWithLowPart(sumOfTwo(slab.isovalueHigh * scale, -start), slab.isovalueLow * scale);
  return quotientOfPairs(part, sumOfTwo(scaledFloat(bitsOfKey(b.x), exponent), -start));
}

float fractionOfDoubles(uvec2 a, uvec2 b)
{
  const uvec2 isovalue = uvec2(slab.isovalueLowWord, slab.isovalueHighWord);
  const int exponent = max(max(exponentOfDouble(a), exponentOfDouble(b)), exponentOfDouble(isovalue));
  const Parts from = partsOfDouble(a, exponent);
  return quotientOfPairs(
    difference(partsOfDouble(isovalue, exponent), from), difference(partsOfDouble(b, exponent), from));
}

float fractionOfIntegers(uvec2 a, uvec2 b)
{
  const uvec2 threshold = uvec2(slab.thresholdKey, slab.thresholdLow);
  const bool rises = isBelow(a, b);
  const Pair part = distanceOfKeys(rises ? a : threshold, rises ? threshold : a);
  return quotientOfPairs(sumWithLowPart(part, rises ? -slab.isovalueLow : slab.isovalueLow),
    distanceOfKeys(rises ? a : b, rises ? b : a));
}

// Fraction of the way from sample a to sample b, in [0, 1]. a and b lie on different sides of the isovalue.
// Differences have twice the digits of a float: so the error of the fraction is at most 2^-24, and its share in the
// error of a position is below 2^-22 of a cell on every device. The isovalue has more digits than the samples: with an
// isovalue of one float, nearly equal large samples would lose every digit.
float crossingFraction(uvec2 a, uvec2 b)
{
  const bool infiniteA = isInfinite(a), infiniteB = isInfinite(b);
  if (infiniteA || infiniteB)
    return infiniteA && infiniteB ? 0.5 : infiniteA ? 1 : 0; // the limit as the sample grows
  float fraction;
  if (SampleKind != SAMPLE_FLOAT)
    fraction = fractionOfIntegers(a, b);
  else if (SampleBytes == 8)
    fraction = fractionOfDoubles(doubleOfSample(a), doubleOfSample(b));
  else
    fraction = fractionOfFloats(a, b);
  return clamp(fraction, 0, 1);
}
