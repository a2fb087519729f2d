// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Emits the points of a brick. The crossed edges of one axis are handled in batches, so that the compiler can use
// vector instructions for the arithmetic.
#ifndef vmcEmitPoints_h
#define vmcEmitPoints_h

#include "Compute/Cpu/BrickKernels.h"
#include "Compute/Cpu/Cases.h"
#include "Compute/Cpu/Neighbourhood.h"
#include "Compute/Volume/WithType.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

namespace vmc::cpu
{

// A crossed edge: its start in the brick, and the id of its point.
struct EdgeOfBrick
{
  std::array<std::uint8_t, 3> start;
  std::uint32_t point;
};

// Crossed edges of one axis: an element per edge.
struct Batch
{
  static constexpr std::size_t Size = 64;
  using Values = std::array<double, Size>;
  using Vectors = std::array<Values, 3>;
  using Floats = std::array<std::array<float, Size>, 3>;

  Vectors at;                           // coordinates of the start, in steps
  Values step;                          // from the start to the end: 1, or less in the padding
  Values part, whole;                   // see Fraction
  Vectors slopeStart, slopeEnd;         // derivatives at both ends, per step, divided by BrickPass::unit
  Values rise;                          // 1 if the samples grow along the edge, else -1
  std::array<double, Size> isCap;       // 1 on the cap of a closed surface, else 0
  std::array<std::size_t, Size> sample; // index of the start's image sample

  Values fraction;
  Floats position, positionLow, normal, gradient;
};

// Derivative per step from sample a to sample b, which are 1 / perStep steps apart. Of 64-bit floats, divided by unit
// (BrickPass::unit).
template <class Sample>
VMC_INLINE double slopeOf(const Sample* a, const Sample* b, double perStep, double unit)
{
  if constexpr (std::is_same_v<Sample, double>)
    return (load(b) / unit - load(a) / unit) * perStep;
  else
    return differenceOf(load(a), load(b)) * perStep;
}

// The edges of a brick whose neighbours are all in the image.
template <class Sample>
class InnerEdges
{
public:
  VMC_INLINE InnerEdges(const BrickPass& pass, const std::array<std::uint32_t, 3>& corner)
    : Pass(pass)
    , Source(samplesInImage<Sample>(pass, corner))
    , FirstSample(pass.grid.sampleAt(corner[0], corner[1], corner[2]))
  {
    for (std::size_t a = 0; a < 3; ++a)
      this->Coordinate[a] = pass.grid.axis[a].coordinate[corner[a]];
  }

  VMC_INLINE void put(
    const EdgeOfBrick& edge, std::size_t axis, bool withSlopes, Sample threshold, Batch& batch, std::size_t i) const
  {
    const std::array<std::ptrdiff_t, 3>& stride = this->Source.stride;
    const std::ptrdiff_t offset = edge.start[0] + edge.start[1] * stride[1] + edge.start[2] * stride[2];
    const Sample* const start = this->Source.first + offset;
    const Sample* const end = start + stride[axis];
    const Fraction fraction = fractionOf(load(start), load(end), threshold, this->Pass.threshold);
    batch.part[i] = fraction.part;
    batch.whole[i] = fraction.whole;
    batch.rise[i] = load(start) < load(end) ? 1 : -1;
    batch.isCap[i] = 0;
    batch.step[i] = 1;
    batch.sample[i] = this->FirstSample + static_cast<std::size_t>(offset);
    for (std::size_t a = 0; a < 3; ++a)
      batch.at[a][i] = this->Coordinate[a] + edge.start[a];
    for (std::size_t a = 0; withSlopes && a < 3; ++a)
    {
      batch.slopeStart[a][i] = slopeOf(start - stride[a], start + stride[a], 0.5, this->Pass.unit);
      batch.slopeEnd[a][i] = slopeOf(end - stride[a], end + stride[a], 0.5, this->Pass.unit);
    }
  }

private:
  const BrickPass& Pass;
  Samples<Sample> Source;
  std::size_t FirstSample;
  std::array<double, 3> Coordinate;
};

// The edges of any brick.
template <class Sample>
class OuterEdges
{
public:
  VMC_INLINE OuterEdges(const BrickPass& pass, const std::array<std::uint32_t, 3>& corner)
    : Pass(pass)
    , Corner(corner)
  {
    this->Around.fill(pass, corner);
  }

  VMC_INLINE void put(
    const EdgeOfBrick& edge, std::size_t axis, bool withSlopes, Sample threshold, Batch& batch, std::size_t i) const
  {
    const Grid& grid = this->Pass.grid;
    const Position start = { this->Corner[0] + edge.start[0], this->Corner[1] + edge.start[1],
      this->Corner[2] + edge.start[2] };
    Position end = start;
    ++end[axis];
    const Sample atStart = load(this->sampleAt(start)), atEnd = load(this->sampleAt(end));
    const bool startIsOutside = grid.isOutside(start[0], start[1], start[2]);
    const bool endIsOutside = grid.isOutside(end[0], end[1], end[2]);
    // Both ends of an edge of the padding are one image sample.
    const bool isPadding = grid.axis[axis].image[start[axis]] == grid.axis[axis].image[end[axis]];
    const Fraction fraction = fractionOf(atStart, atEnd, threshold, this->Pass.threshold);
    batch.part[i] = isPadding ? 0 : fraction.part;
    batch.whole[i] = isPadding ? 1 : fraction.whole;
    batch.rise[i] = startIsOutside || (!endIsOutside && atStart < atEnd) ? 1 : -1;
    batch.isCap[i] = startIsOutside || endIsOutside ? 1 : 0;
    batch.step[i] = grid.axis[axis].coordinate[end[axis]] - grid.axis[axis].coordinate[start[axis]];
    batch.sample[i] = grid.sampleAt(start[0], start[1], start[2]);
    for (std::size_t a = 0; a < 3; ++a)
      batch.at[a][i] = grid.axis[a].coordinate[start[a]];
    for (std::size_t a = 0; withSlopes && a < 3; ++a)
    {
      batch.slopeStart[a][i] = this->slopeAt(startIsOutside ? end : start, a);
      batch.slopeEnd[a][i] = this->slopeAt(endIsOutside ? start : end, a);
    }
  }

private:
  using Position = std::array<std::uint32_t, 3>;

  VMC_INLINE const Sample* sampleAt(const Position& at) const
  {
    const Samples<Sample> source = this->Around.samples();
    std::ptrdiff_t offset = 0;
    for (std::size_t a = 0; a < 3; ++a)
      offset += (std::ptrdiff_t(at[a]) - std::ptrdiff_t(this->Corner[a])) * source.stride[a];
    return source.first + offset;
  }

  VMC_INLINE bool isBlank(const Sample* sample) const
  {
    return this->Pass.hasBlanking && (this->Around.flags[sample - this->Around.sample.data()] & GHOST_BLANK) != 0;
  }

  // A central difference, one-sided beside a neighbour that is blank, beyond the grid or the same image sample.
  VMC_INLINE double slopeAt(const Position& at, std::size_t axis) const
  {
    const GridAxis& along = this->Pass.grid.axis[axis];
    const std::uint32_t position = at[axis];
    const Sample* before = this->sampleAt(at);
    const Sample* after = before;
    const std::ptrdiff_t stride = this->Around.samples().stride[axis];
    double steps = 0;
    if (position > 0 && along.image[position - 1] != along.image[position] && !this->isBlank(before - stride))
    {
      before -= stride;
      ++steps;
    }
    if (position + 1 < along.size && along.image[position + 1] != along.image[position] &&
        !this->isBlank(after + stride))
    {
      after += stride;
      ++steps;
    }
    return steps == 0 ? 0 : slopeOf(before, after, 1 / steps, this->Pass.unit);
  }

  const BrickPass& Pass;
  const std::array<std::uint32_t, 3> Corner;
  Neighbourhood<Sample> Around;
};

VMC_INLINE void computePositions(const BrickPass& pass, std::size_t axis, std::size_t count, Batch& batch)
{
  for (std::size_t i = 0; i < count; ++i)
  {
    const double fraction = batch.part[i] / batch.whole[i];
    const double positive = fraction > 0 ? fraction : 0;
    batch.fraction[i] = positive < 1 ? positive : 1;
  }
  for (std::size_t c = 0; c < 3; ++c)
  {
    const double origin = pass.toWorld.origin[c], x = pass.toWorld.axis[0][c], y = pass.toWorld.axis[1][c],
                 z = pass.toWorld.axis[2][c], along = pass.toWorld.axis[axis][c];
    for (std::size_t i = 0; i < count; ++i)
    {
      const double position = origin + (batch.at[0][i] * x + batch.at[1][i] * y + batch.at[2][i] * z +
                                         batch.fraction[i] * batch.step[i] * along);
      const auto rounded = static_cast<float>(position);
      batch.position[c][i] = rounded;
      batch.positionLow[c][i] = static_cast<float>(position - rounded);
    }
  }
}

// If the interpolated gradient is 0, denormal or not finite, and on the cap of a closed surface, the normal is that of
// a gradient along the crossed edge alone.
VMC_INLINE void computeNormals(const BrickPass& pass, std::size_t axis, std::size_t count, Batch& batch)
{
  Batch::Vectors world;
  for (std::size_t c = 0; c < 3; ++c)
  {
    const double x = pass.gradientToWorld[0][c], y = pass.gradientToWorld[1][c], z = pass.gradientToWorld[2][c];
    for (std::size_t i = 0; i < count; ++i)
    {
      const double t = batch.fraction[i], s = 1 - t;
      world[c][i] = (batch.slopeStart[0][i] * s + batch.slopeEnd[0][i] * t) * x +
                    (batch.slopeStart[1][i] * s + batch.slopeEnd[1][i] * t) * y +
                    (batch.slopeStart[2][i] * s + batch.slopeEnd[2][i] * t) * z;
    }
  }
  for (std::size_t c = 0; pass.mesh.gradients && c < 3; ++c)
    for (std::size_t i = 0; i < count; ++i)
    {
      const double gradient = world[c][i] * pass.unit;
      batch.gradient[c][i] = std::abs(gradient) < FLT_MIN ? 0 : static_cast<float>(gradient);
    }
  const double alongX = pass.gradientToWorld[axis][0], alongY = pass.gradientToWorld[axis][1],
               alongZ = pass.gradientToWorld[axis][2];
  const double along = std::max({ std::abs(alongX), std::abs(alongY), std::abs(alongZ) });
  for (std::size_t i = 0; i < count; ++i)
  {
    const double sizeX = std::abs(world[0][i]), sizeY = std::abs(world[1][i]), sizeZ = std::abs(world[2][i]);
    const double sum = sizeX + sizeY + sizeZ; // also NaN, if one of them is
    const bool isUsable = sum >= DBL_MIN && sum <= DBL_MAX && batch.isCap[i] == 0;
    const double scale = isUsable ? 1 / sum : batch.rise[i] / along;
    const double x = (isUsable ? world[0][i] : alongX) * scale, y = (isUsable ? world[1][i] : alongY) * scale,
                 z = (isUsable ? world[2][i] : alongZ) * scale;
    const double toUnit = -1 / std::sqrt(x * x + y * y + z * z);
    batch.normal[0][i] = static_cast<float>(x * toUnit);
    batch.normal[1][i] = static_cast<float>(y * toUnit);
    batch.normal[2][i] = static_cast<float>(z * toUnit);
  }
}

VMC_INLINE void store(float* to, const EdgeOfBrick* edges, std::size_t count, const Batch::Floats& values)
{
  for (std::size_t i = 0; to && i < count; ++i)
    for (std::size_t c = 0; c < 3; ++c)
      to[3 * std::size_t(edges[i].point) + c] = values[c][i];
}

// Interpolates an attribute at the points of a batch. stride: from the start of an edge to its end, in samples.
template <class Value>
VMC_INLINE void interpolate(const Attribute& attribute, std::size_t stride, float* to, const EdgeOfBrick* edges,
  std::size_t count, const Batch& batch)
{
  const auto* const values = static_cast<const Value*>(attribute.values);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t c = 0; c < attribute.components; ++c)
    {
      const std::size_t start = batch.sample[i] * attribute.components + c;
      const double t = batch.fraction[i];
      const auto atStart = static_cast<double>(load(values + start));
      // If the fraction is 0, the other end may lie beyond the image.
      to[std::size_t(edges[i].point) * attribute.components + c] = static_cast<float>(
        t == 0 ? atStart
               : atStart * (1 - t) + static_cast<double>(load(values + start + stride * attribute.components)) * t);
    }
}

template <class Sample, class Edges>
VMC_INLINE void emitBatches(
  const BrickPass& pass, const Edges& source, std::size_t axis, const EdgeOfBrick* edges, std::size_t count)
{
  const bool withSlopes = pass.mesh.normals || pass.mesh.gradients;
  const auto threshold = thresholdValue<Sample>(pass.threshold);
  const std::array<std::size_t, 3> strides = { 1, pass.volume.size[0],
    std::size_t(pass.volume.size[0]) * pass.volume.size[1] };
  Batch batch;
  for (std::size_t first = 0; first < count; first += Batch::Size)
  {
    const EdgeOfBrick* const here = edges + first;
    const std::size_t n = std::min(Batch::Size, count - first);
    for (std::size_t i = 0; i < n; ++i)
      source.put(here[i], axis, withSlopes, threshold, batch, i);
    computePositions(pass, axis, n, batch);
    store(pass.mesh.positions, here, n, batch.position);
    store(pass.mesh.positionsLow, here, n, batch.positionLow);
    if (withSlopes)
      computeNormals(pass, axis, n, batch);
    store(pass.mesh.normals, here, n, batch.normal);
    store(pass.mesh.gradients, here, n, batch.gradient);
    for (std::size_t i = 0; i < pass.mesh.attributes.size(); ++i)
    {
      const Attribute& attribute = pass.volume.attributes[i];
      withType(attribute.type, [&](auto zero)
        { interpolate<decltype(zero)>(attribute, strides[axis], pass.mesh.attributes[i], here, n, batch); });
    }
  }
}

template <class Sample>
VMC_INLINE void emitPoints(const BrickPass& pass, std::size_t slot)
{
  std::array<std::array<EdgeOfBrick, BRICK_ROWS * BRICK_SIZE>, 3> edges; // [axis]
  std::array<std::size_t, 3> count{};
  for (std::uint32_t row = 0; row < BRICK_ROWS; ++row)
  {
    std::uint32_t point = pass.active.points[slot] + pass.active.rowPoints[slot * BRICK_ROWS + row];
    for (std::uint32_t bits = pass.active.rowWord[slot * BRICK_ROWS + row] & 0xFFFFFFu; bits != 0; bits &= bits - 1)
    {
      const std::uint32_t bit = lowestBit(bits), axis = bit / BRICK_SIZE;
      edges[axis][count[axis]++] = {
        { std::uint8_t(bit % BRICK_SIZE), std::uint8_t(row % BRICK_SIZE), std::uint8_t(row / BRICK_SIZE) }, point++
      };
    }
  }
  const std::array<std::uint32_t, 3> corner = pass.grid.cornerOf(pass.active.brick[slot]);
  if (!pass.hasBlanking && isWithinImage(pass.grid, corner, 1, 2))
  {
    const InnerEdges<Sample> source(pass, corner);
    for (std::size_t axis = 0; axis < 3; ++axis)
      emitBatches<Sample>(pass, source, axis, edges[axis].data(), count[axis]);
    return;
  }
  const OuterEdges<Sample> source(pass, corner);
  for (std::size_t axis = 0; axis < 3; ++axis)
    emitBatches<Sample>(pass, source, axis, edges[axis].data(), count[axis]);
}

}

#endif
