// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Rays through pixels, and their way through blocks of cells.
// Include after Slab.glsl and WorldPosition.glsl.

layout(std430, binding = BINDING_RAYS) readonly buffer Rays { RayTable rays; };

// A ray goes from the point `near` to `near + along`, at distances t in [0, 1].
struct Ray
{
  vec3 nearHigh;
  vec3 nearLow;
  vec3 along;
  vec3 inverse; // 1 / along
  ivec3 step;   // of the cell that the ray crosses next
};

const float Never = 1e30; // beyond every t
const uint NoAxis = 3;

// The position of a ray: the cell, which it entered at t across this axis.
struct RayPosition
{
  ivec3 cell;
  float t;
  uint axis;
};

// Cells that the ray walks through together: grid positions [first, last] along each axis.
struct Block
{
  ivec3 first;
  ivec3 last;
};

vec3 pointOnPlane(uint plane, uvec2 pixel, out vec3 low)
{
  vec3 high = rays.originHigh[plane].xyz;
  low = rays.originLow[plane].xyz;
  for (uint c = 0; c < 3; ++c)
  {
    addMultiple(Pair(rays.stepXHigh[plane][c], rays.stepXLow[plane][c]), float(pixel.x), high[c], low[c]);
    addMultiple(Pair(rays.stepYHigh[plane][c], rays.stepYLow[plane][c]), float(pixel.y), high[c], low[c]);
  }
  return high;
}

Ray rayThrough(uvec2 pixel)
{
  Ray ray;
  vec3 farLow;
  ray.nearHigh = pointOnPlane(0, pixel, ray.nearLow);
  const vec3 farHigh = pointOnPlane(1, pixel, farLow);
  ray.along = (farHigh - ray.nearHigh) + (farLow - ray.nearLow);
  for (uint a = 0; a < 3; ++a)
  {
    ray.inverse[a] = ray.along[a] != 0 ? 1 / ray.along[a] : 0;
    ray.step[a] = ray.along[a] < 0 ? -1 : 1;
  }
  return ray;
}

// Coordinates relative to an exactly known one.
vec3 positionFrom(Ray ray, vec3 reference, float t)
{
  precise vec3 relative = (ray.nearHigh - reference) + ray.nearLow;
  precise vec3 position = relative + t * ray.along;
  return position;
}

// The t at which the ray crosses the planes at these coordinates; `otherwise` along axes to which it is perpendicular.
vec3 crossings(Ray ray, vec3 planes, float otherwise)
{
  const vec3 t = ((planes - ray.nearHigh) - ray.nearLow) * ray.inverse;
  return mix(t, vec3(otherwise), equal(ray.along, vec3(0)));
}

// The t at which the ray leaves the block, and the axis.
float exitOf(Ray ray, Block block, out uint axis)
{
  const bvec3 isUp = greaterThan(ray.step, ivec3(0));
  const vec3 planes = gridCoordinate(uvec3(mix(block.first, block.last + 1, isUp)));
  const vec3 t = crossings(ray, planes, Never);
  axis = t.x <= t.y && t.x <= t.z ? 0 : t.y <= t.z ? 1 : 2;
  return min(min(t.x, t.y), t.z);
}

// The cell at distance t, in a block that contains it up to rounding.
ivec3 cellAt(Ray ray, Block block, float t)
{
  const vec3 reference = gridCoordinate(uvec3(block.first));
  const vec3 relative = positionFrom(ray, reference, t);
  // Padding at the low side has less than a step: so cells are counted from the first whole coordinate.
  const ivec3 cell = ivec3(floor(relative + (reference - floor(reference)))) + ivec3(floor(reference)) +
    ivec3(lowPadding());
  return clamp(cell, block.first, block.last);
}

Block blockOf(ivec3 cell, int size, Block whole)
{
  const ivec3 first = cell / size * size;
  return Block(max(first, whole.first), min(first + size - 1, whole.last));
}

bool contains(Block block, ivec3 cell)
{
  return all(greaterThanEqual(cell, block.first)) && all(lessThanEqual(cell, block.last));
}

// 1 along this axis. Vectors are not indexed with it, as that is slow on some devices.
ivec3 unitAlong(uint axis) { return ivec3(axis == 0, axis == 1, axis == 2); }

// The next cell of the ray after the block, which it leaves along this axis at t.
ivec3 nextCell(Ray ray, Block block, uint axis, float t)
{
  const bvec3 isUp = greaterThan(ray.step, ivec3(0));
  return mix(cellAt(ray, block, t), mix(block.first - 1, block.last + 1, isUp), bvec3(unitAlong(axis)));
}

// The cells of the slab, without its halo layer.
Block blockOfSlab()
{
  Block whole;
  whole.first = ivec3(0, 0, BRICK_SIZE * slab.brickLayer);
  whole.last = ivec3(gridSize()) - 2;
  whole.last.z = min(whole.last.z, int(BRICK_SIZE * (slab.brickLayer + ownLayers())) - 1);
  return whole;
}

// The first position of the ray in the block at t >= start; its axis is NoAxis if the ray starts in the block. Returns
// false if the ray misses the block.
bool enterBlock(Ray ray, float start, Block block, out RayPosition position)
{
  const vec3 low = gridCoordinate(uvec3(block.first)), high = gridCoordinate(uvec3(block.last + 1));
  const bvec3 isParallel = equal(ray.along, vec3(0));
  const vec3 from = positionFrom(ray, low, 0), to = positionFrom(ray, high, 0);
  if (any(bvec3(isParallel.x && (from.x < 0 || to.x > 0), isParallel.y && (from.y < 0 || to.y > 0),
        isParallel.z && (from.z < 0 || to.z > 0))))
    return false;
  const bvec3 isUp = greaterThan(ray.step, ivec3(0));
  const vec3 entries = crossings(ray, mix(high, low, isUp), 0), exits = crossings(ray, mix(low, high, isUp), 1);
  position.t = max(max(entries.x, entries.y), max(entries.z, start));
  const float end = min(min(exits.x, exits.y), min(exits.z, 1));
  if (position.t > end)
    return false;
  position.cell = cellAt(ray, block, position.t);
  position.axis = NoAxis;
  for (uint a = 0; a < 3; ++a)
    // It enters through this side, perhaps into padding without width.
    if (position.t > start && entries[a] == position.t)
    {
      position.cell[a] = isUp[a] ? block.first[a] : block.last[a];
      position.axis = a;
    }
  return true;
}
