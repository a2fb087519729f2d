// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The regions of the pieces of several ranks.
#ifndef vmcRegionsOfRanks_h
#define vmcRegionsOfRanks_h

#include "Compute/Measure/JoinRegions.h"

#include <vector>

class vtkMultiProcessController;

namespace vmc::filters
{

// Returns the pieces of all ranks, in the order of the ranks. All ranks must call this.
std::vector<vmc::PieceRegions> ofAllRanks(const vmc::PieceRegions& own, vtkMultiProcessController* controller);

}

#endif
