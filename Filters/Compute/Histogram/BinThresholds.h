// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Pure functions for the parameters of CountValues.
#ifndef vmcBinThresholds_h
#define vmcBinThresholds_h

#include "Compute/Histogram/Bins.h"
#include "Compute/Volume/Volume.h"
#include "Shared/Structs.h"

#include <cstdint>
#include <vector>

namespace vmc
{

// The thresholds of a histogram (Shaders/Shared/Constants.h) as keys of a sample type (Shaders/Shared/Samples.glsl).
struct BinThresholds
{
  BinThresholds(const Bins& bins, SampleType sampleType);

  SampleType type;
  // A sample is not below threshold i if its key is at least keys[i]. Ascending: edge, centre, edge, ..., edge.
  // Thresholds above all values of the type are left out.
  std::vector<std::uint64_t> keys;
  BinTable table{};
  // Whether the kernel can compute positions from the table. If not, the bins are hardly wider than the distance
  // between neighbouring floats or doubles.
  bool isPrecise = false;

  std::vector<std::uint32_t> words() const; // of BINDING_BINS
};

// The value with this key, rounded to double.
double valueOfKey(std::uint64_t key, SampleType type);

}

#endif
