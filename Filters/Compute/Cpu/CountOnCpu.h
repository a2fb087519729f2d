// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Histograms of volumes, on threads of the CPU.
#ifndef vmcCountOnCpu_h
#define vmcCountOnCpu_h

#include "Compute/Histogram/ValueCounts.h"
#include "Compute/Volume/Report.h"
#include "Compute/Volume/Volume.h"

#include <optional>
#include <vector>

namespace vmc
{

// These functions add their time to the report. The number of threads does not change their results. The first two set
// the device of the report.

// Returns the range of the samples without flags (Volume::ghosts) that are finite; empty if there is none. Of 64-bit
// integers, the bounds are rounded to double away from the range.
std::optional<SampleRange> findRangeOnCpu(const Volume& volume, const CountLimits& limits, Report& report);

// Counts the samples of the image, without padding, and the dual cells of the grid, with padding. A dual cell is cut if
// at least one corner is inside (sample >= centre) and at least one is not. It is valid if no corner is blank (NaN or
// flag Blank), and its minimum corner is owned (see Padding and Ghost).
ValueCounts countOnCpu(const Volume& volume, const Bins& bins, const CountLimits& limits, Report& report);

// Returns ValueCounts::volumes. Throws Unsupported if the numbers of coordinates and of samples differ.
std::vector<double> sumVolumesOnCpu(const Volume& volume, const Bins& bins, const CountLimits& limits, Report& report);

}

#endif
