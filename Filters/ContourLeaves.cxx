// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "ContourLeaves.h"

#include "PolyDataFromMesh.h"

#include "Compute/System/Stage.h"

#include "vtkCompositeDataIterator.h"
#include "vtkCompositeDataSet.h"
#include "vtkDataObjectTree.h"
#include "vtkDataSetAttributes.h"
#include "vtkFieldData.h"
#include "vtkImageData.h"
#include "vtkInformation.h"
#include "vtkMatrix3x3.h"
#include "vtkMultiBlockDataSet.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <exception>
#include <limits>
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

// The sides of an image along its axes.
struct Box
{
  std::array<double, 3> low, high;
};

// The leaves between which the surface may have gaps: no leaf makes the dual cells between two leaves of cell data
// without ghost cells.
struct LeavesWithGaps
{
  std::vector<Box> boxes;
  double smallestStep = std::numeric_limits<double>::infinity(); // of all leaves, in world units
  bool haveRefinedCells = false;

  bool overlap(const Box& a, const Box& b, std::size_t axis) const
  {
    return std::min(a.high[axis], b.high[axis]) - std::max(a.low[axis], b.low[axis]) > this->smallestStep / 4;
  }
};

// Leaves of point data, with ghost cells of other leaves, with a singular direction matrix or another one than the
// first leaf are left out.
LeavesWithGaps leavesWithGaps(const std::vector<const ImageSamples*>& leaves)
{
  LeavesWithGaps found;
  const double* firstDirection = nullptr;
  for (const ImageSamples* samples : leaves)
  {
    const int kinds = samples->ghosts ? samples->ghosts->kinds : 0;
    vtkMatrix3x3* const direction = samples->image->GetDirectionMatrix();
    if (!samples->ofCells || (kinds & vtkDataSetAttributes::DUPLICATECELL) != 0 || direction->Determinant() == 0)
      continue;
    if (!firstDirection)
      firstDirection = direction->GetData();
    if (!std::equal(firstDirection, firstDirection + 9, direction->GetData()))
      continue;
    double inverse[9], origin[3];
    vtkMatrix3x3::Invert(direction->GetData(), inverse);
    vtkMatrix3x3::MultiplyPoint(inverse, samples->image->GetOrigin(), origin);
    const double* const spacing = samples->image->GetSpacing();
    const int* const extent = samples->image->GetExtent();
    Box& box = found.boxes.emplace_back();
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      box.low[axis] = origin[axis] + spacing[axis] * extent[2 * axis];
      box.high[axis] = origin[axis] + spacing[axis] * extent[2 * axis + 1];
      found.smallestStep = std::min(found.smallestStep, spacing[axis]);
    }
    found.haveRefinedCells = found.haveRefinedCells || (kinds & vtkDataSetAttributes::REFINEDCELL) != 0;
  }
  return found;
}

// Looks for each high side among the low sides, which are sorted by their planes and along another axis. Takes n log n
// time if leaves overlap a few others only.
bool haveGapAlong(std::size_t axis, const LeavesWithGaps& leaves)
{
  using SideKey = std::pair<double, double>; // number of the plane; low side along the next axis
  const std::size_t next = (axis + 1) % 3, last = (axis + 2) % 3;
  const auto planeOf = [&](double side) { return std::round(side / (leaves.smallestStep / 8)); };
  std::vector<std::pair<SideKey, const Box*>> lowSides;
  double widest = 0;
  for (const Box& leaf : leaves.boxes)
  {
    lowSides.push_back({ { planeOf(leaf.low[axis]), leaf.low[next] }, &leaf });
    widest = std::max(widest, leaf.high[next] - leaf.low[next]);
  }
  std::sort(lowSides.begin(), lowSides.end());
  for (const Box& leaf : leaves.boxes)
    for (const int offset : { -1, 0, 1 })
    {
      const double plane = planeOf(leaf.high[axis]) + offset;
      const std::pair<SideKey, const Box*> first{ { plane, leaf.low[next] - widest }, nullptr };
      auto other = std::lower_bound(lowSides.begin(), lowSides.end(), first);
      for (; other != lowSides.end() && other->first.first == plane && other->first.second < leaf.high[next]; ++other)
        if (leaves.overlap(leaf, *other->second, next) && leaves.overlap(leaf, *other->second, last))
          return true;
    }
  return false;
}

// Returns whether the surface has a gap between two of the leaves: a part of a side of one lies on a side of the other
// one, or one has cells that are refined. Sides lie on each other if they are less than a quarter of a cell apart.
// Leaves of different processes are not compared.
bool haveGap(const std::vector<const ImageSamples*>& samples)
{
  const LeavesWithGaps leaves = leavesWithGaps(samples);
  return leaves.boxes.size() > 1 &&
         (leaves.haveRefinedCells || haveGapAlong(0, leaves) || haveGapAlong(1, leaves) || haveGapAlong(2, leaves));
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
  auto* const image = vtkImageData::SafeDownCast(input);
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
                       " blocks of the input are not vtkImageData and are left out.");
  return warnings;
}

}
