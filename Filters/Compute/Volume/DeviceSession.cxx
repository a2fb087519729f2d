// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Volume/DeviceSession.h"

#include "Compute/System/Stage.h"

#include <utility>

namespace vmc
{

DeviceSession::DeviceSession(std::shared_ptr<Context> context, std::shared_ptr<VolumeCache> volumes)
  : DeviceContext(std::move(context))
  , Cache(std::move(volumes))
  , Recorder(this->DeviceContext->device())
  , NoGhosts(this->DeviceContext->device(), 4, Buffer::Memory::Device, "no ghost flags")
  , User(*this->DeviceContext)
  , Volumes(*this->Cache)
{
}

DeviceSession::Call::Call(DeviceSession& session, CallKind kind)
  : Session(session)
{
  if (kind == CallKind::Run)
    session.DeviceContext->beginRun();
  session.Volumes.beginCall();
  session.InCall = true;
}

DeviceSession::Call::~Call()
{
  this->Session.Volumes.endCall();
  this->Session.InCall = false;
  this->Session.DeviceContext->endRun();
}

VolumeArrays DeviceSession::acquire(
  const Volume& volume, const ContourPlan& plan, StageTimes& times, const VolumeCache::NeedsArrays& needsArrays)
{
  return this->Volumes.acquire(volume, plan, times, needsArrays);
}

void DeviceSession::freeUnused(bool keepArrays)
{
  this->Cache->freeUnused(this->Volumes, keepArrays);
  this->DeviceContext->deviceMemory().freeUnused();
}

void DeviceSession::releaseArrays()
{
  this->Cache->freeUnused(this->Volumes, false);
}

void DeviceSession::uploadSlab(
  const Volume& volume, const ContourPlan& plan, const Slab& slab, VolumeArrays& arrays, Report& report)
{
  const HostClock clock;
  if (!plan.holdsWholeArrays() && uploadWindows(*this->DeviceContext, volume, plan, slab, arrays))
    report.stages.add(Stage::Upload, clock.milliseconds());
}

Region DeviceSession::ghosts(
  const Volume& volume, const ContourPlan& plan, const Slab& slab, const VolumeArrays& arrays) const
{
  return volume.ghosts ? arrays.ghosts(plan, slab) : Region(this->NoGhosts);
}

void DeviceSession::releaseVolumes(std::uint64_t identity)
{
  this->Volumes.release(identity);
  if (!this->InCall)
    this->DeviceContext->endRun(/*hasNext*/ false);
}

}
