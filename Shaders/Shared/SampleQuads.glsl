// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The inside bits of four consecutive samples at a time.
// Include after Samples.glsl. The kernel enables GL_EXT_control_flow_attributes.

// BINDING_SAMPLES as vectors of four samples of 4 bytes.
layout(std430, binding = BINDING_SAMPLES) readonly buffer SampleQuads { uvec4 sampleQuad[]; };

const uint QuadSamples = 4;

// Inside bits of the samples 4 * quad to 4 * quad + 3 of the binding.
uint insideBitsOfQuad(uint quad)
{
  const uint PerWord = 1u << ValuesPerWordShift;
  const uvec4 words = SampleBytes == 4 ? sampleQuad[quad] : uvec4(0);
  uint inside = 0;
  [[unroll]] for (uint i = 0; i < QuadSamples; ++i)
  {
    bool isIn;
    if (SampleBytes == 8)
      isIn = isInside(sampleAt(QuadSamples * quad + i));
    else if (SampleBytes == 4)
      isIn = isWordInside(words[i]);
    else
      isIn = isWordInside(bitsOfValue(sampleWord[QuadSamples / PerWord * quad + i / PerWord], i));
    inside |= (isIn ? 1u : 0u) << i;
  }
  return inside;
}
