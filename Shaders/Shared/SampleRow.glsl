// A row of 9 consecutive samples, with each storage word loaded once: the cost of these kernels is the number of loads.
#include "Shared/Samples.glsl"

// The row's samples may run past the end of an image row or of the data: what lies there is never used, and the
// buffer is padded, so reading it is harmless.
void loadSampleRow(uint index, out uvec2 row[BRICK_SAMPLES])
{
  if (SampleBytes >= 4)
  {
    for (uint i = 0; i < BRICK_SAMPLES; ++i)
      row[i] = sampleAt(index + i);
    return;
  }
  // Shift the loaded words so that the row begins at bit 0 of the first.
  const uint word = wordOfValue(index);
  const uint shift = shiftOfValue(index);
  const uint perWord = 1u << ValuesPerWordShift;
  uint low = sampleWord[word];
  uint aligned = 0;
  for (uint i = 0; i < BRICK_SAMPLES; ++i)
  {
    if (i % perWord == 0)
    {
      // The last sample of the row never reaches into another word: it is the first of its own, shifted.
      const uint high = i + 1 < BRICK_SAMPLES ? sampleWord[word + i / perWord + 1] : 0;
      aligned = shift == 0 ? low : low >> shift | high << (32 - shift);
      low = high;
    }
    row[i] = sampleOfWord(aligned >> (i % perWord * ValueBits) & ValueMask);
  }
}

// The row of the grid that starts at a place; beyond the end of the grid it holds anything.
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
