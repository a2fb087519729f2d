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

// A position among the thresholds of the list (BinTable), divided by their number + 0.5.
float positionOfSample(uvec2 value)
{
  const uvec2 reference = uvec2(bins.referenceKey, bins.referenceLow);
  // sampleDifference is undefined there. Such a sample lies beyond all thresholds.
  if (SampleKind == SAMPLE_FLOAT && SampleBytes == 8 && exponentOfSample(value) > bins.exponent)
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
  if (SampleBytes == 2)
    return float(int(key) - int(bins.referenceKey)) * bins.scale + bins.offset;
  const float size = float(key < bins.referenceKey ? bins.referenceKey - key : key - bins.referenceKey);
  return (key < bins.referenceKey ? -size : size) * bins.scale + bins.offset;
}

// The rank at a position, unless the position is nearer to an integer than bins.uncertainty. `distance`: from the
// nearest integer. Clamps to [0, 1] and this way to round cost fewer steps than others.
uint rankAt(float position, out float distance)
{
  const float last = float(bins.thresholds) + 0.5;
  const float part = clamp(position, 0.0, 1.0);
  precise const float shifted = fma(part, last, 8388608.0); // the nearest integer is in its low bits
  precise const float nearest = shifted - 8388608.0;
  const float fraction = fma(part, last, -nearest);
  distance = abs(fraction);
  return bins.firstRank + (floatBitsToUint(shifted) & 0x7FFFFFu) - (fraction < 0 ? 1 : 0);
}

// The sample must not be NaN.
uint rankOfSample(uvec2 value)
{
  if (SampleBytes == 1)
    return value.x + 1;
  float distance;
  const float position = positionOfSample(value);
  const uint rank = rankAt(position, distance);
  if (distance >= bins.uncertainty)
    return rank;
  // Between the thresholds before and after the nearest integer.
  const uint index = uint(clamp(position, 0.0, 1.0) * (float(bins.thresholds) + 0.5) + 0.5);
  if (index == 0 || index > bins.thresholds)
    return rank;
  return bins.firstRank + index - (isBelow(value, thresholdAt(index - 1)) ? 1 : 0);
}

uint slotOfSample(uint rank) { return SampleBytes == 1 ? rank : (rank + 1) / 2; }
uint slotOfCell(uint rank) { return SampleBytes == 1 ? rank : rank / 2; }
