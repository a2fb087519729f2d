// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The points of an isosurface, computed from the samples with more digits than float64.
#ifndef vmcExactSurface_h
#define vmcExactSurface_h

#include "Compute/Volume/Volume.h"
#include "Reference/WholeSurface.h"
#include "Support/AnalyticVolumes.h"

#include <array>
#include <limits>

namespace vmc::accuracy
{

using Exact = long double;
static_assert(std::numeric_limits<Exact>::digits >= 64, "a 64-bit integer needs 64 digits");
using ExactVector = std::array<Exact, 3>;

Exact dot(const ExactVector& a, const ExactVector& b);
Exact length(const ExactVector& v);

// SampleGeometry and its inverse.
class ExactMap
{
public:
  explicit ExactMap(const SampleGeometry& map);

  ExactVector position(const ExactVector& index) const;
  // Steps along one axis from the first sample to a position.
  Exact index(const ExactVector& position, std::size_t axis) const;
  // Converts a derivative in values per step to a gradient in values per world unit.
  ExactVector gradient(const ExactVector& derivative) const;
  // The shortest side of a cell.
  Exact shortestStep() const;

private:
  ExactVector Origin;
  std::array<ExactVector, 3> Axis;
  std::array<ExactVector, 3> Dual; // dot(Dual[a], Axis[b]) is 1 where a is b, else 0
};

struct ExactPoint
{
  bool isCap;       // point on a cap of a closed surface: both ends of the edge are the same sample
  Exact from, to;   // the samples at the ends of the edge
  Exact fraction;   // of the distance from one end to the other
  Exact startIndex; // of the edge along its axis
  ExactVector position;
  ExactVector gradient;   // interpolated between the ends, values per world unit; unused on a cap
  Exact steepestGradient; // the larger length of those at the two ends
  ExactVector normal;     // unit length, towards lower values
};

// reference::WholeSurface finds the crossed edges. Samples must be finite and without ghost flags. The border of
// padding lies half a step beyond the samples.
class ExactSurface
{
public:
  // The samples must outlive it.
  ExactSurface(const test::Samples& samples, const SampleGeometry& map, double isovalue);

  ExactPoint point(const reference::SurfacePoint& crossing) const;
  const ExactMap& map() const { return this->Map; }
  Exact isovalue() const { return this->Isovalue; }

private:
  using Index = std::array<std::uint32_t, 3>;

  Index indexOf(std::size_t sample) const;
  Exact derivative(Index at, std::size_t axis) const;
  ExactVector gradientAt(std::size_t sample, const reference::SurfacePoint& crossing) const;
  void addSlope(const reference::SurfacePoint& crossing, ExactPoint& point) const;

  const test::Samples& Samples;
  ExactMap Map;
  Exact Isovalue;
};

}

#endif
