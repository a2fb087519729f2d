// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One workgroup: one group of 4 x 4 x 4 bricks. One invocation: one of its bricks, then every 64th packet that large
// ones cover.
// Reads the bricks that MarkBricks marked. Writes, for CastRays, a t before which no ray of a packet enters a marked
// brick, and one after which none leaves one. A packet is a square of 8 x 8 pixels.
// In index space, t is the same on each plane of equal depth, and a pixel is a quotient of functions that are linear:
// so the corners of a brick bound both (RayTable). Rounding is added to the bounds.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "Shared/Constants.h"
layout(local_size_x = BRICK_GROUP_BRICKS) in;
#include "Shared/Slab.glsl"
#include "Shared/BrickGroups.glsl"

layout(std430, binding = BINDING_BRICK_MASK) readonly buffer BrickMask { uvec2 brickMask[]; };
layout(std430, binding = BINDING_RAYS) readonly buffer Rays { RayTable rays; };
layout(std430, binding = BINDING_RAY_BOUND) buffer RayBounds { uint rayBound[]; };

// A brick that covers more packets than this is united with the others that do.
const uint MostOwnPackets = 64;
// Relative to the sum of the sizes of its terms: some roundings of a linear function.
const float LinearError = 1.0 / 2097152;
// The bound of the error of t that the rounding of the rays causes.
const float DistanceError = 1.0 / 1048576;

// Packets [first, last] along x and y, and the t of all their rays in some bricks.
struct Footprint
{
  uvec2 first;
  uvec2 last;
  float entry;
  float exit;
};

shared uint sharedFirst[2], sharedLast[2], sharedEntry, sharedExit;

// Returns the value of a linear function of a RayTable at a position in index space.
float linear(vec4 row, vec3 at) { return dot(row.xyz, at) + row.w; }

// Computes bounds of the packets and distances whose rays may enter the brick. Returns false if no ray enters it.
bool footprintOf(uvec3 brick, out Footprint footprint)
{
  const uvec3 first = BRICK_SIZE * brick, behind = min(first + BRICK_SIZE, gridSize() - 1);
  const vec3 low = gridCoordinate(first), high = gridCoordinate(behind);
  const vec4 size = vec4(max(abs(low), abs(high)), 1);
  const float errorX = LinearError * dot(abs(rays.toPixelX), size);
  const float errorY = LinearError * dot(abs(rays.toPixelY), size);
  const float errorT = LinearError * dot(abs(rays.toDistance), size);
  const float errorScale = abs(rays.ratio - 1) * errorT + LinearError * max(rays.ratio, 1);
  float entry = 1e30, exit = -1e30, smallestScale = 1e30;
  vec2 least = vec2(1e30), most = vec2(-1e30);
  for (uint corner = 0; corner < 8; ++corner)
  {
    const vec3 at = mix(low, high, bvec3((corner & 1) != 0, (corner & 2) != 0, (corner & 4) != 0));
    const float t = linear(rays.toDistance, at), scale = 1 + (rays.ratio - 1) * t;
    const vec2 pixel = vec2(linear(rays.toPixelX, at), linear(rays.toPixelY, at)) / scale;
    const vec2 error = (vec2(errorX, errorY) + abs(pixel) * errorScale) / scale;
    entry = min(entry, t);
    exit = max(exit, t);
    smallestScale = min(smallestScale, scale);
    least = min(least, pixel - error);
    most = max(most, pixel + error);
  }
  footprint.entry = max(entry - errorT - DistanceError, 0);
  footprint.exit = min(exit + errorT + DistanceError, 1);
  const vec2 lastPixel = vec2(rays.width, rays.height) - 1;
  // A brick at the eye or behind it may cover the whole picture.
  if (smallestScale <= 2 * errorScale)
  {
    least = vec2(0);
    most = lastPixel;
  }
  least = max(least - 0.5, vec2(0));
  most = min(most + 0.5, lastPixel);
  footprint.first = uvec2(least) / RAY_GROUP_SIDE;
  footprint.last = uvec2(max(most, vec2(0))) / RAY_GROUP_SIDE;
  return footprint.entry <= footprint.exit && least.x <= most.x && least.y <= most.y;
}

uint packetCount(Footprint footprint)
{
  const uvec2 size = footprint.last - footprint.first + 1;
  return size.x * size.y;
}

// Every `stride`th packet of the footprint, from this one on. The bits of floats that are not negative compare like
// them.
void addFootprint(Footprint footprint, uint from, uint stride)
{
  const uint across = (rays.width + RAY_GROUP_SIDE - 1) / RAY_GROUP_SIDE;
  const uint entry = floatBitsToUint(footprint.entry), exit = ~floatBitsToUint(footprint.exit);
  const uint sizeX = footprint.last.x - footprint.first.x + 1, count = packetCount(footprint);
  for (uint i = from; i < count; i += stride)
  {
    const uint packet = footprint.first.x + i % sizeX + across * (footprint.first.y + i / sizeX);
    // Bounds only become smaller: one that another invocation has just replaced leads to an atomicMin without effect.
    if (entry < rayBound[2 * packet])
      atomicMin(rayBound[2 * packet], entry);
    if (exit < rayBound[2 * packet + 1])
      atomicMin(rayBound[2 * packet + 1], exit);
  }
}

void main()
{
  const uint group = workgroupIndex();
  if (group >= brickGroupCount())
    return;
  const uvec2 mask = brickMask[group];
  if ((mask.x | mask.y) == 0)
    return;
  const uint invocation = gl_LocalInvocationID.x;
  if (invocation == 0)
  {
    sharedFirst = uint[2](0xFFFFFFFFu, 0xFFFFFFFFu);
    sharedLast = uint[2](0, 0);
    sharedEntry = 0xFFFFFFFFu;
    sharedExit = 0;
  }
  barrier();
  const uvec3 brick = BRICK_GROUP_SIZE * brickGroupAt(group) +
    uvec3(invocation, invocation / BRICK_GROUP_SIZE, invocation / (BRICK_GROUP_SIZE * BRICK_GROUP_SIZE)) %
      BRICK_GROUP_SIZE;
  const bool marked = ((invocation < 32 ? mask.x : mask.y) >> invocation % 32 & 1u) != 0;
  Footprint footprint;
  if (marked && footprintOf(brick, footprint))
  {
    if (packetCount(footprint) <= MostOwnPackets)
      addFootprint(footprint, 0, 1);
    else
    {
      for (uint axis = 0; axis < 2; ++axis)
      {
        atomicMin(sharedFirst[axis], footprint.first[axis]);
        atomicMax(sharedLast[axis], footprint.last[axis]);
      }
      atomicMin(sharedEntry, floatBitsToUint(footprint.entry));
      atomicMax(sharedExit, floatBitsToUint(footprint.exit));
    }
  }
  barrier();
  if (sharedFirst[0] > sharedLast[0])
    return;
  addFootprint(Footprint(uvec2(sharedFirst[0], sharedFirst[1]), uvec2(sharedLast[0], sharedLast[1]),
              uintBitsToFloat(sharedEntry), uintBitsToFloat(sharedExit)),
    invocation, BRICK_GROUP_BRICKS);
}
