// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Pictures of isosurfaces by rays, on a Vulkan device.
#ifndef vmcDeviceRayCaster_h
#define vmcDeviceRayCaster_h

#include "Compute/Rays/RayCaster.h"

#include <memory>

namespace vmc
{

class Context;
class VolumeCache;

// Casts rays into volumes that the cache holds on the device, or uploads them to it, as DeviceMarchingCubes does: both
// share the uploaded arrays.
class DeviceRayCaster : public RayCaster
{
public:
  DeviceRayCaster(std::shared_ptr<Context> context, std::shared_ptr<VolumeCache> volumes);
  ~DeviceRayCaster() override;

  void releaseVolumes(std::uint64_t identity) override;
  std::vector<RayHit> cast(const Volume& volume, const RayRequest& request, Report& report) override;

private:
  class Implementation;
  std::unique_ptr<Implementation> Impl;
};

}

#endif
