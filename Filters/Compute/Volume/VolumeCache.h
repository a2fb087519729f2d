// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Caches volumes on a device.
#ifndef vmcVolumeCache_h
#define vmcVolumeCache_h

#include "Compute/System/Stage.h"
#include "Compute/Volume/LevelArrays.h"
#include "Compute/Volume/LevelCache.h"
#include "Compute/Volume/VolumeArrays.h"
#include "Compute/Vulkan/CommandRecorder.h"

#include <array>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>
#include <vector>

namespace vmc
{

// Holds arrays of images, their brick ranges, and hierarchies of levels for all users of a device. An array with an
// identity is uploaded once; a hierarchy, once per user. Any thread may use it.
class VolumeCache
{
  // Exists while a user holds it. The contents may be freed and uploaded again meanwhile.
  template <class Contents>
  struct Slot
  {
    std::shared_ptr<const Contents> contents; // null: not on the device
  };

  using ArrayKey = std::tuple<std::uint64_t, std::uint64_t>; // identity, bytes
  using RangesKey = std::tuple<std::uint64_t, SampleType, std::array<std::uint32_t, 3>, std::array<std::uint32_t, 3>,
    std::array<std::uint32_t, 3>, bool, float, std::uint32_t, std::uint32_t>; // identity, type, size, padding, layers

public:
  using NeedsArrays = std::function<bool(const BrickRanges&)>;

  explicit VolumeCache(std::shared_ptr<Context> context);

  // Keeps volumes on the device: outside a call the last acquired volume; in a call, for example with the leaves of a
  // composite data set, all volumes acquired in it, so that the next call reuses them. A new volume replaces one of an
  // earlier call, unless that is the same one with other layers. One thread at a time per user, but for acquire(). The
  // cache must outlive its users.
  class User
  {
  public:
    explicit User(VolumeCache& cache);
    ~User();
    User(const User&) = delete;
    User& operator=(const User&) = delete;

    void beginCall();
    void endCall(); // frees volumes that this call did not acquire, if it acquired any
    // Frees the volumes and the hierarchies of levels with an array of this identity.
    void release(std::uint64_t identity);
    // Frees the hierarchies alone.
    void releaseLevels(std::uint64_t identity);
    // Frees those whose samples have this identity, but not for these layers.
    void keepLayers(std::uint64_t identity, const std::vector<LayerRange>& layers);

    // Returns the brick ranges of the volume and, if the plan holds whole arrays, its arrays, as far as the layers of
    // the plan need them. Uploads missing arrays and builds missing ranges; adds their times to the stages Upload and
    // BuildBrickRanges. needsArrays: if the ranges are held, and it returns false for them, no arrays are returned.
    // Throws OutOfMemory, DeviceLost, Internal.
    VolumeArrays acquire(
      const Volume& volume, const ContourPlan& plan, StageTimes& times, const NeedsArrays& needsArrays = {});

    // Returns the arrays of hierarchies of levels, and holds them in place of those of the last such call; the cache
    // may free them when no call of this user needs them. Uploads what is missing; adds the time to the stage Upload.
    // Slopes are computed on at most so many threads. Throws as LevelArrays does.
    std::vector<std::shared_ptr<const LevelArrays>> acquire(
      const std::vector<SharedLevels>& hierarchies, bool withSlopes, unsigned threads, StageTimes& times);

  private:
    friend class VolumeCache;
    struct HeldVolume
    {
      RangesKey key;
      std::shared_ptr<Slot<BrickRanges>> ranges;
      std::vector<std::shared_ptr<Slot<ResidentArray>>> arrays; // null: no identity
      std::vector<std::uint64_t> identities;                    // of the arrays
      bool isInCall = true;                                     // acquired in the current call
    };
    HeldVolume& replaced(const RangesKey& key);
    void eraseLevels(std::uint64_t identity);
    struct LevelsOnDevice
    {
      SharedLevels source;
      std::shared_ptr<LevelArrays> arrays; // null: not on the device any more
    };

    VolumeCache& Cache;
    std::list<HeldVolume> Held; // by last use, oldest first
    std::vector<LevelsOnDevice> Hierarchies;
    bool InCall = false;
    bool HasLevelsOfCall = false; // acquired in the current call
  };

  // Frees all contents that no caller holds at this moment, but not what the user has acquired last: of a volume the
  // brick ranges of any layers and, with `keepArrays`, the arrays; hierarchies of levels with `keepArrays` or if it has
  // acquired them in this call.
  void freeUnused(const User& user, bool keepArrays);

  std::uint64_t uploads() const; // number of arrays and windows uploaded so far

private:
  template <class Key, class Contents>
  using Slots = std::map<Key, std::weak_ptr<Slot<Contents>>>;

  template <class Key, class Contents>
  static std::shared_ptr<Slot<Contents>> slotOf(Slots<Key, Contents>& slots, const Key& key);
  template <class Key, class Contents>
  static void eraseExpired(Slots<Key, Contents>& slots);
  template <class Key, class Contents>
  static void freeUnused(Slots<Key, Contents>& slots, const std::vector<std::shared_ptr<Slot<Contents>>>& kept);
  std::shared_ptr<const ResidentArray> acquire(const HostArray& array, std::uint64_t samples, const ContourPlan& plan,
    Slot<ResidentArray>* slot, StageTimes& times);
  // other: windows of the array that are on the device; null: none.
  std::shared_ptr<const ResidentArray> upload(const HostArray& array, std::uint64_t samples,
    const std::vector<Window>& windows, StageTimes& times, Reuse reuse = Reuse::InThisRun,
    std::shared_ptr<const ResidentArray> other = nullptr);
  std::shared_ptr<const BrickRanges> buildRanges(
    const Volume& volume, const ContourPlan& plan, const VolumeArrays& arrays, StageTimes& times);
  CommandRecorder& recorder();
  void buildRangesOf(const Slab& slab, const Volume& volume, const ContourPlan& plan, const ResidentArray& samples,
    BrickRanges& ranges, StageTimes& times);

  const std::shared_ptr<Context> DeviceContext;
  std::mutex mutable Mutex; // guards the members below and those of users; held during an upload of a volume
  std::optional<CommandRecorder> Recorder;
  Buffer RangeTotals, RangeTotalsOnHost; // words of BINDING_TOTALS; made with the recorder
  Slots<ArrayKey, ResidentArray> Arrays;
  Slots<RangesKey, BrickRanges> Ranges;
  std::vector<User*> Users;
  std::uint64_t Uploads = 0;
};

}

#endif
