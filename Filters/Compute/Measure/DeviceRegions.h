// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The regions of a surface on a device.
#ifndef vmcDeviceRegions_h
#define vmcDeviceRegions_h

#include "Compute/Contour/Surface.h"
#include "Compute/Measure/FinishMesh.h"
#include "Compute/Measure/MeshPasses.h"
#include "Compute/Measure/RegionTable.h"
#include "Compute/System/Stage.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace vmc
{

// The regions of one mesh, with the numbers of findRegions. On the device, they are trees of points.
class DeviceRegions
{
public:
  // Finds the regions. withMeasures: all measures of each region, not only the number of triangles. Throws OutOfMemory.
  DeviceRegions(const Surface& surface, std::size_t mesh, bool withMeasures, CommandRecorder& recorder,
    WordsOnHost& words, StageTimes& times);

  std::vector<SurfaceRegion> takeTable() { return std::move(this->Table); } // [region]

  // The elements that remain of a mesh.
  struct Kept
  {
    Kept(MeshPasses& passes, bool withRanks);

    std::size_t points = 0, triangles = 0;
    std::vector<std::size_t> firstPoint{}, firstTriangle{}; // as those of the mesh
    Region placeOfPoint, placeOfTriangle;                   // see BINDING_PLACE
    Region pointRanks, triangleRanks;                       // see BINDING_REGION_ID; without a buffer unless requested
    PooledBuffer memory, rankMemory;                        // of these
  };
  // Finds the elements of the chosen regions of the table. Throws OutOfMemory.
  Kept keep(const Surface& surface, std::size_t mesh, const std::vector<SurfaceRegion>& table,
    const ChosenRegions& chosen, bool withRanks, CommandRecorder& recorder, WordsOnHost& words,
    StageTimes& times) const;

private:
  void find(MeshPasses& passes, CommandRecorder& recorder, WordsOnHost& words, StageTimes& times);
  void fillTable(
    MeshPasses& passes, bool withMeasures, CommandRecorder& recorder, WordsOnHost& words, StageTimes& times);

  PooledBuffer Memory;
  Region Parents, Numbers, RootsOfRegions; // in it: see BINDING_PARENT, BINDING_REGION, BINDING_REGION_ID
  std::vector<std::uint32_t> Roots;        // [region]: its smallest point
  std::vector<SurfaceRegion> Table;        // by numbers
};

// Returns the surface of the request, on the device, of a surface of Request::unfinished() there: without the regions
// that are not chosen, and measured. regions, tables, chosen: of each mesh. The arrays have the memory of the request,
// or device memory if that is the host's. Throws OutOfMemory.
Surface finishOnDevice(const Surface& surface, const std::vector<std::optional<DeviceRegions>>& regions,
  const std::vector<std::vector<SurfaceRegion>>& tables, const std::vector<ChosenRegions>& chosen,
  const Request& request, CommandRecorder& recorder, WordsOnHost& words, StageTimes& times);

}

#endif
