// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The keys of samples, by which kernels compare them, and the samples nearest to a number.
#ifndef vmcSampleKey_h
#define vmcSampleKey_h

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>

namespace vmc
{

// An unsigned integer that holds the bits of a float or a double.
template <class Sample>
using BitsOf = std::conditional_t<sizeof(Sample) == 8, std::uint64_t, std::uint32_t>;

template <class Sample>
constexpr BitsOf<Sample> SignBit = BitsOf<Sample>(1) << (8 * sizeof(BitsOf<Sample>) - 1);

// The key of a sample (Shaders/Shared/Samples.glsl). Keys are in the order of samples. Both zeros have that of -0, as
// they are equal. NaN has no key.
template <class Sample>
std::uint64_t keyOf(Sample sample)
{
  if constexpr (std::is_integral_v<Sample>)
    return static_cast<std::uint64_t>(sample) - static_cast<std::uint64_t>(std::numeric_limits<Sample>::min());
  else
  {
    const Sample value = sample == 0 ? -Sample(0) : sample;
    BitsOf<Sample> bits = 0;
    std::memcpy(&bits, &value, sizeof(bits));
    return (bits & SignBit<Sample>) != 0 ? static_cast<BitsOf<Sample>>(~bits) : bits | SignBit<Sample>;
  }
}

// The sample with this key.
template <class Sample>
Sample sampleOf(std::uint64_t key)
{
  if constexpr (std::is_integral_v<Sample>)
    return static_cast<Sample>(static_cast<std::uint64_t>(std::numeric_limits<Sample>::min()) + key);
  else
  {
    const auto word = static_cast<BitsOf<Sample>>(key);
    const BitsOf<Sample> bits = (word & SignBit<Sample>) != 0 ? word ^ SignBit<Sample> : ~word;
    Sample value;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
  }
}

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
