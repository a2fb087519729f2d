// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One invocation: one value (corner of a triangle, component).
// Reads the corner's point id and the point's value. Writes the corner's value, for an output without shared points.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "Shared/Constants.h"
layout(local_size_x = LINEAR_GROUP_SIZE) in;
#include "Shared/Bindings.h"
#include "Shared/Invocation.glsl"
#include "Shared/Structs.h"

layout(push_constant) uniform Push { ValueConstants push; };
layout(std430, binding = BINDING_TRIANGLE) readonly buffer Triangle { uint pointId[]; };
layout(std430, binding = BINDING_SHARED_VALUES) readonly buffer SharedValues { float sharedValue[]; };
layout(std430, binding = BINDING_CORNER_VALUES) writeonly buffer CornerValues { float cornerValue[]; };

void main()
{
  const uint value = invocationIndex();
  if (value >= push.count * push.components)
    return;
  const uint point = pointId[push.start + value / push.components];
  cornerValue[push.start * push.components + value] = sharedValue[point * push.components + value % push.components];
}
