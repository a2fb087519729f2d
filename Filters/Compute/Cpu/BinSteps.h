// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The bins of samples, and counts by bin.
#ifndef vmcBinSteps_h
#define vmcBinSteps_h

#include "Compute/Histogram/Bins.h"
#include "Compute/Histogram/ValueCounts.h"
#include "Compute/Volume/SampleKey.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

namespace vmc::cpu
{

using Step = std::int16_t;

// The edges and centres of bins, in ascending order: edge 0, centre 0, edge 1, ..., the last edge. The step of a sample
// is the number of those that are not above it, but the last edge counts only for samples above it. So a sample of bin
// b has step 2 * b + 1, or 2 * b + 2 if it is not below the bin's centre. Samples below the first edge have step 0,
// those above the last edge the largest step.
template <class Sample>
class BinSteps
{
public:
  // count: roughly how many samples will be looked up. For many samples of few bits, a table is made.
  BinSteps(const Bins& bins, std::uint64_t count)
    : HalfLower(static_cast<Real>(bins.lower / 2))
    , Scale(static_cast<Real>(2 * bins.count / (bins.upper / 2 - bins.lower / 2)))
  {
    this->Bounds.push_back(std::numeric_limits<Sample>::lowest());
    for (std::uint32_t bin = 0; bin < bins.count; ++bin)
    {
      this->add(smallestFrom<Sample>(bins.edge(bin)));
      this->add(smallestFrom<Sample>(bins.centre(bin)));
    }
    this->add(smallestAbove<Sample>(bins.upper));
    this->Bounds.push_back(std::numeric_limits<Sample>::max());
    if (IsSmall && count >= TableSize)
      this->makeTable();
  }

  // The steps of so many samples. Those of NaN are undefined.
  void find(const Sample* samples, std::size_t count, Step* steps) const
  {
    if constexpr (IsSmall)
      if (!this->Table.empty())
      {
        std::transform(samples, samples + count, steps, [this](Sample sample) { return this->Table[indexOf(sample)]; });
        return;
      }
    const auto largest = static_cast<Real>(this->Bounds.size() - 2);
    for (std::size_t i = 0; i < count; ++i)
    {
      const Real guess = (static_cast<Real>(samples[i]) / 2 - this->HalfLower) * this->Scale + 1;
      steps[i] = static_cast<Step>(guess > 0 ? (guess < largest ? guess : largest) : 0);
    }
    const Sample* const bounds = this->Bounds.data();
    for (std::size_t i = 0; i < count; ++i)
      if (!(samples[i] >= bounds[steps[i]] && samples[i] < bounds[steps[i] + 1]))
        steps[i] = this->search(samples[i]);
  }

private:
  static constexpr bool IsSmall = sizeof(Sample) <= 2;
  static constexpr std::size_t TableSize = std::size_t(1) << (IsSmall ? 8 * sizeof(Sample) : 0);
  // Guesses are rounded.
  using Real = std::conditional_t<IsSmall || std::is_same_v<Sample, float>, float, double>;

  static std::size_t indexOf(Sample sample) { return static_cast<std::size_t>(sample) % TableSize; }

  void makeTable()
  {
    this->Table.resize(TableSize);
    for (std::size_t value = 0; value < TableSize; ++value)
      this->Table[value] = this->search(static_cast<Sample>(value));
  }

  // A bound above all samples is never reached.
  void add(std::optional<Sample> bound)
  {
    if (bound)
      this->Bounds.push_back(*bound);
  }

  Step search(Sample sample) const
  {
    const auto first = this->Bounds.begin() + 1;
    return static_cast<Step>(std::upper_bound(first, this->Bounds.end() - 1, sample) - first);
  }

  // [step]: the smallest sample of the step, between a value at or below all samples and one at or above them.
  std::vector<Sample> Bounds;
  std::vector<Step> Table; // [indexOf(sample)]; may be empty
  Real HalfLower, Scale;   // halves: the difference of large numbers is finite
};

constexpr Step BlankStep = 2 * Bins::Largest + 2; // of samples without a value: larger than any step

// The number of bin centres that are not above a sample of this step.
constexpr std::size_t centresOf(Step step)
{
  return static_cast<std::size_t>(step) / 2;
}

// Counts by step, from which the counts by bin follow.
struct StepCounts
{
  // [half][step]: of the samples at even and at odd positions. Repeated changes of one number wait for each other.
  std::array<std::vector<std::uint64_t>, 2> samples{ std::vector<std::uint64_t>(BlankStep + 1),
    std::vector<std::uint64_t>(BlankStep + 1) };
  // [n]: valid dual cells of whose smallest sample n centres are not above it, minus those of whose largest sample.
  std::vector<std::int64_t> cells = std::vector<std::int64_t>(Bins::Largest + 1);
  std::uint64_t ghosts = 0;

  // Adds a valid dual cell with these steps of its smallest and its largest sample.
  void addCell(Step smallest, Step largest)
  {
    const std::size_t low = centresOf(smallest), high = centresOf(largest);
    if (low == high)
      return;
    ++this->cells[low];
    --this->cells[high];
  }

  std::uint64_t samplesOf(std::size_t step) const { return this->samples[0][step] + this->samples[1][step]; }

  ValueCounts inBins(const Bins& bins) const
  {
    ValueCounts counts(bins);
    std::int64_t cut = 0;
    for (std::size_t bin = 0; bin < bins.count; ++bin)
    {
      counts.samples[bin] = this->samplesOf(2 * bin + 1) + this->samplesOf(2 * bin + 2);
      cut += this->cells[bin];
      counts.cutCells[bin] = static_cast<std::uint64_t>(cut);
    }
    counts.below = this->samplesOf(0);
    counts.above = this->samplesOf(2 * bins.count + 1);
    counts.nan = this->samplesOf(BlankStep);
    counts.ghosts = this->ghosts;
    return counts;
  }
};

}

#endif
