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
#include "Compute/Measure/JoinRegions.h"
#include "Compute/Measure/RegionTable.h"
#include "Compute/Memory/HostMemoryPool.h"

#include <array>
#include <cstddef>
#include <vector>

class vtkMultiProcessController;

namespace vmc::filters
{

// Finds the regions of the surfaces of a run, and keeps those that the settings choose among all of them. The surfaces
// must be extracted with engineRequest().
class SurfaceRegions
{
public:
  // ranks: see ranksOf; the regions and measures are those of the surfaces of all ranks then.
  SurfaceRegions(
    vtkVulkanMarchingCubes& settings, const vmc::Request& request, vtkMultiProcessController* ranks = nullptr);

  // Returns whether the meshes of the engine are to be completed by finish().
  bool completeMeshes() const;
  // Returns whether all ranks must call finish(), with or without surfaces.
  bool joinRanks() const { return this->Ranks != nullptr; }
  vmc::Request engineRequest() const;

  // A mesh in host memory. All pointers must outlive the call of finish().
  struct Surface
  {
    vmc::Mesh* mesh;
    std::vector<vmc::Attribute> attributes;
    std::vector<vmc::BorderSide> border; // of the domain of the surface
    vmc::HostMemoryPool* memory;
    int number = -1;                         // of a surface of which other ranks have pieces, on all of them; else -1
    std::array<int, 3> origin = { 0, 0, 0 }; // the first sample of a volume, counted on all ranks
  };

  // Completes the meshes: removes regions, and adds the arrays of the request. Throws OutOfHostMemory; then the meshes
  // are of no use.
  void finish(const std::vector<Surface>& surfaces, vmc::Report& report);

  // Adds the measures and regions of finished surfaces to the results, if they are requested.
  void addTo(vtkVulkanMarchingCubes::Run& run, const std::vector<const vmc::Mesh*>& meshes) const;

private:
  // The regions of the surfaces of this rank. numberOf: in the list of all regions.
  struct Found
  {
    std::vector<vmc::MeshRegions> ofMeshes; // [surface]
    vmc::PieceRegions piece;
    std::vector<std::uint32_t> numberOf; // [region of the piece]
  };

  Found find(const std::vector<Surface>& surfaces) const;
  std::vector<vmc::SurfaceRegion> joined(Found& found) const;
  void complete(const std::vector<Surface>& surfaces, Found found, const std::vector<std::uint8_t>& isKept,
    const std::vector<std::int32_t>& order) const;
  vmc::SurfaceMeasures measuresOf(std::size_t isovalue) const;

  const vmc::Request Request;
  const vmc::RegionChoice Choice;
  const bool AreNeeded;
  vtkMultiProcessController* const Ranks; // null: one rank, or there is nothing to join
  std::vector<vmc::SurfaceRegion> Kept;   // by ranks
};

}

#endif
