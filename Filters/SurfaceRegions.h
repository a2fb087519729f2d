// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The regions and the measures of the surfaces of a run.
#ifndef vmcSurfaceRegions_h
#define vmcSurfaceRegions_h

#include "ContourRun.h"

#include "Compute/Contour/Mesh.h"
#include "Compute/Contour/Request.h"
#include "Compute/Measure/FoundRegions.h"
#include "Compute/Measure/RegionTable.h"
#include "Compute/Session.h"
#include "Compute/Volume/Report.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

class vtkMultiProcessController;

namespace vmc::filters
{

// Finds the regions of the surfaces of a run, and keeps those that the settings choose among all of them. The surfaces
// must be extracted with engineRequest(). They are numbered in the order of the calls of find().
class SurfaceRegions
{
public:
  // ranks: see ranksOf; the regions and measures are those of the surfaces of all ranks then.
  SurfaceRegions(
    vtkVulkanMarchingCubes& settings, const vmc::Request& request, vtkMultiProcessController* ranks = nullptr);

  // Returns whether the meshes of the engine are to be completed by finish().
  bool completeMeshes() const;
  // Returns whether all ranks must call choose(), with or without surfaces.
  bool joinRanks() const { return this->Ranks != nullptr; }
  vtkMultiProcessController* ranks() const { return this->Ranks; } // null: there is nothing to join
  vmc::Request engineRequest() const;
  const vmc::Request& request() const { return this->Request; }

  // A mesh of a surface.
  struct Part
  {
    std::vector<vmc::Attribute> attributes;
    std::vector<vmc::BorderSide> border;     // of the domain of the mesh
    int number = -1;                         // of a surface of which other ranks have pieces, on all of them; else -1
    std::array<int, 3> origin = { 0, 0, 0 }; // the first sample of a volume, counted on all ranks
  };

  // Finds the regions of a surface of an engine. parts: of its meshes. Throws as vmc::Session::findRegions.
  void find(vmc::Session& session, vmc::Surface surface, std::vector<Part> parts, vmc::Report& report);
  // Returns the number of surfaces.
  std::size_t size() const { return this->Surfaces.size(); }

  // Chooses among the regions of all surfaces. Call it once.
  void choose(vmc::Report& report);
  // Returns a surface with its chosen regions. Throws as vmc::FoundRegions::finish; then, or to get it a second time,
  // call findAgain().
  vmc::Surface finish(std::size_t number, vmc::Report& report);
  // Finds the regions of a surface that was extracted again, on any engine: they have the same numbers. Throws as
  // find().
  void findAgain(std::size_t number, vmc::Session& session, vmc::Surface surface, vmc::Report& report);

  // Adds the measures and regions of finished surfaces to the results, if they are requested.
  void addTo(vtkVulkanMarchingCubes::Run& run, const std::vector<const vmc::Mesh*>& meshes) const;

private:
  struct FoundSurface
  {
    std::unique_ptr<vmc::FoundRegions> regions; // null: it was finished
    std::vector<Part> parts;
    std::vector<vmc::ChosenRegions> chosen; // [mesh]
  };

  // The regions of all ranks, and where those of this rank are among them.
  struct AllRegions
  {
    std::vector<vmc::SurfaceRegion> regions;
    std::vector<std::uint32_t> numberOf; // [region of this rank]
  };

  vmc::RegionRequest regionRequest() const;
  std::unique_ptr<vmc::FoundRegions> found(
    vmc::Session& session, vmc::Surface surface, const std::vector<Part>& parts, vmc::Report& report) const;
  vmc::PieceRegions own() const;
  AllRegions all() const;
  vmc::SurfaceMeasures measuresOf(std::size_t isovalue) const;

  const vmc::Request Request;
  const vmc::RegionChoice Choice;
  const bool AreNeeded;
  vtkMultiProcessController* const Ranks; // null: one rank, or there is nothing to join
  std::vector<FoundSurface> Surfaces;
  std::vector<vmc::SurfaceRegion> Kept; // by ranks
};

}

#endif
