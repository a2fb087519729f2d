// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Contour/Isovalue.h"

#include "Compute/Volume/SampleKey.h"
#include "Compute/Volume/WithType.h"

#include <cmath>
#include <limits>
#include <type_traits>

namespace vmc
{

namespace
{

// Returns the threshold of this sample value. Keys of 64-bit samples have two words.
template <class Sample>
Threshold thresholdAt(Sample threshold, double isovalue)
{
  const std::uint64_t key = keyOf(threshold);
  const auto low = static_cast<std::uint32_t>(key), high = static_cast<std::uint32_t>(key >> 32);
  return sizeof(Sample) == 8 ? Threshold{ high, 0, 0, low, isovalue } : Threshold{ low, 0, 0, 0, isovalue };
}

// Smaller than the exponent of any sample, so that scaling 0 to the unit of small samples cannot overflow.
constexpr int ExponentOfZero = -10000;

// Sets the isovalue in the form for 32-bit floats.
void split(double isovalue, Threshold& threshold)
{
  threshold.high = static_cast<float>(isovalue);
  threshold.exponent = isovalue == 0 ? ExponentOfZero : 0;
  if (isovalue == 0 || std::isinf(isovalue))
    return;
  threshold.exponent = std::ilogb(isovalue);
  const double scaled = std::scalbn(isovalue, -threshold.exponent);
  threshold.high = static_cast<float>(scaled);
  threshold.low = static_cast<float>(scaled - threshold.high);
}

template <class Sample>
std::optional<Threshold> thresholdFor(double isovalue, bool isClosed)
{
  using Limits = std::numeric_limits<Sample>;
  const std::optional<Sample> from = std::isnan(isovalue) ? std::nullopt : smallestFrom<Sample>(isovalue);
  const double smallest = static_cast<double>(Limits::has_infinity ? -Limits::infinity() : Limits::min());
  const bool hasBelow = isovalue > smallest; // a sample can be outside
  if (!from || (!hasBelow && !isClosed))
    return std::nullopt;
  Threshold threshold = thresholdAt(*from, isovalue);
  if constexpr (std::is_integral_v<Sample>)
    threshold.low = hasBelow ? static_cast<float>(std::ceil(isovalue) - isovalue) : 0;
  else if constexpr (sizeof(Sample) == 4)
    split(isovalue, threshold);
  return threshold;
}

}

std::optional<Threshold> thresholdOf(double isovalue, SampleType type, bool isClosed)
{
  return withType(type, [=](auto zero) { return thresholdFor<decltype(zero)>(isovalue, isClosed); });
}

}
