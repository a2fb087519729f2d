// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "SurfaceRegions.h"

#include "SurfaceTables.h"

#include "Compute/System/Stage.h"
#include "Compute/System/Threads.h"

#include <algorithm>
#include <utility>

namespace vmc::filters
{

SurfaceRegions::SurfaceRegions(vtkVulkanMarchingCubes& settings, const vmc::Request& request)
  : Request(request)
  , Choice(regionChoiceOf(settings))
  , AreNeeded(request.computeRegions || this->Choice.keep != vmc::RegionChoice::Keep::All)
{
}

bool SurfaceRegions::completeMeshes() const
{
  return this->AreNeeded || (this->Request.computeMeasures && !this->Request.mergePoints);
}

void SurfaceRegions::finish(std::vector<Surface> surfaces, vmc::Report& report)
{
  const vmc::HostClock clock;
  const unsigned threads = vmc::usableThreads(this->Request.threads);
  std::vector<vmc::MeshRegions> regions; // [surface]
  std::vector<vmc::SurfaceRegion> all;
  for (const Surface& surface : surfaces)
  {
    regions.push_back(vmc::findRegions(*surface.mesh, *surface.memory, threads));
    const std::vector<vmc::SurfaceRegion> found = vmc::regionsOf(
      *surface.mesh, regions.back(), this->Choice, this->Request.computeRegions, surface.border, threads);
    all.insert(all.end(), found.begin(), found.end());
  }
  const std::vector<std::uint8_t> isKept = vmc::chosenOf(all, this->Choice);
  const std::vector<std::int32_t> ranks =
    this->Request.computeRegions ? vmc::ranksOf(all, isKept) : std::vector<std::int32_t>(all.size());
  report.stages.add(vmc::Stage::FindRegions, clock.milliseconds());

  const vmc::HostClock keepClock;
  auto first = std::ptrdiff_t(0);
  for (std::size_t i = 0; i < surfaces.size(); ++i)
  {
    const Surface& surface = surfaces[i];
    const std::ptrdiff_t last = first + static_cast<std::ptrdiff_t>(regions[i].count());
    const vmc::ChosenRegions chosen{ { isKept.begin() + first, isKept.begin() + last },
      { ranks.begin() + first, ranks.begin() + last } };
    vmc::finishMesh(
      *surface.mesh, std::move(regions[i]), chosen, surface.outputs, this->Request, *surface.memory, threads);
    std::vector<vmc::Mesh> meshes(1);
    meshes.front() = std::move(*surface.mesh);
    vmc::addCountedArrays(meshes, this->Request, *surface.memory, threads);
    *surface.mesh = std::move(meshes.front());
    first = last;
  }
  this->Kept.resize(static_cast<std::size_t>(std::count(isKept.begin(), isKept.end(), 1)));
  std::size_t next = 0;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (isKept[i] != 0)
      this->Kept[this->Request.computeRegions ? static_cast<std::size_t>(ranks[i]) : next++] = all[i];
  report.stages.add(vmc::Stage::KeepRegions, keepClock.milliseconds());
}

void SurfaceRegions::addTo(vtkVulkanMarchingCubes::Run& run, const std::vector<const vmc::Mesh*>& meshes) const
{
  run.measures = run.regions = nullptr;
  if (!this->AreNeeded && !this->Request.computeMeasures)
    return;
  std::vector<MeasuredSurface> surfaces(this->Request.isovalues.size());
  for (const vmc::Mesh* const mesh : meshes)
    for (std::size_t i = 0; i < surfaces.size(); ++i)
      if (this->Request.computeMeasures)
        surfaces[i].measures.add(mesh->measures[i]);
      else
        surfaces[i].measures.triangles += mesh->firstTriangle[i + 1] - mesh->firstTriangle[i];
  for (const vmc::SurfaceRegion& region : this->Kept)
    ++surfaces[region.isovalue].regions;
  run.measures = vtkSmartPointer<vtkTable>::New();
  fillMeasures(surfaces, this->Request.isovalues, this->Request.computeMeasures, this->AreNeeded, run.measures);
  if (!this->Request.computeRegions)
    return;
  run.regions = vtkSmartPointer<vtkTable>::New();
  fillRegions(this->Kept, this->Request.isovalues, run.regions);
}

}
