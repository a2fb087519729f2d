// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Extraction.h"

#include "Compute/System/Stage.h"
#include "Compute/Vulkan/Device.h"

namespace vmc::benchmarks
{

namespace
{

// One call by the host's clock, which waits for the device.
Extraction timed(Session& session, const Volume& volume, const Request& request)
{
  Extraction made;
  const HostClock clock;
  const std::optional<Surface> surface = session.extract({ volume }, request, made.report); // nothing stops it
  made.milliseconds = clock.milliseconds();
  made.counts = { surface->meshes.front().pointCount, surface->meshes.front().triangleCount };
  return made;
}

}

Extraction extract(Session& session, const Volume& volume, double isovalue, MeshPlace place)
{
  Request request;
  request.isovalues = { isovalue };
  request.computeNormals = false;
  if (place == MeshPlace::Host)
    return timed(session, volume, request);
  request.memory = OutputMemory::Device;
  request.timeStages = false;
  timed(session, volume, request);
  Extraction made = timed(session, volume, request);
  request.timeStages = true;
  made.report = timed(session, volume, request).report;
  return made;
}

std::uint64_t meshBytesOnDevice(const Device& device, const Counts& counts)
{
  const bool writesToHost = device.hasUnifiedMemory() && device.hostImportAlignment() != 0;
  return writesToHost ? 0 : 12 * (counts.points + counts.triangles);
}

}
