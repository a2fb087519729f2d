// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The blocks of a composite data set as one surface.
#ifndef vmcJoinedBlocks_h
#define vmcJoinedBlocks_h

#include <string>
#include <vector>

class vtkDataObject;
class vtkInformation;
class vtkMultiProcessController;
class vtkPolyData;

namespace vmc::filters
{

class ContourParts;

// Cell arrays with the level and the flat index of the block to which the sample id of a triangle belongs.
constexpr const char* SampleLevelsName = "SampleLevels";
constexpr const char* SampleBlocksName = "SampleBlocks";

// Adds the blocks of a composite data set to the parts: all blocks of one lattice are one part, and a block alone is an
// image. In one of several pieces whose processes are not joined, blocks of one level with ghost cells are images, too.
// Returns warnings. Blocks whose samples cannot be found are errors, and are left out. If the data set contradicts
// itself, this is an error, and there are no parts. info: of the input. ranks: whose blocks are joined
// (levelsFromData), all of which call this; null: those of this process.
std::vector<std::string> addGroups(
  ContourParts& parts, vtkInformation* info, vtkMultiProcessController* ranks = nullptr);

// Appends the outputs of all parts, which must be contoured. The result has the arrays that all of them have, and the
// field data of the input. A single output is not copied.
void joinOutputs(ContourParts& parts, vtkDataObject* input, vtkPolyData* output);

}

#endif
