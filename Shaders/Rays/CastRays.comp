// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One workgroup: 8 x 8 pixels. One invocation: the ray through the centre of one of them.
// Reads the bricks that MarkBricks marked, the bounds of BoundRays, the samples of the cells that the ray crosses there
// and their flags, and at the crossing their neighbours. Writes the ray's first crossing of the isosurface in the slab,
// unless an earlier dispatch has written one that is nearer.
// The ray skips groups of bricks and bricks without a mark, and walks through the cells of the others (RayWalk.glsl). In
// a cell it looks for a crossing (RayCell.glsl).
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "Shared/Constants.h"
layout(local_size_x = RAY_GROUP_SIZE) in;
#include "Shared/Slab.glsl"
#include "Shared/Samples.glsl"
#include "Shared/WorldPosition.glsl"
#include "Shared/Gradient.glsl"
#include "Shared/BrickGroups.glsl"
#include "Rays/RayWalk.glsl"
#include "Rays/RayCell.glsl"
#include "Rays/RayHit.glsl"

layout(std430, binding = BINDING_BRICK_MASK) readonly buffer BrickMask { uvec2 brickMask[]; };
layout(std430, binding = BINDING_RAY_BOUND) readonly buffer RayBounds { uint rayBound[]; };

uvec2 maskOfGroup(ivec3 brick) { return brickMask[brickGroupIndex(uvec3(brick) / BRICK_GROUP_SIZE)]; }

bool isMarked(ivec3 brick, uvec2 maskOfGroup)
{
  const uvec3 in4 = uvec3(brick) % BRICK_GROUP_SIZE;
  const uint bit = in4.x + BRICK_GROUP_SIZE * (in4.y + BRICK_GROUP_SIZE * in4.z);
  return ((bit < 32 ? maskOfGroup.x : maskOfGroup.y) >> bit % 32 & 1u) != 0;
}

// Moves the ray to the next marked brick. Returns false if there is none before `end`.
bool skipToMark(Ray ray, Block whole, float end, inout RayPosition position)
{
  for (;;)
  {
    const ivec3 brick = position.cell / BRICK_SIZE;
    const uvec2 mask = maskOfGroup(brick);
    if (isMarked(brick, mask))
      return true;
    const int size = (mask.x | mask.y) == 0 ? BRICK_SIZE * BRICK_GROUP_SIZE : BRICK_SIZE;
    const Block skipped = blockOf(position.cell, size, whole);
    position.t = max(exitOf(ray, skipped, position.axis), position.t);
    position.cell = nextCell(ray, skipped, position.axis, position.t);
    if (position.t >= end || !contains(whole, position.cell))
      return false;
  }
}

// The slopes of all crossings of a subgroup are computed together, at the end.
void castRay(Ray ray, uint pixel, float start, float end)
{
  const Block whole = blockOfSlab();
  RayPosition position;
  if (!enterBlock(ray, start, whole, position))
    return;
  Corners corners; // of the cell, in a marked brick
  float exit;
  uint exitAxis;
  float crossing = 2; // share of the segment in the cell
  while (crossing > 1)
  {
    if (!skipToMark(ray, whole, end, position))
      return;
    corners = cornersOf(position.cell);
    for (;;)
    {
      exit = max(exitOf(ray, Block(position.cell, position.cell), exitAxis), position.t);
      if (!isUniform(corners) && isValid(corners, position.cell))
      {
        const Segment part = segmentThrough(ray, position, exit, exitAxis);
        crossing = firstZero(fieldOf(position.cell, corners), part.from, part.to);
        if (crossing <= 1)
          break;
      }
      const ivec3 brick = position.cell / BRICK_SIZE, toNext = ray.step * unitAlong(exitAxis);
      position = RayPosition(position.cell + toNext, exit, exitAxis);
      if (position.t >= end || !contains(whole, position.cell))
        return;
      const ivec3 next = position.cell / BRICK_SIZE;
      if (next != brick && !isMarked(next, maskOfGroup(next)))
        break;
      corners = cornersAfterStep(corners, position.cell, exitAxis, toNext.x + toNext.y + toNext.z > 0);
    }
  }
  const float t = mix(position.t, exit, crossing);
  if (t >= end)
    return;
  const Segment part = segmentThrough(ray, position, exit, exitAxis);
  writeHit(pixel, t, slopeOfHit(position.cell, mix(part.from, part.to, crossing), corners));
}

void main()
{
  // Workgroups are one-dimensional; each handles a square of pixels.
  const uint side = RAY_GROUP_SIDE, across = (rays.width + side - 1) / side;
  const uint group = workgroupIndex(), invocation = gl_LocalInvocationID.x;
  const uvec2 pixel = side * uvec2(group % across, group / across) + uvec2(invocation % side, invocation / side);
  if (rayBound[2 * group] == RAY_NO_BOUND || pixel.x >= rays.width || pixel.y >= rays.height)
    return;
  const uint number = pixel.y * rays.width + pixel.x;
  const float start = uintBitsToFloat(rayBound[2 * group]);
  const float end = min(uintBitsToFloat(~rayBound[2 * group + 1]), hits[number].t);
  if (start < end)
    castRay(rayThrough(pixel), number, start, end);
}
