// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Histograms of volumes, of the CPU engine.
#ifndef vmcCpuHistogram_h
#define vmcCpuHistogram_h

#include "Compute/Histogram/ValueCounter.h"

namespace vmc
{

// Calls the functions of HostHistogram.h. Keeps nothing from one call to the next.
class CpuHistogram : public ValueCounter
{
public:
  void beginPass() override {}
  void endPass() override {}
  void releaseVolumes(std::uint64_t) override {}
  std::optional<SampleRange> range(const Volume& volume, const CountLimits& limits, Report& report) override;
  ValueCounts count(const Volume& volume, const Bins& bins, const CountLimits& limits, Report& report) override;
};

}

#endif
