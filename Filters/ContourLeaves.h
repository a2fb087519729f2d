// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The input of a run of the filter, leaf by leaf.
#ifndef vmcContourLeaves_h
#define vmcContourLeaves_h

#include "vtkDataObject.h"
#include "vtkSmartPointer.h"

#include <cstddef>
#include <string>
#include <vector>

class vtkInformation;

namespace vmc::filters
{

class ContourParts;

// Returns the type of the filter's output for an input of this type: vtkPolyData for an image or grid, and for a
// composite data set whose blocks are joined. Leaf by leaf: the type of the input for a tree of data sets, and
// vtkMultiBlockDataSet for other composite data sets (AMR). input: null: an image.
vtkSmartPointer<vtkDataObject> newOutputFor(vtkDataObject* input, bool joinsBlocks);

// Makes an empty output for each leaf of a composite data set, or for the one image or grid that is the input, and adds
// the leaves that are images or grids to the parts. Returns warnings. info: of the input. output: a data set of the
// leaves' outputs (see newOutputFor).
std::vector<std::string> addLeaves(ContourParts& parts, vtkInformation* info, vtkDataObject* output);

// The warning that so many of the blocks of the input are neither images nor rectilinear grids.
std::string warningOfOtherBlocks(std::size_t otherBlocks, std::size_t blocks);

}

#endif
