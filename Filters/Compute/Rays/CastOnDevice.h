// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Pictures of isosurfaces by rays, on a Vulkan device.
#ifndef vmcCastOnDevice_h
#define vmcCastOnDevice_h

#include "Compute/Rays/Picture.h"
#include "Compute/Rays/RayRequest.h"
#include "Compute/Volume/DeviceSession.h"

namespace vmc
{

// The buffers of castOnDevice.
struct RayBuffers
{
  explicit RayBuffers(Device& device); // throws OutOfMemory

  Buffer table, geometry;
};

// Returns the picture that the request describes, see Session::cast. Adds to the report. Throws Unsupported, and as
// DeviceSession::withVolume.
Picture castOnDevice(
  DeviceSession& session, const RayBuffers& buffers, const Volume& volume, const RayRequest& request, Report& report);

}

#endif
