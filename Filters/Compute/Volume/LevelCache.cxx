// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Volume/LevelCache.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace vmc
{

namespace
{

// Returns whether the arrays are known to have equal values.
bool haveSameIdentity(std::uint64_t a, std::uint64_t b)
{
  return a == b && a != 0;
}

bool haveSameSamples(const LevelPatch& a, const LevelPatch& b)
{
  return haveSameIdentity(a.identity, b.identity);
}

// Returns whether the patches are known to have the same cells.
bool haveSameCells(const LevelPatch& a, const LevelPatch& b)
{
  return a.level == b.level && a.low == b.low && a.size == b.size && a.isOwned == b.isOwned &&
         (a.flags ? b.flags && haveSameIdentity(a.flagIdentity, b.flagIdentity) : !b.flags);
}

bool areSame(const Attribute& a, const Attribute& b)
{
  return a.type == b.type && a.components == b.components && haveSameIdentity(a.identity, b.identity);
}

bool haveSameAttributes(const LevelPatch& a, const LevelPatch& b)
{
  return std::equal(a.attributes.begin(), a.attributes.end(), b.attributes.begin(), b.attributes.end(),
    [](const Attribute& first, const Attribute& second) { return areSame(first, second); });
}

// The parts that two hierarchies are known to share; each needs those before it.
struct CommonParts
{
  bool cells, samples, attributes;
};

// Reads the patches once: tens of thousands of them do not fit in the caches of a processor.
CommonParts compare(const Levels& a, const Levels& b)
{
  const bool mayBeSame = a.type == b.type && a.ratio == b.ratio && a.origin == b.origin && a.steps == b.steps &&
                         a.border == b.border && a.patches.size() == b.patches.size();
  CommonParts common{ mayBeSame, mayBeSame, mayBeSame };
  for (std::size_t i = 0; i < a.patches.size() && common.cells; ++i)
  {
    common.cells = haveSameCells(a.patches[i], b.patches[i]);
    common.samples = common.samples && common.cells && haveSameSamples(a.patches[i], b.patches[i]);
    common.attributes = common.attributes && common.samples && haveSameAttributes(a.patches[i], b.patches[i]);
  }
  return common;
}

// Returns whether an array of a patch has this identity.
bool hasArray(const Levels& levels, std::uint64_t identity)
{
  const auto isOfAttribute = [=](const Attribute& attribute) { return attribute.identity == identity; };
  return std::any_of(levels.patches.begin(), levels.patches.end(),
    [&](const LevelPatch& patch)
    {
      return patch.identity == identity || (patch.flags && patch.flagIdentity == identity) ||
             std::any_of(patch.attributes.begin(), patch.attributes.end(), isOfAttribute);
    });
}

// Returns the attribute of one of the hierarchies, which have the cells of `levels`, that is known to have the same
// values; null if there is none.
std::shared_ptr<const AttributeBricks> findAttribute(
  const std::vector<SharedLevels>& entries, const Levels& levels, std::size_t number)
{
  for (const SharedLevels& entry : entries)
    for (std::size_t i = 0; i < entry->attributes.size(); ++i)
    {
      const auto isSame = [&](const LevelPatch& held, const LevelPatch& patch)
      { return areSame(held.attributes[i], patch.attributes[number]); };
      const std::vector<LevelPatch>& held = entry->description.patches;
      if (std::equal(held.begin(), held.end(), levels.patches.begin(), isSame))
        return entry->attributes[i];
    }
  return nullptr;
}

// Returns make() in shared memory, and adds its time to the stage Upload.
template <class Make>
auto made(StageTimes& times, const Make& make)
{
  const HostClock clock;
  auto object = std::make_shared<const decltype(make())>(make());
  times.add(Stage::Upload, clock.milliseconds());
  return object;
}

// Returns the bricks of the entry with the most samples in common. entries: with the same cells.
EarlierBricks findEarlier(const std::vector<SharedLevels>& entries, const Levels& levels)
{
  EarlierBricks earlier;
  std::ptrdiff_t most = 0;
  for (const SharedLevels& entry : entries)
  {
    std::vector<std::uint8_t> isChanged;
    for (std::size_t i = 0; i < levels.patches.size(); ++i)
      isChanged.push_back(haveSameSamples(entry->description.patches[i], levels.patches[i]) ? 0 : 1);
    const auto unchanged = std::count(isChanged.begin(), isChanged.end(), 0);
    if (unchanged > std::exchange(most, std::max(most, unchanged)))
      earlier = { entry->bricks, std::move(isChanged) };
  }
  return earlier;
}

// entries: with the same cells. same: those of them with the same samples, too.
SharedLevels hold(const std::vector<SharedLevels>& entries, const std::vector<SharedLevels>& same, const Levels& levels,
  unsigned threads, StageTimes& times)
{
  HeldLevels held;
  held.description = levels;
  held.isKnown = !hasArray(levels, 0);
  held.ownPatches = static_cast<std::size_t>(
    std::count_if(levels.patches.begin(), levels.patches.end(), [](const LevelPatch& patch) { return patch.isOwned; }));
  held.bricks = same.empty() ? made(times, [&] { return bricksOf(levels, threads, findEarlier(entries, levels)); })
                             : same.front()->bricks;
  const std::size_t attributes = levels.patches.empty() ? 0 : levels.patches.front().attributes.size();
  for (std::size_t i = 0; i < attributes; ++i)
  {
    held.attributes.push_back(findAttribute(entries, levels, i));
    if (!held.attributes.back())
      held.attributes.back() = made(times, [&] { return attributeBricksOf(levels, *held.bricks, i, threads); });
  }
  return std::make_shared<const HeldLevels>(std::move(held));
}

}

bool HeldLevels::hasIdentity(std::uint64_t identity) const
{
  return identity == 0 ? !this->isKnown : hasArray(this->description, identity);
}

std::size_t HeldLevels::patchesOf(std::uint64_t identity) const
{
  if (identity == 0 && this->isKnown)
    return 0;
  const std::vector<LevelPatch>& patches = this->description.patches;
  return static_cast<std::size_t>(std::count_if(patches.begin(), patches.end(),
    [=](const LevelPatch& patch) { return patch.isOwned && patch.identity == identity; }));
}

bool HeldLevels::hasCellsOf(const Levels& levels) const
{
  return compare(this->description, levels).samples;
}

std::vector<Attribute> HeldLevels::attributeViews() const
{
  std::vector<Attribute> views;
  for (const auto& attribute : this->attributes)
    views.push_back(attribute->view());
  return views;
}

LevelCache::ReusableLevels LevelCache::find(const Levels& levels)
{
  const std::lock_guard<std::mutex> lock(this->Mutex);
  ReusableLevels found;
  const auto isExpired = [&](const std::weak_ptr<const HeldLevels>& entry)
  {
    SharedLevels held = entry.lock();
    if (!held)
      return true;
    const CommonParts common = compare(held->description, levels);
    if (common.samples)
      found.sameSamples.push_back(held);
    if (common.attributes && !found.same)
      found.same = held;
    if (common.cells)
      found.sameCells.push_back(std::move(held));
    return false;
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
    const ReusableLevels found = this->find(levels);
    acquired.push_back(found.same ? found.same : hold(found.sameCells, found.sameSamples, levels, threads, times));
    if (found.same)
      continue;
    const std::lock_guard<std::mutex> lock(this->Mutex);
    this->Entries.push_back(acquired.back());
  }
  return acquired;
}

}
