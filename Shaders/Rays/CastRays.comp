// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One workgroup: 8 x 8 pixels. One invocation: the ray through the centre of one of them.
// Reads the bricks that MarkBricks marked, the samples of the cells that the ray crosses there and their flags. Writes
// the ray's first crossing of the isosurface in the slab, unless an earlier dispatch has written one that is nearer.
// The ray skips groups of bricks and bricks without a mark, and walks through the cells of the others. In a cell the
// surface is that of the trilinear interpolant of its corners: along the ray a cubic polynomial, which is monotone
// between its extrema (G. Marmitt et al., "Fast and accurate ray-voxel intersection techniques for iso-surface ray
// tracing", 2004). An invalid cell (CountBricks.comp) has no surface.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "Shared/Constants.h"
layout(local_size_x = RAY_GROUP_SIZE) in;
#include "Shared/Slab.glsl"
#include "Shared/Samples.glsl"
#include "Shared/Ghosts.glsl"
#include "Shared/WorldPosition.glsl"
#include "Shared/BrickGroups.glsl"

layout(constant_id = SPECIALIZE_BLANKING) const bool Blanking = false;
layout(std430, binding = BINDING_BRICK_MASK) readonly buffer BrickMask { uvec2 brickMask[]; };
layout(std430, binding = BINDING_RAYS) readonly buffer Rays { RayTable rays; };
layout(std430, binding = BINDING_RAY_HIT) buffer RayHits { RayHit hits[]; };

// From the point `near` to `near + along`, at distances t in [0, 1].
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
  return t[axis];
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

// The next cell of the ray after the block, which it leaves along this axis at t.
ivec3 nextCell(Ray ray, Block block, uint axis, float t)
{
  ivec3 cell = cellAt(ray, block, t);
  cell[axis] = ray.step[axis] > 0 ? block.last[axis] + 1 : block.first[axis] - 1;
  return cell;
}

// The part of the ray in the slab, its first cell there, and the axis across which it enters the cell: NoAxis if it
// starts in it. Returns false if it misses the slab.
bool enterSlab(Ray ray, out Block whole, out ivec3 cell, out float t, out uint axis)
{
  const uint ownLayers = slab.ownBrickCount / (slab.bricksX * slab.bricksY);
  whole.first = ivec3(0, 0, BRICK_SIZE * slab.brickLayer);
  whole.last = ivec3(gridSize()) - 2;
  whole.last.z = min(whole.last.z, int(BRICK_SIZE * (slab.brickLayer + ownLayers)) - 1);
  const vec3 low = gridCoordinate(uvec3(whole.first)), high = gridCoordinate(uvec3(whole.last + 1));
  const bvec3 isParallel = equal(ray.along, vec3(0));
  const vec3 from = positionFrom(ray, low, 0), to = positionFrom(ray, high, 0);
  if (any(bvec3(isParallel.x && (from.x < 0 || to.x > 0), isParallel.y && (from.y < 0 || to.y > 0),
        isParallel.z && (from.z < 0 || to.z > 0))))
    return false;
  const bvec3 isUp = greaterThan(ray.step, ivec3(0));
  const vec3 entries = crossings(ray, mix(high, low, isUp), 0), exits = crossings(ray, mix(low, high, isUp), 1);
  t = max(max(entries.x, entries.y), max(entries.z, 0));
  const float end = min(min(exits.x, exits.y), min(exits.z, 1));
  if (t > end)
    return false;
  cell = cellAt(ray, whole, t);
  axis = NoAxis;
  for (uint a = 0; a < 3; ++a)
    if (t > 0 && entries[a] == t) // it enters through this side, perhaps into padding without width
    {
      cell[a] = isUp[a] ? whole.first[a] : whole.last[a];
      axis = a;
    }
  return true;
}

bool isMarked(ivec3 brick)
{
  const uvec3 in4 = uvec3(brick) % BRICK_GROUP_SIZE;
  const uint bit = in4.x + BRICK_GROUP_SIZE * (in4.y + BRICK_GROUP_SIZE * in4.z);
  const uvec2 mask = brickMask[brickGroupIndex(uvec3(brick) / BRICK_GROUP_SIZE)];
  return ((bit < 32 ? mask.x : mask.y) >> bit % 32 & 1u) != 0;
}

bool hasMark(ivec3 group)
{
  const uvec2 mask = brickMask[brickGroupIndex(uvec3(group))];
  return (mask.x | mask.y) != 0;
}

// What is known of the corners of a cell: one bit per corner. Corner c lies at x = c & 1, y = c >> 1 & 1, z = c >> 2
// (Cell.h).
struct Corners
{
  uint inside;
  uint blank;
};

// The corners whose bit `axis` is 1.
uint upperCorners(uint axis) { return axis == 0 ? 0xAAu : axis == 1 ? 0xCCu : 0xF0u; }

uvec3 placeOfCorner(uint c) { return uvec3(c & 1u, c >> 1 & 1u, c >> 2); }

void addCorner(ivec3 cell, uint c, inout Corners corners)
{
  const uvec3 at = uvec3(cell) + placeOfCorner(c);
  const uvec2 value = gridSample(at);
  if (isInsideAt(at, value))
    corners.inside |= 1u << c;
  if (Blanking && isBlank(ghostOf(at), value))
    corners.blank |= 1u << c;
}

Corners cornersOf(ivec3 cell)
{
  Corners corners = Corners(0, 0);
  for (uint c = 0; c < 8; ++c)
    addCorner(cell, c, corners);
  return corners;
}

// Those of the next cell along an axis, which has four of them in common with the cell before it.
Corners cornersAfterStep(Corners before, ivec3 cell, uint axis, bool isUp)
{
  const uint upper = upperCorners(axis), shift = 1u << axis;
  Corners corners;
  corners.inside = isUp ? (before.inside & upper) >> shift : (before.inside & ~upper) << shift & upper;
  corners.blank = isUp ? (before.blank & upper) >> shift : (before.blank & ~upper) << shift & upper;
  for (uint i = 0; i < 4; ++i)
  {
    // The bits of i are those of the other axes.
    const uint low = i & (shift - 1);
    addCorner(cell, low | (isUp ? shift : 0) | (i - low) << 1, corners);
  }
  return corners;
}

bool isValid(Corners corners, ivec3 cell)
{
  return !Blanking || (corners.blank == 0 && (ghostOf(uvec3(cell)) & GHOST_NOT_OWNED) == 0);
}

bool isUniform(Corners corners) { return corners.inside == 0 || corners.inside == 0xFFu; }

// Sample minus isovalue in the unit 2^unitExponent(exponent), see Samples.glsl; rounding may lose its sign. An infinite
// sample is far larger than all others.
float aboveIsovalue(uvec2 value, bool inside, int exponent)
{
  const float Infinite = 1208925819614629174706176.0; // 2^80; finite differences are at most 2^65
  if (isInfinite(value))
    return inside ? Infinite : -Infinite;
  if (SampleKind != SAMPLE_FLOAT)
  {
    const uvec2 threshold = uvec2(slab.thresholdKey, slab.thresholdLow);
    if (inside)
      return sumOfPairs(distanceOfKeys(threshold, value), Pair(slab.isovalueLow, 0)).high;
    return -sumOfPairs(distanceOfKeys(value, threshold), Pair(-slab.isovalueLow, 0)).high;
  }
  if (SampleBytes == 8)
    return difference(partsOfDouble(doubleOfSample(value), exponent),
      partsOfDouble(uvec2(slab.isovalueLowWord, slab.isovalueHighWord), exponent))
      .high;
  const float scale = powerOfTwo(slab.isovalueExponent - unitExponent(exponent));
  precise float above =
    (scaledFloat(bitsOfKey(value.x), exponent) - slab.isovalueHigh * scale) - slab.isovalueLow * scale;
  return above;
}

// The corners as sample minus isovalue, in a common unit.
float[8] fieldOf(ivec3 cell, Corners corners)
{
  uvec2 value[8];
  int exponent = SampleKind == SAMPLE_FLOAT && SampleBytes == 4 ? max(slab.isovalueExponent + 127, 1) : 1;
  for (uint c = 0; c < 8; ++c)
  {
    value[c] = gridSample(uvec3(cell) + placeOfCorner(c));
    if (SampleKind == SAMPLE_FLOAT)
      exponent = max(exponent, exponentOfSample(value[c]));
  }
  if (SampleKind == SAMPLE_FLOAT && SampleBytes == 8)
    exponent = max(exponent, exponentOfDouble(uvec2(slab.isovalueLowWord, slab.isovalueHighWord)));
  float field[8];
  for (uint c = 0; c < 8; ++c)
  {
    const bool inside = (corners.inside >> c & 1u) != 0;
    const float above = aboveIsovalue(value[c], inside, exponent);
    field[c] = inside ? max(above, 0.0) : min(above, -1e-30);
  }
  return field;
}

// A mean of the corners with weights that are not negative: so between equal signs it has this sign.
float fieldAt(float field[8], vec3 at)
{
  const vec3 rest = 1 - at;
  const vec4 alongX = vec4(field[0], field[2], field[4], field[6]) * rest.x +
    vec4(field[1], field[3], field[5], field[7]) * at.x;
  const vec2 alongY = alongX.xz * rest.y + alongX.yw * at.y;
  return alongY.x * rest.z + alongY.y * at.z;
}

vec3 slopeAt(float field[8], vec3 at)
{
  const vec3 rest = 1 - at;
  const vec4 differenceX =
    vec4(field[1], field[3], field[5], field[7]) - vec4(field[0], field[2], field[4], field[6]);
  const vec4 alongX = vec4(field[0], field[2], field[4], field[6]) * rest.x +
    vec4(field[1], field[3], field[5], field[7]) * at.x;
  const vec2 alongY = alongX.xz * rest.y + alongX.yw * at.y;
  const vec2 slopeX = differenceX.xz * rest.y + differenceX.yw * at.y;
  const vec2 differenceY = alongX.yw - alongX.xz;
  return vec3(
    slopeX.x * rest.z + slopeX.y * at.z, differenceY.x * rest.z + differenceY.y * at.z, alongY.y - alongY.x);
}

// The extrema of the field on the way from `from` to `to`, in [0, 1] and ascending; 1 if there is none.
vec2 extremaOf(float field[8], vec3 from, vec3 to)
{
  // The cubic polynomial through the ends and two places between them, in powers of s.
  const vec4 values = vec4(fieldAt(field, from), fieldAt(field, mix(from, to, 1.0 / 3.0)),
    fieldAt(field, mix(from, to, 2.0 / 3.0)), fieldAt(field, to));
  const float size = max(max(abs(values.x), abs(values.y)), max(abs(values.z), abs(values.w)));
  const float a = values.x / size, b = values.y / size, c = values.z / size, d = values.w / size;
  const float first = (-11 * a + 18 * b - 9 * c + 2 * d) / 2;
  const float second = (2 * a - 5 * b + 4 * c - d) * 9; // twice the coefficient of s^2
  const float third = (-a + 3 * b - 3 * c + d) * 13.5; // three times that of s^3
  const float discriminant = second * second - 4 * third * first;
  if (!(discriminant > 0))
    return vec2(1);
  const float q = -0.5 * (second + (second < 0 ? -1.0 : 1.0) * sqrt(discriminant));
  const vec2 roots = vec2(q != 0 ? first / q : 2.0, third != 0 ? q / third : 2.0);
  const vec2 inside = mix(vec2(1), roots, bvec2(roots.x > 0 && roots.x < 1, roots.y > 0 && roots.y < 1));
  return vec2(min(inside.x, inside.y), max(inside.x, inside.y));
}

// The zero between s = low and s = high, at which the field has different signs and between which it is monotone:
// repeated linear interpolation, with half of the value at an end that stays (M. Dowell, P. Jarratt, "A modified regula
// falsi method", BIT 11, 1971).
float zeroBetween(float field[8], vec3 from, vec3 to, float low, float high, float atLow, float atHigh)
{
  int kept = 0;
  float s = high;
  for (int i = 0; i < RAY_ITERATIONS; ++i)
  {
    s = low + (high - low) * clamp(atLow / (atLow - atHigh), 0.0, 1.0);
    const float value = fieldAt(field, mix(from, to, s));
    if ((value >= 0) == (atHigh >= 0))
    {
      high = s;
      atHigh = value;
      atLow *= kept < 0 ? 0.5 : 1.0;
      kept = -1;
    }
    else
    {
      low = s;
      atLow = value;
      atHigh *= kept > 0 ? 0.5 : 1.0;
      kept = 1;
    }
  }
  return s;
}

// The first s in [0, 1] where the surface lies on the way from `from` to `to`; 2 if there is none.
float firstZero(float field[8], vec3 from, vec3 to)
{
  float low = 0, atLow = fieldAt(field, from);
  const vec2 extrema = extremaOf(field, from, to);
  for (int i = 0; i < 3; ++i)
  {
    const float high = i == 0 ? extrema.x : i == 1 ? extrema.y : 1.0;
    if (high <= low)
      continue;
    const float atHigh = fieldAt(field, mix(from, to, high));
    if ((atHigh >= 0) != (atLow >= 0))
      return zeroBetween(field, from, to, low, high, atLow, atHigh);
    low = high;
    atLow = atHigh;
  }
  return 2;
}

// Coordinates in a cell, from 0 to 1 along each axis, where the ray crosses a face at right angles to this axis (or
// NoAxis): at entry or at exit. There the coordinate is exactly 0 or 1, so the field depends on the corners of the face
// alone, and the cells on both sides compute the same: no crossing is lost between them. The same holds in padding
// without width.
vec3 placeInCell(Ray ray, ivec3 cell, float t, uint axis, bool isAtExit)
{
  const vec3 low = gridCoordinate(uvec3(cell)), width = gridCoordinate(uvec3(cell + 1)) - low;
  const vec3 place = positionFrom(ray, low, t);
  vec3 result;
  for (uint a = 0; a < 3; ++a)
    result[a] = a == axis || width[a] == 0 ? ((ray.step[a] > 0) == isAtExit ? 1.0 : 0.0) :
                                             clamp(place[a] / width[a], 0.0, 1.0);
  return result;
}

// The slope per step. Across padding without width it has no other component.
vec3 slopeInCell(ivec3 cell, vec3 slope)
{
  const vec3 width = gridCoordinate(uvec3(cell + 1)) - gridCoordinate(uvec3(cell));
  for (uint a = 0; a < 3; ++a)
    if (width[a] == 0 && slope[a] != 0)
      return vec3(a == 0 ? slope.x : 0, a == 1 ? slope.y : 0, a == 2 ? slope.z : 0);
  return slope / max(width, vec3(1e-6));
}

// A unit vector in 32 bits: its projection on an octahedron (Z. H. Cigolle et al., "A Survey of Efficient
// Representations for Independent Unit Vectors", JCGT 3, 2014).
uint packedNormal(vec3 n)
{
  const vec3 on = n / (abs(n.x) + abs(n.y) + abs(n.z));
  const vec2 signs = vec2(on.x < 0 ? -1.0 : 1.0, on.y < 0 ? -1.0 : 1.0);
  return packSnorm2x16(on.z < 0 ? (1 - abs(on.yx)) * signs : on.xy);
}

void writeHit(uint pixel, float t, ivec3 cell, vec3 slope)
{
  const vec3 normal = -gradientToWorld(slopeInCell(cell, slope)).value;
  const float size = max(max(abs(normal.x), abs(normal.y)), abs(normal.z));
  hits[pixel].t = t;
  hits[pixel].depth = mix(rays.nearDepth, rays.farDepth * rays.ratio, t) / mix(1.0, rays.ratio, t);
  hits[pixel].normal = packedNormal(size > 0 ? normal / size : vec3(0, 0, 1));
  hits[pixel].isovalue = slab.isovalueNumber;
}

// Where a ray is: in a cell, which it entered at t across this axis.
struct Place
{
  ivec3 cell;
  float t;
  uint axis;
};

// Walks through the cells of a marked brick. Returns true at a crossing, which counts before `end`; else the place is
// behind the brick.
bool walkBrick(Ray ray, Block brick, uint pixel, inout Place place, float end)
{
  Corners corners = cornersOf(place.cell);
  while (place.t < end)
  {
    uint axis;
    const float exit = max(exitOf(ray, Block(place.cell, place.cell), axis), place.t);
    if (!isUniform(corners) && isValid(corners, place.cell))
    {
      const float field[8] = fieldOf(place.cell, corners);
      const vec3 from = placeInCell(ray, place.cell, place.t, place.axis, false);
      const vec3 to = placeInCell(ray, place.cell, exit, axis, true);
      const float s = firstZero(field, from, to);
      if (s <= 1)
      {
        if (mix(place.t, exit, s) < end)
          writeHit(pixel, mix(place.t, exit, s), place.cell, slopeAt(field, mix(from, to, s)));
        return true;
      }
    }
    place.t = exit;
    place.axis = axis;
    place.cell[axis] += ray.step[axis];
    if (!contains(brick, place.cell))
      return false;
    corners = cornersAfterStep(corners, place.cell, axis, ray.step[axis] > 0);
  }
  return false;
}

void castRay(Ray ray, uint pixel)
{
  Block whole;
  Place place;
  if (!enterSlab(ray, whole, place.cell, place.t, place.axis))
    return;
  const float end = min(1.0, hits[pixel].t);
  while (contains(whole, place.cell) && place.t < end)
  {
    const Block brick = blockOf(place.cell, BRICK_SIZE, whole);
    if (isMarked(place.cell / BRICK_SIZE))
    {
      if (walkBrick(ray, brick, pixel, place, end))
        return;
      continue;
    }
    const bool skipsGroup = !hasMark(place.cell / (BRICK_SIZE * BRICK_GROUP_SIZE));
    const Block skipped = skipsGroup ? blockOf(place.cell, BRICK_SIZE * BRICK_GROUP_SIZE, whole) : brick;
    place.t = max(exitOf(ray, skipped, place.axis), place.t);
    place.cell = nextCell(ray, skipped, place.axis, place.t);
  }
}

void main()
{
  // Workgroups are one-dimensional; each handles a square of pixels.
  const uint side = RAY_GROUP_SIDE, across = (rays.width + side - 1) / side;
  const uint group = workgroupIndex(), invocation = gl_LocalInvocationID.x;
  const uvec2 pixel = side * uvec2(group % across, group / across) + uvec2(invocation % side, invocation / side);
  if (pixel.x < rays.width && pixel.y < rays.height)
    castRay(rayThrough(pixel), pixel.y * rays.width + pixel.x);
}
