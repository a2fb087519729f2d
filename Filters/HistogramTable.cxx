// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "HistogramTable.h"

#include "Compute/Histogram/Suggestions.h"

#include "vtkDoubleArray.h"
#include "vtkFieldData.h"
#include "vtkNew.h"
#include "vtkSmartPointer.h"
#include "vtkStringArray.h"
#include "vtkTable.h"
#include "vtkTypeInt64Array.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace vmc::filters
{

namespace
{

vtkSmartPointer<vtkDataArray> arrayOf(const char* name, const std::vector<double>& values)
{
  auto array = vtkSmartPointer<vtkDoubleArray>::New();
  array->SetName(name);
  for (const double value : values)
    array->InsertNextValue(value);
  return array;
}

vtkSmartPointer<vtkDataArray> arrayOf(const char* name, const std::vector<std::uint64_t>& counts)
{
  auto array = vtkSmartPointer<vtkTypeInt64Array>::New();
  array->SetName(name);
  for (const std::uint64_t count : counts)
    array->InsertNextValue(static_cast<vtkTypeInt64>(count));
  return array;
}

// Adds no array without values.
void addField(vtkTable* table, const char* name, const std::vector<double>& values, int components = 1)
{
  if (values.empty())
    return;
  const auto array = arrayOf(name, values);
  array->SetNumberOfComponents(components);
  table->GetFieldData()->AddArray(array);
}

void addField(vtkTable* table, const char* name, const std::optional<double>& value)
{
  addField(table, name, value ? std::vector<double>{ *value } : std::vector<double>());
}

void addField(vtkTable* table, const char* name, const std::string& text)
{
  vtkNew<vtkStringArray> array;
  array->SetName(name);
  array->InsertNextValue(text);
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
  table->AddColumn(arrayOf("Lower", lower));
  table->AddColumn(arrayOf("Upper", upper));
  table->AddColumn(arrayOf("Samples", counts.samples));
  table->AddColumn(arrayOf("CutCells", counts.cutCells));
  table->AddColumn(arrayOf("VolumeAbove", sum.volumesAbove()));
  table->AddColumn(arrayOf("bin_extents", centres)); // ParaView's charts choose a column of this name as their x axis
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
  if (const auto& range = subject.summary.range)
    addField(table, "DataRange", { range->smallest, range->largest }, 2);
  const std::pair<const char*, std::uint64_t> outside[] = { { "NaN", counts.nan }, { "Ghosts", counts.ghosts },
    { "Below", counts.below }, { "Above", counts.above } };
  for (const auto& [name, count] : outside)
    table->GetFieldData()->AddArray(arrayOf(name, std::vector<std::uint64_t>{ count }));
  if (hasBins)
    addBins(sum, counts, *subject.summary.kind, table);
}

}
