// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "ContourLeaves.h"

#include "InputPiece.h"
#include "PolyDataFromMesh.h"

#include "Compute/System/HostClock.h"

#include "vtkCompositeDataIterator.h"
#include "vtkCompositeDataSet.h"
#include "vtkDataObjectTree.h"
#include "vtkFieldData.h"
#include "vtkImageData.h"
#include "vtkInformation.h"
#include "vtkMultiBlockDataSet.h"

#include <algorithm>
#include <exception>
#include <optional>
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

}

vtkSmartPointer<vtkDataObject> newOutputFor(vtkDataObject* input)
{
  if (!vtkCompositeDataSet::SafeDownCast(input))
    return vtkSmartPointer<vtkPolyData>::New();
  if (vtkDataObjectTree::SafeDownCast(input))
    return vtkSmartPointer<vtkDataObject>::Take(input->NewInstance());
  return vtkSmartPointer<vtkMultiBlockDataSet>::New();
}

ContourLeaves::ContourLeaves(vtkVulkanMarchingCubes& filter, vtkInformation* info, vtkDataObject* output)
  : Filter(filter)
{
  vtkDataObject* const input = vtkDataObject::GetData(info);
  auto* const composite = vtkCompositeDataSet::SafeDownCast(input);
  if (!composite)
  {
    output->Initialize();
    this->add(input, info, vtkPolyData::SafeDownCast(output));
    return;
  }
  auto* const outputs = vtkCompositeDataSet::SafeDownCast(output);
  outputs->CopyStructure(composite);
  outputs->GetFieldData()->PassData(composite->GetFieldData());
  vtkSmartPointer<vtkCompositeDataIterator> leaf;
  leaf.TakeReference(composite->NewIterator());
  for (leaf->InitTraversal(); !leaf->IsDoneWithTraversal(); leaf->GoToNextItem())
  {
    const auto mesh = vtkSmartPointer<vtkPolyData>::New();
    outputs->SetDataSet(leaf, mesh);
    this->add(leaf->GetCurrentDataObject(), nullptr, mesh);
  }
}

void ContourLeaves::add(vtkDataObject* input, vtkInformation* info, vtkPolyData* output)
{
  auto* const image = vtkImageData::SafeDownCast(input);
  this->Leaves.push_back({ image, info, output, {}, {} });
  this->OtherLeaves += image ? 0 : 1;
  this->IsWhole = this->IsWhole && !isPiece(info);
}

void ContourLeaves::findSamples(const vmc::Request& request, SampleCache& cache, ArrayWatch& watch)
{
  const vmc::HostClock clock;
  SampleChoice choice = choiceOf(this->Filter, request);
  for (Leaf& leaf : this->Leaves)
    try
    {
      if (leaf.image)
        this->findSamples(leaf, choice, cache, watch);
      if (leaf.image && leaf.image->GetNumberOfPoints() != 0 && !request.isovalues.empty())
        this->Contoured.push_back(&leaf);
      else if (leaf.image)
        polyDataFromMesh(vmc::Mesh(), request, leaf.samples, nullptr, leaf.output);
    }
    catch (const std::exception& error)
    {
      this->fail(leaf, error.what());
    }
  this->Report.stages.add(vmc::Stage::PrepareSamples, clock.milliseconds());
}

void ContourLeaves::findSamples(Leaf& leaf, SampleChoice& choice, SampleCache& cache, ArrayWatch& watch)
{
  chooseArray(choice, this->Filter, leaf.info, leaf.image);
  leaf.samples = samplesOf(leaf.image, choice, cache);
  watch.watch(choice.array, leaf.samples.scalars.identity);
  for (const SampleCache::Samples& attribute : leaf.samples.attributes)
    watch.watch(attribute.values, attribute.identity);
  leaf.output->GetFieldData()->PassData(leaf.image->GetFieldData());
  if (leaf.image->GetNumberOfPoints() == 0 || this->Filter.GetNumberOfContours() == 0)
    return;
  this->HasCutSide = this->HasCutSide || endsWithoutGhostCells(leaf.samples, choice);
  this->Gaps.add(leaf.samples);
  this->Missing.addLeaf(leaf.samples);
}

void ContourLeaves::extract(const vmc::Request& request, const vtkVulkanDeviceSettings& settings, SessionUser& sessions)
{
  if (this->Contoured.empty())
    sessions.endSessions();
  if (this->Contoured.empty() || this->extractAtOnce(this->Contoured, request, settings, sessions))
    return;
  for (Leaf* leaf : this->Contoured)
    if (!this->IsStopped)
      this->extractAtOnce({ leaf }, request, settings, sessions);
}

bool ContourLeaves::extractAtOnce(const std::vector<Leaf*>& leaves, const vmc::Request& request,
  const vtkVulkanDeviceSettings& settings, SessionUser& sessions)
try
{
  std::vector<vmc::Volume> volumes;
  volumes.reserve(leaves.size());
  for (const Leaf* leaf : leaves)
    volumes.push_back(volumeFromImage(leaf->samples));
  vmc::Report report;
  const std::string reason = sessions.run(settings,
    [&](vmc::Engine& engine, vmc::Session& session)
    {
      if (auto surface =
            session.extract(volumes, request, report, [this](double done) { return this->mayContinue(done); }))
        wrap(leaves, std::move(*surface), request, engine.hostMemory(), report);
    });
  if (!reason.empty() && this->Devices.FallbackReason.empty())
    warnOfFallback(&this->Filter, reason);
  this->Devices.Add(report.device, reason);
  this->Report.add(report);
  for (const Leaf* leaf : leaves)
    if (!leaf->firstPoint.empty())
      this->Missing.addSurfaces(leaf->firstPoint, leaf->samples);
  return true;
}
catch (const std::exception& error)
{
  if (leaves.size() == 1)
    this->fail(*leaves.front(), error.what());
  return leaves.size() == 1;
}

void ContourLeaves::wrap(const std::vector<Leaf*>& leaves, vmc::Surface surface, const vmc::Request& request,
  vmc::HostMemoryPool& memory, vmc::Report& report)
{
  const vmc::HostClock clock;
  for (std::size_t i = 0; i < leaves.size(); ++i)
  {
    leaves[i]->firstPoint = surface.meshes[i].firstPoint;
    polyDataFromMesh(std::move(surface.meshes[i]), request, leaves[i]->samples, &memory, leaves[i]->output);
  }
  report.stages.add(vmc::Stage::WrapOutput, clock.milliseconds());
}

bool ContourLeaves::mayContinue(double done)
{
  this->Filter.UpdateProgress(done);
  this->IsStopped = this->Filter.CheckAbort() || this->Filter.GetAbortExecute();
  return !this->IsStopped;
}

void ContourLeaves::fail(Leaf& leaf, const std::string& error)
{
  leaf.output->Initialize();
  if (this->ErrorsWithoutDigits.insert(withoutDigits(error)).second)
    this->Errors.push_back(error);
}

vtkVulkanMarchingCubes::Run ContourLeaves::results(const vmc::Request& request)
{
  vtkVulkanMarchingCubes::Run run;
  if (this->IsStopped || this->Filter.GetAbortExecute())
    for (Leaf& leaf : this->Leaves)
      leaf.output->Initialize();
  for (const Leaf& leaf : this->Leaves)
  {
    run.points += leaf.output->GetNumberOfPoints();
    run.triangles += leaf.output->GetNumberOfPolys();
  }
  run.usedDevice = this->Devices.UsedDevice;
  run.fallbackReason = this->Devices.FallbackReason;
  run.note = this->Missing.note(request.isovalues, this->IsWhole);
  run.report = this->Report;
  return run;
}

std::vector<std::string> ContourLeaves::warnings() const
{
  std::vector<std::string> warnings;
  if (this->HasCutSide)
    warnings.emplace_back("The surface has a gap where this piece of the image ends: it was passed without ghost "
                          "cells. Apply the filter Ghost Cells first.");
  if (this->Gaps.any())
    warnings.emplace_back("The surface breaks between adjoining blocks of the input, which have no ghost cells. Apply "
                          "the filter Ghost Cells first; for an AMR, Resample To Image.");
  if (this->OtherLeaves > 0)
    warnings.push_back(std::to_string(this->OtherLeaves) + " of " + std::to_string(this->Leaves.size()) +
                       " blocks of the input are not vtkImageData and are left out.");
  return warnings;
}

}
