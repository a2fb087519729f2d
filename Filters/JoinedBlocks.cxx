// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "JoinedBlocks.h"

#include "ContourLeaves.h"
#include "ContourParts.h"
#include "ThreadsOfVtk.h"

#include "Compute/System/Parallel.h"
#include "Compute/System/Stage.h"

#include "vtkAppendPolyData.h"
#include "vtkCellArray.h"
#include "vtkCellData.h"
#include "vtkCompositeDataSet.h"
#include "vtkDataSetAttributes.h"
#include "vtkDoubleArray.h"
#include "vtkFieldData.h"
#include "vtkIntArray.h"
#include "vtkNew.h"
#include "vtkPointData.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>

namespace vmc::filters
{

namespace
{

// An image without points. It gives the output its arrays if this rank has no block.
LevelGroup emptyGroup(ContourParts& parts, const std::optional<LevelBlock>& example)
{
  LevelGroup group;
  if (example)
  {
    group.blocks.push_back(*example);
    return group;
  }
  LevelBlock& block = group.blocks.emplace_back();
  block.image = vtkSmartPointer<vtkImageData>::New();
  block.samples = parts.sessions().samplesOf(block.image, parts.choiceOf(nullptr, block.image));
  return group;
}

// Returns whether the surface of the part ends at blocks of other ranks.
bool endsAtOtherRanks(const ContourPart& part)
{
  const ImageSamples& samples = part.samples();
  return part.isLattice() || (samples.ofCells && samples.image->GetNumberOfCells() != 0 &&
                               !part.group.blocks.front().hasCells(vtkDataSetAttributes::DUPLICATECELL));
}

// Returns whether the part is point data without ghost cells that is closed at its sides.
bool isClosedAlone(const ContourPart& part)
{
  const ImageSamples& samples = part.samples();
  return !samples.ofCells && !samples.padding.isEmpty() && !samples.ghosts;
}

// The warnings about gaps.
void addWarnings(ContourParts& parts, const GroupedData& found, std::vector<std::string>& warnings)
{
  if (const auto closed = std::count_if(parts.parts().begin(), parts.parts().end(), isClosedAlone); closed > 1)
    warnings.push_back("The " + std::to_string(closed) +
                       " blocks of point data are not joined: the surface of each is closed at its sides. If they "
                       "adjoin, apply the filter Ghost Cells first.");
  if (found.isOfAllRanks ? found.hasGap : parts.haveGap())
    warnings.emplace_back(
      "The surface breaks between adjoining blocks of the input that have no ghost cells and share "
      "no lattice, as rectilinear grids. Apply the filter Ghost Cells first, or Resample To Image.");
  if (!found.isOfAllRanks && !parts.isWhole() &&
      std::any_of(parts.parts().begin(), parts.parts().end(), endsAtOtherRanks))
    warnings.emplace_back(
      "The surface may break at the blocks of other pieces. The filter joins them if each piece belongs "
      "to a process of its own; a frame shows them apart.");
}

// Adds the level and the block of each triangle's sample.
void addBlockArrays(const ContourPart& part, const vmc::Request& request)
{
  const vtkIdType triangles = part.output->GetNumberOfPolys();
  vtkNew<vtkIntArray> levels, blocks;
  levels->SetName(SampleLevelsName);
  blocks->SetName(SampleBlocksName);
  for (vtkIntArray* array : { levels.Get(), blocks.Get() })
  {
    array->SetNumberOfTuples(triangles);
    part.output->GetCellData()->AddArray(array);
  }
  const auto* const patches = reinterpret_cast<const std::int32_t*>(part.trianglePatches.data());
  vmc::inParallel(
    static_cast<std::size_t>(triangles), 2 * sizeof(int),
    [&, isLattice = part.isLattice()](std::size_t begin, std::size_t end)
    {
      for (std::size_t i = begin; i < end; ++i)
      {
        const LevelBlock& block = part.group.blocks[isLattice ? static_cast<std::size_t>(patches[i]) : 0];
        levels->SetValue(static_cast<vtkIdType>(i), static_cast<int>(block.level));
        blocks->SetValue(static_cast<vtkIdType>(i), static_cast<int>(block.flatIndex));
      }
    },
    copyThreadsOf(request));
}

// Makes the isovalues doubles if their types differ, since vtkAppendPolyData drops an array of several types.
void makeScalarsAlike(const std::vector<vtkPolyData*>& meshes)
{
  const auto typeOf = [](vtkPolyData* mesh)
  { return mesh->GetPointData()->GetScalars() ? mesh->GetPointData()->GetScalars()->GetDataType() : VTK_VOID; };
  const auto isOther = [&](vtkPolyData* mesh) { return typeOf(mesh) != typeOf(meshes.front()); };
  if (std::none_of(meshes.begin(), meshes.end(), isOther))
    return;
  for (vtkPolyData* mesh : meshes)
    if (vtkDataArray* const scalars = mesh->GetPointData()->GetScalars())
    {
      vtkNew<vtkDoubleArray> copy;
      copy->DeepCopy(scalars);
      mesh->GetPointData()->SetScalars(copy);
    }
}

void append(const std::vector<vtkPolyData*>& meshes, const vmc::Request& request, vtkPolyData* output)
{
  makeScalarsAlike(meshes);
  vtkNew<vtkAppendPolyData> append;
  append->SetOutputPointsPrecision(
    request.splitPositions ? vtkAlgorithm::DOUBLE_PRECISION : vtkAlgorithm::SINGLE_PRECISION);
  for (vtkPolyData* mesh : meshes)
    append->AddInputData(mesh);
  append->Update();
  output->ShallowCopy(append->GetOutput());
  if (!request.wideIds && output->GetPolys()->CanConvertTo32BitStorage())
    output->GetPolys()->ConvertTo32BitStorage();
}

}

std::vector<std::string> addGroups(ContourParts& parts, vtkInformation* info, vtkMultiProcessController* ranks)
try
{
  const vmc::HostClock clock;
  GroupedData found = parts.sessions().groupsOf(
    vtkCompositeDataSet::GetData(info), [&](vtkImageData* image) { return parts.choiceOf(nullptr, image); }, ranks);
  for (const BlockError& error : found.errors)
    parts.fail(error.message);
  if (found.groups.empty() && (found.example || found.errors.empty()))
    found.groups.push_back(emptyGroup(parts, found.example));
  separateImages(found.groups, found.isOfAllRanks || parts.isWhole());
  for (LevelGroup& group : found.groups)
    parts.add(std::move(group), vtkSmartPointer<vtkPolyData>::New());
  std::vector<std::string> warnings = std::move(found.warnings);
  addWarnings(parts, found, warnings);
  if (found.otherBlocks > 0)
    warnings.push_back(warningOfOtherBlocks(found.otherBlocks, found.blocks));
  parts.addTime(vmc::Stage::PrepareSamples, clock.milliseconds());
  return warnings;
}
catch (const std::exception& error) // other ranks wait in the later steps
{
  parts.fail(error.what());
  return {};
}

void joinOutputs(ContourParts& parts, vtkDataObject* input, vtkPolyData* output)
{
  const vmc::HostClock clock;
  output->Initialize();
  std::vector<vtkPolyData*> meshes;
  for (const ContourPart& part : parts.parts())
  {
    if (part.hasFailed)
      continue;
    if (parts.request().computeCells)
      addBlockArrays(part, parts.request());
    if (part.output->GetNumberOfPoints() != 0)
      meshes.push_back(part.output);
    else if (meshes.empty())
      output->ShallowCopy(part.output); // its arrays without tuples
  }
  if (meshes.size() == 1)
    output->ShallowCopy(meshes.front());
  else if (meshes.size() > 1)
    append(meshes, parts.request(), output);
  output->GetFieldData()->PassData(input->GetFieldData());
  parts.addTime(vmc::Stage::WrapOutput, clock.milliseconds());
}

}
