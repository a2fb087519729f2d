// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The places of samples among the edges and centres of bins, by exact comparison.
#ifndef vmcBinSteps_h
#define vmcBinSteps_h

#include "Compute/Histogram/Bins.h"
#include "Compute/Volume/SampleKey.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

namespace vmc
{

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
  void find(const Sample* samples, std::size_t count, std::int16_t* steps) const
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
      steps[i] = static_cast<std::int16_t>(guess > 0 ? (guess < largest ? guess : largest) : 0);
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

  std::int16_t search(Sample sample) const
  {
    const auto first = this->Bounds.begin() + 1;
    return static_cast<std::int16_t>(std::upper_bound(first, this->Bounds.end() - 1, sample) - first);
  }

  // [step]: the smallest sample of the step, between a value at or below all samples and one at or above them.
  std::vector<Sample> Bounds;
  std::vector<std::int16_t> Table; // [indexOf(sample)]; may be empty
  Real HalfLower, Scale;           // halves: the difference of large numbers is finite
};

}

#endif
