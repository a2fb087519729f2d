// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Pictures by packets of rays with a common stack: what CastRays is compared with.
#ifndef vmcPackets_h
#define vmcPackets_h

#include "Compute/Rays/CastOnDevice.h"
#include "PacketTree.h"

#include <cstdint>
#include <memory>

namespace vmc::benchmarks
{

// Casts rays as castOnDevice does, with the kernels MarkBricks, MarkNodes and CastPackets: the first two are the
// timed stage MarkBricks, the third one is CastRays.
class PacketCaster
{
public:
  PacketCaster(std::shared_ptr<Context> context, std::shared_ptr<VolumeCache> volumes);

  // Returns whether the device handles a volume of this size and type in one slab with at most PACKET_MOST_BRICKS
  // bricks along each axis. Others are not supported. The samples are not read.
  static bool supports(const Volume& volume, const DeviceLimits& limits);

  // request: with one isovalue, which the volume may have. Throws Unsupported for others and if `supports` returns
  // false.
  Picture cast(const Volume& volume, const RayRequest& request, Report& report);

private:
  struct Task
  {
    const Volume& volume;
    const ContourPlan& plan;
    const VolumeArrays& arrays;
    const RayCamera& camera;
    SlabConstants parameters;
    Region brickMask, hits;
  };

  void recordMarks(const Task& task);
  void recordRays(const Task& task);

  DeviceSession Session;
  RayBuffers Buffers;
};

}

#endif
