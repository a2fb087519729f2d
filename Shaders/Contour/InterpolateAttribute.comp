// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One invocation: one value (point, component) of an attribute array.
// Reads the point's crossing, which EmitPoints or EmitLevelPoints wrote, and the attribute at both ends of the crossed
// edge. Writes the linearly interpolated value for the output.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "Shared/Constants.h"
layout(local_size_x = LINEAR_GROUP_SIZE) in;
#include "Shared/Bindings.h"
#include "Shared/Invocation.glsl"
#include "Shared/Structs.h"
#include "Shared/Double.glsl"
#include "Shared/Packed.glsl"

layout(push_constant) uniform Push { ValueConstants push; };
layout(std430, binding = BINDING_CROSSING) readonly buffer Crossings { EdgeCrossing crossing[]; };
layout(std430, binding = BINDING_ATTRIBUTE) readonly buffer Attribute { uint attributeWord[]; };
layout(std430, binding = BINDING_INTERPOLATED) writeonly buffer Interpolated { float interpolated[]; };

float attributeValue(uint sampleNumber, uint component)
{
  const uint index = push.windowOffset + sampleNumber * push.components + component;
  if (SampleBytes == 8)
  {
    const uvec2 words = uvec2(attributeWord[2 * index], attributeWord[2 * index + 1]);
    if (SampleKind == SAMPLE_FLOAT)
      return floatOfDouble(words);
    // The magnitude is converted, because the rounded words of a small negative number would cancel.
    const bool negative = SampleKind == SAMPLE_SIGNED && (words.y & 0x80000000u) != 0;
    const uvec2 magnitude = negative ? uvec2(~words.x + 1, ~words.y + (words.x == 0 ? 1 : 0)) : words;
    const float value = float(magnitude.y) * 4294967296.0 + float(magnitude.x);
    return negative ? -value : value;
  }
  const uint bits = bitsOfValue(attributeWord[wordOfValue(index)], index);
  if (SampleKind == SAMPLE_FLOAT)
    return uintBitsToFloat(bits);
  return SampleKind == SAMPLE_SIGNED ? float(int(bits << (32 - ValueBits)) >> (32 - ValueBits)) : float(bits);
}

void main()
{
  const uint value = invocationIndex();
  if (value >= push.count * push.components)
    return;
  const EdgeCrossing edge = crossing[push.start + value / push.components];
  const uint component = value % push.components;
  const float start = attributeValue(edge.start, component);
  // If the fraction is 0, the value at the other end has no effect, even if it is NaN.
  interpolated[push.start * push.components + value] =
    edge.fraction == 0 ? start : mix(start, attributeValue(edge.end, component), edge.fraction);
}
