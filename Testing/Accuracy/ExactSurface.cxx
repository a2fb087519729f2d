// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "ExactSurface.h"

#include <algorithm>
#include <cmath>

namespace vmc::accuracy
{

Exact dot(const ExactVector& a, const ExactVector& b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

Exact length(const ExactVector& v)
{
  return std::sqrt(dot(v, v));
}

ExactMap::ExactMap(const SampleGeometry& map)
{
  for (std::size_t c = 0; c < 3; ++c)
  {
    this->Origin[c] = map.origin()[c];
    for (std::size_t a = 0; a < 3; ++a)
      this->Axis[a][c] = map.step(a)[c];
  }
  for (std::size_t a = 0; a < 3; ++a)
  {
    const ExactVector &u = this->Axis[(a + 1) % 3], &v = this->Axis[(a + 2) % 3];
    const ExactVector normal = { u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0] };
    const Exact determinant = dot(normal, this->Axis[a]);
    for (std::size_t c = 0; c < 3; ++c)
      this->Dual[a][c] = normal[c] / determinant;
  }
}

ExactVector ExactMap::position(const ExactVector& index) const
{
  ExactVector world = this->Origin;
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t a = 0; a < 3; ++a)
      world[c] += index[a] * this->Axis[a][c];
  return world;
}

Exact ExactMap::index(const ExactVector& position, std::size_t axis) const
{
  return dot(
    this->Dual[axis], { position[0] - this->Origin[0], position[1] - this->Origin[1], position[2] - this->Origin[2] });
}

ExactVector ExactMap::gradient(const ExactVector& derivative) const
{
  ExactVector world{};
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t a = 0; a < 3; ++a)
      world[c] += derivative[a] * this->Dual[a][c];
  return world;
}

Exact ExactMap::shortestStep() const
{
  return std::min({ length(this->Axis[0]), length(this->Axis[1]), length(this->Axis[2]) });
}

ExactSurface::ExactSurface(const test::Samples& samples, const SampleGeometry& map, double isovalue)
  : Samples(samples)
  , Map(map)
  , Isovalue(isovalue)
{
}

ExactPoint ExactSurface::point(const reference::SurfacePoint& crossing) const
{
  ExactPoint point;
  point.isCap = crossing.lowSample == crossing.highSample;
  point.from = this->Samples.exactValue(crossing.lowSample);
  point.to = this->Samples.exactValue(crossing.highSample);
  point.fraction = point.isCap ? 0 : (this->Isovalue - point.from) / (point.to - point.from);
  point.startIndex = this->indexOf(crossing.lowSample)[crossing.axis];
  // Indices of samples and of the border are multiples of 1/2, and so exact in double.
  ExactVector index = { crossing.index[0], crossing.index[1], crossing.index[2] };
  if (!point.isCap)
    index[crossing.axis] = point.startIndex + point.fraction;
  point.position = this->Map.position(index);
  this->addSlope(crossing, point);
  return point;
}

void ExactSurface::addSlope(const reference::SurfacePoint& crossing, ExactPoint& point) const
{
  const ExactVector from = this->gradientAt(crossing.lowSample, crossing);
  const ExactVector to = this->gradientAt(crossing.highSample, crossing);
  for (std::size_t c = 0; c < 3; ++c)
    point.gradient[c] = from[c] + point.fraction * (to[c] - from[c]);
  point.steepestGradient = std::max(length(from), length(to));
  ExactVector slope = point.gradient;
  if (point.isCap || length(slope) == 0) // the direction of the edge; on a cap away from the samples
  {
    const bool rises = point.isCap ? crossing.index[crossing.axis] < 0 : point.from < point.to;
    ExactVector along{};
    along[crossing.axis] = rises ? 1 : -1;
    slope = this->Map.gradient(along);
  }
  for (std::size_t c = 0; c < 3; ++c)
    point.normal[c] = -slope[c] / length(slope);
}

ExactSurface::Index ExactSurface::indexOf(std::size_t sample) const
{
  const std::size_t row = sample / this->Samples.size[0];
  return { static_cast<std::uint32_t>(sample % this->Samples.size[0]),
    static_cast<std::uint32_t>(row % this->Samples.size[1]), static_cast<std::uint32_t>(row / this->Samples.size[1]) };
}

// Central difference in values per step, one-sided at the outermost samples.
Exact ExactSurface::derivative(Index at, std::size_t axis) const
{
  const std::array<std::uint32_t, 3>& size = this->Samples.size;
  const auto valueAt = [&](std::uint32_t place)
  {
    at[axis] = place;
    return this->Samples.exactValue((std::uint64_t(at[2]) * size[1] + at[1]) * size[0] + at[0]);
  };
  const std::uint32_t place = at[axis];
  const std::uint32_t before = place == 0 ? place : place - 1, after = std::min(place + 1, size[axis] - 1);
  return (valueAt(after) - valueAt(before)) / (after - before);
}

// World gradient at one end of a crossed edge. Padding repeats the outermost sample, so the derivative across it is 0.
ExactVector ExactSurface::gradientAt(std::size_t sample, const reference::SurfacePoint& crossing) const
{
  ExactVector derivative;
  for (std::size_t a = 0; a < 3; ++a)
  {
    const bool isBeyond = crossing.index[a] < 0 || crossing.index[a] > this->Samples.size[a] - 1;
    derivative[a] = isBeyond ? 0 : this->derivative(this->indexOf(sample), a);
  }
  return this->Map.gradient(derivative);
}

}
