// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The processes that execute one pipeline together.
#ifndef vmcRanks_h
#define vmcRanks_h

#include <string>
#include <vector>

class vtkInformation;
class vtkMultiProcessController;

namespace vmc::filters
{

// Returns whether there are no other ranks. controller: null for one rank.
bool isAlone(vtkMultiProcessController* controller);

// Returns the global controller if its processes make one piece of the output each, or else null. All of them execute
// the filter then. info: of the input.
vtkMultiProcessController* ranksOf(vtkInformation* info);

// Returns the message of the first rank that has one; empty if none has. It may contain any bytes. All ranks must call
// this.
std::string firstMessage(const std::string& own, vtkMultiProcessController* controller);

// Returns the sums of the numbers of all ranks, which have equally many, added in the order of the ranks. All ranks
// must call this.
std::vector<double> sumsOfRanks(const std::vector<double>& own, vtkMultiProcessController* controller);

}

#endif
