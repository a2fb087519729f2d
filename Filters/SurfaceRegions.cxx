// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "SurfaceRegions.h"

#include "RegionsOfRanks.h"
#include "SurfaceTables.h"

#include "Compute/System/Stage.h"
#include "Compute/System/Threads.h"

#include "vtkMultiProcessController.h"

#include <algorithm>
#include <exception>
#include <numeric>
#include <utility>

namespace vmc::filters
{

SurfaceRegions::SurfaceRegions(
  vtkVulkanMarchingCubes& settings, const vmc::Request& request, vtkMultiProcessController* ranks)
  : Request(request)
  , Choice(regionChoiceOf(settings))
  , AreNeeded(request.computeRegions || this->Choice.keep != vmc::RegionChoice::Keep::All)
  , Ranks(this->AreNeeded || request.computeMeasures ? ranks : nullptr)
{
}

bool SurfaceRegions::completeMeshes() const
{
  return this->AreNeeded || this->joinRanks() || (this->Request.computeMeasures && !this->Request.mergePoints);
}

// The open edges of a surface on several ranks follow from those of its pieces.
vmc::Request SurfaceRegions::engineRequest() const
{
  if (!this->completeMeshes())
    return this->Request;
  vmc::Request request = this->Request.unfinished();
  request.nameOpenEdges = this->joinRanks();
  return request;
}

// On several ranks, the measures of a surface follow from the sums of its regions.
SurfaceRegions::Found SurfaceRegions::find(const std::vector<Surface>& surfaces) const
{
  const unsigned threads = vmc::usableThreads(this->Request.threads);
  const bool withMeasures = this->Request.computeRegions || (this->joinRanks() && this->Request.computeMeasures);
  Found found;
  for (const Surface& surface : surfaces)
  {
    const bool isShared = this->joinRanks() && surface.number >= 0;
    if (isShared)
      surface.mesh->openEnds.clear();
    const vmc::MeshRegions& ofMesh =
      found.ofMeshes.emplace_back(vmc::findRegions(*surface.mesh, *surface.memory, threads));
    std::vector<vmc::SurfaceRegion>& all = found.piece.regions;
    const std::size_t first = all.size();
    const std::vector<vmc::SurfaceRegion> table =
      vmc::regionsOf(*surface.mesh, ofMesh, this->Choice, withMeasures, surface.border, threads);
    all.insert(all.end(), table.begin(), table.end());
    if (isShared)
      found.piece.add(*surface.mesh, ofMesh, first, surface.number, surface.origin);
  }
  return found;
}

// Returns the regions of all ranks.
std::vector<vmc::SurfaceRegion> SurfaceRegions::joined(Found& found) const
{
  if (!this->joinRanks())
  {
    found.numberOf.resize(found.piece.regions.size());
    std::iota(found.numberOf.begin(), found.numberOf.end(), 0u);
    return std::move(found.piece.regions);
  }
  vmc::JoinedRegions joined = vmc::joinRegions(ofAllRanks(found.piece, this->Ranks));
  found.numberOf = std::move(joined.numberOf[static_cast<std::size_t>(this->Ranks->GetLocalProcessId())]);
  return std::move(joined.regions);
}

// isKept, order: [region of all].
void SurfaceRegions::complete(const std::vector<Surface>& surfaces, Found found,
  const std::vector<std::uint8_t>& isKept, const std::vector<std::int32_t>& order) const
{
  const unsigned threads = vmc::usableThreads(this->Request.threads);
  vmc::Request request = this->Request;
  request.computeMeasures = request.computeMeasures && !this->joinRanks();
  auto number = found.numberOf.begin();
  for (std::size_t i = 0; i < surfaces.size(); ++i)
  {
    const Surface& surface = surfaces[i];
    vmc::ChosenRegions chosen;
    for (const auto end = number + static_cast<std::ptrdiff_t>(found.ofMeshes[i].count()); number != end; ++number)
    {
      chosen.isKept.push_back(isKept[*number]);
      chosen.rank.push_back(order[*number]);
    }
    const std::vector<vmc::Output> outputs = vmc::outputsOf(this->Request.unfinished(), surface.attributes);
    vmc::finishMesh(*surface.mesh, std::move(found.ofMeshes[i]), chosen, outputs, request, *surface.memory, threads);
    std::vector<vmc::Mesh> meshes(1);
    meshes.front() = std::move(*surface.mesh);
    vmc::addCountedArrays(meshes, this->Request, *surface.memory, threads);
    *surface.mesh = std::move(meshes.front());
  }
}

void SurfaceRegions::finish(const std::vector<Surface>& surfaces, vmc::Report& report)
{
  const vmc::HostClock clock;
  Found found;
  std::exception_ptr failure;
  try
  {
    found = this->find(surfaces);
  }
  catch (...)
  {
    failure = std::current_exception();
  }
  if (failure && !this->joinRanks())
    std::rethrow_exception(failure);
  const std::vector<vmc::SurfaceRegion> all = this->joined(found); // also after a failure: other ranks wait for it
  if (failure)
    std::rethrow_exception(failure);
  const std::vector<std::uint8_t> isKept = vmc::chosenOf(all, this->Choice);
  const std::vector<std::int32_t> order =
    this->Request.computeRegions ? vmc::ranksOf(all, isKept) : std::vector<std::int32_t>(all.size());
  report.stages.add(vmc::Stage::FindRegions, clock.milliseconds());

  const vmc::HostClock keepClock;
  this->complete(surfaces, std::move(found), isKept, order);
  this->Kept.resize(static_cast<std::size_t>(std::count(isKept.begin(), isKept.end(), 1)));
  std::size_t next = 0;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (isKept[i] != 0)
      this->Kept[this->Request.computeRegions ? static_cast<std::size_t>(order[i]) : next++] = all[i];
  report.stages.add(vmc::Stage::KeepRegions, keepClock.milliseconds());
}

// Returns the measures of the surface of an isovalue on all ranks.
vmc::SurfaceMeasures SurfaceRegions::measuresOf(std::size_t isovalue) const
{
  std::vector<const vmc::SurfaceRegion*> regions;
  for (const vmc::SurfaceRegion& region : this->Kept)
    if (region.isovalue == isovalue)
      regions.push_back(&region);
  return vmc::measuresOf(regions);
}

void SurfaceRegions::addTo(vtkVulkanMarchingCubes::Run& run, const std::vector<const vmc::Mesh*>& meshes) const
{
  run.measures = run.regions = nullptr;
  if (!this->AreNeeded && !this->Request.computeMeasures)
    return;
  std::vector<MeasuredSurface> surfaces(this->Request.isovalues.size());
  for (std::size_t i = 0; i < surfaces.size() && this->joinRanks(); ++i)
    surfaces[i].measures = this->measuresOf(i);
  for (const vmc::Mesh* const mesh : meshes)
    for (std::size_t i = 0; i < surfaces.size() && !this->joinRanks(); ++i)
      if (this->Request.computeMeasures)
        surfaces[i].measures.add(mesh->measures[i]);
      else
        surfaces[i].measures.triangles += mesh->firstTriangle[i + 1] - mesh->firstTriangle[i];
  for (const vmc::SurfaceRegion& region : this->Kept)
    ++surfaces[region.isovalue].regions;
  run.measures = vtkSmartPointer<vtkTable>::New();
  fillMeasures(surfaces, this->Request.isovalues, this->Request.computeMeasures, this->AreNeeded, run.measures);
  const bool isFirstRank = !this->joinRanks() || this->Ranks->GetLocalProcessId() == 0; // a client gets all tables
  if (!this->Request.computeRegions || !isFirstRank)
    return;
  run.regions = vtkSmartPointer<vtkTable>::New();
  fillRegions(this->Kept, this->Request.isovalues, run.regions);
}

}
