// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The counts of all blocks of a data set, on all ranks, and their table.
#ifndef vmcHistogramSum_h
#define vmcHistogramSum_h

#include "vtkType.h"

#include "Compute/Histogram/Bins.h"
#include "Compute/Histogram/CompensatedSum.h"
#include "Compute/Histogram/ValueCounts.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

class vtkMultiProcessController;
class vtkTable;

namespace vmc::filters
{

// The properties of the input that determine the bins.
struct InputSummary
{
  std::optional<ValueKind> kind;    // the largest one; empty: there are no samples
  std::optional<SampleRange> range; // empty: no sample is finite

  void add(SampleType type, const std::optional<SampleRange>& range);
};

// Returns the summary of all ranks. All ranks must call this. controller: null for one rank.
InputSummary ofAllRanks(const InputSummary& own, vtkMultiProcessController* controller);

// The samples are counted per volume of a sample in the world, so that a sum of blocks of several spacings has volumes
// that do not depend on the order of the blocks.
class HistogramSum
{
public:
  explicit HistogramSum(const Bins& bins);

  // sampleVolume: of each sample, unless the counts have volumes. notOwned: the number of samples that other pieces
  // own. They are not counted as ghosts.
  void add(const ValueCounts& counts, double sampleVolume, std::uint64_t notOwned);

  // Replaces the counts by those of all ranks on rank 0, and by undefined ones elsewhere. All ranks must call this with
  // the same bins.
  void addRanks(vtkMultiProcessController* controller);

  const Bins& bins() const { return this->Binning; }
  ValueCounts counts() const;
  // [bin]: the volume of the samples that are not below the bin.
  std::vector<double> volumesAbove() const;

private:
  using Counts = std::vector<vtkTypeInt64>;

  void addVolumes(const double* volumes);
  void addVolumesOfRanks(vtkMultiProcessController* controller);

  Bins Binning;
  // [volume of a sample][bin]; the last element counts the samples above all bins. The volume 0 stands for samples
  // whose volumes are in Volumes.
  std::map<double, Counts> Samples;
  std::vector<CompensatedSum> Volumes; // [bin], and at last above all bins
  Counts CutCells;                     // [bin]
  Counts Others = Counts(3);           // below, NaN, ghosts
};

// The values that are counted.
struct HistogramSubject
{
  std::string array;
  std::string component;
  InputSummary summary;
};

// Fills the table, which is empty, with the columns and field data that vtkVulkanImageHistogram documents. hasBins:
// false makes no rows.
void fillTable(const HistogramSum& sum, const HistogramSubject& subject, bool hasBins, vtkTable* table);

}

#endif
