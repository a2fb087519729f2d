// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Composites.h"

#include "FilterTest.h"

#include "vtkCellData.h"
#include "vtkDataArray.h"

void SetGhosts(vtkImageData* image, const std::function<int(vtkIdType)>& flag)
{
  image->GetCellData()->AddArray(GhostArray(image->GetNumberOfCells(), flag));
}

vtkSmartPointer<vtkMultiBlockDataSet> TreeOf(const std::vector<Image>& images)
{
  auto blocks = vtkSmartPointer<vtkMultiBlockDataSet>::New();
  for (std::size_t i = 0; i < images.size(); ++i)
    blocks->SetBlock(static_cast<unsigned int>(i), images[i]);
  return blocks;
}

vtkSmartPointer<vtkOverlappingAMR> OverlappingAmrOf(const std::vector<std::vector<Image>>& levels)
{
  auto amr = AmrOf<vtkOverlappingAMR>(levels);
  const double origin[3] = { 0, 0, 0 };
  amr->SetOrigin(origin);
  for (unsigned int level = 0; level < levels.size(); ++level)
    for (unsigned int i = 0; i < levels[level].size(); ++i)
      if (vtkImageData* const image = levels[level][i])
      {
        if (i == 0)
          amr->SetSpacing(level, image->GetSpacing());
        amr->SetAMRBox(
          level, i, vtkAMRBox(image->GetOrigin(), image->GetDimensions(), image->GetSpacing(), origin, VTK_XYZ_GRID));
      }
  return amr;
}
