// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The triangles of a mesh.
#include "Shared/Bindings.h"
#include "Shared/Structs.h"

layout(push_constant) uniform Push { MeshConstants push; };
layout(std430, binding = BINDING_TRIANGLE) readonly buffer Triangle { uint pointId[]; };

// The points of a triangle.
uvec3 cornersOf(uint triangle)
{
  const uint first = 3 * triangle * push.idWords;
  return uvec3(pointId[first], pointId[first + push.idWords], pointId[first + 2 * push.idWords]);
}
