// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The histogram of a whole volume by brute force, to which tests compare histograms. Uses neither keys nor thresholds;
// compares samples with each edge and each centre.
#ifndef vmcReferenceWholeHistogram_h
#define vmcReferenceWholeHistogram_h

#include "Compute/Histogram/ValueCounts.h"
#include "Reference/PaddedGrid.h"

#include <cmath>
#include <functional>

namespace vmc::reference
{

// valueOf(sample index) returns the exact samples.
class WholeHistogram
{
public:
  WholeHistogram(const Volume& volume, const std::function<long double(std::size_t)>& valueOf, const Bins& bins)
    : ValueOf(valueOf)
    , Grid(volume, [&](std::size_t i) { return static_cast<double>(valueOf(i)); })
    , HistogramBins(bins)
    , Counts(bins)
  {
    for (std::size_t sample = 0; sample < volume.sampleCount(); ++sample)
      this->countSample(sample, volume.ghosts && volume.ghosts[sample] != 0);
    for (std::uint32_t z = 0; z < this->Grid.size[2]; ++z)
      for (std::uint32_t y = 0; y < this->Grid.size[1]; ++y)
        for (std::uint32_t x = 0; x < this->Grid.size[0]; ++x)
          if (this->Grid.isValidCell({ x, y, z }))
            this->countCell({ x, y, z });
  }

  const ValueCounts& counts() const { return this->Counts; }

private:
  void countSample(std::size_t sample, bool isGhost)
  {
    const long double value = this->ValueOf(sample);
    if (isGhost)
      ++this->Counts.ghosts;
    else if (std::isnan(value))
      ++this->Counts.nan;
    else if (value < this->HistogramBins.lower)
      ++this->Counts.below;
    else if (value > this->HistogramBins.upper)
      ++this->Counts.above;
    else
      ++this->Counts.samples[this->binOf(value)];
  }

  std::uint32_t binOf(long double value) const
  {
    std::uint32_t bin = 0;
    while (bin + 1 < this->HistogramBins.count && value >= this->HistogramBins.edge(bin + 1))
      ++bin;
    return bin;
  }

  void countCell(const Position& cell)
  {
    for (std::uint32_t bin = 0; bin < this->HistogramBins.count; ++bin)
    {
      unsigned inside = 0;
      for (std::uint32_t corner = 0; corner < 8; ++corner)
      {
        const std::size_t at = this->Grid.indexOf(SlabGrid::cornerOf(cell, corner));
        const bool isInside =
          !this->Grid.outside[at] && this->ValueOf(this->Grid.sample[at]) >= this->HistogramBins.centre(bin);
        inside += isInside ? 1 : 0;
      }
      this->Counts.cutCells[bin] += inside != 0 && inside != 8 ? 1 : 0;
    }
  }

  const std::function<long double(std::size_t)> ValueOf;
  const PaddedGrid Grid;
  const Bins HistogramBins;
  ValueCounts Counts;
};

}

#endif
