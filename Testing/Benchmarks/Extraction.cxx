#include "Extraction.h"

#include "Compute/System/HostClock.h"
#include "Compute/Vulkan/Device.h"

namespace vmc::benchmarks
{

Extraction extract(MarchingCubes& backend, const Volume& volume, double isovalue, MeshPlace place)
{
  Request request;
  request.isovalues = { isovalue };
  request.computeNormals = false;
  request.keepOnDevice = place == MeshPlace::Device;
  request.timeStages = place == MeshPlace::Host;
  Extraction made;
  if (place == MeshPlace::Device)
    backend.extract(volume, request, made.report);
  const HostClock clock;
  const std::optional<Mesh> mesh = backend.extract(volume, request, made.report);
  made.milliseconds = clock.milliseconds();
  if (!request.timeStages)
  {
    request.timeStages = true;
    backend.extract(volume, request, made.report);
  }
  made.counts = { mesh->pointCount, mesh->triangleCount }; // nothing stops it
  return made;
}

std::uint64_t meshBytesOnDevice(const Device& device, const Counts& counts)
{
  const bool writesToHost = device.hasUnifiedMemory() && device.hostImportAlignment() != 0;
  return writesToHost ? 0 : 12 * (counts.points + counts.triangles);
}

}
