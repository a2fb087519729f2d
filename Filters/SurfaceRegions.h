// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The regions and the measures of the surfaces of a run.
#ifndef vmcSurfaceRegions_h
#define vmcSurfaceRegions_h

#include "ContourRun.h"

#include "Compute/Contour/Mesh.h"
#include "Compute/Contour/Outputs.h"
#include "Compute/Contour/Request.h"
#include "Compute/Measure/FinishMesh.h"
#include "Compute/Measure/RegionTable.h"
#include "Compute/Memory/HostMemoryPool.h"

#include <vector>

namespace vmc::filters
{

// Finds the regions of the surfaces of a run, and keeps those that the settings choose among all of them. The surfaces
// must be extracted with engineRequest().
class SurfaceRegions
{
public:
  SurfaceRegions(vtkVulkanMarchingCubes& settings, const vmc::Request& request);

  // Returns whether regions must be found.
  bool areNeeded() const { return this->AreNeeded; }
  // Returns whether the meshes of the engine are to be completed by finish().
  bool completeMeshes() const;
  vmc::Request engineRequest() const { return this->completeMeshes() ? this->Request.unfinished() : this->Request; }

  // A mesh in host memory. All pointers must outlive the call of finish().
  struct Surface
  {
    vmc::Mesh* mesh;
    std::vector<vmc::Output> outputs;
    std::vector<vmc::BorderSide> border; // of the domain of the surface
    vmc::HostMemoryPool* memory;
  };

  // Completes the meshes: removes regions, and adds the arrays of the request. Throws OutOfHostMemory; then the meshes
  // are of no use.
  void finish(std::vector<Surface> surfaces, vmc::Report& report);

  // Adds the measures and regions of finished surfaces to the results, if they are requested.
  void addTo(vtkVulkanMarchingCubes::Run& run, const std::vector<const vmc::Mesh*>& meshes) const;

private:
  const vmc::Request Request;
  const vmc::RegionChoice Choice;
  const bool AreNeeded;
  std::vector<vmc::SurfaceRegion> Kept; // by ranks
};

}

#endif
