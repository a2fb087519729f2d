// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "ContourLeaves.h"

#include "GridImage.h"
#include "LeafGaps.h"
#include "PolyDataFromMesh.h"

#include "Compute/System/Stage.h"

#include "vtkCompositeDataIterator.h"
#include "vtkCompositeDataSet.h"
#include "vtkDataObjectTree.h"
#include "vtkFieldData.h"
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

ContourLeaves::ContourLeaves(
  vtkVulkanMarchingCubes& filter, SessionUser& sessions, vtkInformation* info, vtkDataObject* output)
  : Filter(filter)
  , Sessions(sessions)
  , Request(requestOf(filter))
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
  const auto leaf = vtkSmartPointer<vtkCompositeDataIterator>::Take(composite->NewIterator());
  for (leaf->InitTraversal(); !leaf->IsDoneWithTraversal(); leaf->GoToNextItem())
  {
    const auto mesh = vtkSmartPointer<vtkPolyData>::New();
    outputs->SetDataSet(leaf, mesh);
    this->add(leaf->GetCurrentDataObject(), nullptr, mesh);
  }
}

void ContourLeaves::add(vtkDataObject* input, vtkInformation* info, vtkPolyData* output)
{
  const vtkSmartPointer<vtkImageData> image = imageOf(input);
  this->Leaves.push_back({ image, info, output, {} });
  this->OtherLeaves += image ? 0 : 1;
  this->IsWhole = this->IsWhole && !isPiece(info);
}

auto ContourLeaves::findSamples() -> const std::vector<Leaf*>&
{
  const vmc::HostClock clock;
  for (Leaf& leaf : this->Leaves)
    try
    {
      if (leaf.image)
        this->findSamples(leaf);
    }
    catch (const std::exception& error)
    {
      this->fail(leaf, error.what());
    }
  this->Results.report.stages.add(vmc::Stage::PrepareSamples, clock.milliseconds());
  return this->Contoured;
}

void ContourLeaves::findSamples(Leaf& leaf)
{
  const SampleChoice choice = choiceOf(this->Filter, this->Request, leaf.info, leaf.image);
  leaf.samples = this->Sessions.samplesOf(leaf.image, choice);
  leaf.output->GetFieldData()->PassData(leaf.image->GetFieldData());
  if (leaf.image->GetNumberOfPoints() == 0 || this->Request.isovalues.empty())
    return polyDataFromMesh(vmc::Mesh(), this->Request, leaf.samples, nullptr, leaf.output);
  this->HasCutSide = this->HasCutSide || endsWithoutGhostCells(leaf.samples, choice);
  this->Missing.addLeaf(leaf.samples);
  this->Contoured.push_back(&leaf);
}

void ContourLeaves::extract(const std::vector<Leaf*>& leaves)
try
{
  if (leaves.empty())
    return this->Sessions.endSessions();
  std::vector<vmc::Volume> volumes;
  volumes.reserve(leaves.size());
  for (const Leaf* leaf : leaves)
    volumes.push_back(volumeFromImage(leaf->samples));
  vmc::Report report;
  std::optional<vmc::Surface> surface;
  for (this->Sessions.beginCall(this->Filter.GetDeviceSettings()); this->Sessions.nextEngine();)
    try
    {
      surface = this->Sessions.session().extract(
        volumes, this->Request, report, [this](double done) { return this->mayContinue(done); });
    }
    catch (const vmc::Error& error)
    {
      this->Sessions.fail(error);
    }
  const std::string& reason = this->Sessions.fallbackReason();
  if (!reason.empty() && this->Results.devices.FallbackReason.empty())
    warnOfFallback(&this->Filter, reason);
  this->Results.devices.Add(report.device, reason);
  this->Results.report.add(report);
  if (surface)
    this->wrap(leaves, std::move(*surface), this->Sessions.engine().hostMemory());
}
catch (const std::exception& error)
{
  if (leaves.size() == 1)
    return this->fail(*leaves.front(), error.what());
  for (Leaf* const leaf : leaves)
    if (!this->IsStopped)
      this->extract({ leaf });
}

void ContourLeaves::wrap(const std::vector<Leaf*>& leaves, vmc::Surface surface, vmc::HostMemoryPool& memory)
{
  const vmc::HostClock clock;
  for (std::size_t i = 0; i < leaves.size(); ++i)
  {
    this->Missing.addSurfaces(surface.meshes[i].firstPoint, leaves[i]->samples);
    polyDataFromMesh(std::move(surface.meshes[i]), this->Request, leaves[i]->samples, &memory, leaves[i]->output);
  }
  this->Results.report.stages.add(vmc::Stage::WrapOutput, clock.milliseconds());
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

vtkVulkanMarchingCubes::Run ContourLeaves::results()
{
  const bool isStopped = this->IsStopped || this->Filter.GetAbortExecute();
  for (const Leaf& leaf : this->Leaves)
  {
    if (isStopped)
      leaf.output->Initialize();
    this->Results.points += leaf.output->GetNumberOfPoints();
    this->Results.triangles += leaf.output->GetNumberOfPolys();
  }
  this->Results.devices.Note = this->Missing.note(this->Request.isovalues, this->IsWhole);
  return this->Results;
}

std::vector<std::string> ContourLeaves::warnings() const
{
  std::vector<std::string> warnings;
  if (this->HasCutSide)
    warnings.emplace_back("The surface has a gap where this piece of the image ends: it was passed without ghost "
                          "cells. Apply the filter Ghost Cells first.");
  std::vector<const ImageSamples*> samples;
  samples.reserve(this->Contoured.size());
  for (const Leaf* leaf : this->Contoured)
    samples.push_back(&leaf->samples);
  if (haveGap(samples))
    warnings.emplace_back("The surface breaks between adjoining blocks of the input, which have no ghost cells. Apply "
                          "the filter Ghost Cells first; for an AMR, Resample To Image.");
  if (this->OtherLeaves > 0)
    warnings.push_back(std::to_string(this->OtherLeaves) + " of " + std::to_string(this->Leaves.size()) +
                       " blocks of the input are neither vtkImageData nor vtkRectilinearGrid and are left out.");
  return warnings;
}

}
