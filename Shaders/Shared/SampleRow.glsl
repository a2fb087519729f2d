// A row of 9 consecutive samples, with each storage word loaded once: the cost of these kernels is the number of loads.
#include "Samples.glsl"

const uint RowSamples = BRICK_SIZE + 1;

// The row's samples may run past the end of an image row or of the data: what lies there is never used, and the
// buffer is padded, so reading it is harmless.
void loadSampleRow(uint index, out uint key[RowSamples])
{
  const uint word = wordOfValue(index);
  if (SampleBytes == 4)
  {
    for (uint i = 0; i < RowSamples; ++i)
      key[i] = keyOfBits(sampleWord[word + i]);
    return;
  }
  // Shift the loaded words so that the row begins at bit 0 of the first.
  const uint shift = shiftOfValue(index);
  const uint perWord = 1u << ValuesPerWordShift;
  uint low = sampleWord[word];
  for (uint w = 0; w * perWord < RowSamples; ++w)
  {
    const uint high = sampleWord[word + w + 1];
    const uint aligned = shift == 0 ? low : low >> shift | high << (32 - shift);
    low = high;
    for (uint i = 0; i < perWord; ++i)
      if (w * perWord + i < RowSamples)
        key[w * perWord + i] = keyOfBits(aligned >> (i * ValueBits) & ValueMask);
  }
}
