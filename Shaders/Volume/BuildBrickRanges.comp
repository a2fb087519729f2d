// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One invocation: one brick of the slab.
// Reads the 9 x 9 x 9 grid samples that the brick's dual cells touch. Writes their smallest and largest key for
// SelectBricks and CompactBricks; those of all bricks and TOTAL_HAS_NAN for the host.
// The range of a brick in which every sample is NaN is empty: (largest key, 0). Runs once per uploaded volume.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "Shared/Constants.h"
layout(local_size_x = LINEAR_GROUP_SIZE) in;
#include "Shared/Slab.glsl"
#include "Shared/SampleRow.glsl"

layout(std430, binding = BINDING_BRICK_RANGE) writeonly buffer BrickRange { uvec2 range[]; };
layout(std430, binding = BINDING_TOTALS) buffer Totals { uint total[]; };

shared uint invertedSmallestOfGroup;
shared uint largestOfGroup;

// Writes the range of the brick and returns it.
uvec2 buildRange(uint brick)
{
  const uvec3 corner = brickCorner(brick);
  const uvec3 last = gridSize() - 1;
  uint smallest = 0xFFFFFFFFu;
  uint largest = 0;
  bool hasNan = false;
  uint z = 0;
  do
  {
    uint y = 0;
    do
    {
      uvec2 row[BRICK_SAMPLES];
      loadGridRow(min(corner + uvec3(0, y, z), last), row);
      for (uint i = 0; i < BRICK_SAMPLES; ++i)
      {
        const bool valid = corner.x + i <= last.x;
        const bool nan = isNan(row[i]);
        hasNan = hasNan || (valid && nan);
        smallest = min(smallest, valid && !nan ? row[i].x : 0xFFFFFFFFu);
        largest = max(largest, valid ? row[i].x : 0); // the key of NaN is 0, the smallest
      }
    } while (++y < BRICK_SAMPLES);
  } while (++z < BRICK_SAMPLES);
  const uvec2 found = uvec2(smallest, largest);
  range[rangeOfBrick(brick)] = found;
  if (hasNan)
    atomicOr(total[TOTAL_HAS_NAN], 1);
  return found;
}

void main()
{
  if (gl_LocalInvocationID.x == 0)
  {
    invertedSmallestOfGroup = 0;
    largestOfGroup = 0;
  }
  barrier(); // all invocations wait for the first one
  const uint brick = invocationIndex();
  if (brick < slab.brickCount)
  {
    const uvec2 found = buildRange(brick);
    atomicMax(invertedSmallestOfGroup, ~found.x);
    atomicMax(largestOfGroup, found.y);
  }
  barrier(); // the first invocation waits for all
  if (gl_LocalInvocationID.x == 0)
  {
    atomicMax(total[TOTAL_INVERTED_SMALLEST_KEY], invertedSmallestOfGroup);
    atomicMax(total[TOTAL_LARGEST_KEY], largestOfGroup);
  }
}
