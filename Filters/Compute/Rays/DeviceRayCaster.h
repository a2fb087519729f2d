// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Pictures of isosurfaces by rays, on a Vulkan device.
#ifndef vmcDeviceRayCaster_h
#define vmcDeviceRayCaster_h

#include "Compute/Contour/DeviceMesh.h"
#include "Compute/Rays/RayCaster.h"

#include <memory>

namespace vmc
{

class Context;
class VolumeCache;

// A picture on the device, in memory that other APIs can import. It keeps the device open.
struct DeviceRayPicture
{
  std::shared_ptr<Context> context; // outlives the array
  DeviceArray pixels;               // RayHit[pixel], row by row from the bottom; no memory without pixels
};

// Casts rays into volumes that the cache holds on the device, or uploads them to it, as DeviceMarchingCubes does: both
// share the uploaded arrays.
class DeviceRayCaster : public RayCaster
{
public:
  DeviceRayCaster(std::shared_ptr<Context> context, std::shared_ptr<VolumeCache> volumes);
  ~DeviceRayCaster() override;

  void releaseVolumes(std::uint64_t identity) override;
  RayPicture cast(const Volume& volume, const RayRequest& request, Report& report) override;

  // As `cast`; the picture stays on the device. Needs Device::exportsMemory().
  DeviceRayPicture castOnDevice(const Volume& volume, const RayRequest& request, Report& report);

private:
  class Implementation;
  std::unique_ptr<Implementation> Impl;
};

}

#endif
