// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Access to values of 1, 2, 4 and 8 bytes packed into 32-bit words. No storage feature of a device is needed.
#include "Shared/Constants.h"

layout(constant_id = SPECIALIZE_SAMPLE_BYTES) const uint SampleBytes = 4;
layout(constant_id = SPECIALIZE_SAMPLE_KIND) const uint SampleKind = SAMPLE_FLOAT;

// For values of at most 4 bytes. A value of 8 bytes is two words, the low one first.
const uint ValueBits = SampleBytes == 8 ? 32 : 8 * SampleBytes;
const uint ValueMask = 0xFFFFFFFFu >> (32 - ValueBits);
const uint ValuesPerWordShift = SampleBytes >= 4 ? 0 : SampleBytes == 2 ? 1 : 2;

uint wordOfValue(uint index) { return index >> ValuesPerWordShift; }
uint shiftOfValue(uint index) { return (index & ((1u << ValuesPerWordShift) - 1)) * ValueBits; }

// The bits of a value in the word that holds it.
uint bitsOfValue(uint word, uint index) { return word >> shiftOfValue(index) & ValueMask; }
