// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The position, the crossing, the gradient and the normal of a point, for the kernels that emit points.
// Include after Slab.glsl, WorldPosition.glsl and Gradient.glsl.
#include "Shared/Bindings.h"

// Whether normals or gradients may be requested.
layout(constant_id = SPECIALIZE_SLOPES) const bool Slopes = true;
layout(std430, binding = BINDING_POSITION) writeonly buffer Position { float position[]; };
layout(std430, binding = BINDING_NORMAL) writeonly buffer Normal { float normal[]; };
layout(std430, binding = BINDING_GRADIENT) writeonly buffer Gradient { float gradientOf[]; };
layout(std430, binding = BINDING_POSITION_LOW) writeonly buffer PositionLow { float positionLow[]; };
layout(std430, binding = BINDING_CROSSING) writeonly buffer Crossings { EdgeCrossing crossing[]; };

void writePosition(uint point, WorldPosition world)
{
  for (uint c = 0; c < 3; ++c)
  {
    position[3 * point + c] = world.high[c];
    if (writes(BINDING_POSITION_LOW))
      positionLow[3 * point + c] = world.low[c];
  }
}

// The properties of a crossed edge that its samples show without gradients.
struct CrossedAxis
{
  uint axis;
  bool rises; // the samples grow along the axis
  bool isCap; // the point is on the cap of a closed surface
};

// Unit vector towards lower values. If the interpolated gradient is 0, and on the cap of a closed surface, it is the
// normal of a gradient along the crossed edge alone.
vec3 unitNormal(vec3 slope, CrossedAxis edge)
{
  float size = largestComponent(slope);
  if (!(size > 0 && size < infinity()) || edge.isCap)
  {
    vec3 along = vec3(0);
    along[edge.axis] = edge.rises ? 1 : -1;
    slope = gradientToWorld(along).value;
    size = largestComponent(slope);
  }
  return -normalize(slope / size);
}

// along: the gradient in values per step.
void writeSlope(uint point, Scaled along, CrossedAxis edge)
{
  const Scaled slope = gradientToWorld(along.value);
  const vec3 n = unitNormal(slope.value, edge);
  for (uint c = 0; c < 3; ++c)
  {
    if (writes(BINDING_NORMAL))
      normal[3 * point + c] = n[c];
    if (writes(BINDING_GRADIENT))
      gradientOf[3 * point + c] = timesPowerOfTwo(slope.value[c], along.exponent + slope.exponent);
  }
}
