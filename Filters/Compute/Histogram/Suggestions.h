// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Suggested isovalues, from the counts of a histogram.
#ifndef vmcSuggestions_h
#define vmcSuggestions_h

#include "Compute/Histogram/Bins.h"
#include "Compute/Histogram/ValueCounts.h"

#include <optional>

namespace vmc
{

// The threshold that separates the samples into two classes with the largest variance between them (N. Otsu, "A
// threshold selection method from gray-level histograms", IEEE Trans. Systems, Man, and Cybernetics 9(1), 1979). The
// fullest bin is left out, because most volumes consist mainly of background, which would be one of the two classes. If
// the other samples are in less than two bins, it is not left out. Several equally good thresholds: the middle one. The
// result is the centre of a bin that cuts cells, the nearest one to the threshold. Empty if no bin cuts cells, or if
// all samples are in one bin.
std::optional<double> otsuThreshold(const Bins& bins, const ValueCounts& counts);

// The centre of the bin that cuts most cells; of several such bins, the lowest one. Empty if no bin cuts cells.
std::optional<double> mostCutCells(const Bins& bins, const ValueCounts& counts);

}

#endif
