// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The smallest and the largest sample of each brick, on the CPU.
#ifndef vmcBrickRangeCache_h
#define vmcBrickRangeCache_h

#include "Compute/Cpu/Grid.h"
#include "Compute/Cpu/Samples.h"
#include "Compute/System/Stage.h"
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

// The smallest and the largest of the samples that the cells of a brick touch, NaN left out, as values of the sample
// type. If all are NaN, the smallest is above the largest.
struct SampleRanges
{
  std::uint64_t identity = 0;      // of the volume
  std::vector<std::byte> smallest; // Sample[brick]
  std::vector<std::byte> largest;  // Sample[brick]
  bool hasNan = false;             // at least one sample is NaN
};

using SharedRanges = std::shared_ptr<const SampleRanges>;

// Selects the bricks that the isosurface may touch: of the samples that the cells of the brick touch, one is inside and
// one is not. The grid and the ranges must outlive it.
template <class Sample>
class BrickSelection
{
public:
  BrickSelection(const Grid& grid, const SampleRanges& ranges, const Threshold& threshold)
    : VolumeGrid(grid)
    , HasOutside(grid.hasOutside)
    , Smallest(reinterpret_cast<const Sample*>(ranges.smallest.data()))
    , Largest(reinterpret_cast<const Sample*>(ranges.largest.data()))
    , Inside(thresholdValue<Sample>(threshold))
  {
  }

  bool operator()(std::size_t brick) const
  {
    const bool hasInside = this->Largest[brick] >= this->Inside;
    if (this->HasOutside && hasInside && this->VolumeGrid.touchesOutside(this->VolumeGrid.cornerOf(brick)))
      return true;
    return hasInside & (this->Smallest[brick] < this->Inside);
  }

private:
  const Grid& VolumeGrid;
  const bool HasOutside;
  const Sample* const Smallest; // [brick]
  const Sample* const Largest;  // [brick]
  const Sample Inside;          // the smallest value that is inside
};

// Computes the ranges of each volume. Uses at most so many threads.
std::vector<SharedRanges> sampleRangesOf(const std::vector<const Volume*>& volumes, unsigned threads);

// Shares the ranges of arrays with an identity between all users that hold them. Any thread may use it.
class BrickRangeCache
{
public:
  // Returns the ranges of each volume. Those that no user holds are computed, by at most so many threads, as the stage
  // BuildBrickRanges. Threads that ask at the same time may both compute them.
  std::vector<SharedRanges> acquire(const std::vector<const Volume*>& volumes, unsigned threads, StageTimes& times);

private:
  using Size = std::array<std::uint32_t, 3>;
  using Key = std::tuple<std::uint64_t, SampleType, Size, Size, Size>; // identity, type, size, padding

  static Key keyOf(const Volume& volume);

  std::map<Key, std::weak_ptr<const SampleRanges>> Entries;
};

}

#endif
