// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Extraction.h"

#include "Compute/Contour/DeviceMarchingCubes.h"
#include "Compute/System/HostClock.h"
#include "Compute/Vulkan/Device.h"

namespace vmc::benchmarks
{

namespace
{

// One call by the host's clock, which waits for the device.
Extraction timed(MarchingCubes& marchingCubes, const Volume& volume, const Request& request, MeshPlace place)
{
  Extraction made;
  const HostClock clock;
  if (place == MeshPlace::Device)
  {
    Request onDevice = request;
    onDevice.memory = OutputMemory::Device;
    const std::optional<Surface> surface =
      dynamic_cast<DeviceMarchingCubes&>(marchingCubes).extract({ volume }, onDevice, made.report);
    made.milliseconds = clock.milliseconds();
    made.counts = { surface->meshes.front().pointCount, surface->meshes.front().triangleCount }; // nothing stops it
    return made;
  }
  const std::optional<Mesh> mesh = marchingCubes.extractToHost(volume, request, made.report);
  made.milliseconds = clock.milliseconds();
  made.counts = { mesh->pointCount, mesh->triangleCount };
  return made;
}

}

Extraction extract(MarchingCubes& marchingCubes, const Volume& volume, double isovalue, MeshPlace place)
{
  Request request;
  request.isovalues = { isovalue };
  request.computeNormals = false;
  if (place == MeshPlace::Host)
    return timed(marchingCubes, volume, request, place);
  request.timeStages = false;
  timed(marchingCubes, volume, request, place);
  Extraction made = timed(marchingCubes, volume, request, place);
  request.timeStages = true;
  made.report = timed(marchingCubes, volume, request, place).report;
  return made;
}

std::uint64_t meshBytesOnDevice(const Device& device, const Counts& counts)
{
  const bool writesToHost = device.hasUnifiedMemory() && device.hostImportAlignment() != 0;
  return writesToHost ? 0 : 12 * (counts.points + counts.triangles);
}

}
