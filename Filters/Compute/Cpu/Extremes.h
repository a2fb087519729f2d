// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The range of samples.
#ifndef vmcExtremes_h
#define vmcExtremes_h

#include "Compute/Histogram/Bins.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <type_traits>

namespace vmc::cpu
{

// Rounded to double, towards -infinity (direction -1) or +infinity (1).
template <class Sample>
double rounded(Sample value, int direction)
{
  const auto nearest = static_cast<double>(value);
  if constexpr (sizeof(Sample) == 8 && std::is_integral_v<Sample>)
  {
    // A double of 2^63 or 2^64 is above every value of the type.
    const bool isAbove =
      nearest >= std::ldexp(1.0, std::numeric_limits<Sample>::digits) || static_cast<Sample>(nearest) > value;
    const bool isBelow = !isAbove && static_cast<Sample>(nearest) < value;
    if (direction < 0 ? isAbove : isBelow)
      return std::nextafter(nearest, direction * std::numeric_limits<double>::infinity());
  }
  return nearest;
}

// The smallest and the largest finite sample. Samples are distributed over lanes, so that the compiler can use vector
// instructions: it must not change the order in which floats are compared.
template <class Sample>
struct Extremes
{
  static constexpr std::size_t Lanes = 32;

  std::array<Sample, Lanes> smallest;
  std::array<Sample, Lanes> largest;

  Extremes()
  {
    this->smallest.fill(std::numeric_limits<Sample>::max());
    this->largest.fill(std::numeric_limits<Sample>::lowest());
  }

  static bool isFinite(Sample sample)
  {
    if constexpr (std::is_floating_point_v<Sample>)
      return std::abs(sample) <= std::numeric_limits<Sample>::max(); // not NaN
    return true;
  }

  // count: a multiple of Lanes.
  void add(const Sample* samples, std::size_t count)
  {
    for (std::size_t first = 0; first < count; first += Lanes)
      for (std::size_t lane = 0; lane < Lanes; ++lane)
      {
        const Sample sample = samples[first + lane];
        const Sample low = isFinite(sample) ? sample : this->smallest[lane];
        const Sample high = isFinite(sample) ? sample : this->largest[lane];
        this->smallest[lane] = low < this->smallest[lane] ? low : this->smallest[lane];
        this->largest[lane] = high > this->largest[lane] ? high : this->largest[lane];
      }
  }

  void add(const Extremes& others)
  {
    for (std::size_t lane = 0; lane < Lanes; ++lane)
    {
      this->smallest[lane] = std::min(this->smallest[lane], others.smallest[lane]);
      this->largest[lane] = std::max(this->largest[lane], others.largest[lane]);
    }
  }

  // The range, as findRangeOnCpu returns it; empty if no sample is finite.
  std::optional<SampleRange> range() const
  {
    const Sample low = *std::min_element(this->smallest.begin(), this->smallest.end());
    const Sample high = *std::max_element(this->largest.begin(), this->largest.end());
    if (low > high)
      return std::nullopt;
    return SampleRange{ rounded(low, -1), rounded(high, 1) };
  }
};

}

#endif
