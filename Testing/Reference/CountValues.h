// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Reference implementation of the kernel CountValues.
#ifndef vmcReferenceCountValues_h
#define vmcReferenceCountValues_h

#include "Reference/SlabGrid.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace vmc::reference
{

// The thresholds of a histogram for samples of one type (Constants.h): a sample is not below thresholds[i] if its key
// is at least that key. Ascending; those above all values are left out.
class ValueCounter
{
public:
  // count: of BINDING_VALUE_COUNT. All arguments must outlive this object.
  ValueCounter(const SlabConstants& slab, const SlabGrid& grid, const std::vector<std::uint64_t>& thresholds,
    SampleType type, std::uint32_t slots, std::vector<std::uint32_t>& count)
    : Slab(slab)
    , Grid(grid)
    , Thresholds(thresholds)
    , IsByte(bytesOf(type) == 1)
    , Slots(slots)
    , Count(count)
  {
  }

  void countSlab() const
  {
    const std::uint32_t first = BRICK_SIZE * this->Slab.brickLayer;
    for (std::uint32_t z = first; z < std::min(first + BRICK_SIZE * ownLayers(this->Slab), this->Slab.sizeZ); ++z)
      for (std::uint32_t y = 0; y < this->Slab.sizeY; ++y)
        for (std::uint32_t x = 0; x < this->Slab.sizeX; ++x)
        {
          this->countSample({ x, y, z });
          this->countCell({ x, y, z });
        }
  }

private:
  void countSample(const Position& p) const
  {
    if (!this->Grid.isImageSample(p))
      return;
    if (this->Grid.flags(p) != 0)
      ++this->Count[2 * this->Slots + HISTOGRAM_GHOSTS];
    else if (this->Grid.isNan(p))
      ++this->Count[2 * this->Slots + HISTOGRAM_NAN];
    else
      ++this->Count[this->IsByte ? this->rank(p) : (this->rank(p) + 1) / 2];
  }

  void countCell(const Position& p) const
  {
    if (!this->Grid.isValidCell(p))
      return;
    std::uint32_t smallest = ~0u, largest = 0;
    for (std::uint32_t corner = 0; corner < 8; ++corner)
    {
      const std::uint32_t rank = this->rank(SlabGrid::cornerOf(p, corner));
      smallest = std::min(smallest, rank);
      largest = std::max(largest, rank);
    }
    ++this->Count[this->Slots + (this->IsByte ? smallest : smallest / 2)];
    --this->Count[this->Slots + (this->IsByte ? largest : largest / 2)];
  }

  std::uint32_t rank(const Position& p) const
  {
    if (this->Grid.isOutside(p))
      return 0;
    const std::uint64_t key = this->Grid.key(p);
    if (this->IsByte)
      return static_cast<std::uint32_t>(key) + 1;
    return static_cast<std::uint32_t>(
      std::upper_bound(this->Thresholds.begin(), this->Thresholds.end(), key) - this->Thresholds.begin());
  }

  const SlabConstants& Slab;
  const SlabGrid& Grid;
  const std::vector<std::uint64_t>& Thresholds;
  const bool IsByte;
  const std::uint32_t Slots;
  std::vector<std::uint32_t>& Count;
};

}

#endif
