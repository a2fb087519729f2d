// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The state that algorithms on volumes keep on the CPU between their calls.
#ifndef vmcCpuState_h
#define vmcCpuState_h

#include "Compute/Cpu/BrickRangeCache.h"
#include "Compute/Memory/HostMemoryPool.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace vmc
{

// The session on the CPU: its memory, and the brick ranges of the volumes of the last call. One thread at a time.
// Several sessions may share memory and ranges.
struct CpuState
{
  HostMemoryPool& memory; // of outputs and temporary arrays
  std::shared_ptr<BrickRangeCache> ranges;
  const PoolUser<HostMemoryPool> memoryUser{ this->memory };
  std::vector<SharedRanges> held{};

  // Returns the ranges of each volume (see BrickRangeCache::acquire), and holds them in place of those of the last
  // call.
  std::vector<SharedRanges> hold(const std::vector<const Volume*>& volumes, unsigned threads, StageTimes& times)
  {
    std::vector<SharedRanges> acquired = this->ranges->acquire(volumes, threads, times);
    this->held = acquired;
    this->release(0); // no later call recognizes these volumes
    return acquired;
  }

  // Releases the ranges of the volumes with this identity.
  void release(std::uint64_t identity)
  {
    const auto isReleased = [=](const SharedRanges& entry) { return entry->identity == identity; };
    this->held.erase(std::remove_if(this->held.begin(), this->held.end(), isReleased), this->held.end());
  }
};

}

#endif
