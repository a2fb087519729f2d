// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Composite data sets of images.
#ifndef Composites_h
#define Composites_h

#include "vtkAMRBox.h"
#include "vtkImageData.h"
#include "vtkMultiBlockDataSet.h"
#include "vtkNew.h"
#include "vtkOverlappingAMR.h"
#include "vtkSmartPointer.h"
#include "vtkStructuredData.h"
#include "vtkUniformGrid.h"
#include "vtkVersionMacros.h"

#include <functional>
#include <vector>

namespace vmc::reference
{
struct Levels;
}

using Image = vtkSmartPointer<vtkImageData>;

// Adds a ghost array of the cells. `flag` returns the flag of each.
void SetGhosts(vtkImageData* image, const std::function<int(vtkIdType)>& flag);

vtkSmartPointer<vtkMultiBlockDataSet> TreeOf(const std::vector<Image>& images);

// An AMR of these levels. Null images are missing blocks.
template <class Amr>
vtkSmartPointer<Amr> AmrOf(const std::vector<std::vector<Image>>& levels)
{
  std::vector<unsigned int> blocksPerLevel;
  for (const std::vector<Image>& level : levels)
    blocksPerLevel.push_back(static_cast<unsigned int>(level.size()));
  auto amr = vtkSmartPointer<Amr>::New();
#if VTK_VERSION_NUMBER >= VTK_VERSION_CHECK(9, 6, 0)
  amr->Initialize(blocksPerLevel);
#else
  const std::vector<int> counts(blocksPerLevel.begin(), blocksPerLevel.end());
  amr->Initialize(static_cast<int>(levels.size()), counts.data());
#endif
  int points[] = { 2, 2, 2 }; // more than one along each axis: the grids are of three dimensions
  amr->SetGridDescription(vtkStructuredData::GetDataDescription(points));
  for (unsigned int level = 0; level < levels.size(); ++level)
    for (unsigned int i = 0; i < levels[level].size(); ++i)
      if (vtkImageData* const image = levels[level][i])
      {
        vtkNew<vtkUniformGrid> grid;
        grid->vtkImageData::ShallowCopy(image);
        amr->SetDataSet(level, i, grid);
      }
  return amr;
}

// An AMR with boxes whose origin is that of the world.
vtkSmartPointer<vtkOverlappingAMR> OverlappingAmrOf(const std::vector<std::vector<Image>>& levels);

// The patches of a hierarchy as images: with the hierarchy's origin and an extent each, or with an origin each.
std::vector<std::vector<Image>> ImagesOf(const vmc::reference::Levels& levels, bool haveOwnOrigins);

#endif
