// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Brute-force counts of images, grids and levels, to which tests compare the tables of vtkVulkanImageHistogram.
#ifndef HistogramReference_h
#define HistogramReference_h

#include "UnequalGrids.h"

#include "Reference/Levels.h"

#include "vtkImageData.h"
#include "vtkTable.h"
#include "vtkType.h"

#include <string>
#include <vector>

// The samples of an image as the histogram sees them: values that hold every sample exactly, one per cell or point.
struct HistogramInput
{
  vtkImageData* image = nullptr;
  std::vector<long double> values;
  std::vector<bool> blank;     // hidden or refined
  std::vector<bool> notOwned;  // owned by another piece
  std::vector<double> volumes; // of the samples
  int dimensions[3] = { 0, 0, 0 };
  int boundary = 0; // vtkVulkanMarchingCubes::BoundaryMode
  bool ofCells = true;

  // Reads an array of the cells (or the points) of the image, and its ghost cells. component: -1 is the magnitude.
  HistogramInput(vtkImageData* image, const char* array, int component = -1, int boundary = 0, bool ofCells = true);

  // Replaces the volumes, which are those of the image, by those of the samples of a rectilinear grid.
  HistogramInput onGrid(const PointCoordinates& points) const;
};

using Integers = std::vector<vtkTypeInt64>;

Integers IntegersOf(vtkTable* table, const char* column);
std::vector<double> NumbersOf(vtkTable* table, const char* column);
// A number of the field data.
double FieldOf(vtkTable* table, const char* name);
bool HasField(vtkTable* table, const char* name);
std::vector<double> FieldValuesOf(vtkTable* table, const char* name); // empty if there is no such field
std::string TextOf(vtkTable* table, const char* name);
// The bytes of all columns, and of the numbers of the field data.
std::string BytesOfTable(vtkTable* table);

// Each column and each count of the table is the sum over the inputs.
void ExpectCounts(vtkTable* table, const std::vector<HistogramInput>& inputs);

// Each column and each count of the table is that of the leaves of the hierarchy, and of its dual cells.
void ExpectLevels(vtkTable* table, const vmc::reference::Levels& levels);

#endif
