// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "SurfaceRegions.h"

#include "RegionsOfRanks.h"
#include "SurfaceTables.h"

#include "Compute/Contour/Outputs.h"
#include "Compute/System/Error.h"
#include "Compute/System/Stage.h"

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

// Returns the request without the outputs and borders of meshes.
vmc::RegionRequest SurfaceRegions::regionRequest() const
{
  return { this->Choice, this->Request.computeRegions || (this->joinRanks() && this->Request.computeMeasures) };
}

// The open edges of a surface on several ranks follow from those of its pieces.
vmc::Request SurfaceRegions::engineRequest() const
{
  if (!this->completeMeshes())
    return this->Request;
  vmc::Request request = this->regionRequest().extraction(this->Request);
  request.nameOpenEdges = this->joinRanks();
  return request;
}

void SurfaceRegions::find(vmc::Session& session, vmc::Surface surface, std::vector<Part> parts, vmc::Report& report)
{
  std::unique_ptr<vmc::FoundRegions> regions = this->found(session, std::move(surface), parts, report);
  this->Surfaces.push_back({ std::move(regions), std::move(parts), {} });
}

void SurfaceRegions::findAgain(std::size_t number, vmc::Session& session, vmc::Surface surface, vmc::Report& report)
{
  FoundSurface& again = this->Surfaces[number];
  again.regions = this->found(session, std::move(surface), again.parts, report);
  for (std::size_t i = 0; i < again.chosen.size(); ++i)
    if (again.regions->table()[i].size() != again.chosen[i].isKept.size())
      throw vmc::Error(vmc::Error::Kind::Internal, "Two engines have found different numbers of regions.");
}

// On several ranks, the measures of a surface follow from the sums of its regions.
std::unique_ptr<vmc::FoundRegions> SurfaceRegions::found(
  vmc::Session& session, vmc::Surface surface, const std::vector<Part>& parts, vmc::Report& report) const
{
  vmc::Request request = this->Request;
  request.computeMeasures = request.computeMeasures && !this->joinRanks();
  vmc::RegionRequest wanted = this->regionRequest();
  for (std::size_t i = 0; i < parts.size(); ++i)
  {
    wanted.outputs.push_back(vmc::outputsOf(this->Request.unfinished(), parts[i].attributes));
    wanted.borders.push_back(parts[i].border);
    if (this->joinRanks() && parts[i].number >= 0)
      surface.meshes[i].openEnds.clear(); // which edges are open follows when the ranks are joined
  }
  return session.findRegions(std::move(surface), request, wanted, report);
}

// Returns the regions of the surfaces of this rank.
vmc::PieceRegions SurfaceRegions::own() const
{
  vmc::PieceRegions piece;
  for (const FoundSurface& surface : this->Surfaces)
    for (std::size_t i = 0; i < surface.parts.size(); ++i)
    {
      const std::size_t first = piece.regions.size();
      const std::vector<vmc::SurfaceRegion>& table = surface.regions->table()[i];
      piece.regions.insert(piece.regions.end(), table.begin(), table.end());
      if (this->joinRanks() && surface.parts[i].number >= 0)
        surface.regions->addOpenEdges(i, first, surface.parts[i].number, surface.parts[i].origin, piece);
    }
  return piece;
}

// After an error, other ranks wait for the regions of this one.
SurfaceRegions::AllRegions SurfaceRegions::all() const
{
  vmc::PieceRegions piece;
  std::exception_ptr failure;
  try
  {
    piece = this->own();
  }
  catch (...)
  {
    failure = std::current_exception();
    piece = {};
  }
  const std::vector<vmc::PieceRegions> pieces =
    this->joinRanks() ? ofAllRanks(piece, this->Ranks) : std::vector<vmc::PieceRegions>();
  if (failure)
    std::rethrow_exception(failure);
  if (this->joinRanks())
  {
    vmc::JoinedRegions joined = vmc::joinRegions(pieces);
    const auto rank = static_cast<std::size_t>(this->Ranks->GetLocalProcessId());
    return { std::move(joined.regions), std::move(joined.numberOf[rank]) };
  }
  AllRegions all{ std::move(piece.regions), {} };
  all.numberOf.resize(all.regions.size());
  std::iota(all.numberOf.begin(), all.numberOf.end(), 0u);
  return all;
}

void SurfaceRegions::choose(vmc::Report& report)
{
  const vmc::HostClock clock;
  const AllRegions all = this->all();
  const std::vector<std::uint8_t> isKept = vmc::chosenOf(all.regions, this->Choice);
  const std::vector<std::int32_t> order =
    this->Request.computeRegions ? vmc::ranksOf(all.regions, isKept) : std::vector<std::int32_t>(isKept.size());
  this->Kept.resize(static_cast<std::size_t>(std::count(isKept.begin(), isKept.end(), 1)));
  std::size_t next = 0;
  for (std::size_t i = 0; i < isKept.size(); ++i)
    if (isKept[i] != 0)
      this->Kept[this->Request.computeRegions ? static_cast<std::size_t>(order[i]) : next++] = all.regions[i];

  auto number = all.numberOf.begin();
  for (FoundSurface& surface : this->Surfaces)
    for (const std::vector<vmc::SurfaceRegion>& table : surface.regions->table())
    {
      vmc::ChosenRegions& ofMesh = surface.chosen.emplace_back();
      for (const auto end = number + static_cast<std::ptrdiff_t>(table.size()); number != end; ++number)
      {
        ofMesh.isKept.push_back(isKept[*number]);
        ofMesh.rank.push_back(order[*number]);
      }
    }
  report.stages.add(vmc::Stage::FindRegions, clock.milliseconds());
}

vmc::Surface SurfaceRegions::finish(std::size_t number, vmc::Report& report)
{
  FoundSurface& surface = this->Surfaces[number];
  const std::unique_ptr<vmc::FoundRegions> regions = std::move(surface.regions);
  return regions->finish(surface.chosen, report);
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
