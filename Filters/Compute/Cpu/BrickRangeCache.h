// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The smallest and the largest sample of each brick, on the CPU.
#ifndef vmcBrickRangeCache_h
#define vmcBrickRangeCache_h

#include "Compute/Volume/Volume.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

namespace vmc
{

// Of the samples that the cells of a brick touch, NaN left out: the smallest and the largest, as values of the sample
// type. If all are NaN, the smallest is above the largest.
struct SampleRanges
{
  std::vector<std::byte> smallest; // Sample[brick]
  std::vector<std::byte> largest;  // Sample[brick]
  bool hasNan = false;             // at least one sample is NaN
};

// Computes the ranges. Uses at most so many threads.
SampleRanges sampleRangesOf(const Volume& volume, unsigned threads);

// Shares the ranges of arrays with an identity between all users that hold them. Any thread may use it.
class BrickRangeCache
{
public:
  // Returns the ranges of the volume, which are computed unless a user holds them. Uses at most so many threads.
  // Sets `isNew` to true if they were computed, else leaves it as it is. Threads that ask at the same time may both
  // compute them.
  std::shared_ptr<const SampleRanges> acquire(const Volume& volume, unsigned threads, bool& isNew);

private:
  using Size = std::array<std::uint32_t, 3>;
  using Key = std::tuple<std::uint64_t, SampleType, Size, Size, Size>; // identity, type, size, padding

  std::map<Key, std::weak_ptr<const SampleRanges>> Entries;
};

}

#endif
