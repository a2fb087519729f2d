// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The state that algorithms on volumes keep on the CPU between their calls.
#ifndef vmcCpuState_h
#define vmcCpuState_h

#include "Compute/Cpu/BrickRangeCache.h"
#include "Compute/Memory/HostMemoryPool.h"
#include "Compute/Volume/LevelCache.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
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
  // The number of image samples of a volume that are not below an isovalue.
  struct CountedSamples
  {
    std::weak_ptr<const SampleRanges> ranges; // of the volume
    double isovalue;
    std::uint64_t above;
  };

  const PoolUser<HostMemoryPool> memoryUser{ this->memory };
  std::vector<CountedSamples> counted{}; // by the last extraction of volumes, if it was to be measured
  std::vector<SharedRanges> held{};
  // The hierarchies of the last call, with the numbers of own patches whose samples still exist. As long as some do,
  // the next call may have a hierarchy in which only others change.
  std::vector<std::pair<SharedLevels, std::size_t>> heldLevels{};

  // Returns the ranges of each volume (see BrickRangeCache::acquire), and holds them in place of those of the last
  // call.
  std::vector<SharedRanges> hold(const std::vector<const Volume*>& volumes, unsigned threads, StageTimes& times)
  {
    std::vector<SharedRanges> acquired = this->ranges->acquire(volumes, threads, times);
    this->held = acquired;
    this->counted.clear();
    this->release(0); // no later call recognizes these volumes
    return acquired;
  }

  // Returns the bricks of each hierarchy (see LevelCache::acquire), and holds them in place of those of the last call.
  std::vector<SharedLevels> hold(const std::vector<Levels>& hierarchies, unsigned threads, StageTimes& times)
  {
    std::vector<SharedLevels> acquired = this->levels->acquire(hierarchies, threads, times);
    this->holdInstead(acquired);
    return acquired;
  }

  // Returns the bricks of each hierarchy, for an algorithm that needs no attributes. Those that are held stay held with
  // their attributes, and all others are released.
  std::vector<SharedLevels> holdBricks(const std::vector<Levels>& hierarchies, unsigned threads, StageTimes& times)
  {
    std::vector<SharedLevels> acquired;
    for (Levels levels : hierarchies)
    {
      for (LevelPatch& patch : levels.patches)
        patch.attributes.clear();
      const auto isSame = [&](const auto& entry) { return entry.first->hasCellsOf(levels); };
      const auto found = std::find_if(this->heldLevels.begin(), this->heldLevels.end(), isSame);
      acquired.push_back(
        found != this->heldLevels.end() ? found->first : this->levels->acquire({ levels }, threads, times).front());
    }
    this->holdInstead(acquired);
    return acquired;
  }

  // Releases the ranges of the volumes with this identity, and the bricks of hierarchies of which no other samples
  // exist.
  void release(std::uint64_t identity)
  {
    const auto isVolume = [=](const SharedRanges& entry) { return entry->identity == identity; };
    this->held.erase(std::remove_if(this->held.begin(), this->held.end(), isVolume), this->held.end());
    for (auto& [entry, patchesLeft] : this->heldLevels)
      patchesLeft -= std::min(patchesLeft, entry->patchesOf(identity)); // bricks that go too early are made again
    const auto isGone = [](const auto& entry) { return entry.second == 0; };
    this->heldLevels.erase(
      std::remove_if(this->heldLevels.begin(), this->heldLevels.end(), isGone), this->heldLevels.end());
  }

private:
  // Later calls recognize no hierarchy with an array without an identity.
  void holdInstead(const std::vector<SharedLevels>& acquired)
  {
    this->heldLevels.clear();
    for (const SharedLevels& entry : acquired)
      if (entry->isKnown)
        this->heldLevels.emplace_back(entry, entry->ownPatches);
  }
};

}

#endif
