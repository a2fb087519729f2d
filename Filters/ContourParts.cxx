// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "ContourParts.h"

#include "LeafGaps.h"
#include "PolyDataFromMesh.h"
#include "Ranks.h"
#include "SurfaceTables.h"

#include "Compute/Contour/Outputs.h"
#include "Compute/System/Stage.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace vmc::filters
{

namespace
{

std::string withoutDigits(std::string text)
{
  const auto isDigit = [](char letter) { return letter >= '0' && letter <= '9'; };
  text.erase(std::remove_if(text.begin(), text.end(), isDigit), text.end());
  return text;
}

// The sides of the domain of a part.
std::vector<vmc::BorderSide> borderOf(const ContourPart& part)
{
  if (part.isLattice())
    return vmc::borderOf(part.group.levels);
  const std::vector<vmc::BorderSide> all = vmc::borderOf(volumeFromImage(part.samples()));
  std::vector<vmc::BorderSide> sides; // not those to other pieces
  for (std::size_t side = 0; side < all.size(); ++side)
    if (part.samples().isAtBorder[side])
      sides.push_back(all[side]);
  return sides;
}

}

SurfaceRegions::Part regionPartOf(const ContourPart& part)
{
  using Corner = std::array<int, 3>;
  const int* const extent = part.samples().image->GetExtent();
  return { attributesOf(part.samples()), borderOf(part), part.group.sharedNumber,
    part.isLattice() ? Corner{} : Corner{ extent[0], extent[2], extent[4] } };
}

std::optional<vmc::Surface> extractParts(const std::vector<ContourPart*>& parts, vmc::Session& session,
  const SurfaceRegions& regions, vmc::Report& report, const vmc::Progress& progress)
{
  const vmc::Request request = regions.engineRequest();
  const auto extractFrom = [&](const auto& inputs)
  {
    std::optional<vmc::Surface> surface = session.extract(inputs, request, report, progress);
    if (!surface || !regions.request().computeMeasures)
      return surface;
    const std::vector<vmc::DomainShare> shares =
      session.findShares(inputs, request.isovalues, { request.memoryLimit, request.threads }, report);
    for (std::size_t i = 0; i < parts.size(); ++i)
      parts[i]->share = shares[i];
    return surface;
  };
  std::vector<vmc::Levels> lattices;
  std::vector<vmc::Volume> images;
  for (const ContourPart* const part : parts)
    if (part->isLattice())
      lattices.push_back(part->group.levels);
    else
      images.push_back(volumeFromImage(part->samples()));
  return lattices.empty() ? extractFrom(images) : extractFrom(lattices);
}

ContourParts::ContourParts(
  vtkVulkanMarchingCubes& filter, SessionUser& sessions, vtkInformation* info, vtkMultiProcessController* ranks)
  : Filter(filter)
  , Sessions(sessions)
  , Request(requestOf(filter))
  , Regions(filter, this->Request, ranks)
  , IsWhole(!isPiece(info))
{
}

ContourParts::ContourParts(vtkVulkanMarchingCubes& filter, SessionUser& sessions, vtkInformation* info,
  vmc::Request request, std::string attribute)
  : Filter(filter)
  , Sessions(sessions)
  , Request(std::move(request))
  , Attribute(std::move(attribute))
  , Regions(filter, this->Request)
  , IsWhole(!isPiece(info))
{
}

SampleChoice ContourParts::choiceOf(vtkInformation* info, vtkImageData* image) const
{
  SampleChoice choice = filters::choiceOf(this->Filter, this->Request, info, image);
  if (this->Attribute)
  {
    choice.withAttributes = !this->Attribute->empty();
    choice.attribute = *this->Attribute;
  }
  return choice;
}

void ContourParts::add(LevelGroup group, vtkPolyData* output)
{
  this->Parts.push_back({ std::move(group), output });
  if (!this->isToContour(this->Parts.back()))
    polyDataFromMesh(vmc::Mesh(), this->Request, this->Parts.back().samples(), nullptr, output);
}

bool ContourParts::isToContour(const ContourPart& part) const
{
  return part.samples().image->GetNumberOfPoints() != 0 && !this->Request.isovalues.empty();
}

void ContourParts::extract()
{
  PartList images, lattices;
  for (ContourPart& part : this->Parts)
    if (this->isToContour(part))
      (part.isLattice() ? lattices : images).push_back(&part);
  for (const ContourPart* part : images)
    this->Missing.addLeaf(part->samples());
  for (const ContourPart* part : lattices)
    this->Missing.addLevels(part->group.levels);
  this->Sessions.keepOnly(!images.empty(), !lattices.empty());
  this->Share = images.empty() || lattices.empty() ? 1 : 0.5;
  for (const PartList& parts : { lattices, images })
    if (!parts.empty() && !this->IsStopped)
    {
      this->extract(parts);
      this->Done += this->Share;
    }
  if (!this->IsStopped || this->Regions.joinRanks())
    this->finishSurfaces();
  this->noteDevices();
  if (this->IsStopped || this->Filter.GetAbortExecute())
    for (const ContourPart& part : this->Parts)
      part.output->Initialize();
}

// Makes the outputs of the meshes. If the run was stopped, other ranks wait for the regions of this one.
void ContourParts::finishSurfaces()
try
{
  const vmc::DomainShare share = this->sumOfShares();
  if (this->Regions.size() != 0 || this->Regions.joinRanks())
    this->finishRegions();
  if (this->IsStopped)
    return;
  std::vector<const vmc::Mesh*> meshes;
  for (const ContourPart& part : this->Parts)
    if (part.engine)
      meshes.push_back(&part.mesh);
  this->Regions.addTo(this->Results, meshes);
  if (this->Request.computeMeasures)
    addDomainShare(share, this->Results.measures);
  const vmc::HostClock clock;
  for (ContourPart& part : this->Parts)
    if (part.engine)
      this->wrap(part);
  this->addTime(vmc::Stage::WrapOutput, clock.milliseconds());
}
catch (const std::exception& error)
{
  for (ContourPart& part : this->Parts)
  {
    part.output->Initialize();
    part.hasFailed = true;
  }
  this->fail(error.what());
}

// All ranks choose together, so it happens once.
void ContourParts::finishRegions()
{
  this->Regions.choose(this->Results.report);
  for (std::size_t i = 0; i < this->Regions.size() && !this->IsStopped; ++i)
    try
    {
      setMeshes(this->Extracted[i], this->Regions.finish(i, this->Results.report));
    }
    catch (const vmc::Error& error)
    {
      this->Sessions.fail(this->Extracted[i].call, error);
      this->finishAgain(i);
    }
}

// Extracts a surface again with the next engine, and finishes it there.
void ContourParts::finishAgain(std::size_t number)
{
  ExtractedParts& extracted = this->Extracted[number];
  std::optional<vmc::Surface> surface;
  this->Share = 0; // the progress is at its end
  const vmc::Report again = this->tryEngines(extracted,
    [&](vmc::Report& report)
    {
      surface = this->surfaceOf(extracted.parts, report);
      if (!surface)
        return;
      this->Regions.findAgain(number, this->Sessions.session(), std::move(*surface), report);
      surface = this->Regions.finish(number, report);
    });
  this->Results.report.stages.add(again.stages); // the bricks are the same
  if (surface)
    setMeshes(extracted, std::move(*surface));
}

// Calls work(report) with one engine after the other until it succeeds. Returns the report.
template <class Work>
vmc::Report ContourParts::tryEngines(ExtractedParts& extracted, const Work& work)
{
  vmc::Report report;
  while (this->Sessions.nextEngine())
    try
    {
      work(report);
    }
    catch (const vmc::Error& error)
    {
      this->Sessions.fail(error);
    }
  extracted.call = this->Sessions.call();
  extracted.device = report.device;
  return report;
}

void ContourParts::extract(const PartList& parts)
try
{
  ExtractedParts extracted{ parts };
  std::optional<vmc::Surface> surface;
  bool isFound = false; // its regions
  this->Sessions.beginCall(this->Filter.GetDeviceSettings());
  const vmc::Report all = this->tryEngines(extracted,
    [&](vmc::Report& report)
    {
      surface = this->surfaceOf(parts, report);
      if (surface)
        this->noteSurfaces(parts, *surface);
      isFound = surface && this->Regions.completeMeshes();
      if (isFound)
        this->findRegions(parts, std::move(*surface), report);
    });
  this->Results.report.add(all);
  this->Extracted.push_back(extracted);
  if (surface && !isFound)
    setMeshes(extracted, std::move(*surface));
}
catch (const std::exception& error)
{
  if (parts.size() == 1)
  {
    parts.front()->output->Initialize();
    parts.front()->hasFailed = true;
    return this->fail(error.what());
  }
  for (ContourPart* const part : parts)
    if (!this->IsStopped)
      this->extract({ part });
}

std::optional<vmc::Surface> ContourParts::surfaceOf(const PartList& parts, vmc::Report& report)
{
  return extractParts(
    parts, this->Sessions.session(), this->Regions, report, [this](double done) { return this->mayContinue(done); });
}

// Returns the sum over the parts without errors, of all ranks that must call SurfaceRegions::choose().
vmc::DomainShare ContourParts::sumOfShares() const
{
  if (!this->Request.computeMeasures)
    return {};
  vmc::DomainShare sum;
  sum.above.resize(this->Request.isovalues.size());
  for (const ContourPart& part : this->Parts)
    if (!part.hasFailed && !part.share.above.empty())
      sum.add(part.share);
  std::vector<double> numbers = sum.above;
  numbers.push_back(sum.domain);
  numbers = sumsOfRanks(numbers, this->Regions.ranks());
  sum.domain = numbers.back();
  numbers.pop_back();
  sum.above = std::move(numbers);
  return sum;
}

void ContourParts::findRegions(const PartList& parts, vmc::Surface surface, vmc::Report& report)
{
  std::vector<SurfaceRegions::Part> regionParts;
  for (const ContourPart* const part : parts)
    regionParts.push_back(regionPartOf(*part));
  this->Regions.find(this->Sessions.session(), std::move(surface), std::move(regionParts), report);
}

void ContourParts::noteSurfaces(const PartList& parts, const vmc::Surface& surface)
{
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (const LevelBlock& block : parts[i]->group.blocks)
      this->Missing.addSurfaces(surface.meshes[i].firstPoint, block.samples);
}

void ContourParts::setMeshes(const ExtractedParts& extracted, vmc::Surface surface)
{
  for (std::size_t i = 0; i < extracted.parts.size(); ++i)
  {
    extracted.parts[i]->mesh = std::move(surface.meshes[i]);
    extracted.parts[i]->engine = extracted.call.engine;
  }
}

void ContourParts::wrap(ContourPart& part)
{
  part.trianglePatches = std::move(part.mesh.trianglePatches);
  polyDataFromMesh(std::move(part.mesh), this->Request, part.samples(), &part.engine->hostMemory(), part.output);
  part.engine.reset();
}

bool ContourParts::mayContinue(double done)
{
  this->Filter.UpdateProgress(this->Done + this->Share * done);
  this->IsStopped = this->Filter.CheckAbort() || this->Filter.GetAbortExecute();
  return !this->IsStopped;
}

// Warns of the first fallback, and of the first devices that were left out.
void ContourParts::noteDevices()
{
  for (const ExtractedParts& extracted : this->Extracted)
    this->Results.devices.Add(extracted.device, extracted.call.fallbackReason);
  warnOfDevices(&this->Filter, this->Results.devices.FallbackReason, this->Results.report.leftOut);
}

void ContourParts::fail(const std::string& error)
{
  if (this->ErrorsWithoutDigits.insert(withoutDigits(error)).second)
    this->Errors.push_back(error);
}

vtkVulkanMarchingCubes::Run ContourParts::results()
{
  for (const ContourPart& part : this->Parts)
  {
    this->Results.points += part.output->GetNumberOfPoints();
    this->Results.triangles += part.output->GetNumberOfPolys();
  }
  this->Results.devices.Note = this->Missing.note(this->Request.isovalues, this->IsWhole);
  return this->Results;
}

bool ContourParts::haveGap() const
{
  std::vector<LeafOfPart> leaves;
  for (std::size_t i = 0; i < this->Parts.size(); ++i)
    for (const LevelBlock& block : this->Parts[i].group.blocks)
    {
      // In a lattice of one level, no finer block replaces cells that are left out because they are refined.
      const bool hasOneLevel = this->Parts[i].group.levels.ratio.size() < 2;
      const bool leavesCellsOut = !this->Parts[i].isLattice() || block.flags;
      if (this->isToContour(this->Parts[i]))
        leaves.push_back({ &block.samples, i, hasOneLevel && leavesCellsOut });
    }
  return filters::haveGap(leaves);
}

bool ContourParts::haveAllFailed() const
{
  return !this->Errors.empty() &&
         std::all_of(this->Parts.begin(), this->Parts.end(), [](const ContourPart& part) { return part.hasFailed; });
}

}
