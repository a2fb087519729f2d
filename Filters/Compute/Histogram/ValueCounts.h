// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The counts of a histogram, and their limits.
#ifndef vmcValueCounts_h
#define vmcValueCounts_h

#include "Compute/Histogram/Bins.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace vmc
{

// See the members of Request with these names.
struct CountLimits
{
  std::uint64_t memoryLimit = 0;
  unsigned threads = 0;
};

// A sample is counted in exactly one of samples[bin], below, above, nan and ghosts. All counts are exact sums: those of
// the parts of a volume can be added.
struct ValueCounts
{
  std::vector<std::uint64_t> samples;  // samples[bin]
  std::vector<std::uint64_t> cutCells; // cutCells[bin]: valid dual cells that an isovalue at the bin's centre cuts
  std::uint64_t below = 0;             // samples below the first edge
  std::uint64_t above = 0;             // samples above the last edge
  std::uint64_t nan = 0;               // samples that are NaN
  std::uint64_t ghosts = 0;            // samples with a flag: blank, or not owned by this piece; NaN or not
  // [bin], then of those above and of those below: the sum of the volumes of the samples (see SampleGeometry::width).
  // Only if the samples have coordinates; otherwise empty. The sums of parts are not added.
  std::vector<double> volumes;

  explicit ValueCounts(const Bins& bins = {})
    : samples(bins.count)
    , cutCells(bins.count)
  {
  }

  void add(const ValueCounts& others) // of the same bins
  {
    for (std::size_t bin = 0; bin < this->samples.size(); ++bin)
    {
      this->samples[bin] += others.samples[bin];
      this->cutCells[bin] += others.cutCells[bin];
    }
    this->below += others.below;
    this->above += others.above;
    this->nan += others.nan;
    this->ghosts += others.ghosts;
  }
};

using LevelCounts = std::vector<ValueCounts>; // [level] of a hierarchy

}

#endif
