// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Histogram/Suggestions.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace vmc
{

namespace
{

using Counts = std::vector<std::uint64_t>; // [bin]

bool isEmpty(std::uint64_t count)
{
  return count == 0;
}

bool hasTwoClasses(const Counts& samples)
{
  return samples.size() - std::count_if(samples.begin(), samples.end(), isEmpty) >= 2;
}

Counts withoutBackground(Counts samples)
{
  const Counts all = samples;
  *std::max_element(samples.begin(), samples.end()) = 0;
  return hasTwoClasses(samples) ? samples : all;
}

// [bin]: the variance between the samples up to this bin and those after it, in bins, times the squared number of
// samples; 0 if one of the classes is empty.
std::vector<double> variancesBetween(const Counts& samples)
{
  double count = 0, sum = 0;
  for (std::size_t bin = 0; bin < samples.size(); ++bin)
  {
    count += static_cast<double>(samples[bin]);
    sum += static_cast<double>(samples[bin]) * static_cast<double>(bin);
  }
  std::vector<double> variances;
  double lowCount = 0, lowSum = 0;
  for (std::size_t bin = 0; bin < samples.size(); ++bin)
  {
    lowCount += static_cast<double>(samples[bin]);
    lowSum += static_cast<double>(samples[bin]) * static_cast<double>(bin);
    const double highCount = count - lowCount;
    const double distance = lowCount == 0 || highCount == 0 ? 0 : lowSum / lowCount - (sum - lowSum) / highCount;
    variances.push_back(lowCount * highCount * distance * distance);
  }
  return variances;
}

// The middle one of the equal best bins: the classes have the same samples if the bins between them are empty.
std::size_t lastBinOfLowClass(const Counts& samples)
{
  const std::vector<double> variances = variancesBetween(samples);
  const auto first = std::max_element(variances.begin(), variances.end());
  auto last = first;
  while (last + 1 != variances.end() && samples[last + 1 - variances.begin()] == 0)
    ++last;
  return static_cast<std::size_t>((first - variances.begin()) + (last - first) / 2);
}

// The bin that cuts cells and is nearest to this one; of two, the lower one. At least one bin must cut cells.
std::size_t nearestCuttingBin(const Counts& cutCells, std::size_t bin)
{
  for (std::size_t distance = 0;; ++distance)
  {
    if (distance <= bin && cutCells[bin - distance] > 0)
      return bin - distance;
    if (bin + distance < cutCells.size() && cutCells[bin + distance] > 0)
      return bin + distance;
  }
}

bool cutsCells(const ValueCounts& counts)
{
  return !std::all_of(counts.cutCells.begin(), counts.cutCells.end(), isEmpty);
}

}

std::optional<double> otsuThreshold(const Bins& bins, const ValueCounts& counts)
{
  if (!cutsCells(counts) || !hasTwoClasses(counts.samples))
    return std::nullopt;
  const std::size_t bin = lastBinOfLowClass(withoutBackground(counts.samples));
  return bins.centre(static_cast<std::uint32_t>(nearestCuttingBin(counts.cutCells, bin)));
}

std::optional<double> mostCutCells(const Bins& bins, const ValueCounts& counts)
{
  if (!cutsCells(counts))
    return std::nullopt;
  const auto most = std::max_element(counts.cutCells.begin(), counts.cutCells.end());
  return bins.centre(static_cast<std::uint32_t>(most - counts.cutCells.begin()));
}

}
