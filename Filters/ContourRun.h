// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The settings, the input and the results of a run, for the filters and the mapper.
#ifndef vmcContourRun_h
#define vmcContourRun_h

#include "vtkSmartPointer.h"
#include "vtkTable.h"
#include "vtkType.h"
#include "vtkVulkanMarchingCubes.h"

#include "Compute/Contour/Request.h"
#include "Compute/Volume/Report.h"

#include <string>

class vtkImageData;
class vtkInformation;
class vtkObject;

namespace vmc
{
struct RegionChoice;
}

// The results of a run.
struct vtkVulkanMarchingCubes::Run
{
  vtkVulkanDeviceResults devices;
  vmc::Report report;
  vtkIdType points = 0, triangles = 0;
  vtkSmartPointer<vtkTable> measures, regions; // see SurfaceTables.h; null if they are not requested
};

namespace vmc::filters
{

struct SampleChoice;

// Returns whether the output is one of several pieces. info: of the input, or null.
bool isPiece(vtkInformation* info);

// Requests so many layers of ghost cells from the input, in addition to those that the output needs, if the output is
// one of several pieces.
void requestGhostLevels(vtkInformation* outInfo, vtkInformation* inInfo, int levels);

// Returns the name in the information of an array to process; empty: the active array.
std::string nameOfChosenArray(vtkInformation* chosen);

// Returns the component to process, as in SampleChoice. Since VTK 9.6, SetInputArrayToProcess can name one in `chosen`,
// the information of the array; otherwise this is `own`, the algorithm's property.
int componentOf(vtkInformation* chosen, int own);

// Sets the extents of the choice. info: of the input; null: the image is not a piece.
void setExtents(SampleChoice& choice, vtkInformation* info, vtkImageData* image);

// Returns the outputs that the settings request.
vmc::Request requestOf(vtkVulkanMarchingCubes& settings);

// Returns the regions that the settings keep.
vmc::RegionChoice regionChoiceOf(vtkVulkanMarchingCubes& settings);

// Returns the samples that the settings select of this image. If there is no array, because a rank has no piece, the
// scalars have the name of the requested array. info: of the input; null: the image is a leaf of a composite data set.
SampleChoice choiceOf(
  vtkVulkanMarchingCubes& settings, const vmc::Request& request, vtkInformation* info, vtkImageData* image);

// Warns that the CPU computes the surface, and of devices that were left out, once per process and reason. Empty: there
// is no reason to warn.
void warnOfDevices(vtkObject* caller, const std::string& fallbackReason, const std::string& leftOut);

}

#endif
