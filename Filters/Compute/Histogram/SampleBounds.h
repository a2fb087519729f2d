// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The samples nearest to a number.
#ifndef vmcSampleBounds_h
#define vmcSampleBounds_h

#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>

namespace vmc
{

// The smallest value of the sample type that is not below `bound`, which is not NaN; empty if there is none.
template <class Sample>
std::optional<Sample> smallestFrom(double bound)
{
  if constexpr (std::is_integral_v<Sample>)
  {
    const double beyond = std::ldexp(1.0, std::numeric_limits<Sample>::digits); // largest + 1, exact in double
    const double smallest = static_cast<double>(std::numeric_limits<Sample>::min());
    const double integer = std::ceil(bound);
    if (integer >= beyond)
      return std::nullopt;
    return integer <= smallest ? std::numeric_limits<Sample>::min() : static_cast<Sample>(integer);
  }
  else
  {
    const auto nearest = static_cast<Sample>(bound);
    return nearest < bound ? std::nextafter(nearest, std::numeric_limits<Sample>::infinity()) : nearest;
  }
}

// The smallest value of the sample type above `bound`, which is not NaN; empty if there is none.
template <class Sample>
std::optional<Sample> smallestAbove(double bound)
{
  const std::optional<Sample> from = smallestFrom<Sample>(bound);
  if (!from || *from > bound)
    return from;
  if constexpr (std::is_integral_v<Sample>)
    return *from == std::numeric_limits<Sample>::max() ? std::nullopt : std::optional(static_cast<Sample>(*from + 1));
  else
    return std::nextafter(*from, std::numeric_limits<Sample>::infinity());
}

}

#endif
