// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The regions of a surface, among which some can be chosen.
#ifndef vmcFoundRegions_h
#define vmcFoundRegions_h

#include "Compute/Contour/Surface.h"
#include "Compute/Measure/FinishMesh.h"
#include "Compute/Measure/JoinRegions.h"
#include "Compute/Measure/RegionTable.h"
#include "Compute/Volume/Report.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace vmc
{

// The properties of regions that are to be found.
struct RegionRequest
{
  RegionChoice choice;
  bool withMeasures = false;                      // all measures of each region, not only what the choice needs
  std::vector<std::vector<Output>> outputs{};     // [mesh]: the rows of its arrays
  std::vector<std::vector<BorderSide>> borders{}; // [mesh]: the sides of its domain

  // Returns the request for the extraction of the surface. finished: the one that it is completed with.
  Request extraction(const Request& finished) const
  {
    Request request = finished.unfinished();
    request.findOpenEnds = finished.computeMeasures || this->withMeasures || this->choice.needsBorder();
    return request;
  }
};

// Holds a surface until its regions have been chosen.
class FoundRegions
{
public:
  FoundRegions() = default;
  virtual ~FoundRegions() = default;
  FoundRegions(const FoundRegions&) = delete;
  FoundRegions& operator=(const FoundRegions&) = delete;

  // Returns the regions of each mesh by their numbers: [mesh][region].
  const std::vector<std::vector<SurfaceRegion>>& table() const { return this->Table; }

  // Adds the open edges of a mesh on the host (see PieceRegions::add).
  virtual void addOpenEdges(std::size_t mesh, std::size_t firstRegion, int surface, const std::array<int, 3>& origin,
    PieceRegions& piece) const = 0;

  // Returns the surface of the request, with the chosen regions of each mesh. Adds to the report. Call it once. Throws
  // OutOfMemory, OutOfHostMemory, DeviceLost, Internal.
  virtual Surface finish(const std::vector<ChosenRegions>& chosen, Report& report) = 0;

protected:
  std::vector<std::vector<SurfaceRegion>> Table;
};

// The regions of a surface in host memory.
class HostRegions : public FoundRegions
{
public:
  // surface: of wanted.extraction(request). memory: must outlive this object. Adds to the report. Throws
  // OutOfHostMemory.
  HostRegions(
    Surface surface, const Request& request, const RegionRequest& wanted, HostMemoryPool& memory, Report& report);

  void addOpenEdges(std::size_t mesh, std::size_t firstRegion, int surface, const std::array<int, 3>& origin,
    PieceRegions& piece) const override;
  Surface finish(const std::vector<ChosenRegions>& chosen, Report& report) override;

private:
  Surface InputSurface;
  const std::vector<std::vector<Output>> Outputs;
  const Request InputRequest;
  HostMemoryPool& Memory;
  std::vector<MeshRegions> Regions; // [mesh]
};

}

#endif
