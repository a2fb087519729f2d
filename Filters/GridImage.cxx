// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "GridImage.h"

#include "vtkDataArray.h"
#include "vtkObjectFactory.h"
#include "vtkRectilinearGrid.h"

#include <array>
#include <cmath>

namespace vmc::filters
{

vtkStandardNewMacro(GridImage);

void GridImage::SetGrid(vtkRectilinearGrid* grid)
{
  this->ShallowCopy(grid); // arrays
  this->SetExtent(grid->GetExtent());
  const std::array<vtkDataArray*, 3> coordinates = { grid->GetXCoordinates(), grid->GetYCoordinates(),
    grid->GetZCoordinates() };
  std::array<double, 3> origin = { 0, 0, 0 }, spacing = { 1, 1, 1 };
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    std::vector<double>& points = this->Points[axis];
    points.clear();
    for (vtkIdType i = 0; coordinates[axis] && i < coordinates[axis]->GetNumberOfTuples(); ++i)
      points.push_back(coordinates[axis]->GetComponent(i, 0));
    const double step = points.size() > 1 ? (points.back() - points.front()) / double(points.size() - 1) : 1;
    if (points.empty() || !std::isfinite(points.front()) || !std::isfinite(step) || !(step > 0))
      continue; // GetGeometry() tells what is wrong
    spacing[axis] = step;
    origin[axis] = points.front() - step * this->GetExtent()[2 * axis];
  }
  this->SetSpacing(spacing.data());
  this->SetOrigin(origin.data());
}

vmc::SampleGeometry GridImage::GetGeometry(bool ofCells) const
{
  if (!ofCells)
    return vmc::SampleGeometry::ofPoints(this->Points);
  vmc::Coordinates sides = this->Points;
  for (std::vector<double>& side : sides)
    if (side.size() == 1)
      side = { side.front() - 0.5, side.front() + 0.5 };
  return vmc::SampleGeometry::ofCells(sides);
}

vtkSmartPointer<vtkImageData> imageOf(vtkDataObject* data)
{
  auto* const grid = vtkRectilinearGrid::SafeDownCast(data);
  if (!grid)
    return vtkImageData::SafeDownCast(data);
  const auto image = vtkSmartPointer<GridImage>::New();
  image->SetGrid(grid);
  return image;
}

}
