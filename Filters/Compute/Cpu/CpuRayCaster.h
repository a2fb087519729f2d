// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Pictures of isosurfaces by rays, on threads of the CPU.
#ifndef vmcCpuRayCaster_h
#define vmcCpuRayCaster_h

#include "Compute/Memory/HostMemoryPool.h"
#include "Compute/Rays/RayCaster.h"

#include <memory>

namespace vmc
{

class BrickRangeCache;
struct SampleRanges;

// Walks as the kernel CastRays does, in double. Samples are read in place. The hits do not depend on the number of
// threads. The memory limit of a request has no effect.
class CpuRayCaster : public RayCaster
{
public:
  // memory: for the pictures; must outlive the caster. ranges: shared with other users of the same arrays.
  CpuRayCaster(HostMemoryPool& memory, std::shared_ptr<BrickRangeCache> ranges);

  void releaseVolumes(std::uint64_t identity) override;
  RayPicture cast(const Volume& volume, const RayRequest& request, Report& report) override;

private:
  const SampleRanges& rangesOf(const Volume& volume, unsigned threads, StageTimes& times);

  HostMemoryPool& Memory;
  const PoolUser<HostMemoryPool> PoolUse;
  std::shared_ptr<BrickRangeCache> Ranges;
  std::shared_ptr<const SampleRanges> Kept; // of the last volume
  std::uint64_t Identity = 0;               // of that volume
};

}

#endif
