// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Histogram/CpuHistogram.h"

#include "Compute/System/CpuName.h"
#include "Compute/System/HostClock.h"
#include "Compute/System/Parallel.h"

namespace vmc
{

namespace
{

// Calls work(threads). Reports its time and the threads.
template <class Work>
auto timed(Stage stage, const CountLimits& limits, Report& report, const Work& work)
{
  const unsigned threads = usableThreads(limits.threads);
  const HostClock clock;
  auto result = work(threads);
  report.stages.add(stage, clock.milliseconds());
  report.device = cpuName(threads);
  return result;
}

}

std::optional<SampleRange> CpuHistogram::range(const Volume& volume, const CountLimits& limits, Report& report)
{
  return timed(Stage::FindRange, limits, report, [&](unsigned threads) { return rangeOnHost(volume, threads); });
}

ValueCounts CpuHistogram::count(const Volume& volume, const Bins& bins, const CountLimits& limits, Report& report)
{
  return timed(
    Stage::CountValues, limits, report, [&](unsigned threads) { return countOnHost(volume, bins, threads); });
}

}
