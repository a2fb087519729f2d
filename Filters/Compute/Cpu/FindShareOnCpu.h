// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The share of an image that is above isovalues, on threads of the CPU.
#ifndef vmcFindShareOnCpu_h
#define vmcFindShareOnCpu_h

#include "Compute/Cpu/BrickKernels.h"
#include "Compute/Cpu/CpuState.h"
#include "Compute/Histogram/DomainShare.h"
#include "Compute/Histogram/ValueCounts.h"
#include "Compute/Volume/Report.h"
#include "Compute/Volume/Volume.h"

#include <cstdint>
#include <vector>

namespace vmc
{

// Returns whether findShareOnCpu finds the share of the volume: it has neither flags nor coordinates.
inline bool hasEqualSamples(const Volume& volume)
{
  return !volume.ghosts && !volume.geometry.hasCoordinates();
}

// Returns the share of a volume. It reads no samples if the last extraction of the state has counted them. Else it
// reads those of bricks whose range, which the state may hold, does not tell the result, and all of a volume with NaN.
// Without a state, it reads all samples once per isovalue. The number of threads does not change the result. Adds to
// the report.
DomainShare findShareOnCpu(CpuState* state, const Volume& volume, const std::vector<double>& isovalues,
  const CountLimits& limits, Report& report);

// Returns the number of image samples that are inside, from the row words of CountBricks. The volume has no NaN and no
// flags, and this range of each brick.
std::uint64_t countInside(const BrickPass& pass, const SampleRanges& ranges, unsigned threads);

}

#endif
