// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Histograms of hierarchies of levels, on threads of the CPU.
#ifndef vmcCountLevelsOnCpu_h
#define vmcCountLevelsOnCpu_h

#include "Compute/Cpu/CpuState.h"
#include "Compute/Histogram/ValueCounts.h"
#include "Compute/Volume/Levels.h"
#include "Compute/Volume/Report.h"

#include <optional>
#include <vector>

namespace vmc
{

// Both functions read the bricks of the hierarchies, which the state then holds as after an extraction. They set the
// device of the report and add their time to it. The number of threads does not change their results. Throw as bricksOf
// does.

// Returns the range of the finite values of the leaves of each hierarchy or piece of it, rounded as by findRangeOnCpu;
// empty if there is none.
std::vector<std::optional<SampleRange>> findRangesOnCpu(
  CpuState& state, const std::vector<Levels>& hierarchies, const CountLimits& limits, Report& report);

// Counts the leaves of each level, and the dual cells that the isosurface of a hierarchy consists of. A dual cell
// between several levels is counted with the finest one. A leaf that finer cells cover in part counts as a whole one.
// Cells that finer ones cover, duplicate cells, and those of other pieces are not counted, nor are their dual cells.
// Ghosts are hidden cells. Returns nothing if `progress` stopped it.
std::optional<std::vector<LevelCounts>> countOnCpu(CpuState& state, const std::vector<Levels>& hierarchies,
  const Bins& bins, const CountLimits& limits, Report& report, const Progress& progress);

}

#endif
