// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Histograms of volumes, on threads of the host.
#ifndef vmcHostHistogram_h
#define vmcHostHistogram_h

#include "Compute/Histogram/ValueCounts.h"
#include "Compute/System/Parallel.h"
#include "Compute/Volume/Volume.h"

#include <optional>

namespace vmc
{

struct SampleRange
{
  double smallest = 0;
  double largest = 0;
};

// The range of the samples without flags (Volume::ghosts) that are finite; empty if there is none. Of 64-bit integers,
// the bounds are rounded to double away from the range. Uses at most so many threads.
std::optional<SampleRange> rangeOnHost(const Volume& volume, unsigned threads = processorThreads());

// Counts the samples of the image, without padding, and the dual cells of the grid, with padding. A dual cell is cut if
// at least one corner is inside (sample >= centre) and at least one is not. It is valid if no corner is blank (NaN or
// flag Blank), and its minimum corner is owned (see Padding and Ghost). Uses at most so many threads; their number does
// not change the counts.
ValueCounts countOnHost(const Volume& volume, const Bins& bins, unsigned threads = processorThreads());

}

#endif
