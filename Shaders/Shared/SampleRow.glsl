// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// A row of 9 consecutive samples. Each storage word is loaded once, because loads dominate the time of the kernels.
#include "Shared/Samples.glsl"

// The words of samples of at most 4 bytes. The row may end beyond its image row or beyond the data. Samples there are
// not used, and the buffer is padded: so reading them is safe.
void loadWordRow(uint index, out uint value[BRICK_SAMPLES])
{
  if (SampleBytes == 4)
  {
    for (uint i = 0; i < BRICK_SAMPLES; ++i)
      value[i] = sampleWord[index + i];
    return;
  }
  // The loaded words are shifted, so that the row begins at bit 0 of the first.
  const uint word = wordOfValue(index);
  const uint shift = shiftOfValue(index);
  const uint perWord = 1u << ValuesPerWordShift;
  uint low = sampleWord[word];
  uint aligned = 0;
  for (uint i = 0; i < BRICK_SAMPLES; ++i)
  {
    if (i % perWord == 0)
    {
      // The last sample of the row lies in one word: it is the first sample of its shifted word.
      const uint high = i + 1 < BRICK_SAMPLES ? sampleWord[word + i / perWord + 1] : 0;
      aligned = shift == 0 ? low : low >> shift | high << (32 - shift);
      low = high;
    }
    value[i] = aligned >> (i % perWord * ValueBits) & ValueMask;
  }
}

// The same of samples of any type.
void loadSampleRow(uint index, out uvec2 row[BRICK_SAMPLES])
{
  if (SampleBytes == 8)
  {
    for (uint i = 0; i < BRICK_SAMPLES; ++i)
      row[i] = sampleAt(index + i);
    return;
  }
  uint value[BRICK_SAMPLES];
  loadWordRow(index, value);
  for (uint i = 0; i < BRICK_SAMPLES; ++i)
    row[i] = sampleOfWord(value[i]);
}

// The row that starts at a grid position. Values beyond the grid are undefined.
void loadGridRow(uvec3 at, out uvec2 row[BRICK_SAMPLES])
{
  const uint first = lowPadding().x;
  const bool withinImage = at.x >= first && at.x + BRICK_SIZE < first + imageSize().x;
  if (!Padded || (withinImage && !isOutside(at)))
  {
    loadSampleRow(slab.windowOffset + sampleNumber(imagePosition(at)), row);
    return;
  }
  for (uint i = 0; i < BRICK_SAMPLES; ++i)
    row[i] = gridSample(min(at + uvec3(i, 0, 0), gridSize() - 1));
}
