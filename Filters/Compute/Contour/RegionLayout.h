// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Places regions in one buffer.
#ifndef vmcRegionLayout_h
#define vmcRegionLayout_h

#include "Compute/Memory/DeviceMemoryPool.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace vmc
{

// Collects regions, then places them one after the other.
class RegionLayout
{
public:
  // Regions begin at multiples of this, which every device can bind.
  static constexpr std::uint64_t Alignment = 256;

  static constexpr std::uint64_t aligned(std::uint64_t bytes)
  {
    return (bytes + Alignment - 1) / Alignment * Alignment;
  }

  // Adds a region, which is set when all are placed. It must exist until then. Size 0: a region without a buffer.
  void add(Region& region, std::uint64_t sizeInBytes)
  {
    region = Region();
    region.size = sizeInBytes;
    this->Regions.push_back(&region);
    this->Size += aligned(sizeInBytes);
  }

  std::uint64_t size() const { return this->Size; } // bytes

  // Sets the regions to parts of the buffer, which has at least size() bytes.
  void place(const Buffer& buffer) const
  {
    std::uint64_t offset = 0;
    for (Region* const region : this->Regions)
      if (region->size != 0)
      {
        *region = Region(buffer, offset, region->size);
        offset += aligned(region->size);
      }
  }

  // Places the regions in a buffer of at least `least` bytes. It has no memory if all regions are empty. Throws
  // OutOfMemory.
  PooledBuffer allocate(DeviceMemoryPool& pool, const char* name, std::uint64_t least = 0) const
  {
    if (this->Size == 0)
      return {};
    PooledBuffer memory = pool.acquire(std::max(this->Size, least), name);
    this->place(memory.buffer());
    return memory;
  }

private:
  std::vector<Region*> Regions;
  std::uint64_t Size = 0;
};

}

#endif
