// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Histogram/Bins.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vmc
{

namespace
{

constexpr double LargestDouble = std::numeric_limits<double>::max();
constexpr std::uint32_t SmallIntegerBins = 256;

// The largest distance of adjacent doubles in the range.
double resolutionOf(double smallest, double largest)
{
  const double magnitude = std::max(std::abs(smallest), std::abs(largest));
  return magnitude - std::nextafter(magnitude, 0.0);
}

Bins integerBins(double smallest, double largest, std::uint32_t mostBins)
{
  const double first = std::ceil(smallest), integers = std::floor(largest) - first + 1;
  const double width = std::max(std::ceil(integers / mostBins), std::ceil(2 * resolutionOf(first, largest)));
  const double count = std::ceil(integers / width), end = first + count * width;
  if (!std::isfinite(end)) // it, or the number of integers, is above the largest double
    return equalBins(first, largest, mostBins);
  // Sums of 64-bit integers are rounded, so `end` may be below the largest one.
  return { first, std::max(end, largest), static_cast<std::uint32_t>(count) };
}

}

// As numpy.linspace computes it, except where the width overflows or is denormal and so has few digits.
double Bins::edge(std::uint32_t index) const
{
  if (index == 0)
    return this->lower;
  if (index >= this->count)
    return this->upper;
  const double width = (this->upper - this->lower) / this->count;
  if (std::isnormal(width))
    return index * width + this->lower;
  if (std::isfinite(width))
    return index * (this->upper - this->lower) / this->count + this->lower;
  return this->lower * (1 - double(index) / this->count) + this->upper * (double(index) / this->count);
}

// Halves of denormal numbers are rounded.
double Bins::centre(std::uint32_t bin) const
{
  const double low = this->edge(bin), high = this->edge(bin + 1);
  return std::clamp(low / 2 + high / 2, low, high);
}

ValueKind kindOf(SampleType type)
{
  switch (type)
  {
    case SampleType::Int8:
    case SampleType::UInt8:
      return ValueKind::SmallInteger;
    case SampleType::Float32:
    case SampleType::Float64:
      return ValueKind::Real;
    default:
      return ValueKind::Integer;
  }
}

Bins equalBins(double smallest, double largest, std::uint32_t count)
{
  if (smallest == largest)
  {
    const double margin = std::max(0.5, Bins::Largest * resolutionOf(smallest, largest));
    smallest = std::max(smallest - margin, -LargestDouble);
    largest = std::min(largest + margin, LargestDouble);
  }
  const double distinct = (largest - smallest) / (2 * resolutionOf(smallest, largest));
  return { smallest, largest, static_cast<std::uint32_t>(std::clamp(distinct, 1.0, double(count))) };
}

Bins binsOf(ValueKind kind, double smallest, double largest)
{
  const std::uint32_t mostBins = kind == ValueKind::SmallInteger ? SmallIntegerBins : Bins::Largest;
  const bool hasIntegers = std::ceil(smallest) <= std::floor(largest);
  if (kind == ValueKind::Real || !hasIntegers)
    return equalBins(smallest, largest, mostBins);
  return integerBins(smallest, largest, mostBins);
}

}
