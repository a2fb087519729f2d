// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Histograms of volumes: what all engines have in common.
#ifndef vmcValueCounter_h
#define vmcValueCounter_h

#include "Compute/Histogram/CountLimits.h"
#include "Compute/Histogram/HostHistogram.h"
#include "Compute/Histogram/ValueCounts.h"
#include "Compute/Volume/Report.h"
#include "Compute/Volume/Volume.h"

#include <cstdint>
#include <optional>

namespace vmc
{

// Finds the range of samples and counts them. All engines return equal results, those of HostHistogram.h. One call at a
// time per object. The functions add to the report, and throw Unsupported, OutOfMemory, DeviceLost, Internal.
class ValueCounter
{
public:
  ValueCounter() = default;
  virtual ~ValueCounter() = default;
  ValueCounter(const ValueCounter&) = delete;
  ValueCounter& operator=(const ValueCounter&) = delete;

  // See MarchingCubes.
  virtual void beginPass() = 0;
  virtual void endPass() = 0;
  virtual void releaseVolumes(std::uint64_t identity) = 0;

  // See rangeOnHost.
  virtual std::optional<SampleRange> range(const Volume& volume, const CountLimits& limits, Report& report) = 0;

  // See countOnHost.
  virtual ValueCounts count(const Volume& volume, const Bins& bins, const CountLimits& limits, Report& report) = 0;
};

}

#endif
