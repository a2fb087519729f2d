#include "Isovalue.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace vmc
{

namespace
{

// Integers of the given width; the key of a value is its distance from the smallest one.
template <class Integer>
std::optional<Threshold> integerThreshold(double isovalue)
{
  const double threshold = std::ceil(isovalue);
  const double smallest = std::numeric_limits<Integer>::min();
  const double largest = std::numeric_limits<Integer>::max();
  if (!(threshold > smallest && threshold <= largest))
    return std::nullopt;
  return Threshold{ static_cast<std::uint32_t>(threshold - smallest), 0.0f, static_cast<float>(threshold - isovalue) };
}

std::uint32_t keyOf(float value)
{
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

std::optional<Threshold> floatThreshold(double isovalue)
{
  const float infinity = std::numeric_limits<float>::infinity();
  if (std::isnan(isovalue) || isovalue == -std::numeric_limits<double>::infinity())
    return std::nullopt;
  const float high = static_cast<float>(isovalue);
  float threshold = high < isovalue ? std::nextafter(high, infinity) : high;
  if (threshold == 0)
    threshold = -0.0f; // both zeros are inside, and the negative one has the smaller key
  const float low = std::isinf(high) ? 0.0f : static_cast<float>(isovalue - high);
  return Threshold{ keyOf(threshold), high, low };
}

}

std::optional<Threshold> thresholdOf(double isovalue, SampleType type)
{
  switch (type)
  {
    case SampleType::Int8:
      return integerThreshold<std::int8_t>(isovalue);
    case SampleType::UInt8:
      return integerThreshold<std::uint8_t>(isovalue);
    case SampleType::Int16:
      return integerThreshold<std::int16_t>(isovalue);
    case SampleType::UInt16:
      return integerThreshold<std::uint16_t>(isovalue);
    case SampleType::Int32:
      return integerThreshold<std::int32_t>(isovalue);
    case SampleType::UInt32:
      return integerThreshold<std::uint32_t>(isovalue);
    case SampleType::Float32:
      return floatThreshold(isovalue);
  }
  return std::nullopt;
}

}
