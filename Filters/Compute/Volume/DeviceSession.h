// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The state that algorithms on volumes keep on a device between their calls.
#ifndef vmcDeviceSession_h
#define vmcDeviceSession_h

#include "Compute/Context.h"
#include "Compute/System/Error.h"
#include "Compute/Volume/MemoryLadder.h"
#include "Compute/Volume/Report.h"
#include "Compute/Volume/VolumeCache.h"
#include "Compute/Vulkan/CommandRecorder.h"
#include "Compute/Vulkan/MemoryBudget.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace vmc
{

class LimitedMemory;

// The session on one device: recorder, held volumes and the ladder of retries. Algorithms are functions over it. One
// thread at a time, but for acquire() and limitMemory(). Several sessions may share a device and its cache of volumes.
class DeviceSession
{
public:
  DeviceSession(std::shared_ptr<Context> context, std::shared_ptr<VolumeCache> volumes);

  enum class CallKind
  {
    Run,    // the memory pools count it, because the outputs of all its volumes exist at the same time
    Picture // no run: after eight frames, the pools would free the memory of the last surface
  };

  // Encloses the work on a list of volumes. When it ends, the session holds the volumes that it acquired meanwhile, and
  // no others, unless it acquired none.
  class Call
  {
  public:
    Call(DeviceSession& session, CallKind kind);
    ~Call();
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

  private:
    DeviceSession& Session;
  };

  const std::shared_ptr<Context>& context() const { return this->DeviceContext; }
  CommandRecorder& recorder() { return this->Recorder; }

  // Brings the volume to the device and returns work(plan, arrays). While memory is exhausted, does this again with
  // smaller and smaller slabs. memoryLimit: see Request. Adds to the report. Throws what `work` throws, OutOfMemory,
  // DeviceLost, Internal.
  template <class Result, class Work>
  Result withVolume(const Volume& volume, std::uint64_t memoryLimit, Report& report, const Work& work);

  // The steps of withVolume, for algorithms that retry in another way.
  LimitedMemory limitMemory(std::uint64_t memoryLimit); // while the returned object exists
  // Releases what the session holds of the volume for other layers than these.
  void keepLayers(const Volume& volume, const std::vector<LayerRange>& layers)
  {
    this->Volumes.keepLayers(volume.identity, layers);
  }
  // Frees what no call uses, of this session and of others: see VolumeCache. keepArrays: not the arrays that this
  // session acquired last.
  void freeUnused(bool keepArrays);
  // Gives the memory of arrays and ranges that no extraction uses back to the pool, which reuses it.
  void releaseArrays();
  bool holdsMemory() const { return this->DeviceContext->deviceMemory().bytes() != 0; }
  VolumeArrays acquire(const Volume& volume, const ContourPlan& plan, StageTimes& times,
    const VolumeCache::NeedsArrays& needsArrays = {}); // see VolumeCache::User
  std::vector<std::shared_ptr<const LevelArrays>> acquire(
    const std::vector<SharedLevels>& hierarchies, bool withSlopes, unsigned threads, StageTimes& times)
  {
    return this->Volumes.acquire(hierarchies, withSlopes, threads, times);
  }

  // Uploads the windows of the slab unless the arrays are whole. Adds the time to the report.
  void uploadSlab(
    const Volume& volume, const ContourPlan& plan, const Slab& slab, VolumeArrays& arrays, Report& report);

  // The flags of a slab; a small region that no kernel reads if the volume has none.
  Region ghosts(const Volume& volume, const ContourPlan& plan, const Slab& slab, const VolumeArrays& arrays) const;

  // Frees the volumes and the hierarchies of levels with an array of this identity.
  void releaseVolumes(std::uint64_t identity);
  // Frees the hierarchies alone.
  void releaseLevels(std::uint64_t identity) { this->Volumes.releaseLevels(identity); }

private:
  const std::shared_ptr<Context> DeviceContext;
  const std::shared_ptr<VolumeCache> Cache;
  CommandRecorder Recorder;
  const Buffer NoGhosts;
  const Context::User User;
  VolumeCache::User Volumes;
  bool InCall = false;
};

// While this object exists, the limit applies to the calling thread. Frees unused memory if more is in use.
class LimitedMemory
{
public:
  // memoryLimit: see Request. The session must outlive this object.
  LimitedMemory(DeviceSession& session, std::uint64_t memoryLimit)
    : Budget(session.context()->budget())
  {
    const std::uint64_t limit = memoryLimit != 0 ? memoryLimit : ~0ull;
    this->ThreadLimit.emplace(this->Budget, limit);
    if (this->Budget.used() <= this->Budget.limit())
      return;
    session.freeUnused(true);
    if (this->Budget.used() > this->Budget.limit())
      session.freeUnused(false);
    this->ThreadLimit.emplace(this->Budget, limit); // what was freed is not part of its peak
  }

  std::uint64_t largest() const { return this->ThreadLimit->largest(); } // most bytes in use by all users

private:
  MemoryBudget& Budget;
  std::optional<MemoryBudget::ThreadLimit> ThreadLimit;
};

inline LimitedMemory DeviceSession::limitMemory(std::uint64_t memoryLimit)
{
  return LimitedMemory(*this, memoryLimit);
}

template <class Result, class Work>
Result DeviceSession::withVolume(const Volume& volume, std::uint64_t memoryLimit, Report& report, const Work& work)
{
  const DeviceLimits& limits = this->DeviceContext->device().limits();
  LimitedMemory memory = this->limitMemory(memoryLimit);
  MemoryLadder ladder(this->holdsMemory());
  for (;;)
    try
    {
      Residency residency = ladder.residency();
      residency.readsHalos = false;
      const ContourPlan plan = planOf(volume, limits, residency);
      VolumeArrays arrays = this->acquire(volume, plan, report.stages);
      Result result = work(plan, arrays);
      report.bricks += plan.brickCount();
      report.slabs += plan.slabs().size();
      report.deviceBytes = std::max(report.deviceBytes, memory.largest());
      return result;
    }
    catch (const Error& error)
    {
      if (error.kind() != Error::Kind::OutOfMemory || !ladder.next(0, false, sizesOf(volume, memoryLimit)))
        throw;
      this->freeUnused(ladder.step() != MemoryLadder::Step::Windows);
    }
}

}

#endif
