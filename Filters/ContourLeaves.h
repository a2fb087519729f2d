// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The input of a run of the filter, leaf by leaf.
#ifndef vmcContourLeaves_h
#define vmcContourLeaves_h

#include "ContourRun.h"
#include "MissingSurfaces.h"
#include "SessionUser.h"
#include "VolumeFromImage.h"

#include "vtkImageData.h"
#include "vtkPolyData.h"
#include "vtkSmartPointer.h"
#include "vtkVulkanMarchingCubes.h"

#include "Compute/Contour/Request.h"
#include "Compute/Memory/HostMemoryPool.h"

#include <set>
#include <string>
#include <vector>

class vtkDataObject;
class vtkInformation;

namespace vmc::filters
{

// Returns the type of the filter's output for an input of this type: vtkPolyData for an image or grid, the type of the
// input for a tree of data sets, and vtkMultiBlockDataSet for other composite data sets (AMR). input: null: an image.
vtkSmartPointer<vtkDataObject> newOutputFor(vtkDataObject* input);

// The leaves of a composite data set, or the one image or grid that is the input, with their outputs. A leaf that fails
// has an empty output.
class ContourLeaves
{
public:
  struct Leaf
  {
    vtkSmartPointer<vtkImageData> image; // see imageOf; null: of another type
    vtkInformation* info;                // null: of a composite data set
    vtkSmartPointer<vtkPolyData> output;
    ImageSamples samples;
  };

  // Makes an empty output for each leaf. info: of the input. output: of the type that newOutputFor returns.
  ContourLeaves(vtkVulkanMarchingCubes& filter, SessionUser& sessions, vtkInformation* info, vtkDataObject* output);

  // Finds the samples of all images, and returns the leaves to contour. Images without points get an output without
  // tuples, and so do all images if there are no isovalues.
  const std::vector<Leaf*>& findSamples();

  // Contours these leaves by one call of the engine. If the call fails, contours one leaf after the other.
  void extract(const std::vector<Leaf*>& leaves);

  // Returns the results. Their report has no total time. Empties all outputs if the filter was told to stop.
  vtkVulkanMarchingCubes::Run results();

  // The errors of all leaves. Those that differ in digits only are listed once, as sizes of leaves differ.
  const std::vector<std::string>& errors() const { return this->Errors; }
  std::vector<std::string> warnings() const;

private:
  void add(vtkDataObject* input, vtkInformation* info, vtkPolyData* output);
  void findSamples(Leaf& leaf);
  void wrap(const std::vector<Leaf*>& leaves, vmc::Surface surface, vmc::HostMemoryPool& memory);
  bool mayContinue(double done);
  void fail(Leaf& leaf, const std::string& error);

  vtkVulkanMarchingCubes& Filter;
  SessionUser& Sessions;
  const vmc::Request Request;
  std::vector<Leaf> Leaves;
  std::vector<Leaf*> Contoured; // those with points, if there are isovalues
  int OtherLeaves = 0;          // that are neither vtkImageData nor vtkRectilinearGrid
  bool HasCutSide = false;      // an image ends without ghost cells where another piece begins
  bool IsWhole = true;          // the output is not one of several pieces
  bool IsStopped = false;
  MissingSurfaces Missing;
  vtkVulkanMarchingCubes::Run Results; // of all calls
  std::set<std::string> ErrorsWithoutDigits;
  std::vector<std::string> Errors;
};

}

#endif
