// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The measures of surfaces and of their regions as tables.
#ifndef vmcSurfaceTables_h
#define vmcSurfaceTables_h

#include "Compute/Contour/SurfaceMeasures.h"
#include "Compute/Histogram/DomainShare.h"
#include "Compute/Measure/RegionTable.h"

#include <cstddef>
#include <vector>

class vtkTable;

namespace vmc::filters
{

// The surface of one isovalue.
struct MeasuredSurface
{
  vmc::SurfaceMeasures measures;
  std::size_t regions = 0; // that remain
};

// Fills the table, which is empty, with the columns that vtkVulkanMarchingCubes::GetMeasures documents: a row per
// isovalue. haveMeasures, haveRegions: false leaves the columns that need them out.
void fillMeasures(const std::vector<MeasuredSurface>& surfaces, const std::vector<double>& isovalues, bool haveMeasures,
  bool haveRegions, vtkTable* table);

// Adds the columns VolumeAbove and ShareOfDomain to the table of fillMeasures. The share of a domain without volume is
// 0.
void addDomainShare(const vmc::DomainShare& share, vtkTable* table);

// Fills the table, which is empty, with the columns that vtkVulkanMarchingCubes::GetRegions documents: a row per
// region, in this order.
void fillRegions(const std::vector<vmc::SurfaceRegion>& regions, const std::vector<double>& isovalues, vtkTable* table);

}

#endif
