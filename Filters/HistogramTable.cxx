// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "HistogramTable.h"

#include "Compute/Histogram/Suggestions.h"

#include "vtkDoubleArray.h"
#include "vtkFieldData.h"
#include "vtkNew.h"
#include "vtkStringArray.h"
#include "vtkTable.h"
#include "vtkTypeInt64Array.h"

#include <cstdint>
#include <vector>

namespace vmc::filters
{

namespace
{

void addColumn(vtkTable* table, const char* name, const std::vector<double>& values)
{
  vtkNew<vtkDoubleArray> column;
  column->SetName(name);
  for (const double value : values)
    column->InsertNextValue(value);
  table->AddColumn(column);
}

void addColumn(vtkTable* table, const char* name, const std::vector<std::uint64_t>& counts)
{
  vtkNew<vtkTypeInt64Array> column;
  column->SetName(name);
  for (const std::uint64_t count : counts)
    column->InsertNextValue(static_cast<vtkTypeInt64>(count));
  table->AddColumn(column);
}

void addField(vtkTable* table, const char* name, const std::string& text)
{
  vtkNew<vtkStringArray> array;
  array->SetName(name);
  array->InsertNextValue(text);
  table->GetFieldData()->AddArray(array);
}

void addField(vtkTable* table, const char* name, std::uint64_t count)
{
  vtkNew<vtkTypeInt64Array> array;
  array->SetName(name);
  array->InsertNextValue(static_cast<vtkTypeInt64>(count));
  table->GetFieldData()->AddArray(array);
}

// Adds no array without values.
void addField(vtkTable* table, const char* name, const std::vector<double>& values)
{
  if (values.empty())
    return;
  vtkNew<vtkDoubleArray> array;
  array->SetName(name);
  for (const double value : values)
    array->InsertNextValue(value);
  table->GetFieldData()->AddArray(array);
}

void addField(vtkTable* table, const char* name, const std::optional<double>& value)
{
  addField(table, name, value ? std::vector<double>{ *value } : std::vector<double>());
}

void addRange(vtkTable* table, const std::optional<SampleRange>& range)
{
  if (!range)
    return;
  vtkNew<vtkDoubleArray> array;
  array->SetName("DataRange");
  array->SetNumberOfComponents(2);
  array->InsertNextTuple2(range->smallest, range->largest);
  table->GetFieldData()->AddArray(array);
}

void addBins(const HistogramSum& sum, const ValueCounts& counts, ValueKind kind, vtkTable* table)
{
  const Bins& bins = sum.bins();
  std::vector<double> lower, upper, centres;
  for (std::uint32_t bin = 0; bin < bins.count; ++bin)
  {
    lower.push_back(bins.edge(bin));
    upper.push_back(bins.edge(bin + 1));
    centres.push_back(bins.centre(bin));
  }
  addColumn(table, "Lower", lower);
  addColumn(table, "Upper", upper);
  addColumn(table, "Samples", counts.samples);
  addColumn(table, "CutCells", counts.cutCells);
  addColumn(table, "VolumeAbove", sum.volumesAbove());
  addColumn(table, "bin_extents", centres); // ParaView's charts choose a column of this name as their x axis
  addField(table, "OtsuThreshold", otsuThreshold(bins, counts));
  addField(table, "Valleys", valleysOf(bins, counts, kind));
  addField(table, "MostCutCells", mostCutCells(bins, counts));
}

}

void fillTable(const HistogramSum& sum, const HistogramSubject& subject, bool hasBins, vtkTable* table)
{
  const ValueCounts counts = sum.counts();
  addField(table, "Array", subject.array);
  addField(table, "Component", subject.component);
  addRange(table, subject.summary.range);
  addField(table, "NaN", counts.nan);
  addField(table, "Ghosts", counts.ghosts);
  addField(table, "Below", counts.below);
  addField(table, "Above", counts.above);
  if (hasBins)
    addBins(sum, counts, *subject.summary.kind, table);
}

}
