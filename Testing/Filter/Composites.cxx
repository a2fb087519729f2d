// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Composites.h"

#include "Reference/Levels.h"

#include "FilterTest.h"

#include "vtkCellData.h"
#include "vtkDataArray.h"
#include "vtkMatrix3x3.h"

#include <array>
#include <cmath>

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
        amr->SetAMRBox(level, i, vtkAMRBox(image->GetOrigin(), image->GetDimensions(), image->GetSpacing(), origin));
      }
  return amr;
}

std::vector<std::vector<Image>> ImagesOf(const vmc::reference::Levels& levels, bool haveOwnOrigins)
{
  std::vector<std::vector<Image>> images(levels.ratio.size());
  for (const vmc::reference::LevelPatch& patch : levels.patches)
  {
    std::array<int, 3> low{}, size{};
    std::array<double, 3> spacing{}, corner{};
    const vmc::reference::LevelIndex cells = levels.cellsPerCell(0, patch.level);
    vtkNew<vtkMatrix3x3> direction;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      const std::array<double, 3>& step = levels.steps[axis];
      const double length = std::hypot(step[0], step[1], step[2]);
      for (std::size_t c = 0; c < 3; ++c)
        direction->SetElement(static_cast<int>(c), static_cast<int>(axis), step[c] / length);
      spacing[axis] = length / static_cast<double>(cells[axis]);
      size[axis] = static_cast<int>(patch.size[axis]);
      low[axis] = haveOwnOrigins ? 0 : static_cast<int>(patch.low[axis]);
      corner[axis] = static_cast<double>(patch.low[axis]) / static_cast<double>(cells[axis]);
    }
    std::size_t cell = 0;
    const auto image = CellImage(size, VTK_DOUBLE, [&](int, int, int) { return patch.samples[cell++]; });
    image->SetExtent(low[0], low[0] + size[0], low[1], low[1] + size[1], low[2], low[2] + size[2]);
    image->SetOrigin((haveOwnOrigins ? levels.worldOf(corner) : levels.origin).data());
    image->SetSpacing(spacing.data());
    image->SetDirectionMatrix(direction);
    if (!patch.flags.empty())
      SetGhosts(image, [&](vtkIdType i) { return patch.flags[static_cast<std::size_t>(i)]; });
    images[patch.level].push_back(image);
  }
  return images;
}
