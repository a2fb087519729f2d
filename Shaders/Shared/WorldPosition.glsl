// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Index space to world space without loss of the fraction of a cell. Sample position and fraction are kept apart, and
// the position is the unevaluated sum of two floats until the last addition.
// COORDINATES_PER_AXIS: the samples have coordinates along each axis instead of an affine map.
// GEOMETRY_PER_LEVEL: each level has a geometry.
// Include after Slab.glsl.
#include "Shared/Bindings.h"
#include "Shared/Constants.h"
#include "Shared/FloatPair.glsl"
#include "Shared/Structs.h"

// Whether each axis of the volume is parallel to the same axis of the world. Then two thirds of the products are 0.
#ifdef COORDINATES_PER_AXIS
const bool Aligned = true;
#else
layout(constant_id = SPECIALIZE_ALIGNED) const bool Aligned = false;
#endif
#ifdef GEOMETRY_PER_LEVEL
layout(std140, binding = BINDING_GEOMETRY) uniform GeometryBuffer { Geometry geometryOf[LEVELS_MOST]; };
uint geometryLevel; // the kernel sets it
#define geometry geometryOf[geometryLevel]
#else
layout(std140, binding = BINDING_GEOMETRY) uniform GeometryBuffer { Geometry geometry; };
#endif

// The sum of two floats per component.
struct WorldPosition
{
  vec3 high; // rounded to float
  vec3 low;  // rounding error of high
};

#ifdef COORDINATES_PER_AXIS

layout(std430, binding = BINDING_COORDINATES) readonly buffer Coordinates { GridCoordinate coordinates[]; };

GridCoordinate coordinateOf(uvec3 at, uint axis)
{
  return coordinates[at[axis] + (axis > 0 ? slab.sizeX : 0) + (axis > 1 ? slab.sizeY : 0)];
}

// The distance in steps from a grid position to the next one along an axis.
float distanceToNext(uvec3 at, uint axis) { return coordinateOf(at, axis).toNext; }

#else

// The distance in steps from an image sample to the next one along an axis.
float distanceToNext(uvec3 at, uint axis) { return 1; }

// World position of a point in index space plus a fraction of a vector of the world. Coordinates are exact up to 2^23.
WorldPosition worldPosition(vec3 at, float fraction, vec3 along)
{
  WorldPosition world;
  for (uint c = 0; c < 3; ++c)
  {
    float high = geometry.originHigh[c];
    float low = geometry.originLow[c];
    for (uint a = 0; a < 3; ++a)
      if (!Aligned || a == c)
        addMultiple(Pair(geometry.axisHigh[a][c], geometry.axisLow[a][c]), at[a], high, low);
    precise float rest = low + fraction * along[c];
    float sum, error;
    twoSum(high, rest, sum, error);
    world.high[c] = sum;
    world.low[c] = error;
  }
  return world;
}

// The coordinate of a grid position along an axis. Requires Aligned: otherwise it depends on the other axes too.
GridCoordinate coordinateOf(uvec3 position, uint axis)
{
  uvec3 next = position;
  next[axis] += 1;
  const float at = gridCoordinate(position)[axis];
  GridCoordinate found = GridCoordinate(geometry.originHigh[axis], geometry.originLow[axis],
    (gridCoordinate(next)[axis] - at) * geometry.axisHigh[axis][axis]);
  addMultiple(Pair(geometry.axisHigh[axis][axis], geometry.axisLow[axis][axis]), at, found.high, found.low);
  return found;
}

// World position of a grid position plus a fraction of the way to the next one along an axis.
WorldPosition worldPosition(uvec3 start, uint axis, float fraction)
{
  uvec3 end = start;
  end[axis] += 1;
  const vec3 at = gridCoordinate(start);
  const float step = gridCoordinate(end)[axis] - at[axis];
  const vec4 unit = axis == 0 ? geometry.axisHigh[0] : axis == 1 ? geometry.axisHigh[1] : geometry.axisHigh[2];
  return worldPosition(at, fraction, step * unit.xyz);
}

#endif

// A vector times 2^exponent.
struct Scaled
{
  vec3 value;
  int exponent;
};

// Converts a gradient from values per step to values per world unit. The largest terms of the result are near 1.
Scaled gradientToWorld(vec3 slope)
{
  Scaled world;
  world.exponent = -10000; // below every exponent of a term
  for (uint a = 0; a < 3; ++a)
    if (biasedExponent(slope[a]) != 0)
      world.exponent = max(world.exponent, biasedExponent(slope[a]) - 127 + geometry.gradientExponent[a]);
  vec3 terms;
  for (uint a = 0; a < 3; ++a)
    terms[a] = timesPowerOfTwo(slope[a], geometry.gradientExponent[a] - world.exponent);
  for (uint c = 0; c < 3; ++c)
    world.value[c] = geometry.gradientToWorld[c].x * terms.x + geometry.gradientToWorld[c].y * terms.y +
      geometry.gradientToWorld[c].z * terms.z;
  return world;
}
