// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Statistics of absolute errors, relative errors and errors in ulps.
#ifndef vmcAccuracyErrors_h
#define vmcAccuracyErrors_h

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace vmc::accuracy
{

// The unit in the last place: the distance of adjacent numbers of a type in the binade of `value`.
template <class Float>
long double ulpOf(long double value)
{
  using Limits = std::numeric_limits<Float>;
  const int exponent = value == 0 ? Limits::min_exponent : std::ilogb(value);
  return std::ldexp(1.0L, std::max(exponent, Limits::min_exponent - 1) - (Limits::digits - 1));
}

struct Statistic
{
  long double largest = 0; // infinity if an error was NaN
  long double sum = 0;
  std::size_t count = 0;

  void add(long double error)
  {
    const long double size = std::isnan(error) ? std::numeric_limits<long double>::infinity() : std::fabs(error);
    this->largest = std::max(this->largest, size);
    this->sum += size;
    ++this->count;
  }

  long double mean() const { return this->count == 0 ? 0 : this->sum / static_cast<long double>(this->count); }
};

struct Errors
{
  Statistic absolute; // in the unit of the quantity
  Statistic relative;
  Statistic ulps;

  // Adds an error. The relative error is error / magnitude; ulps are those of the magnitude as a float. If the error is
  // 0, the magnitude may be 0 too. inUnits: the absolute error in the unit of the quantity.
  void add(long double error, long double magnitude, long double inUnits)
  {
    this->absolute.add(inUnits);
    this->relative.add(error == 0 ? 0 : error / magnitude);
    this->ulps.add(error / ulpOf<float>(magnitude));
  }
  void add(long double error, long double magnitude) { this->add(error, magnitude, error); }
};

}

#endif
