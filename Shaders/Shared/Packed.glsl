// Access to 1-, 2- and 4-byte values packed into 32-bit words, so that no 8- or 16-bit storage feature is needed.
#include "Constants.h"

layout(constant_id = SPECIALIZE_SAMPLE_BYTES) const uint SampleBytes = 4;
layout(constant_id = SPECIALIZE_SAMPLE_KIND) const uint SampleKind = SAMPLE_FLOAT;

const uint ValueBits = 8 * SampleBytes;
const uint ValueMask = 0xFFFFFFFFu >> (32 - ValueBits);
const uint ValuesPerWordShift = SampleBytes == 4 ? 0 : SampleBytes == 2 ? 1 : 2;

uint wordOfValue(uint index) { return index >> ValuesPerWordShift; }
uint shiftOfValue(uint index) { return (index & ((1u << ValuesPerWordShift) - 1)) * ValueBits; }
