// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// What the algorithms on whole volumes of a device have in common.
#ifndef vmcVolumeUser_h
#define vmcVolumeUser_h

#include "Compute/System/Error.h"
#include "Compute/System/HostClock.h"
#include "Compute/Volume/LimitedMemory.h"
#include "Compute/Volume/MemoryLadder.h"
#include "Compute/Volume/Report.h"
#include "Compute/Volume/VolumeCache.h"
#include "Compute/Vulkan/CommandRecorder.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace vmc
{

// Holds volumes on a device and a command recorder. One thread at a time.
class VolumeUser
{
public:
  VolumeUser(std::shared_ptr<Context> context, std::shared_ptr<VolumeCache> volumes)
    : DeviceContext(std::move(context))
    , Recorder(DeviceContext->device())
    , Cache(std::move(volumes))
    , User(*this->DeviceContext)
    , Volumes(*this->Cache)
  {
  }

  const std::shared_ptr<Context>& context() const { return this->DeviceContext; }

  // See MarchingCubes.
  void beginPass()
  {
    this->DeviceContext->beginRun();
    this->Volumes.beginPass();
    this->InPass = true;
  }

  void endPass()
  {
    this->Volumes.endPass();
    this->InPass = false;
    this->DeviceContext->endRun();
  }

  void releaseVolumes(std::uint64_t identity)
  {
    this->Volumes.release(identity);
    if (!this->InPass)
      this->DeviceContext->endRun();
  }

protected:
  // Brings the volume to the device and returns work(plan, arrays). While memory is exhausted, does this again with
  // smaller and smaller slabs. memoryLimit: see Request. Adds to the report. Throws what `work` throws, OutOfMemory,
  // DeviceLost, Internal.
  template <class Result, class Work>
  Result withVolume(const Volume& volume, std::uint64_t memoryLimit, Report& report, const Work& work)
  {
    const DeviceLimits& limits = this->DeviceContext->device().limits();
    LimitedMemory memory(*this->DeviceContext, *this->Cache, this->Volumes, memoryLimit);
    MemoryLadder ladder(this->DeviceContext->deviceMemory().bytes() != 0);
    for (;;)
      try
      {
        const ContourPlan plan = planOf(volume, limits, ladder.residency());
        VolumeArrays arrays = this->Volumes.acquire(volume, plan, report.stages);
        Result result = work(plan, arrays);
        this->DeviceContext->kernels().saveInBackground();
        report.bricks = plan.brickCount();
        report.slabs = plan.slabs().size();
        report.deviceBytes = std::max(report.deviceBytes, memory.largest());
        return result;
      }
      catch (const Error& error)
      {
        if (error.kind() != Error::Kind::OutOfMemory ||
            ladder.afterOutOfMemory(false, false, sizesOf(volume, limits, memoryLimit)) == MemoryLadder::Answer::Fail)
          throw;
        memory.freeUnused(ladder.step() != MemoryLadder::Step::Slabs);
      }
  }

  // Uploads the slab's windows unless the arrays are whole. Adds the time to the report.
  void bringSlab(const Volume& volume, const ContourPlan& plan, const Slab& slab, VolumeArrays& arrays, Report& report)
  {
    const HostClock clock;
    if (!plan.holdsWholeArrays() && uploadWindows(*this->DeviceContext, volume, plan, slab, arrays))
      report.stages.add(Stage::Upload, clock.milliseconds());
  }

  const std::shared_ptr<Context> DeviceContext;
  CommandRecorder Recorder;

private:
  const std::shared_ptr<VolumeCache> Cache;
  const Context::User User;
  VolumeCache::User Volumes;
  bool InPass = false;
};

}

#endif
