// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The rank of a sample among the thresholds of a histogram (Constants.h).
// Include after Samples.glsl.

layout(std430, binding = BINDING_BINS) readonly buffer Bins
{
  BinTable storedBins;
  uint thresholdWord[];
};

// A copy of storedBins, which the kernel loads once.
BinTable bins;

uvec2 thresholdAt(uint index)
{
  return SampleBytes == 8 ? uvec2(thresholdWord[2 * index], thresholdWord[2 * index + 1]) :
                            uvec2(thresholdWord[index], 0);
}

// A position among the thresholds of the list, divided by their number, see BinTable.
float positionOfSample(uvec2 value)
{
  const uvec2 reference = uvec2(bins.referenceKey, bins.referenceLow);
  // sampleDifference is undefined there. Such a sample lies beyond all thresholds. In the range of a brick, the words of
  // an infinite one may be those of NaN.
  if (SampleKind == SAMPLE_FLOAT && SampleBytes == 8 &&
    (isInfinite(value) || exponentOfSample(value) > bins.exponent))
    return isBelow(value, reference) ? 0.0 : 1.0;
  return sampleDifference(reference, value, bins.exponent) * bins.scale + bins.offset;
}

// The same from the word of a sample of 2 or 4 bytes, in fewer steps. Floats: bins.exponent must be above 60, see
// scaledFloat.
float positionOfWord(uint word)
{
  if (SampleKind == SAMPLE_FLOAT)
  {
    const float unit = powerOfTwo(150 - bins.exponent);
    const float reference = uintBitsToFloat(bitsOfKey(bins.referenceKey)) * unit;
    return (uintBitsToFloat(word) * unit - reference) * bins.scale + bins.offset;
  }
  const uint key = sampleOfWord(word).x;
  if (SampleBytes == 2) // 2^23 + key, without a conversion: those are slow
    return (uintBitsToFloat(0x4B000000u | key) - (8388608.0 + float(bins.referenceKey))) * bins.scale + bins.offset;
  const float size = float(key < bins.referenceKey ? bins.referenceKey - key : key - bins.referenceKey);
  return (key < bins.referenceKey ? -size : size) * bins.scale + bins.offset;
}

// The rank at a position. If not isCertain, it may be the one next to it. Clamps to [0, 1] and this way to round cost
// fewer steps than others.
uint rankAt(float position, out bool isCertain)
{
  const float last = float(bins.thresholds);
  const float part = clamp(position, 0.0, 1.0);
  precise const float shifted = fma(part, last, 8388608.0); // the nearest integer is in its low bits
  precise const float nearest = shifted - 8388608.0;
  isCertain = abs(fma(part, last, -nearest)) <= bins.certainFraction;
  return bins.firstRank + (floatBitsToUint(shifted) & 0x7FFFFFu);
}

// The rank of a sample, which is this one or one next to it. Has no branch, because it is used many times.
uint exactRank(uint rank, uvec2 value)
{
  const uint index = min(rank - bins.firstRank, bins.thresholds), last = bins.thresholds - 1;
  const bool isLower = index > 0 && isBelow(value, thresholdAt(max(index, 1) - 1));
  const bool isHigher = index <= last && !isBelow(value, thresholdAt(min(index, last)));
  return rank + (isHigher ? 1 : 0) - (isLower ? 1 : 0);
}

// The sample must not be NaN.
uint rankOfSample(uvec2 value)
{
  if (SampleBytes == 1)
    return value.x + 1;
  bool isCertain;
  const uint rank = rankAt(positionOfSample(value), isCertain);
  return isCertain ? rank : exactRank(rank, value);
}

uint slotOfSample(uint rank) { return SampleBytes == 1 ? rank : (rank + 1) / 2; }
uint slotOfCell(uint rank) { return SampleBytes == 1 ? rank : rank / 2; }
