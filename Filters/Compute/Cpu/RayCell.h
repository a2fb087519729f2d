// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Finds where a ray crosses the isosurface in a cell, by the algorithm of Shaders/Rays/RayCell.glsl, which names the
// sources, in double.
#ifndef vmcRayCell_h
#define vmcRayCell_h

#include "Shared/Constants.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace vmc::cpu
{

using Vector = std::array<double, 3>;

inline Vector between(const Vector& from, const Vector& to, double s)
{
  return { from[0] + s * (to[0] - from[0]), from[1] + s * (to[1] - from[1]), from[2] + s * (to[2] - from[2]) };
}

// The trilinear interpolant of the corners of a cell: corner c lies at x = c & 1, y = c >> 1 & 1, z = c >> 2.
struct CellField
{
  std::array<double, 8> corner; // sample minus isovalue

  // A mean with weights that are not negative: so between equal signs it has this sign.
  double at(const Vector& place) const
  {
    const double x = place[0], restX = 1 - x, y = place[1], restY = 1 - y;
    const auto& c = this->corner;
    const double low = (c[0] * restX + c[1] * x) * restY + (c[2] * restX + c[3] * x) * y;
    const double high = (c[4] * restX + c[5] * x) * restY + (c[6] * restX + c[7] * x) * y;
    return low * (1 - place[2]) + high * place[2];
  }

  // Per width of the cell.
  Vector slope(const Vector& place) const
  {
    Vector result{};
    for (std::size_t a = 0; a < 3; ++a)
    {
      Vector low = place, high = place;
      low[a] = 0;
      high[a] = 1;
      result[a] = this->at(high) - this->at(low);
    }
    return result;
  }
};

// The extrema on the way, in [0, 1] and ascending; 1 if there is none.
inline std::array<double, 2> extremaOf(const CellField& field, const Vector& from, const Vector& to)
{
  std::array<double, 4> values = { field.at(from), field.at(between(from, to, 1.0 / 3)),
    field.at(between(from, to, 2.0 / 3)), field.at(to) };
  const double size = std::max({ std::abs(values[0]), std::abs(values[1]), std::abs(values[2]), std::abs(values[3]) });
  const double a = values[0] / size, b = values[1] / size, c = values[2] / size, d = values[3] / size;
  const double first = (-11 * a + 18 * b - 9 * c + 2 * d) / 2, second = (2 * a - 5 * b + 4 * c - d) * 9,
               third = (-a + 3 * b - 3 * c + d) * 13.5;
  const double discriminant = second * second - 4 * third * first;
  if (!(discriminant > 0))
    return { 1, 1 };
  const double q = -0.5 * (second + std::copysign(std::sqrt(discriminant), second));
  const auto inside = [](double s) { return s > 0 && s < 1 ? s : 1; };
  const double one = inside(q != 0 ? first / q : 2), other = inside(third != 0 ? q / third : 2);
  return { std::min(one, other), std::max(one, other) };
}

// The zero between s = low and s = high, where the field has different signs.
inline double zeroBetween(
  const CellField& field, const Vector& from, const Vector& to, double low, double high, double atLow, double atHigh)
{
  int kept = 0; // the end that stayed: 1 the high one, -1 the low one
  double s = high;
  for (int i = 0; i < RAY_ITERATIONS; ++i)
  {
    s = low + (high - low) * std::clamp(atLow / (atLow - atHigh), 0.0, 1.0);
    const double value = field.at(between(from, to, s));
    if ((value >= 0) == (atHigh >= 0))
    {
      high = s;
      atHigh = value;
      atLow *= kept < 0 ? 0.5 : 1;
      kept = -1;
    }
    else
    {
      low = s;
      atLow = value;
      atHigh *= kept > 0 ? 0.5 : 1;
      kept = 1;
    }
  }
  return s;
}

// The first s in [0, 1] where the surface lies on the way; 2 if there is none.
inline double firstZero(const CellField& field, const Vector& from, const Vector& to)
{
  double low = 0, atLow = field.at(from);
  const std::array<double, 2> extrema = extremaOf(field, from, to);
  for (const double high : { extrema[0], extrema[1], 1.0 })
  {
    if (high <= low)
      continue;
    const double atHigh = field.at(between(from, to, high));
    if ((atHigh >= 0) != (atLow >= 0))
      return zeroBetween(field, from, to, low, high, atLow, atHigh);
    low = high;
    atLow = atHigh;
  }
  return 2;
}

}

#endif
