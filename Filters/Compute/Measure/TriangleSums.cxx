// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Measure/TriangleSums.h"

#include "Compute/System/InstructionSet.h"
#include "Compute/System/Parallel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace vmc
{

namespace
{

// Triangles at once, one per lane.
constexpr std::size_t Lanes = 8;
// Groups of lanes whose sums are floats, relative to their first corner.
constexpr std::size_t GroupsPerBlock = 16;

using Corner = float __attribute__((vector_size(16))); // x, y, z and an undefined value
using UnalignedCorner = float __attribute__((vector_size(16), aligned(4), may_alias));
using Value = float __attribute__((vector_size(4 * Lanes)));
using Bits = std::int32_t __attribute__((vector_size(4 * Lanes))); // of a Value
using Doubles = double __attribute__((vector_size(8 * Lanes)));
using Values = std::array<Value, 3>; // [axis]

VMC_INLINE Values difference(const Values& a, const Values& b)
{
  return { a[0] - b[0], a[1] - b[1], a[2] - b[2] };
}

VMC_INLINE void addDot(const Values& a, const Values& b, Value& sum)
{
  sum += a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

VMC_INLINE Values cross(const Values& a, const Values& b)
{
  return { a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0] };
}

VMC_INLINE double sumOf(const Value& lanes)
{
  const Doubles all = __builtin_convertvector(lanes, Doubles);
  return ((all[0] + all[4]) + (all[2] + all[6])) + ((all[1] + all[5]) + (all[3] + all[7]));
}

// Reads corners of triangles.
template <class Id>
struct CornerReader
{
  const float* positions;
  const Id* ids;
  bool mayReadBeyond; // 4 bytes follow each position that is read

  VMC_INLINE Corner position(Id id) const
  {
    const float* const from = this->positions + 3 * static_cast<std::size_t>(id);
    return this->mayReadBeyond ? Corner(*reinterpret_cast<const UnalignedCorner*>(from))
                               : Corner{ from[0], from[1], from[2], 0 };
  }

  // Reads one corner of each of the triangles that begin at `first`, and transposes them.
  VMC_INLINE Values read(std::size_t first, std::size_t corner) const
  {
    Value pair[4]; // [i]: of triangles i and i + 4
    for (std::size_t i = 0; i < 4; ++i)
      pair[i] = __builtin_shufflevector(this->position(this->ids[3 * (first + i) + corner]),
        this->position(this->ids[3 * (first + i + 4) + corner]), 0, 1, 2, 3, 4, 5, 6, 7);
    const Value xy01 = __builtin_shufflevector(pair[0], pair[1], 0, 8, 1, 9, 4, 12, 5, 13);
    const Value xy23 = __builtin_shufflevector(pair[2], pair[3], 0, 8, 1, 9, 4, 12, 5, 13);
    const Value z01 = __builtin_shufflevector(pair[0], pair[1], 2, 10, 3, 11, 6, 14, 7, 15);
    const Value z23 = __builtin_shufflevector(pair[2], pair[3], 2, 10, 3, 11, 6, 14, 7, 15);
    return { __builtin_shufflevector(xy01, xy23, 0, 1, 8, 9, 4, 5, 12, 13),
      __builtin_shufflevector(xy01, xy23, 2, 3, 10, 11, 6, 7, 14, 15),
      __builtin_shufflevector(z01, z23, 0, 1, 8, 9, 4, 5, 12, 13) };
  }
};

// A triangle per lane: its first corner relative to the origin of its block, and from there to the other corners.
struct Triangles
{
  Values a, ab, ac;
};

// The largest magnitude of what was added.
struct Extent
{
  Bits most{}; // per lane; magnitudes are in the order of their bits

  VMC_INLINE void add(const Values& values)
  {
    for (const Value& value : values)
    {
      const Bits magnitude = reinterpret_cast<Bits>(value) & 0x7FFFFFFF;
      this->most = magnitude > this->most ? magnitude : this->most;
    }
  }

  // The exponent of the power of two below it, as far as its inverse is a normal float; 0 if it is not finite.
  VMC_INLINE int exponent() const
  {
    constexpr int Bias = 127;
    std::int32_t bits = 0;
    for (std::size_t i = 0; i < Lanes; ++i)
      bits = std::max(bits, this->most[i]);
    const int exponent = (bits >> 23) - Bias;
    return exponent > Bias ? 0 : std::clamp(exponent, 1 - Bias, Bias - 1);
  }
};

VMC_INLINE void scale(Values& values, float factor)
{
  for (Value& value : values)
    value *= factor;
}

// The sums over the triangles of a block, per lane: of twice the area, six times the volume, six times the moment and
// twice the vector area. The square of twice an area is a float: lengths must be neither tiny nor huge.
struct BlockSums
{
  Value area{}, volume{};
  Values moment{}, vectorArea{};

  VMC_INLINE void add(const Triangles& triangles)
  {
    const auto& [a, ab, ac] = triangles;
    const Values normal = cross(ab, ac);
    Value square{}, length;
    addDot(normal, normal, square);
    for (std::size_t i = 0; i < Lanes; ++i)
      length[i] = std::sqrt(square[i]);
    this->area += length;
    addDot(a, normal, this->volume);
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      this->vectorArea[axis] += normal[axis];
      this->moment[axis] += length * (3 * a[axis] + (ab[axis] + ac[axis]));
    }
  }

  // unit: of the lengths that were added.
  VMC_INLINE TriangleSums sums(const float* origin, double unit) const
  {
    const double square = unit * unit, cube = square * unit;
    TriangleSums sums;
    sums.area = square * sumOf(this->area) / 2;
    sums.volume = cube * sumOf(this->volume) / 6;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      sums.origin[axis] = origin[axis];
      sums.moment[axis] = cube * sumOf(this->moment[axis]) / 6;
      sums.vectorArea[axis] = square * sumOf(this->vectorArea[axis]) / 2;
    }
    return sums;
  }
};

template <class Id>
VMC_INLINE void addBlock(const CornerReader<Id>& reader, std::size_t first, std::size_t groups, TriangleSums& sums)
{
  const float* const origin = reader.positions + 3 * static_cast<std::size_t>(reader.ids[3 * first]);
  std::array<Triangles, GroupsPerBlock> block;
  Extent extent;
  for (std::size_t group = 0; group < groups; ++group)
  {
    auto& [a, ab, ac] = block[group];
    a = reader.read(first + group * Lanes, 0);
    ab = difference(reader.read(first + group * Lanes, 1), a);
    ac = difference(reader.read(first + group * Lanes, 2), a);
    for (std::size_t axis = 0; axis < 3; ++axis)
      a[axis] -= origin[axis];
    for (const Values* const values : { &a, &ab, &ac })
      extent.add(*values);
  }
  const int exponent = extent.exponent();
  const float toUnit = std::ldexp(1.0f, -exponent);
  BlockSums blockSums;
  for (std::size_t group = 0; group < groups; ++group)
  {
    for (Values* const values : { &block[group].a, &block[group].ab, &block[group].ac })
      scale(*values, toUnit);
    blockSums.add(block[group]);
  }
  sums.add(blockSums.sums(origin, std::ldexp(1.0, exponent)));
}

// Adds less than a group of triangles: the missing ones are points.
template <class Id>
VMC_INLINE void addRest(const CornerReader<Id>& reader, std::size_t begin, std::size_t end, TriangleSums& sums)
{
  std::array<Id, 3 * Lanes> ids;
  for (std::size_t i = 0; i < Lanes; ++i)
    for (std::size_t corner = 0; corner < 3; ++corner)
      ids[3 * i + corner] = reader.ids[3 * begin + (begin + i < end ? 3 * i + corner : 0)];
  addBlock<Id>({ reader.positions, ids.data(), false }, 0, 1, sums);
}

template <class Id>
VMC_INLINE void addTriangles(const CornerReader<Id>& reader, std::size_t begin, std::size_t end, TriangleSums& sums)
{
  constexpr std::size_t Block = Lanes * GroupsPerBlock;
  for (; end - begin >= Block; begin += Block)
    addBlock(reader, begin, GroupsPerBlock, sums);
  const std::size_t groups = (end - begin) / Lanes;
  if (groups != 0)
    addBlock(reader, begin, groups, sums);
  if (begin + groups * Lanes < end)
    addRest(reader, begin + groups * Lanes, end, sums);
}

// Returns whether one of the ids is that of the last point.
template <class Id>
VMC_INLINE bool haveLast(const Id* ids, std::size_t count, Id last)
{
  Id found = 0;
  for (std::size_t i = 0; i < count; ++i)
    found |= ids[i] == last;
  return found != 0;
}

template <class Id>
VMC_INLINE void addIndexed(
  const TriangleArrays& arrays, const Id* ids, std::size_t begin, std::size_t end, TriangleSums& sums)
{
  if (!arrays.isFollowed && haveLast(ids + 3 * begin, 3 * (end - begin), static_cast<Id>(arrays.points - 1)))
    addTriangles<Id>({ arrays.positions, ids, false }, begin, end, sums);
  else
    addTriangles<Id>({ arrays.positions, ids, true }, begin, end, sums);
}

VMC_INLINE void addNarrow(const TriangleArrays& arrays, std::size_t begin, std::size_t end, TriangleSums& sums)
{
  addIndexed(arrays, arrays.triangles, begin, end, sums);
}

VMC_INLINE void addWide(const TriangleArrays& arrays, std::size_t begin, std::size_t end, TriangleSums& sums)
{
  addIndexed(arrays, arrays.wideTriangles, begin, end, sums);
}

using Adder = void (*)(const TriangleArrays& arrays, std::size_t begin, std::size_t end, TriangleSums& sums);

Adder adderOf(const TriangleArrays& arrays)
{
  return arrays.triangles ? fastest<&addNarrow>() : fastest<&addWide>();
}

TriangleSums sumWith(Adder adder, const TriangleArrays& arrays, std::size_t begin, std::size_t end)
{
  TriangleSums sums;
  if (begin == end)
    return sums;
  const std::size_t first =
    arrays.triangles ? arrays.triangles[3 * begin] : static_cast<std::size_t>(arrays.wideTriangles[3 * begin]);
  for (std::size_t axis = 0; axis < 3; ++axis)
    sums.origin[axis] = arrays.positions[3 * first + axis];
  adder(arrays, begin, end, sums);
  sums.triangles = end - begin;
  return sums;
}

// Adds values to the bounds. Value i is a coordinate along axis i % 3.
VMC_INLINE void addCoordinates(const float* values, std::size_t count, Bounds& bounds)
{
  for (std::size_t i = 0; i < count; ++i)
  {
    bounds.low[i % 3] = std::min<double>(bounds.low[i % 3], values[i]);
    bounds.high[i % 3] = std::max<double>(bounds.high[i % 3], values[i]);
  }
}

VMC_INLINE void addPoints(const float* positions, std::size_t begin, std::size_t end, Bounds& bounds)
{
  using Unaligned = float __attribute__((vector_size(4 * Lanes), aligned(4), may_alias));
  constexpr std::size_t Block = 3 * Lanes; // the coordinates of as many points as there are lanes
  const float* values = positions + 3 * begin;
  std::size_t left = 3 * (end - begin);
  if (left >= Block)
  {
    Values low, high;
    for (std::size_t i = 0; i < 3; ++i)
      low[i] = high[i] = *reinterpret_cast<const Unaligned*>(values + i * Lanes);
    for (; left >= Block; left -= Block, values += Block)
      for (std::size_t i = 0; i < 3; ++i)
      {
        const Value next = *reinterpret_cast<const Unaligned*>(values + i * Lanes);
        low[i] = next < low[i] ? next : low[i];
        high[i] = next > high[i] ? next : high[i];
      }
    addCoordinates(reinterpret_cast<const float*>(low.data()), Block, bounds);
    addCoordinates(reinterpret_cast<const float*>(high.data()), Block, bounds);
  }
  addCoordinates(values, left, bounds);
}

}

TriangleArrays::TriangleArrays(const Mesh& mesh)
  : positions(reinterpret_cast<const float*>(mesh.positions.data()))
  , points(mesh.pointCount)
  , isFollowed(mesh.positions.capacity() >= mesh.positions.size() + sizeof(float))
  , triangles(mesh.hasWideIds ? nullptr : reinterpret_cast<const std::uint32_t*>(mesh.triangles.data()))
  , wideTriangles(mesh.hasWideIds ? reinterpret_cast<const std::int64_t*>(mesh.triangles.data()) : nullptr)
{
}

void TriangleSums::add(const TriangleSums& other)
{
  Vector3 shift{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    shift[axis] = other.origin[axis] - this->origin[axis];
  this->triangles += other.triangles;
  this->area += other.area;
  this->volume += other.volume;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    this->moment[axis] += other.moment[axis] + other.area * shift[axis];
    this->vectorArea[axis] += other.vectorArea[axis];
    this->volume += shift[axis] * other.vectorArea[axis] / 3;
  }
}

TriangleSums sumTriangles(const TriangleArrays& arrays, std::size_t begin, std::size_t end)
{
  return sumWith(adderOf(arrays), arrays, begin, end);
}

std::vector<TriangleSums> sumRanges(
  const TriangleArrays& arrays, const std::vector<std::size_t>& boundaries, unsigned threads)
{
  constexpr std::size_t RangesAtOnce = 256;
  const Adder adder = adderOf(arrays);
  std::vector<TriangleSums> sums(boundaries.size() - 1);
  inParts(sums.size(), RangesAtOnce, threads,
    [&](std::size_t begin, std::size_t end)
    {
      for (std::size_t i = begin; i < end; ++i)
        sums[i] = sumWith(adder, arrays, boundaries[i], boundaries[i + 1]);
    });
  return sums;
}

TriangleSums sumOf(const std::vector<TriangleSums>& parts)
{
  TriangleSums sum;
  if (!parts.empty())
    sum.origin = parts.front().origin;
  for (const TriangleSums& part : parts)
    sum.add(part);
  return sum;
}

Bounds boundsOf(const float* positions, std::size_t begin, std::size_t end)
{
  Bounds bounds;
  if (begin < end)
    fastest<&addPoints>()(positions, begin, end, bounds);
  return bounds;
}

}
