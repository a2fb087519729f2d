// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Rectilinear grids made of images.
#ifndef UnequalGrids_h
#define UnequalGrids_h

#include "vtkImageData.h"
#include "vtkRectilinearGrid.h"
#include "vtkSmartPointer.h"

#include <array>
#include <vector>

using PointCoordinates = std::array<std::vector<double>, 3>; // of the points along each axis

// A grid with the extent and the arrays of the image.
vtkSmartPointer<vtkRectilinearGrid> GridOf(vtkImageData* image, const PointCoordinates& coordinates);

// Distances between 0.25 and 1.75 that differ from one cell to the next.
PointCoordinates UnequalCoordinates(vtkImageData* image);

// The coordinates of the points of an image whose axes are those of the world.
PointCoordinates EqualCoordinates(vtkImageData* image);

#endif
