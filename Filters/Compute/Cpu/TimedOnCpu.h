// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Times of work on threads of the CPU.
#ifndef vmcTimedOnCpu_h
#define vmcTimedOnCpu_h

#include "Compute/System/Stage.h"
#include "Compute/System/Threads.h"
#include "Compute/Volume/Report.h"

namespace vmc::cpu
{

// Returns work(threads), with as many threads as are usable of those requested. Adds its time to the stage, and names
// the threads as the device of the report.
template <class Work>
auto timedOnCpu(Stage stage, unsigned requestedThreads, Report& report, const Work& work)
{
  const unsigned threads = usableThreads(requestedThreads);
  const HostClock clock;
  auto result = work(threads);
  report.stages.add(stage, clock.milliseconds());
  report.device = cpuName(threads);
  return result;
}

}

#endif
