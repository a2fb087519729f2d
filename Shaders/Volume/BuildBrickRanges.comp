// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One invocation: one brick of the slab.
// Reads the 9 x 9 x 9 grid samples that the brick's dual cells touch. Writes their smallest and largest key for
// SelectBricks and CompactBricks; sets TOTAL_HAS_NAN for the host.
// The range of a brick in which every sample is NaN is empty: (largest key, 0). Runs once per uploaded volume.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "Shared/Constants.h"
layout(local_size_x = LINEAR_GROUP_SIZE) in;
#include "Shared/Slab.glsl"
#include "Shared/SampleRow.glsl"

layout(std430, binding = BINDING_BRICK_RANGE) writeonly buffer BrickRange { uvec2 range[]; };
layout(std430, binding = BINDING_TOTALS) buffer Totals { uint total[]; };

void main()
{
  const uint brick = invocationIndex();
  if (brick >= slab.brickCount)
    return;
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
  range[brickOfVolume(brick)] = uvec2(smallest, largest);
  if (hasNan)
    atomicOr(total[TOTAL_HAS_NAN], 1);
}
