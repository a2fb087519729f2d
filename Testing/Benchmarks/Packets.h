// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Pictures by packets of rays with a common stack: what CastRays is compared with.
#ifndef vmcPackets_h
#define vmcPackets_h

#include "Compute/Rays/RayCaster.h"
#include "Compute/Volume/DeviceSession.h"
#include "PacketTree.h"

#include <cstdint>
#include <memory>

namespace vmc::benchmarks
{

// Casts rays as DeviceRayCaster does, with the kernels MarkBricks, MarkNodes and CastPackets: the first two are the
// timed stage MarkBricks, the third one is CastRays.
class PacketCaster : public RayCaster
{
public:
  PacketCaster(std::shared_ptr<Context> context, std::shared_ptr<VolumeCache> volumes);

  // Returns whether the device handles a volume of this size and type in one slab with at most PACKET_MOST_BRICKS
  // bricks along each axis. Others are not supported. The samples are not read.
  static bool supports(const Volume& volume, const DeviceLimits& limits);

  void releaseVolumes(std::uint64_t identity) override { this->Session.releaseVolumes(identity); }

  // request: with one isovalue, which the volume may have. Throws Unsupported for others and if `supports` returns
  // false.
  RayPicture cast(const Volume& volume, const RayRequest& request, Report& report) override;

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
  Buffer Table, GeometryOnDevice, NoGhosts;
};

}

#endif
