// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "HistogramSum.h"

#include "Ranks.h"

#include "Compute/Histogram/Suggestions.h"

#include "vtkCommunicator.h"
#include "vtkDoubleArray.h"
#include "vtkFieldData.h"
#include "vtkMultiProcessController.h"
#include "vtkNew.h"
#include "vtkSmartPointer.h"
#include "vtkStringArray.h"
#include "vtkTable.h"
#include "vtkTypeInt64Array.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>

namespace vmc::filters
{

namespace
{

enum Other
{
  Below,
  Nan,
  Ghosts
};

template <class From, class To>
void addTo(std::vector<To>& sum, const std::vector<From>& counts)
{
  for (std::size_t i = 0; i < counts.size(); ++i)
    sum[i] += static_cast<To>(counts[i]);
}

std::vector<vtkTypeInt64> sumOfRanks(const std::vector<vtkTypeInt64>& own, vtkMultiProcessController* controller)
{
  std::vector<vtkTypeInt64> sum(own.size());
  controller->Reduce(own.data(), sum.data(), static_cast<vtkIdType>(own.size()), vtkCommunicator::SUM_OP, 0);
  return sum;
}

template <class Array, class Value>
vtkSmartPointer<Array> arrayOf(const char* name, const std::vector<Value>& values)
{
  auto array = vtkSmartPointer<Array>::New();
  array->SetName(name);
  for (const Value& value : values)
    array->InsertNextValue(static_cast<typename Array::ValueType>(value));
  return array;
}

// Adds no array without values.
void addField(vtkTable* table, const char* name, const std::vector<double>& values, int components = 1)
{
  if (values.empty())
    return;
  const auto array = arrayOf<vtkDoubleArray>(name, values);
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
  table->AddColumn(arrayOf<vtkDoubleArray>("Lower", lower));
  table->AddColumn(arrayOf<vtkDoubleArray>("Upper", upper));
  table->AddColumn(arrayOf<vtkTypeInt64Array>("Samples", counts.samples));
  table->AddColumn(arrayOf<vtkTypeInt64Array>("CutCells", counts.cutCells));
  table->AddColumn(arrayOf<vtkDoubleArray>("VolumeAbove", sum.volumesAbove()));
  // ParaView's charts choose a column of this name as their x axis.
  table->AddColumn(arrayOf<vtkDoubleArray>("bin_extents", centres));
  addField(table, "OtsuThreshold", otsuThreshold(bins, counts));
  addField(table, "Valleys", valleysOf(bins, counts, kind));
  addField(table, "MostCutCells", mostCutCells(bins, counts));
}

}

void InputSummary::add(SampleType type, const std::optional<SampleRange>& added)
{
  this->kind = std::max(this->kind, std::optional(kindOf(type)));
  if (!added)
    return;
  const SampleRange known = this->range.value_or(*added);
  this->range = { std::min(known.smallest, added->smallest), std::max(known.largest, added->largest) };
}

// One maximum: of the kind (-1: none) and of the ends of the range.
InputSummary ofAllRanks(const InputSummary& own, vtkMultiProcessController* controller)
{
  if (isAlone(controller))
    return own;
  constexpr double None = -std::numeric_limits<double>::infinity();
  const std::array<double, 3> sent = { own.kind ? static_cast<double>(*own.kind) : -1,
    own.range ? -own.range->smallest : None, own.range ? own.range->largest : None };
  std::array<double, 3> largest{};
  controller->AllReduce(sent.data(), largest.data(), 3, vtkCommunicator::MAX_OP);
  InputSummary all;
  if (largest[0] >= 0)
    all.kind = static_cast<ValueKind>(largest[0]);
  if (largest[2] != None)
    all.range = SampleRange{ -largest[1], largest[2] };
  return all;
}

HistogramSum::HistogramSum(const Bins& bins)
  : Binning(bins)
  , Volumes(bins.count + 1)
  , CutCells(bins.count)
{
}

void HistogramSum::add(const ValueCounts& counts, double sampleVolume, std::uint64_t notOwned)
{
  const bool hasVolumes = !counts.volumes.empty();
  if (hasVolumes)
    this->addVolumes(counts.volumes.data());
  Counts& samples = this->Samples[hasVolumes ? 0 : sampleVolume];
  samples.resize(this->Binning.count + 1);
  addTo(samples, counts.samples);
  samples.back() += static_cast<vtkTypeInt64>(counts.above);
  addTo(this->CutCells, counts.cutCells);
  this->Others[Below] += static_cast<vtkTypeInt64>(counts.below);
  this->Others[Nan] += static_cast<vtkTypeInt64>(counts.nan);
  this->Others[Ghosts] += static_cast<vtkTypeInt64>(counts.ghosts - notOwned);
}

// volumes: [bin], and at last above all bins.
void HistogramSum::addVolumes(const double* volumes)
{
  for (CompensatedSum& sum : this->Volumes)
    sum.add(*volumes++);
}

void HistogramSum::addRanks(vtkMultiProcessController* controller)
{
  if (isAlone(controller))
    return;
  vtkNew<vtkDoubleArray> own, all;
  for (const auto& [volume, samples] : this->Samples)
    own->InsertNextValue(volume);
  controller->AllGatherV(own, all);
  for (vtkIdType i = 0; i < all->GetNumberOfValues(); ++i)
    this->Samples[all->GetValue(i)].resize(this->Binning.count + 1);
  for (auto& [volume, samples] : this->Samples)
    samples = sumOfRanks(samples, controller);
  this->addVolumesOfRanks(controller);
  this->CutCells = sumOfRanks(this->CutCells, controller);
  this->Others = sumOfRanks(this->Others, controller);
}

// Adds the volumes in the order of the ranks: a reduction may add them in any order.
void HistogramSum::addVolumesOfRanks(vtkMultiProcessController* controller)
{
  std::vector<double> own;
  for (const CompensatedSum& sum : this->Volumes)
    own.push_back(sum.value());
  std::vector<double> all(own.size() * static_cast<std::size_t>(controller->GetNumberOfProcesses()));
  controller->Gather(own.data(), all.data(), static_cast<vtkIdType>(own.size()), 0);
  std::fill(this->Volumes.begin(), this->Volumes.end(), CompensatedSum());
  for (std::size_t first = 0; first < all.size(); first += own.size())
    this->addVolumes(all.data() + first);
}

ValueCounts HistogramSum::counts() const
{
  ValueCounts counts(this->Binning);
  for (const auto& [volume, samples] : this->Samples)
  {
    addTo(counts.samples, Counts(samples.begin(), samples.end() - 1));
    counts.above += static_cast<std::uint64_t>(samples.back());
  }
  addTo(counts.cutCells, this->CutCells);
  counts.below = static_cast<std::uint64_t>(this->Others[Below]);
  counts.nan = static_cast<std::uint64_t>(this->Others[Nan]);
  counts.ghosts = static_cast<std::uint64_t>(this->Others[Ghosts]);
  return counts;
}

std::vector<double> HistogramSum::volumesAbove() const
{
  std::vector<double> volumes(this->Binning.count);
  for (const auto& [volume, samples] : this->Samples)
  {
    vtkTypeInt64 above = samples.back();
    for (std::size_t bin = this->Binning.count; bin-- > 0;)
    {
      above += samples[bin];
      volumes[bin] += static_cast<double>(above) * volume;
    }
  }
  CompensatedSum above = this->Volumes.back();
  for (std::size_t bin = this->Binning.count; bin-- > 0;)
  {
    above.add(this->Volumes[bin]);
    volumes[bin] += above.value();
  }
  return volumes;
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
    table->GetFieldData()->AddArray(arrayOf<vtkTypeInt64Array>(name, std::vector<std::uint64_t>{ count }));
  if (hasBins)
    addBins(sum, counts, *subject.summary.kind, table);
}

}
