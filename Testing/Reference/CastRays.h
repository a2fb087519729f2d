// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Reference implementation of CastRays: many small steps along a ray through the trilinear interpolant, in double.
#ifndef vmcReferenceCastRays_h
#define vmcReferenceCastRays_h

#include "Support/AnalyticVolumes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

namespace vmc::reference
{

using Vector = std::array<double, 3>;

// A ray in index space: start + t * along, t in [0, 1].
struct Ray
{
  Vector start, along;

  Vector at(double t) const { return { start[0] + t * along[0], start[1] + t * along[1], start[2] + t * along[2] }; }

  double length() const { return std::sqrt(along[0] * along[0] + along[1] * along[1] + along[2] * along[2]); }
};

// The trilinear interpolant of a volume minus an isovalue.
class RayField
{
public:
  // The volume must outlive this object. Its padding has either no or all sides.
  RayField(const test::Samples& samples, const Volume& volume, double isovalue)
    : Input(volume)
    , Border(volume.padding.isEmpty() ? 0 : double(volume.padding.border))
    , Values(samples.count())
  {
    for (std::size_t i = 0; i < this->Values.size(); ++i)
      this->Values[i] = samples.value(i) - isovalue;
  }

  // Returns whether the position is in the domain: the grid and, with padding, its border.
  bool contains(const Vector& at) const
  {
    for (std::size_t a = 0; a < 3; ++a)
      if (at[a] < -this->Border || at[a] > this->Input.size[a] - 1 + this->Border)
        return false;
    return true;
  }

  // The value in the domain, if the cell there is valid. Beyond the samples, that of the nearest place among them.
  std::optional<double> value(const Vector& at) const
  {
    std::array<std::size_t, 3> cell{};
    Vector place{};
    for (std::size_t a = 0; a < 3; ++a)
    {
      const double inside = std::clamp(at[a], 0.0, double(this->Input.size[a] - 1));
      cell[a] = std::min(static_cast<std::size_t>(inside), std::size_t(this->Input.size[a]) - 2);
      place[a] = inside - double(cell[a]);
    }
    double sum = 0;
    for (unsigned corner = 0; corner < 8; ++corner)
    {
      double weight = 1;
      std::array<std::size_t, 3> sample{};
      for (std::size_t a = 0; a < 3; ++a)
      {
        const bool upper = (corner >> a & 1u) != 0;
        sample[a] = cell[a] + (upper ? 1 : 0);
        weight *= upper ? place[a] : 1 - place[a];
      }
      const std::size_t index =
        sample[0] + this->Input.size[0] * (sample[1] + std::size_t(this->Input.size[1]) * sample[2]);
      const double value = this->Values[index];
      const unsigned flags = this->Input.ghosts ? this->Input.ghosts[index] : 0u;
      if (std::isnan(value) || (flags & Ghost::Blank) != 0 || (corner == 0 && (flags & Ghost::NotOwned) != 0))
        return std::nullopt;
      sum += weight == 0 ? 0 : weight * value;
    }
    return sum;
  }

  // The value after the border of a closed surface is below every isovalue.
  bool isClosed() const { return this->Input.padding.closed; }

private:
  const Volume& Input;
  const double Border;
  std::vector<double> Values; // [sample], minus the isovalue
};

// The t of the first crossing that steps of this length find, refined by bisection.
inline std::optional<double> firstCrossing(const RayField& field, const Ray& ray, double stepsPerCell)
{
  const auto count = static_cast<std::size_t>(std::ceil(ray.length() * stepsPerCell));
  std::optional<bool> wasInside; // in a valid cell
  for (std::size_t i = 0; i <= count; ++i)
  {
    const double t = double(i) / double(count);
    const Vector at = ray.at(t);
    const bool inDomain = field.contains(at);
    const std::optional<double> value = inDomain ? field.value(at) : std::nullopt;
    std::optional<bool> isInside;
    if (value)
      isInside = *value >= 0;
    else if (!inDomain && field.isClosed())
      isInside = false;
    if (i > 0 && isInside && wasInside && *isInside != *wasInside)
    {
      double low = double(i - 1) / double(count), high = t;
      for (int n = 0; n < 60; ++n)
      {
        const double middle = (low + high) / 2;
        const Vector there = ray.at(middle);
        const std::optional<double> between = field.contains(there) ? field.value(there) : std::optional<double>(-1);
        (between && (*between >= 0) == *wasInside ? low : high) = middle;
      }
      return high;
    }
    wasInside = isInside;
  }
  return std::nullopt;
}

}

#endif
