// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The state that algorithms on volumes keep on the CPU between their calls.
#ifndef vmcCpuState_h
#define vmcCpuState_h

#include "Compute/Cpu/BrickRangeCache.h"
#include "Compute/Memory/HostMemoryPool.h"
#include "Compute/Volume/LevelCache.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace vmc
{

// The session on the CPU: its memory, the brick ranges of the volumes of the last call, and the bricks of the last
// hierarchies. One thread at a time. Several sessions may share memory, ranges and levels.
struct CpuState
{
  HostMemoryPool& memory; // of outputs and temporary arrays
  std::shared_ptr<BrickRangeCache> ranges;
  std::shared_ptr<LevelCache> levels = std::make_shared<LevelCache>();
  const PoolUser<HostMemoryPool> memoryUser{ this->memory };
  std::vector<SharedRanges> held{};
  std::vector<SharedLevels> heldLevels{};

  // Returns the ranges of each volume (see BrickRangeCache::acquire), and holds them in place of those of the last
  // call.
  std::vector<SharedRanges> hold(const std::vector<const Volume*>& volumes, unsigned threads, StageTimes& times)
  {
    std::vector<SharedRanges> acquired = this->ranges->acquire(volumes, threads, times);
    this->held = acquired;
    this->release(0); // no later call recognizes these volumes
    return acquired;
  }

  // Returns the bricks of each hierarchy (see LevelCache::acquire), and holds them in place of those of the last call.
  std::vector<SharedLevels> hold(const std::vector<Levels>& hierarchies, unsigned threads, StageTimes& times)
  {
    std::vector<SharedLevels> acquired = this->levels->acquire(hierarchies, threads, times);
    this->heldLevels = acquired;
    this->release(0); // no later call recognizes these hierarchies
    return acquired;
  }

  // Returns the bricks of each hierarchy, for an algorithm that needs no attributes. Those that are held stay held with
  // their attributes, and all others are released.
  std::vector<SharedLevels> holdBricks(const std::vector<Levels>& hierarchies, unsigned threads, StageTimes& times)
  {
    std::vector<SharedLevels> acquired;
    for (Levels levels : hierarchies)
    {
      const auto isSame = [&](const SharedLevels& entry) { return entry->hasCellsOf(levels); };
      const auto found = std::find_if(this->heldLevels.begin(), this->heldLevels.end(), isSame);
      for (LevelPatch& patch : levels.patches)
        patch.attributes.clear();
      acquired.push_back(
        found != this->heldLevels.end() ? *found : this->levels->acquire({ levels }, threads, times).front());
    }
    this->heldLevels = acquired;
    this->release(0); // no later call recognizes these hierarchies
    return acquired;
  }

  // Releases the ranges of the volumes and the bricks of the hierarchies with this identity.
  void release(std::uint64_t identity)
  {
    const auto isVolume = [=](const SharedRanges& entry) { return entry->identity == identity; };
    this->held.erase(std::remove_if(this->held.begin(), this->held.end(), isVolume), this->held.end());
    const auto isHierarchy = [=](const SharedLevels& entry) { return entry->hasIdentity(identity); };
    this->heldLevels.erase(
      std::remove_if(this->heldLevels.begin(), this->heldLevels.end(), isHierarchy), this->heldLevels.end());
  }
};

}

#endif
