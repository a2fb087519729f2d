// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Reference implementation of the kernel EmitPoints.
#ifndef vmcReferenceEmitPoints_h
#define vmcReferenceEmitPoints_h

#include "Reference/CrossingFraction.h"
#include "Reference/SlabGrid.h"

#include <vector>

namespace vmc::reference
{

using Vector = std::array<double, 3>;

// A point before it is rounded to floats.
struct EmittedPoint
{
  Vector position{};       // world
  Vector gradient{};       // world, in values per unit
  Vector slope{};          // sets the direction of the normal: the gradient or, if that is 0, the crossed edge
  Vector normal{};         // unit length, towards lower values
  std::uint32_t start = 0; // index in the window of the sample at the crossed edge's start
  std::uint32_t end = 0;   // at its end
  std::uint32_t axis = 0;
  std::uint32_t place = 0; // see EdgeCrossing
  double fraction = 0;
};

// The isovalue from the push constants of the kernel.
inline double isovalueOf(const SlabConstants& slab, SampleType type)
{
  if (type == SampleType::Float32)
    return std::scalbn(double(slab.isovalueHigh) + slab.isovalueLow, slab.isovalueExponent);
  if (type != SampleType::Float64)
    return valueOfKey(thresholdOf(slab, type), type) - slab.isovalueLow;
  double isovalue = 0;
  const std::array<std::uint32_t, 2> words = { slab.isovalueLowWord, slab.isovalueHighWord };
  std::memcpy(&isovalue, words.data(), sizeof(isovalue));
  return isovalue;
}

inline double length(const Vector& v)
{
  return std::hypot(v[0], v[1], v[2]);
}

inline Vector crossProduct(const Vector& a, const Vector& b)
{
  return { a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0] };
}

// The map from index to world space in double.
struct WorldMap
{
  Vector origin;
  std::array<Vector, 3> axis;

  explicit WorldMap(const Geometry& geometry)
  {
    for (std::size_t c = 0; c < 3; ++c)
    {
      this->origin[c] = double(geometry.originHigh[c]) + geometry.originLow[c];
      for (std::size_t a = 0; a < 3; ++a)
        this->axis[a][c] = double(geometry.axisHigh[a][c]) + geometry.axisLow[a][c];
    }
  }

  Vector position(const Vector& index) const
  {
    Vector world = this->origin;
    for (std::size_t c = 0; c < 3; ++c)
      for (std::size_t a = 0; a < 3; ++a)
        world[c] += index[a] * this->axis[a][c];
    return world;
  }

  // The world gradient g that has the given derivative along each axis: dot(g, axis[a]) = derivative[a].
  Vector gradient(const Vector& derivative) const
  {
    Vector world{};
    for (std::size_t a = 0; a < 3; ++a)
    {
      const Vector dual = crossProduct(this->axis[(a + 1) % 3], this->axis[(a + 2) % 3]);
      const Vector& along = this->axis[a];
      const double volume = dual[0] * along[0] + dual[1] * along[1] + dual[2] * along[2];
      for (std::size_t c = 0; c < 3; ++c)
        world[c] += derivative[a] * dual[c] / volume;
    }
    return world;
  }
};

// Returns whether a neighbour is in the domain, not blank and not the same image sample.
inline bool isUsable(const SlabGrid& grid, const Position& p, const Position& neighbour)
{
  return grid.contains(neighbour) && !grid.isOutside(neighbour) && !grid.isBlank(neighbour) &&
         grid.imageOf(neighbour) != grid.imageOf(p);
}

// Central differences per step, one-sided beside an unusable neighbour, 0 between two of them.
inline Vector derivativesAt(const SlabGrid& grid, const Position& p)
{
  Vector derivative{};
  for (std::uint32_t axis = 0; axis < 3; ++axis)
  {
    Position before = p, after = p;
    --before[axis]; // wraps around below 0: then the volume does not contain it
    ++after[axis];
    if (!isUsable(grid, p, before))
      before = p;
    if (!isUsable(grid, p, after))
      after = p;
    if (before != after)
      derivative[axis] =
        (grid.value(after) - grid.value(before)) / (grid.coordinate(after, axis) - grid.coordinate(before, axis));
  }
  return derivative;
}

inline EmittedPoint emitPoint(
  const SlabGrid& grid, const WorldMap& map, double isovalue, const Position& start, std::uint32_t axis)
{
  const Position end = SlabGrid::endOf(start, axis);
  EmittedPoint point;
  point.start = grid.indexInWindow(grid.imageOf(start));
  point.end = grid.indexInWindow(grid.imageOf(end));
  point.axis = point.place = axis;
  for (std::uint32_t a = 0; a < 3; ++a)
    point.place |= (grid.layerOf(start, a) & 7u) << (2 + 3 * a);
  const bool isCap = grid.isOutside(start) || grid.isOutside(end);
  point.fraction = isCap ? 0 : crossingFraction(isovalue, grid.value(start), grid.value(end));
  Vector index;
  for (std::uint32_t a = 0; a < 3; ++a)
    index[a] = grid.coordinate(start, a) + point.fraction * (grid.coordinate(end, a) - grid.coordinate(start, a));
  point.position = map.position(index);

  const Vector low = derivativesAt(grid, grid.isOutside(start) ? end : start);
  const Vector high = derivativesAt(grid, grid.isOutside(end) ? start : end);
  Vector derivative;
  for (std::size_t a = 0; a < 3; ++a)
    derivative[a] = low[a] + point.fraction * (high[a] - low[a]);
  point.gradient = map.gradient(derivative);
  point.slope = point.gradient;
  if (isCap || length(point.slope) == 0)
  {
    derivative = {};
    derivative[axis] = grid.isInside(end) ? 1 : -1;
    point.slope = map.gradient(derivative);
  }
  for (std::size_t c = 0; c < 3; ++c)
    point.normal[c] = -point.slope[c] / length(point.slope);
  return point;
}

// To compare normals, samples must be finite or NaN.
inline void emitPoints(std::uint32_t emitCount, const SlabGrid& grid, double isovalue, const Geometry& geometry,
  const std::vector<std::uint32_t>& activeBrick, const std::vector<std::uint32_t>& rows,
  const std::vector<std::uint32_t>& brickOffset, std::vector<EmittedPoint>& point)
{
  const WorldMap map(geometry);
  for (std::uint32_t slot = 0; slot < emitCount; ++slot)
  {
    std::uint32_t next = brickOffset[slot];
    forEachCrossedEdge(grid.brickCorner(activeBrick[slot]), rows.data() + slot * ROW_WORDS,
      [&](const Position& start, std::uint32_t axis) { point[next++] = emitPoint(grid, map, isovalue, start, axis); });
  }
}

}

#endif
