// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The share of an image that is above isovalues, on threads of the CPU.
#ifndef vmcFindShareOnCpu_h
#define vmcFindShareOnCpu_h

#include "Compute/Cpu/CpuState.h"
#include "Compute/Histogram/DomainShare.h"
#include "Compute/Histogram/ValueCounts.h"
#include "Compute/Volume/Report.h"
#include "Compute/Volume/Volume.h"

#include <vector>

namespace vmc
{

// Returns the share of a volume without flags and coordinates. It reads the samples of bricks only if the range of the
// brick, which the state may hold, does not tell the result, or if the volume has NaN. The number of threads does not
// change the result. Adds to the report.
DomainShare findShareOnCpu(CpuState& state, const Volume& volume, const std::vector<double>& isovalues,
  const CountLimits& limits, Report& report);

}

#endif
