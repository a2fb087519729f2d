// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Converts an isovalue to the threshold of a sample type.
#ifndef vmcIsovalue_h
#define vmcIsovalue_h

#include "Compute/Volume/Volume.h"

#include <cstdint>
#include <optional>

namespace vmc
{

// An isovalue in the form that kernels use. The threshold is the smallest value of the sample type that is not below
// the isovalue. A sample is inside if it is not below the threshold, which equals a comparison with the isovalue in
// double.
struct Threshold
{
  std::uint32_t key;    // key of the threshold (Shaders/Shared/Samples.glsl); its high word for 64-bit samples
  float high;           // 32-bit float samples: isovalue = (high + low) * 2^exponent; others: 0
  float low;            // integers: threshold - isovalue, in [0, 1]
  std::uint32_t lowKey; // low word of the key for 64-bit samples; others: 0
  double isovalue;
  std::int32_t exponent = 0; // see high; keeps both parts normal. Isovalue 0: below that of any float
};

// Empty if all values of this type are on one side of the isovalue, or if it is NaN. isClosed: padding counts as below
// every isovalue, so an isovalue below all values has a threshold too.
std::optional<Threshold> thresholdOf(double isovalue, SampleType type, bool isClosed = false);

}

#endif
