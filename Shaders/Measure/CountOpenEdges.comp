// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One invocation: one listed edge.
// Reads the edges that are listed for its smaller point. Counts the edge for its region or isovalue if no other one has
// the same points.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "Shared/Constants.h"
layout(local_size_x = LINEAR_GROUP_SIZE) in;
#include "Shared/Bindings.h"
#include "Shared/Invocation.glsl"
#include "Shared/Structs.h"

layout(push_constant) uniform Push { MeshConstants push; };
layout(std430, binding = BINDING_OPEN_EDGES) readonly buffer OpenEdges { uint openEdges[]; };
layout(std430, binding = BINDING_EDGE_OF_POINT) readonly buffer EdgeOfPoint { uint edgeOfPoint[]; };
layout(std430, binding = BINDING_OPEN_COUNT) buffer OpenCount { uint openCount[]; };

void main()
{
  const uint edge = invocationIndex();
  if (edge >= min(openEdges[0], push.capacity))
    return;
  const uint first = (1 + edge) * OPEN_EDGE_WORDS;
  for (uint other = edgeOfPoint[openEdges[first]]; other != 0; other = openEdges[other * OPEN_EDGE_WORDS + 3])
    if (other != 1 + edge && openEdges[other * OPEN_EDGE_WORDS + 1] == openEdges[first + 1])
      return;
  atomicAdd(openCount[openEdges[first + 2]], 1);
}
