// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Differences of samples in double.
#ifndef vmcSampleDifference_h
#define vmcSampleDifference_h

#include <cstdint>
#include <type_traits>

namespace vmc
{

// 64-bit integers do not fit a double: their differences are taken before the conversion.
template <class Sample>
constexpr bool IsWideInteger = std::is_integral_v<Sample> && sizeof(Sample) == 8;

// b - a.
template <class Sample>
[[gnu::always_inline]] inline double differenceOf(Sample a, Sample b)
{
  if constexpr (IsWideInteger<Sample>)
  {
    const std::uint64_t size = b < a ? std::uint64_t(a) - std::uint64_t(b) : std::uint64_t(b) - std::uint64_t(a);
    return b < a ? -double(size) : double(size);
  }
  else
    return double(b) - double(a);
}

}

#endif
