// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Histogram/Suggestions.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
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

constexpr std::size_t MostLabels = 16;
constexpr std::size_t MostValleys = MostLabels - 1;

std::vector<std::uint32_t> binsWithSamples(const Counts& samples)
{
  std::vector<std::uint32_t> found;
  for (std::size_t bin = 0; bin < samples.size(); ++bin)
    if (samples[bin] > 0)
      found.push_back(static_cast<std::uint32_t>(bin));
  return found;
}

// The integer in the bin; empty if there is none or more than one.
std::optional<double> onlyIntegerIn(const Bins& bins, std::uint32_t bin)
{
  const double upper = bins.edge(bin + 1);
  const double integer = std::ceil(bins.edge(bin));
  const bool isInside = integer < upper || (integer == upper && bin + 1 == bins.count);
  return isInside && integer + 1 >= upper ? std::optional(integer) : std::nullopt;
}

// The integers of few bins with one integer each; empty if the data is no label map. Real samples in neighbouring bins
// are continuous.
std::vector<double> labelsOf(const Bins& bins, const std::vector<std::uint32_t>& binsWithSamples, ValueKind kind)
{
  const auto areNeighbours = [](std::uint32_t bin, std::uint32_t next) { return bin + 1 == next; };
  std::vector<double> labels;
  if (binsWithSamples.size() > MostLabels ||
      (kind == ValueKind::Real &&
        std::adjacent_find(binsWithSamples.begin(), binsWithSamples.end(), areNeighbours) != binsWithSamples.end()))
    return labels;
  for (const std::uint32_t bin : binsWithSamples)
  {
    const std::optional<double> label = onlyIntegerIn(bins, bin);
    if (!label)
      return {};
    labels.push_back(*label);
  }
  return labels;
}

// A value between two peaks, and a bin whose isovalue cuts the same cells.
struct Valley
{
  double value = 0;
  std::size_t bin = 0;
  double depth = 0; // the count, divided by that of the lower peak
};

std::vector<Valley> valleysBetween(const std::vector<double>& labels, const std::vector<std::uint32_t>& binOfLabel)
{
  std::vector<Valley> valleys;
  for (std::size_t i = 1; i < labels.size(); ++i)
    valleys.push_back({ labels[i - 1] / 2 + labels[i] / 2, (binOfLabel[i - 1] + binOfLabel[i]) / 2 });
  return valleys;
}

// Outside the bins, there are no samples. Exact for up to 2^51 samples.
Counts movingSums(const Counts& counts, std::size_t radius)
{
  Counts sums;
  for (std::size_t bin = 0; bin < counts.size(); ++bin)
    sums.push_back(std::accumulate(counts.begin() + (bin - std::min(bin, radius)),
      counts.begin() + std::min(bin + radius + 1, counts.size()), std::uint64_t(0)));
  return sums;
}

// Returns the height of the lower one of the two peaks beside the plateau [first, last]. A peak ends at the first bin
// that is lower than the plateau. After the plateau, it also ends at a bin of the same height: only the last one of
// several equal plateaus without such a peak between them has a peak on both sides.
std::uint64_t lowerPeakBeside(const Counts& counts, std::size_t first, std::size_t last)
{
  std::uint64_t before = 0, after = 0;
  for (std::size_t bin = first; bin-- > 0 && counts[bin] >= counts[first];)
    before = std::max(before, counts[bin]);
  for (std::size_t bin = last + 1; bin < counts.size() && counts[bin] > counts[last]; ++bin)
    after = std::max(after, counts[bin]);
  return std::min(before, after);
}

std::vector<Valley> clearValleys(const Bins& bins, const Counts& samples)
{
  const std::size_t radius = std::max<std::size_t>(samples.size() / 128, 1);
  const double window = 2.0 * static_cast<double>(radius) + 1;
  const double weight = window * window * window;
  const Counts sums = movingSums(movingSums(movingSums(samples, radius), radius), radius);
  std::vector<Valley> valleys;
  for (std::size_t first = 0, last = 0; first < sums.size(); first = ++last)
  {
    while (last + 1 < sums.size() && sums[last + 1] == sums[first])
      ++last;
    const double count = static_cast<double>(sums[first]) / weight;
    const double peak = static_cast<double>(lowerPeakBeside(sums, first, last)) / weight;
    const std::size_t middle = (first + last) / 2;
    if (count <= 0.75 * peak && peak - count > 3 * std::sqrt(peak))
      valleys.push_back({ bins.centre(static_cast<std::uint32_t>(middle)), middle, count / peak });
  }
  return valleys;
}

// In ascending order, as before.
void keepDeepest(std::vector<Valley>& valleys)
{
  if (valleys.size() <= MostValleys)
    return;
  std::stable_sort(valleys.begin(), valleys.end(), [](const Valley& a, const Valley& b) { return a.depth < b.depth; });
  valleys.resize(MostValleys);
  std::sort(valleys.begin(), valleys.end(), [](const Valley& a, const Valley& b) { return a.bin < b.bin; });
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

std::vector<double> valleysOf(const Bins& bins, const ValueCounts& counts, ValueKind kind)
{
  const std::vector<std::uint32_t> occupied = binsWithSamples(counts.samples);
  const std::vector<double> labels = labelsOf(bins, occupied, kind);
  std::vector<Valley> valleys = labels.empty() ? clearValleys(bins, counts.samples) : valleysBetween(labels, occupied);
  keepDeepest(valleys);
  std::vector<double> values;
  for (const Valley& valley : valleys)
    if (counts.cutCells[valley.bin] > 0)
      values.push_back(valley.value);
  return values;
}

std::optional<double> mostCutCells(const Bins& bins, const ValueCounts& counts)
{
  if (!cutsCells(counts))
    return std::nullopt;
  const auto most = std::max_element(counts.cutCells.begin(), counts.cutCells.end());
  return bins.centre(static_cast<std::uint32_t>(most - counts.cutCells.begin()));
}

}
