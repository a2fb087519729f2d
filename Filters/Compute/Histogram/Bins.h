// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The bins of a histogram.
#ifndef vmcBins_h
#define vmcBins_h

#include "Compute/Volume/Volume.h"
#include "Shared/Constants.h"

#include <cstdint>

namespace vmc
{

// Bins of equal width over [lower, upper]. A sample s belongs to bin b if edge(b) <= s < edge(b + 1), compared exactly;
// samples equal to the last edge belong to the last bin. These are the bins of numpy.histogram.
struct Bins
{
  static constexpr std::uint32_t Largest = HISTOGRAM_LARGEST_BINS; // the largest possible count

  double lower = 0; // both finite, lower < upper
  double upper = 1;
  std::uint32_t count = 1; // 1 to Largest

  // Edge 0 is lower, edge `count` is upper.
  double edge(std::uint32_t index) const;
  // The middle between two edges.
  double centre(std::uint32_t bin) const;
};

// The range of some samples.
struct SampleRange
{
  double smallest = 0;
  double largest = 0;
};

// The kind of values for which bins are chosen. In this order, each kind contains the values of those before it: bins
// for samples of several types are those of the largest kind.
enum class ValueKind
{
  SmallInteger, // of 8 bits
  Integer,
  Real
};

ValueKind kindOf(SampleType type);

// Bins for values in [smallest, largest], both finite and in ascending order. Integers: bins [lower, upper) with a
// whole number of integers per bin, the same for all bins: the smallest number that makes at most 256 (SmallInteger) or
// Bins::Largest bins. So equally frequent integers have equal counts. The first edge is the smallest integer of the
// range, the last one is above the range. A range that contains no integer has the same number of bins from smallest to
// largest, and so has one whose last edge would be above the largest double. Real: Bins::Largest bins from smallest to
// largest; if these are equal, a range around them, of size 1 as in numpy.histogram or larger if the value is so large
// that double cannot divide that. There are fewer bins if adjacent edges would be equal in double.
Bins binsOf(ValueKind kind, double smallest, double largest);

// Returns `count` bins, 1 to Bins::Largest, of values in [smallest, largest] of any kind; otherwise as Real above.
Bins equalBins(double smallest, double largest, std::uint32_t count);

}

#endif
