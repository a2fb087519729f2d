// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "SurfaceTables.h"

#include "vtkDoubleArray.h"
#include "vtkIdTypeArray.h"
#include "vtkNew.h"
#include "vtkTable.h"

namespace vmc::filters
{

namespace
{

// Adds a column with the values that valueOf(row, component) returns.
template <class Array, class ValueOf>
void addColumn(vtkTable* table, const char* name, std::size_t rows, int components, const ValueOf& valueOf)
{
  vtkNew<Array> column;
  column->SetName(name);
  column->SetNumberOfComponents(components);
  column->SetNumberOfTuples(static_cast<vtkIdType>(rows));
  for (std::size_t row = 0; row < rows; ++row)
    for (int component = 0; component < components; ++component)
      column->SetTypedComponent(static_cast<vtkIdType>(row), component, valueOf(row, component));
  table->AddColumn(column);
}

template <class ValueOf>
void addNumbers(vtkTable* table, const char* name, std::size_t rows, const ValueOf& valueOf)
{
  addColumn<vtkDoubleArray>(table, name, rows, 1, [&](std::size_t row, int) { return double(valueOf(row)); });
}

// measuresOf(row): of a row.
template <class MeasuresOf>
void addMeasures(vtkTable* table, std::size_t rows, const MeasuresOf& measuresOf)
{
  addNumbers(table, "SurfaceArea", rows, [&](std::size_t row) { return measuresOf(row).area; });
  addNumbers(table, "EnclosedVolume", rows, [&](std::size_t row) { return measuresOf(row).volume; });
  addNumbers(table, "OpenEdges", rows, [&](std::size_t row) { return measuresOf(row).openEdges; });
  addColumn<vtkDoubleArray>(table, "SurfaceCentroid", rows, 3,
    [&](std::size_t row, int axis) { return measuresOf(row).centroid[static_cast<std::size_t>(axis)]; });
  addColumn<vtkDoubleArray>(table, "SurfaceBounds", rows, 6,
    [&](std::size_t row, int side)
    {
      const vmc::Bounds& bounds = measuresOf(row).bounds;
      if (bounds.isEmpty())
        return side % 2 == 0 ? 1.0 : -1.0; // as uninitialized bounds of VTK
      return (side % 2 == 0 ? bounds.low : bounds.high)[static_cast<std::size_t>(side / 2)];
    });
}

}

void fillMeasures(const std::vector<MeasuredSurface>& surfaces, const std::vector<double>& isovalues, bool haveMeasures,
  bool haveRegions, vtkTable* table)
{
  const std::size_t rows = surfaces.size();
  addNumbers(table, "Isovalue", rows, [&](std::size_t row) { return isovalues[row]; });
  addNumbers(table, "Triangles", rows, [&](std::size_t row) { return surfaces[row].measures.triangles; });
  if (haveMeasures)
    addMeasures(table, rows, [&](std::size_t row) -> const vmc::SurfaceMeasures& { return surfaces[row].measures; });
  if (haveRegions)
    addNumbers(table, "NumberOfRegions", rows, [&](std::size_t row) { return surfaces[row].regions; });
}

void addDomainShare(const vmc::DomainShare& share, vtkTable* table)
{
  const std::vector<double>& above = share.above;
  addNumbers(table, "VolumeAbove", above.size(), [&](std::size_t row) { return above[row]; });
  addNumbers(table, "ShareOfDomain", above.size(),
    [&](std::size_t row) { return share.domain > 0 ? above[row] / share.domain : 0; });
}

void fillRegions(const std::vector<vmc::SurfaceRegion>& regions, const std::vector<double>& isovalues, vtkTable* table)
{
  const std::size_t rows = regions.size();
  addColumn<vtkIdTypeArray>(
    table, "RegionId", rows, 1, [](std::size_t row, int) { return static_cast<vtkIdType>(row); });
  addNumbers(table, "Isovalue", rows, [&](std::size_t row) { return isovalues[regions[row].isovalue]; });
  addColumn<vtkIdTypeArray>(table, "Triangles", rows, 1,
    [&](std::size_t row, int) { return static_cast<vtkIdType>(regions[row].measures.triangles); });
  addMeasures(table, rows, [&](std::size_t row) -> const vmc::SurfaceMeasures& { return regions[row].measures; });
}

}
