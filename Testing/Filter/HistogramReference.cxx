// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "HistogramReference.h"

#include "FilterTest.h"

#include "Reference/LevelHistogram.h"

#include "vtkCellData.h"
#include "vtkDataArray.h"
#include "vtkDataSetAttributes.h"
#include "vtkDoubleArray.h"
#include "vtkFieldData.h"
#include "vtkMatrix3x3.h"
#include "vtkPointData.h"
#include "vtkStringArray.h"
#include "vtkTypeInt64Array.h"
#include "vtkUnsignedCharArray.h"

#include <algorithm>
#include <cmath>

namespace
{

template <class Value>
std::vector<long double> valuesOf(const Value* values, vtkIdType tuples, int components, int component)
{
  std::vector<long double> result;
  for (vtkIdType i = 0; i < tuples; ++i)
  {
    long double square = 0;
    for (int c = 0; c < components; ++c)
      square += static_cast<long double>(values[i * components + c]) * values[i * components + c];
    const bool isMagnitude = component < 0 && components > 1;
    // The filter computes magnitudes in double.
    result.push_back(isMagnitude ? static_cast<double>(std::sqrt(square))
                                 : static_cast<long double>(values[i * components + std::max(component, 0)]));
  }
  return result;
}

// A position of the dual grid, which may lie beyond the samples.
struct Corner
{
  int at[3];
};

// The sample at the corner, or the nearest one.
std::size_t sampleAt(const HistogramInput& input, const Corner& corner)
{
  std::size_t index = 0;
  for (int axis = 2; axis >= 0; --axis)
    index = index * input.dimensions[axis] + std::clamp(corner.at[axis], 0, input.dimensions[axis] - 1);
  return index;
}

// Layers beyond the samples on each side: those that repeat them, and for a closed surface one that is outside.
int repeatedLayers(const HistogramInput& input)
{
  return input.boundary != vtkVulkanMarchingCubes::BOUNDARY_OPEN && input.ofCells ? 1 : 0;
}

int layers(const HistogramInput& input)
{
  return repeatedLayers(input) + (input.boundary == vtkVulkanMarchingCubes::BOUNDARY_CLOSE ? 1 : 0);
}

bool isInside(const HistogramInput& input, const Corner& corner, double isovalue)
{
  for (int axis = 0; axis < 3; ++axis)
    if (corner.at[axis] < -repeatedLayers(input) || corner.at[axis] >= input.dimensions[axis] + repeatedLayers(input))
      return false;
  return input.values[sampleAt(input, corner)] >= isovalue;
}

bool isCut(const HistogramInput& input, const Corner& minimum, double isovalue)
{
  if (input.notOwned[sampleAt(input, minimum)])
    return false;
  int inside = 0;
  for (int number = 0; number < 8; ++number)
  {
    const Corner corner = { { minimum.at[0] + (number & 1), minimum.at[1] + (number >> 1 & 1),
      minimum.at[2] + (number >> 2) } };
    const std::size_t sample = sampleAt(input, corner);
    if (input.blank[sample] || std::isnan(input.values[sample]))
      return false;
    inside += isInside(input, corner, isovalue);
  }
  return inside > 0 && inside < 8;
}

vtkTypeInt64 cutCells(const HistogramInput& input, double isovalue)
{
  const int beyond = layers(input);
  vtkTypeInt64 count = 0;
  for (int z = -beyond; z < input.dimensions[2] + beyond - 1; ++z)
    for (int y = -beyond; y < input.dimensions[1] + beyond - 1; ++y)
      for (int x = -beyond; x < input.dimensions[0] + beyond - 1; ++x)
        count += isCut(input, { { x, y, z } }, isovalue);
  return count;
}

// Calls use(value, volume) for the samples that are counted by value, NaN too.
template <class Use>
void forCounted(const HistogramInput& input, const Use& use)
{
  for (std::size_t i = 0; i < input.values.size(); ++i)
    if (!input.blank[i] && !input.notOwned[i])
      use(input.values[i], input.volumes[i]);
}

// The size of the cell of a sample along an axis, by the coordinates of the points.
double sizeAlong(const std::vector<double>& points, int sample, bool isOfCells)
{
  const auto at = [&](int i) { return points[static_cast<std::size_t>(i)]; };
  const int last = static_cast<int>(points.size()) - 1;
  if (isOfCells)
    return at(sample + 1) - at(sample);
  if (sample == 0 || sample == last)
    return sample == 0 ? at(1) - at(0) : at(last) - at(last - 1);
  return (at(sample + 1) - at(sample)) / 2 + (at(sample) - at(sample - 1)) / 2;
}

void expectBin(vtkTable* table, vtkIdType bin, const std::vector<HistogramInput>& inputs)
{
  const double lower = NumbersOf(table, "Lower")[bin], upper = NumbersOf(table, "Upper")[bin];
  const bool isLast = bin + 1 == table->GetNumberOfRows();
  vtkTypeInt64 samples = 0, cut = 0;
  long double volume = 0;
  for (const HistogramInput& input : inputs)
  {
    forCounted(input,
      [&](long double value, double sampleVolume)
      {
        samples += value >= lower && (value < upper || (isLast && value == upper));
        volume += value >= lower ? sampleVolume : 0;
      });
    cut += cutCells(input, lower / 2 + upper / 2);
  }
  ASSERT_EQ(IntegersOf(table, "Samples")[bin], samples) << "bin " << bin;
  ASSERT_EQ(IntegersOf(table, "CutCells")[bin], cut) << "bin " << bin;
  ASSERT_EQ(NumbersOf(table, "bin_extents")[bin], lower / 2 + upper / 2);
  // The determinant is computed in another order of operations.
  ASSERT_NEAR(NumbersOf(table, "VolumeAbove")[bin], double(volume), 1e-14 * double(volume)) << "bin " << bin;
}

}

HistogramInput::HistogramInput(vtkImageData* data, const char* name, int component, int boundaryMode, bool useCells)
  : image(data)
  , boundary(boundaryMode)
  , ofCells(useCells)
{
  vtkDataArray* array = data->GetAttributes(useCells ? vtkDataObject::CELL : vtkDataObject::POINT)->GetArray(name);
  switch (array->GetDataType())
  {
    vtkTemplateMacro(this->values = valuesOf(static_cast<const VTK_TT*>(array->GetVoidPointer(0)),
                       array->GetNumberOfTuples(), array->GetNumberOfComponents(), component));
  }
  data->GetDimensions(this->dimensions);
  for (int& count : this->dimensions)
    count = useCells ? std::max(count - 1, 1) : count;
  this->blank.resize(this->values.size());
  this->notOwned.resize(this->values.size());
  const double* spacing = data->GetSpacing();
  const double direction = std::abs(data->GetDirectionMatrix()->Determinant());
  this->volumes.assign(this->values.size(), spacing[0] * spacing[1] * spacing[2] * direction);
  vtkUnsignedCharArray* ghosts = useCells ? data->GetCellGhostArray() : nullptr;
  for (std::size_t i = 0; ghosts && i < this->values.size(); ++i)
  {
    const int flag = ghosts->GetValue(static_cast<vtkIdType>(i));
    this->blank[i] = (flag & (vtkDataSetAttributes::HIDDENCELL | vtkDataSetAttributes::REFINEDCELL)) != 0;
    this->notOwned[i] = (flag & vtkDataSetAttributes::DUPLICATECELL) != 0;
  }
}

HistogramInput HistogramInput::onGrid(const PointCoordinates& points) const
{
  HistogramInput input = *this;
  for (std::size_t i = 0; i < input.volumes.size(); ++i)
  {
    int rest = static_cast<int>(i);
    input.volumes[i] = 1;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      input.volumes[i] *= sizeAlong(points[axis], rest % this->dimensions[axis], this->ofCells);
      rest /= this->dimensions[axis];
    }
  }
  return input;
}

Integers IntegersOf(vtkTable* table, const char* column)
{
  auto* const array = vtkArrayDownCast<vtkTypeInt64Array>(table->GetColumnByName(column));
  return array ? Integers(array->Begin(), array->End()) : Integers();
}

std::vector<double> NumbersOf(vtkTable* table, const char* column)
{
  auto* const array = vtkArrayDownCast<vtkDoubleArray>(table->GetColumnByName(column));
  return array ? std::vector<double>(array->Begin(), array->End()) : std::vector<double>();
}

bool HasField(vtkTable* table, const char* name)
{
  return table->GetFieldData()->HasArray(name) != 0;
}

double FieldOf(vtkTable* table, const char* name)
{
  return HasField(table, name) ? table->GetFieldData()->GetArray(name)->GetComponent(0, 0) : std::nan("");
}

std::vector<double> FieldValuesOf(vtkTable* table, const char* name)
{
  std::vector<double> values;
  for (vtkIdType i = 0; HasField(table, name) && i < table->GetFieldData()->GetArray(name)->GetNumberOfTuples(); ++i)
    values.push_back(table->GetFieldData()->GetArray(name)->GetComponent(i, 0));
  return values;
}

std::string TextOf(vtkTable* table, const char* name)
{
  auto* const array = vtkArrayDownCast<vtkStringArray>(table->GetFieldData()->GetAbstractArray(name));
  return array ? array->GetValue(0) : "none";
}

std::string BytesOfTable(vtkTable* table)
{
  std::string bytes;
  for (vtkFieldData* data : { static_cast<vtkFieldData*>(table->GetRowData()), table->GetFieldData() })
    for (int i = 0; i < data->GetNumberOfArrays(); ++i)
      if (vtkDataArray* array = data->GetArray(i))
        bytes += std::string(array->GetName()) + BytesOf(array);
  return bytes;
}

void ExpectCounts(vtkTable* table, const std::vector<HistogramInput>& inputs)
{
  ASSERT_GT(table->GetNumberOfRows(), 0);
  const double lower = NumbersOf(table, "Lower").front(), upper = NumbersOf(table, "Upper").back();
  double below = 0, above = 0, nan = 0, ghosts = 0;
  for (const HistogramInput& input : inputs)
  {
    for (std::size_t i = 0; i < input.values.size(); ++i)
      ghosts += input.blank[i] && !input.notOwned[i];
    forCounted(input,
      [&](long double value, double)
      {
        below += value < lower;
        above += value > upper;
        nan += std::isnan(value);
      });
  }
  EXPECT_EQ(FieldOf(table, "Below"), below);
  EXPECT_EQ(FieldOf(table, "Above"), above);
  EXPECT_EQ(FieldOf(table, "NaN"), nan);
  EXPECT_EQ(FieldOf(table, "Ghosts"), ghosts);
  for (vtkIdType bin = 0; bin < table->GetNumberOfRows(); ++bin)
    ASSERT_NO_FATAL_FAILURE(expectBin(table, bin, inputs));
}

void ExpectLevels(vtkTable* table, const vmc::reference::Levels& levels)
{
  const std::vector<double> lower = NumbersOf(table, "Lower");
  ASSERT_FALSE(lower.empty());
  const vmc::Bins bins = { lower.front(), NumbersOf(table, "Upper").back(), static_cast<std::uint32_t>(lower.size()) };
  const vmc::LevelCounts counts = vmc::reference::levelHistogram(levels, vmc::reference::LevelLeaves(levels), bins);
  vmc::ValueCounts sum(bins);
  std::vector<double> volumes(lower.size());
  for (std::size_t level = 0; level < counts.size(); ++level)
  {
    sum.add(counts[level]);
    double volume = std::abs(vmc::SampleGeometry(levels.origin, levels.steps).determinant());
    for (const std::int64_t cells : levels.cellsPerCell(0, level))
      volume /= static_cast<double>(cells);
    std::uint64_t above = counts[level].above;
    for (std::size_t bin = lower.size(); bin-- > 0;)
      volumes[bin] += static_cast<double>(above += counts[level].samples[bin]) * volume;
  }
  EXPECT_EQ(IntegersOf(table, "Samples"), Integers(sum.samples.begin(), sum.samples.end()));
  EXPECT_EQ(IntegersOf(table, "CutCells"), Integers(sum.cutCells.begin(), sum.cutCells.end()));
  for (std::size_t bin = 0; bin < lower.size(); ++bin)
    EXPECT_NEAR(NumbersOf(table, "VolumeAbove")[bin], volumes[bin], 1e-14 * volumes[bin]) << "bin " << bin;
  EXPECT_EQ(FieldOf(table, "NaN"), double(sum.nan));
  EXPECT_EQ(FieldOf(table, "Ghosts"), double(sum.ghosts));
  EXPECT_EQ(FieldOf(table, "Below"), double(sum.below));
  EXPECT_EQ(FieldOf(table, "Above"), double(sum.above));
}
