// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Volume/LevelCache.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
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

bool haveSameCells(const Levels& a, const Levels& b)
{
  return a.type == b.type && a.ratio == b.ratio && a.origin == b.origin && a.steps == b.steps && a.border == b.border &&
         std::equal(a.patches.begin(), a.patches.end(), b.patches.begin(), b.patches.end(),
           [](const LevelPatch& first, const LevelPatch& second) { return haveSameCells(first, second); });
}

bool areSame(const Attribute& a, const Attribute& b)
{
  return a.type == b.type && a.components == b.components && haveSameIdentity(a.identity, b.identity);
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
  HeldLevels held{ levels, nullptr, {} };
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
  const auto isOfAttribute = [=](const Attribute& attribute) { return attribute.identity == identity; };
  return std::any_of(this->description.patches.begin(), this->description.patches.end(),
    [&](const LevelPatch& patch)
    {
      return patch.identity == identity || (patch.flags && patch.flagIdentity == identity) ||
             std::any_of(patch.attributes.begin(), patch.attributes.end(), isOfAttribute);
    });
}

std::size_t HeldLevels::patchesOf(std::optional<std::uint64_t> identity) const
{
  const std::vector<LevelPatch>& patches = this->description.patches;
  return static_cast<std::size_t>(std::count_if(patches.begin(), patches.end(),
    [=](const LevelPatch& patch) { return patch.isOwned && (!identity || patch.identity == identity); }));
}

bool HeldLevels::hasCellsOf(const Levels& levels) const
{
  const std::vector<LevelPatch>& patches = this->description.patches;
  return haveSameCells(this->description, levels) &&
         std::equal(patches.begin(), patches.end(), levels.patches.begin(),
           [](const LevelPatch& held, const LevelPatch& patch) { return haveSameSamples(held, patch); });
}

std::vector<Attribute> HeldLevels::attributeViews() const
{
  std::vector<Attribute> views;
  for (const auto& attribute : this->attributes)
    views.push_back(attribute->view());
  return views;
}

// Returns those with the same cells, perhaps with other samples.
std::vector<SharedLevels> LevelCache::entriesLike(const Levels& levels)
{
  const std::lock_guard<std::mutex> lock(this->Mutex);
  std::vector<SharedLevels> entries;
  const auto isExpired = [&](const std::weak_ptr<const HeldLevels>& entry)
  {
    SharedLevels held = entry.lock();
    const bool isHeld = held != nullptr;
    if (isHeld && haveSameCells(held->description, levels))
      entries.push_back(std::move(held));
    return !isHeld;
  };
  this->Entries.erase(std::remove_if(this->Entries.begin(), this->Entries.end(), isExpired), this->Entries.end());
  return entries;
}

std::vector<SharedLevels> LevelCache::acquire(
  const std::vector<Levels>& hierarchies, unsigned threads, StageTimes& times)
{
  std::vector<SharedLevels> acquired;
  for (const Levels& levels : hierarchies)
  {
    const std::vector<SharedLevels> entries = this->entriesLike(levels);
    std::vector<SharedLevels> same;
    std::copy_if(entries.begin(), entries.end(), std::back_inserter(same),
      [&](const SharedLevels& entry) { return entry->hasCellsOf(levels); });
    acquired.push_back(hold(entries, same, levels, threads, times));
    const auto isReused = [&](const SharedLevels& entry) { return entry->attributes == acquired.back()->attributes; };
    if (const auto found = std::find_if(same.begin(), same.end(), isReused); found != same.end())
    {
      acquired.back() = *found;
      continue;
    }
    const std::lock_guard<std::mutex> lock(this->Mutex);
    this->Entries.push_back(acquired.back());
  }
  return acquired;
}

}
