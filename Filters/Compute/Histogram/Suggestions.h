// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Suggested isovalues, from the counts of a histogram.
#ifndef vmcSuggestions_h
#define vmcSuggestions_h

#include "Compute/Histogram/Bins.h"
#include "Compute/Histogram/ValueCounts.h"

#include <optional>
#include <vector>

namespace vmc
{

// The threshold that separates the samples into two classes with the largest variance between them (N. Otsu, "A
// threshold selection method from gray-level histograms", IEEE Trans. Systems, Man, and Cybernetics 9(1), 1979). The
// fullest bin is left out, because most volumes consist mainly of background, which would be one of the two classes. If
// the other samples are in less than two bins, it is not left out. Several equally good thresholds: the middle one. The
// result is the centre of a bin that cuts cells, the nearest one to the threshold. Empty if no bin cuts cells, or if
// all samples are in one bin.
std::optional<double> otsuThreshold(const Bins& bins, const ValueCounts& counts);

// The values between neighbouring peaks of the histogram, in ascending order, at most 15.
//
// Label maps, that is, data whose samples are in at most 16 bins with one integer each: half-way between neighbouring
// labels. Real data is a label map only if no two neighbouring bins have samples.
//
// Other data: the centres of the clear valleys. Three moving averages over 1 / 64 of the bins, and at least 3 bins,
// smooth the counts first. A valley is a bin with a peak on both sides, before any lower bin. It is clear if its count
// is at most 3 / 4 of that of the lower peak, and if the difference is more than 3 standard deviations of the count of
// a bin of that peak (its square root). So a valley is rated by its persistence (H. Edelsbrunner, D. Letscher, A.
// Zomorodian, "Topological persistence and simplification", Discrete & Computational Geometry 28, 2002): neither noise
// on a peak nor few samples between two peaks make further valleys. If there are more than 15, the deepest ones remain.
//
// Values that cut no cells are left out.
std::vector<double> valleysOf(const Bins& bins, const ValueCounts& counts, ValueKind kind);

// The centre of the bin that cuts most cells; of several such bins, the lowest one. Empty if no bin cuts cells.
std::optional<double> mostCutCells(const Bins& bins, const ValueCounts& counts);

}

#endif
