// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Volume/VolumeCache.h"

#include "Compute/Context.h"
#include "Compute/System/Stage.h"
#include "Embedded/Kernels.h"
#include "Shared/Bindings.h"
#include "Shared/Constants.h"

#include <algorithm>
#include <functional>

namespace vmc
{

using Lock = std::lock_guard<std::mutex>;

VolumeCache::VolumeCache(std::shared_ptr<Context> context)
  : DeviceContext(std::move(context))
{
}

VolumeCache::User::User(VolumeCache& cache)
  : Cache(cache)
{
  const Lock lock(cache.Mutex);
  cache.Users.push_back(this);
}

VolumeCache::User::~User()
{
  const Lock lock(this->Cache.Mutex);
  std::vector<User*>& users = this->Cache.Users;
  users.erase(std::find(users.begin(), users.end(), this));
}

void VolumeCache::User::beginCall()
{
  const Lock lock(this->Cache.Mutex);
  this->InCall = true;
  this->HasLevelsOfCall = false;
  for (HeldVolume& volume : this->Held)
    volume.isInCall = false;
}

void VolumeCache::User::endCall()
{
  const Lock lock(this->Cache.Mutex);
  this->InCall = false;
  const auto isUsed = [](const HeldVolume& volume) { return volume.isInCall; };
  if (std::any_of(this->Held.begin(), this->Held.end(), isUsed))
    this->Held.remove_if(std::not_fn(isUsed));
  eraseExpired(this->Cache.Arrays);
  eraseExpired(this->Cache.Ranges);
}

void VolumeCache::User::release(std::uint64_t identity)
{
  const Lock lock(this->Cache.Mutex);
  this->eraseLevels(identity);
  const auto hasArray = [identity](const HeldVolume& volume)
  { return std::find(volume.identities.begin(), volume.identities.end(), identity) != volume.identities.end(); };
  this->Held.remove_if(hasArray);
}

void VolumeCache::User::releaseLevels(std::uint64_t identity)
{
  const Lock lock(this->Cache.Mutex);
  this->eraseLevels(identity);
}

void VolumeCache::User::eraseLevels(std::uint64_t identity)
{
  const auto hasArray = [identity](const LevelsOnDevice& levels) { return levels.source->hasIdentity(identity); };
  this->Hierarchies.erase(
    std::remove_if(this->Hierarchies.begin(), this->Hierarchies.end(), hasArray), this->Hierarchies.end());
}

void VolumeCache::User::keepLayers(std::uint64_t identity, const std::vector<LayerRange>& layers)
{
  const Lock lock(this->Cache.Mutex);
  const auto isOther = [&](const HeldVolume& volume)
  {
    const auto isOf = [&](const LayerRange& range)
    { return std::get<7>(volume.key) == range.first && std::get<8>(volume.key) == range.end; };
    return identity != 0 && std::get<0>(volume.key) == identity && std::none_of(layers.begin(), layers.end(), isOf);
  };
  this->Held.remove_if(isOther);
}

namespace
{

// Returns whether the ranges are those of one volume, perhaps of other layers.
template <class Key>
bool isOfSameArray(const Key& a, const Key& b)
{
  return std::get<0>(a) != 0 && std::get<0>(a) == std::get<0>(b);
}

}

// Returns the held volume with this key, else one of another array that may be replaced, else a new one.
VolumeCache::User::HeldVolume& VolumeCache::User::replaced(const RangesKey& key)
{
  const auto mayBe = [&](const HeldVolume& volume) { return !this->InCall || !volume.isInCall; };
  auto found =
    std::find_if(this->Held.begin(), this->Held.end(), [&](const HeldVolume& volume) { return volume.key == key; });
  if (found == this->Held.end())
    found = std::find_if(this->Held.begin(), this->Held.end(),
      [&](const HeldVolume& volume) { return mayBe(volume) && !isOfSameArray(volume.key, key); });
  if (found == this->Held.end())
    this->Held.emplace_back();
  else
    this->Held.splice(this->Held.end(), this->Held, found);
  HeldVolume& volume = this->Held.back();
  volume.key = key;
  volume.isInCall = true;
  return volume;
}

VolumeArrays VolumeCache::User::acquire(
  const Volume& volume, const ContourPlan& plan, StageTimes& times, const NeedsArrays& needsArrays)
{
  const Lock lock(this->Cache.Mutex);
  const Padding& padding = volume.padding;
  const RangesKey key(volume.identity, volume.type, volume.size, padding.low, padding.high, padding.closed,
    padding.border, plan.layers().first, plan.layers().end);
  const std::vector<HostArray> hostArrays = hostArraysOf(volume);
  HeldVolume next;
  if (volume.identity != 0)
    next.ranges = slotOf(this->Cache.Ranges, key);
  for (const HostArray& array : hostArrays)
    next.arrays.push_back(
      !plan.holdsWholeArrays() || array.identity == 0
        ? nullptr
        : slotOf(this->Cache.Arrays, ArrayKey(array.identity, volume.sampleCount() * array.bytesPerSample)));
  for (const HostArray& array : hostArrays)
    next.identities.push_back(array.identity);
  next.key = key;
  HeldVolume& held = this->replaced(key);
  held = next; // frees the previous contents unless another held volume shares them

  VolumeArrays found;
  found.ranges = held.ranges ? held.ranges->contents : nullptr;
  if (found.ranges && needsArrays && !needsArrays(*found.ranges))
    return found;
  for (std::size_t i = 0; plan.holdsWholeArrays() && i < hostArrays.size(); ++i)
    found.arrays.push_back(this->Cache.acquire(hostArrays[i], volume.sampleCount(), plan, held.arrays[i].get(), times));
  if (!found.ranges)
    found.ranges = this->Cache.buildRanges(volume, plan, found, times);
  if (held.ranges)
    held.ranges->contents = found.ranges;
  return found;
}

// The lock is not held while arrays are made and uploaded, which takes long, and while those of the host are freed. The
// cache frees none of `held` meanwhile, as it finds a second owner.
std::vector<std::shared_ptr<const LevelArrays>> VolumeCache::User::acquire(
  const std::vector<SharedLevels>& hierarchies, bool withSlopes, unsigned threads, StageTimes& times)
{
  const auto isUsed = [&](const LevelsOnDevice& held)
  {
    return std::any_of(hierarchies.begin(), hierarchies.end(),
      [&](const SharedLevels& levels) { return levels->bricks == held.source->bricks; });
  };
  std::vector<LevelsOnDevice> held, unused, all;
  {
    const Lock lock(this->Cache.Mutex);
    const auto used = std::stable_partition(this->Hierarchies.begin(), this->Hierarchies.end(), isUsed);
    unused.assign(used, this->Hierarchies.end());
    this->Hierarchies.erase(used, this->Hierarchies.end());
    held = this->Hierarchies;
    this->HasLevelsOfCall = true;
  }
  unused.clear();
  Context& context = *this->Cache.DeviceContext;
  std::vector<std::shared_ptr<const LevelArrays>> found;
  for (const SharedLevels& levels : hierarchies)
  {
    const HostClock clock;
    const auto same = std::find_if(held.begin(), held.end(),
      [&](const LevelsOnDevice& other) { return other.arrays && other.source->bricks == levels->bricks; });
    std::shared_ptr<LevelArrays> arrays = same == held.end() ? nullptr : std::move(same->arrays);
    bool uploads = !arrays;
    if (!arrays)
      arrays = std::make_shared<LevelArrays>(context, levels->bricks);
    if (withSlopes)
      uploads |= arrays->addSlopes(context, threads);
    uploads |= arrays->setAttributes(context, levels->attributes);
    if (uploads)
      times.add(Stage::Upload, clock.milliseconds());
    all.push_back({ levels, arrays });
    found.push_back(std::move(arrays));
  }
  const Lock lock(this->Cache.Mutex);
  this->Hierarchies.swap(all);
  return found;
}

// Returns the array in the segments of the plan. Uploads it unless the slot has it.
std::shared_ptr<const ResidentArray> VolumeCache::acquire(
  const HostArray& array, std::uint64_t samples, const ContourPlan& plan, Slot<ResidentArray>* slot, StageTimes& times)
{
  const std::vector<Window> segments = plan.segments(array.bytesPerSample, array.valuesPerSample);
  const auto isHeld = [&](const Window& segment) { return slot->contents->holds(segment); };
  if (slot && slot->contents && std::all_of(segments.begin(), segments.end(), isHeld))
    return slot->contents;
  std::weak_ptr<const ResidentArray> other; // segments of another plan for this array, if an extraction uses them
  if (slot)
  {
    other = slot->contents;
    slot->contents.reset(); // releases its memory before the segments are allocated
  }
  const Reuse reuse = plan.isOneOfSeveral() ? Reuse::InNextRun : Reuse::InThisRun;
  std::shared_ptr<const ResidentArray> contents = this->upload(array, samples, segments, times, reuse, other.lock());
  if (slot)
    slot->contents = contents;
  return contents;
}

template <class Key, class Contents>
std::shared_ptr<VolumeCache::Slot<Contents>> VolumeCache::slotOf(Slots<Key, Contents>& slots, const Key& key)
{
  std::shared_ptr<Slot<Contents>> slot = slots[key].lock();
  if (!slot)
    slots[key] = slot = std::make_shared<Slot<Contents>>();
  return slot;
}

template <class Key, class Contents>
void VolumeCache::eraseExpired(Slots<Key, Contents>& slots)
{
  for (auto at = slots.begin(); at != slots.end();)
    at = at->second.expired() ? slots.erase(at) : std::next(at);
}

template <class Key, class Contents>
void VolumeCache::freeUnused(Slots<Key, Contents>& slots, const std::vector<std::shared_ptr<Slot<Contents>>>& kept)
{
  for (auto& [key, weak] : slots)
  {
    const std::shared_ptr<Slot<Contents>> slot = weak.lock();
    if (slot && slot->contents.use_count() == 1 && std::find(kept.begin(), kept.end(), slot) == kept.end())
      slot->contents.reset();
  }
}

void VolumeCache::freeUnused(const User& user, bool keepArrays)
{
  const Lock lock(this->Mutex);
  const User::HeldVolume last = user.Held.empty() ? User::HeldVolume() : user.Held.back();
  std::vector<std::shared_ptr<Slot<BrickRanges>>> ranges{ last.ranges };
  for (const User::HeldVolume& volume : user.Held)
    if (isOfSameArray(volume.key, last.key))
      ranges.push_back(volume.ranges);
  freeUnused(this->Arrays, keepArrays ? last.arrays : decltype(last.arrays)());
  freeUnused(this->Ranges, ranges);
  for (User* const other : this->Users)
    if (other != &user || !(keepArrays || user.HasLevelsOfCall))
      for (User::LevelsOnDevice& levels : other->Hierarchies)
        if (levels.arrays.use_count() == 1)
          levels.arrays.reset();
}

std::uint64_t VolumeCache::uploads() const
{
  const Lock lock(this->Mutex);
  return this->Uploads;
}

std::shared_ptr<const ResidentArray> VolumeCache::upload(const HostArray& array, std::uint64_t samples,
  const std::vector<Window>& windows, StageTimes& times, Reuse reuse, std::shared_ptr<const ResidentArray> other)
{
  const HostClock clock;
  ResidentArray::Neighbour neighbour{};
  if (other)
    neighbour = { std::move(other), &this->recorder() };
  auto resident = std::make_shared<const ResidentArray>(
    *this->DeviceContext, array.values, samples * array.bytesPerSample, windows, array.name, reuse, neighbour);
  times.add(Stage::Upload, clock.milliseconds());
  ++this->Uploads;
  return resident;
}

std::shared_ptr<const BrickRanges> VolumeCache::buildRanges(
  const Volume& volume, const ContourPlan& plan, const VolumeArrays& arrays, StageTimes& times)
{
  auto ranges = std::make_shared<BrickRanges>();
  ranges->keys = this->DeviceContext->deviceMemory().acquire(plan.rangeBytes(), "brick ranges", Reuse::InThisRun);
  std::shared_ptr<const ResidentArray> samples = arrays.arrays.empty() ? nullptr : arrays.arrays.front();
  for (const Slab& slab : plan.slabs())
  {
    const Window window = plan.windowOf(slab, bytesOf(volume.type));
    if (!samples || !samples->holds(window))
    {
      samples.reset(); // releases its memory before the next window is allocated
      samples = this->upload(samplesOf(volume), volume.sampleCount(), { window }, times);
    }
    this->buildRangesOf(slab, volume, plan, *samples, *ranges, times);
  }
  // The ranges do not contain the layer of samples before the first brick. It decides about edges in the first layer of
  // samples if there are no cells on their other side.
  const std::uint32_t first = BRICK_SIZE * plan.layers().first;
  ranges->hasNan = ranges->hasNan || (first != 0 && volume.gridSize()[2] == first + 1);
  return ranges;
}

CommandRecorder& VolumeCache::recorder()
{
  if (this->Recorder)
    return *this->Recorder;
  Device& device = this->DeviceContext->device();
  this->RangeTotals = Buffer(device, 4 * TOTAL_WORDS, Buffer::Memory::Device, "totals");
  this->RangeTotalsOnHost = Buffer(device, 4 * TOTAL_WORDS, Buffer::Memory::Readback, "totals on the host");
  return this->Recorder.emplace(this->DeviceContext->device());
}

void VolumeCache::buildRangesOf(const Slab& slab, const Volume& volume, const ContourPlan& plan,
  const ResidentArray& resident, BrickRanges& ranges, StageTimes& times)
{
  CommandRecorder& commands = this->recorder();
  SlabConstants parameters = parametersOf(volume, plan, slab);
  if (!plan.readsHalo(slab)) // the next slab builds these ranges
    parameters.brickCount = parameters.ownBrickCount;
  const Operand samples{ BINDING_SAMPLES, resident.region(plan.windowOf(slab, bytesOf(volume.type))) };
  const Operand brickRange{ BINDING_BRICK_RANGE, ranges.keys.region() };
  const Operand totals{ BINDING_TOTALS, this->RangeTotals };
  const Kernel& kernel = this->DeviceContext->kernels().get(kernels::BuildBrickRanges, specializationOf(volume));

  commands.begin();
  commands.fill(this->RangeTotals, 0);
  commands.stage(Stage::BuildBrickRanges);
  commands.dispatch(kernel, { samples, totals }, { brickRange, totals }, parameters,
    groupsFor(parameters.brickCount, LINEAR_GROUP_SIZE));
  commands.copy(this->RangeTotals, this->RangeTotalsOnHost);
  commands.submitAndWait(times);
  const auto* const found = reinterpret_cast<const std::uint32_t*>(this->RangeTotalsOnHost.mapped());
  ranges.hasNan = ranges.hasNan || found[TOTAL_HAS_NAN] != 0;
  ranges.smallestKey = std::min(ranges.smallestKey, ~found[TOTAL_INVERTED_SMALLEST_KEY]);
  ranges.largestKey = std::max(ranges.largestKey, found[TOTAL_LARGEST_KEY]);
}

}
