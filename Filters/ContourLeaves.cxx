// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "ContourLeaves.h"

#include "ContourParts.h"
#include "GridImage.h"

#include "Compute/System/Stage.h"

#include "vtkCompositeDataIterator.h"
#include "vtkCompositeDataSet.h"
#include "vtkDataObjectTree.h"
#include "vtkFieldData.h"
#include "vtkInformation.h"
#include "vtkMultiBlockDataSet.h"

#include <exception>
#include <utility>

namespace vmc::filters
{

namespace
{

// Adds leaves, and collects what the warnings are about.
class Leaves
{
public:
  explicit Leaves(ContourParts& parts)
    : Parts(parts)
  {
  }

  // info: null for a leaf of a composite data set.
  void add(vtkDataObject* input, vtkInformation* info, vtkPolyData* output)
  try
  {
    LevelBlock leaf;
    leaf.image = imageOf(input);
    ++this->Count;
    this->OtherLeaves += leaf.image ? 0 : 1;
    if (!leaf.image)
      return;
    const SampleChoice choice = this->Parts.choiceOf(info, leaf.image);
    leaf.samples = this->Parts.sessions().samplesOf(leaf.image, choice);
    output->GetFieldData()->PassData(leaf.image->GetFieldData());
    const bool hasCutSide = endsWithoutGhostCells(leaf.samples, choice);
    LevelGroup group;
    group.blocks.push_back(std::move(leaf));
    if (info)
      group.sharedNumber = 0; // ranks have pieces of the image
    this->Parts.add(std::move(group), output);
    this->HasCutSide = this->HasCutSide || (hasCutSide && this->Parts.isToContour(this->Parts.parts().back()));
  }
  catch (const std::exception& error)
  {
    this->Parts.fail(error.what());
  }

  std::vector<std::string> warnings() const
  {
    std::vector<std::string> warnings;
    if (this->HasCutSide)
      warnings.emplace_back("The surface has a gap where this piece of the image ends: it was passed without ghost "
                            "cells. Apply the filter Ghost Cells first.");
    if (this->Parts.haveGap())
      warnings.emplace_back("The surface breaks between adjoining blocks of the input, which have no ghost cells. Turn "
                            "on Join Blocks; for rectilinear grids, apply the filter Ghost Cells first.");
    if (this->OtherLeaves > 0)
      warnings.push_back(warningOfOtherBlocks(this->OtherLeaves, this->Count));
    return warnings;
  }

private:
  ContourParts& Parts;
  std::size_t Count = 0, OtherLeaves = 0; // all, and those that are neither vtkImageData nor vtkRectilinearGrid
  bool HasCutSide = false;                // an image ends without ghost cells where another piece begins
};

}

vtkSmartPointer<vtkDataObject> newOutputFor(vtkDataObject* input, bool joinsBlocks)
{
  if (joinsBlocks || !vtkCompositeDataSet::SafeDownCast(input))
    return vtkSmartPointer<vtkPolyData>::New();
  if (vtkDataObjectTree::SafeDownCast(input))
    return vtkSmartPointer<vtkDataObject>::Take(input->NewInstance());
  return vtkSmartPointer<vtkMultiBlockDataSet>::New();
}

std::vector<std::string> addLeaves(ContourParts& parts, vtkInformation* info, vtkDataObject* output)
{
  const vmc::HostClock clock;
  Leaves leaves(parts);
  vtkDataObject* const input = vtkDataObject::GetData(info);
  auto* const composite = vtkCompositeDataSet::SafeDownCast(input);
  if (!composite)
  {
    output->Initialize();
    leaves.add(input, info, vtkPolyData::SafeDownCast(output));
  }
  else
  {
    auto* const outputs = vtkCompositeDataSet::SafeDownCast(output);
    outputs->CopyStructure(composite);
    outputs->GetFieldData()->PassData(composite->GetFieldData());
    const auto leaf = vtkSmartPointer<vtkCompositeDataIterator>::Take(composite->NewIterator());
    for (leaf->InitTraversal(); !leaf->IsDoneWithTraversal(); leaf->GoToNextItem())
    {
      const auto mesh = vtkSmartPointer<vtkPolyData>::New();
      outputs->SetDataSet(leaf, mesh);
      leaves.add(leaf->GetCurrentDataObject(), nullptr, mesh);
    }
  }
  parts.addTime(vmc::Stage::PrepareSamples, clock.milliseconds());
  return leaves.warnings();
}

std::string warningOfOtherBlocks(std::size_t otherBlocks, std::size_t blocks)
{
  return std::to_string(otherBlocks) + " of " + std::to_string(blocks) +
         " blocks of the input are neither vtkImageData nor vtkRectilinearGrid and are left out.";
}

}
