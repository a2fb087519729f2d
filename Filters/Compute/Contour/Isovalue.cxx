// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Contour/Isovalue.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace vmc
{

namespace
{

Threshold thresholdOfKey(std::uint64_t key, bool isWide, double isovalue)
{
  const auto low = static_cast<std::uint32_t>(key), high = static_cast<std::uint32_t>(key >> 32);
  return { isWide ? high : low, 0.0f, 0.0f, isWide ? low : 0, isovalue };
}

// The key of an integer is its difference from the smallest value of its type.
template <class Integer>
std::optional<Threshold> integerThreshold(double isovalue, bool isClosed)
{
  const double threshold = std::ceil(isovalue);
  const double smallest = static_cast<double>(std::numeric_limits<Integer>::min());
  if (isClosed && threshold <= smallest)
    return thresholdOfKey(0, sizeof(Integer) == 8, isovalue);
  const double beyond = std::ldexp(1.0, std::numeric_limits<Integer>::digits); // largest + 1, exact in double
  if (!(threshold > smallest && threshold < beyond))
    return std::nullopt;
  const std::uint64_t key = static_cast<std::uint64_t>(static_cast<Integer>(threshold)) -
                            static_cast<std::uint64_t>(std::numeric_limits<Integer>::min());
  Threshold result = thresholdOfKey(key, sizeof(Integer) == 8, isovalue);
  result.low = static_cast<float>(threshold - isovalue);
  return result;
}

// Smaller than the exponent of any sample, so that scaling 0 to the unit of small samples cannot overflow.
constexpr int ExponentOfZero = -10000;

std::uint32_t keyOf(float value)
{
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

std::optional<Threshold> floatThreshold(double isovalue, bool isClosed)
{
  const float infinity = std::numeric_limits<float>::infinity();
  if (std::isnan(isovalue) || (isovalue == -std::numeric_limits<double>::infinity() && !isClosed))
    return std::nullopt;
  const float nearest = static_cast<float>(isovalue);
  float threshold = nearest < isovalue ? std::nextafter(nearest, infinity) : nearest;
  if (threshold == 0)
    threshold = -0.0f; // both zeros are inside, and the negative one has the smaller key
  if (isovalue == 0 || std::isinf(isovalue))
    return Threshold{ keyOf(threshold), nearest, 0, 0, isovalue, isovalue == 0 ? ExponentOfZero : 0 };
  const int exponent = std::ilogb(isovalue);
  const double scaled = std::scalbn(isovalue, -exponent);
  const float high = static_cast<float>(scaled);
  return Threshold{ keyOf(threshold), high, static_cast<float>(scaled - high), 0, isovalue, exponent };
}

std::optional<Threshold> doubleThreshold(double isovalue, bool isClosed)
{
  if (std::isnan(isovalue) || (isovalue == -std::numeric_limits<double>::infinity() && !isClosed))
    return std::nullopt;
  const double threshold = isovalue == 0 ? -0.0 : isovalue; // both zeros are inside
  std::uint64_t bits = 0;
  std::memcpy(&bits, &threshold, sizeof(bits));
  return thresholdOfKey(bits >> 63 != 0 ? ~bits : bits | 1ull << 63, true, isovalue);
}

}

std::optional<Threshold> thresholdOf(double isovalue, SampleType type, bool isClosed)
{
  switch (type)
  {
    case SampleType::Int8:
      return integerThreshold<std::int8_t>(isovalue, isClosed);
    case SampleType::UInt8:
      return integerThreshold<std::uint8_t>(isovalue, isClosed);
    case SampleType::Int16:
      return integerThreshold<std::int16_t>(isovalue, isClosed);
    case SampleType::UInt16:
      return integerThreshold<std::uint16_t>(isovalue, isClosed);
    case SampleType::Int32:
      return integerThreshold<std::int32_t>(isovalue, isClosed);
    case SampleType::UInt32:
      return integerThreshold<std::uint32_t>(isovalue, isClosed);
    case SampleType::Float32:
      return floatThreshold(isovalue, isClosed);
    case SampleType::Int64:
      return integerThreshold<std::int64_t>(isovalue, isClosed);
    case SampleType::UInt64:
      return integerThreshold<std::uint64_t>(isovalue, isClosed);
    case SampleType::Float64:
      return doubleThreshold(isovalue, isClosed);
  }
  return std::nullopt;
}

}
