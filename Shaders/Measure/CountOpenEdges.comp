// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One invocation: one listed edge.
// Adds to the vector area of its region or isovalue: that is half the sum over all edges of triangles of the cross
// products of their ends, by Stokes' theorem, and those of edges that are not listed cancel out. Reads the edges that
// are listed for the smaller point of the edge, and counts it if no other one has the same points.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "Shared/Constants.h"
layout(local_size_x = LINEAR_GROUP_SIZE) in;
#include "Shared/Bindings.h"
#include "Shared/Invocation.glsl"
#include "Shared/Structs.h"
#include "Positions.glsl"

layout(push_constant) uniform Push { MeshConstants push; };
layout(std430, binding = BINDING_OPEN_EDGES) readonly buffer OpenEdges { uint openEdges[]; };
layout(std430, binding = BINDING_EDGE_OF_POINT) readonly buffer EdgeOfPoint { uint edgeOfPoint[]; };
layout(std430, binding = BINDING_SUMS) readonly buffer Sums { uint sums[]; };
layout(std430, binding = BINDING_OPEN_SUMS) buffer OpenSums { uint openSums[]; };

#define SUM_ARRAY openSums
#include "FixedSums.glsl"

void main()
{
  const uint edge = invocationIndex();
  if (edge >= min(openEdges[0], push.capacity))
    return;
  const uint word = (1 + edge) * OPEN_EDGE_WORDS;
  const uint key = openEdges[word + 2] & ~EDGE_IS_REVERSED;
  const FixedUnits units = unitsOf();
  const uint first = key * SUM_WORDS + SUM_FIRST;
  const vec3 origin =
    vec3(uintBitsToFloat(sums[first]), uintBitsToFloat(sums[first + 1]), uintBitsToFloat(sums[first + 2]));
  const float scale = powerOfTwo(-units.unit);
  const vec3 low = positionOf(openEdges[word]), high = positionOf(openEdges[word + 1]);
  const vec3 product = cross((low - origin) * scale, (high - low) * scale); // low x high, with more digits
  const float orientation = (openEdges[word + 2] & EDGE_IS_REVERSED) != 0 ? -1 : 1;
  for (uint axis = 0; axis < 3; ++axis)
    addFixed(key * OPEN_SUM_WORDS + OPEN_VECTOR_AREA + FIXED_WORDS * axis,
      fixedOf(orientation * product[axis], units.vectorArea));

  for (uint other = edgeOfPoint[openEdges[word]]; other != 0; other = openEdges[other * OPEN_EDGE_WORDS + 3])
    if (other != 1 + edge && openEdges[other * OPEN_EDGE_WORDS + 1] == openEdges[word + 1])
      return;
  atomicAdd(openSums[key * OPEN_SUM_WORDS + OPEN_EDGES], 1);
}
