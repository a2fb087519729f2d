// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Values, differences and thresholds of samples in double.
#ifndef vmcSamples_h
#define vmcSamples_h

#include "Compute/Contour/Isovalue.h"
#include "Compute/System/InstructionSet.h"
#include "Compute/Volume/SampleDifference.h"
#include "Compute/Volume/SampleKey.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace vmc
{

// Reads a sample of any alignment.
template <class Sample>
VMC_INLINE Sample readSample(const Sample* from)
{
  Sample sample;
  std::memcpy(&sample, static_cast<const void*>(from), sizeof(sample));
  return sample;
}

// The threshold as a value of the sample type: a sample is inside if it is at least this value, which NaN is not.
template <class Sample>
Sample thresholdValue(const Threshold& threshold)
{
  return sampleOf<Sample>(sizeof(Sample) == 8 ? std::uint64_t(threshold.key) << 32 | threshold.lowKey : threshold.key);
}

// The fraction part / whole of the way from one sample to another.
struct Fraction
{
  double part, whole;
};

// Returns where the isovalue lies between samples a and b, which are on different sides of it. For an infinite sample,
// it is the limit as the sample grows.
template <class Sample>
VMC_INLINE Fraction fractionOf(Sample a, Sample b, Sample threshold, const Threshold& isovalue)
{
  if constexpr (IsWideInteger<Sample>) // the isovalue is threshold - low
    return { differenceOf(a, threshold) - isovalue.low, differenceOf(a, b) };
  else if constexpr (std::is_integral_v<Sample>)
    return { isovalue.isovalue - double(a), double(b) - double(a) };
  else
  {
    if (std::isinf(a) || std::isinf(b))
      return { std::isinf(a) ? 1.0 : 0.0, std::isinf(a) && std::isinf(b) ? 2.0 : 1.0 };
    const double whole = double(b) - double(a);
    if (std::isinf(whole))
      return { isovalue.isovalue / 2 - double(a) / 2, double(b) / 2 - double(a) / 2 };
    return { isovalue.isovalue - double(a), whole };
  }
}

}

#endif
