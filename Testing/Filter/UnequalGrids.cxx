// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "UnequalGrids.h"

#include "vtkCellData.h"
#include "vtkDoubleArray.h"
#include "vtkNew.h"
#include "vtkPointData.h"

#include <cmath>
#include <cstddef>

vtkSmartPointer<vtkRectilinearGrid> GridOf(vtkImageData* image, const PointCoordinates& coordinates)
{
  auto grid = vtkSmartPointer<vtkRectilinearGrid>::New();
  grid->SetExtent(image->GetExtent());
  std::array<vtkNew<vtkDoubleArray>, 3> arrays;
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (const double coordinate : coordinates[axis])
      arrays[axis]->InsertNextValue(coordinate);
  grid->SetXCoordinates(arrays[0]);
  grid->SetYCoordinates(arrays[1]);
  grid->SetZCoordinates(arrays[2]);
  grid->GetCellData()->ShallowCopy(image->GetCellData());
  grid->GetPointData()->ShallowCopy(image->GetPointData());
  return grid;
}

PointCoordinates UnequalCoordinates(vtkImageData* image)
{
  PointCoordinates coordinates;
  for (int axis = 0; axis < 3; ++axis)
    for (int i = 0; i < image->GetDimensions()[axis]; ++i)
      coordinates[axis].push_back(100 * axis + i + 0.375 * std::sin(2.0 * i + axis));
  return coordinates;
}

PointCoordinates EqualCoordinates(vtkImageData* image)
{
  PointCoordinates coordinates;
  for (int axis = 0; axis < 3; ++axis)
    for (int i = 0; i < image->GetDimensions()[axis]; ++i)
      coordinates[axis].push_back(
        image->GetOrigin()[axis] + image->GetSpacing()[axis] * (image->GetExtent()[2 * axis] + i));
  return coordinates;
}
