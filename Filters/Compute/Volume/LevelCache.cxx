// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Volume/LevelCache.h"

#include <algorithm>

namespace vmc
{

namespace
{

// Returns whether the arrays are known to have equal values.
bool haveSameIdentity(std::uint64_t a, std::uint64_t b)
{
  return a == b && a != 0;
}

// Returns whether the patches are known to have the same cells with the same values.
bool areSame(const LevelPatch& a, const LevelPatch& b)
{
  return a.level == b.level && a.low == b.low && a.size == b.size && haveSameIdentity(a.identity, b.identity) &&
         (a.flags ? b.flags && haveSameIdentity(a.flagIdentity, b.flagIdentity) : !b.flags);
}

bool areSame(const Levels& a, const Levels& b)
{
  return a.type == b.type && a.ratio == b.ratio && a.origin == b.origin && a.steps == b.steps &&
         std::equal(a.patches.begin(), a.patches.end(), b.patches.begin(), b.patches.end(),
           [](const LevelPatch& first, const LevelPatch& second) { return areSame(first, second); });
}

}

bool HeldLevels::hasIdentity(std::uint64_t identity) const
{
  return std::any_of(this->description.patches.begin(), this->description.patches.end(),
    [=](const LevelPatch& patch)
    { return patch.identity == identity || (patch.flags && patch.flagIdentity == identity); });
}

SharedLevels LevelCache::find(const Levels& levels)
{
  const std::lock_guard<std::mutex> lock(this->Mutex);
  SharedLevels found;
  const auto isExpired = [&](const std::weak_ptr<const HeldLevels>& entry)
  {
    const SharedLevels held = entry.lock();
    if (held && areSame(held->description, levels))
      found = held;
    return !held;
  };
  this->Entries.erase(std::remove_if(this->Entries.begin(), this->Entries.end(), isExpired), this->Entries.end());
  return found;
}

std::vector<SharedLevels> LevelCache::acquire(
  const std::vector<Levels>& hierarchies, unsigned threads, StageTimes& times)
{
  std::vector<SharedLevels> acquired;
  for (const Levels& levels : hierarchies)
  {
    acquired.push_back(this->find(levels));
    if (acquired.back())
      continue;
    const HostClock clock;
    acquired.back() = std::make_shared<const HeldLevels>(HeldLevels{ levels, bricksOf(levels, threads) });
    times.add(Stage::Upload, clock.milliseconds());
    const std::lock_guard<std::mutex> lock(this->Mutex);
    this->Entries.push_back(acquired.back());
  }
  return acquired;
}

}
