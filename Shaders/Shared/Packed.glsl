// Access to 1-, 2-, 4- and 8-byte values packed into 32-bit words, so that no storage feature of a device is needed.
#include "Shared/Constants.h"

layout(constant_id = SPECIALIZE_SAMPLE_BYTES) const uint SampleBytes = 4;
layout(constant_id = SPECIALIZE_SAMPLE_KIND) const uint SampleKind = SAMPLE_FLOAT;

// Of values that fit a word; those of 8 bytes take two, the low one first.
const uint ValueBits = SampleBytes == 8 ? 32 : 8 * SampleBytes;
const uint ValueMask = 0xFFFFFFFFu >> (32 - ValueBits);
const uint ValuesPerWordShift = SampleBytes >= 4 ? 0 : SampleBytes == 2 ? 1 : 2;

uint wordOfValue(uint index) { return index >> ValuesPerWordShift; }
uint shiftOfValue(uint index) { return (index & ((1u << ValuesPerWordShift) - 1)) * ValueBits; }
