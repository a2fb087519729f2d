// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Marching cubes on a Vulkan device.
#ifndef vmcDeviceMarchingCubes_h
#define vmcDeviceMarchingCubes_h

#include "Compute/Contour/MarchingCubes.h"

#include <memory>

namespace vmc
{

class Context;
class VolumeCache;
struct DeviceMesh;

// The cache keeps the last volumes of this object on the device (see VolumeCache::User): another isovalue of the same
// volume uploads nothing. Several objects may use one device.
class DeviceMarchingCubes : public MarchingCubes
{
public:
  DeviceMarchingCubes(std::shared_ptr<Context> context, std::shared_ptr<VolumeCache> volumes);
  ~DeviceMarchingCubes() override;

  void beginPass() override;
  void endPass() override;
  void releaseVolumes(std::uint64_t identity) override;

  // The mesh is downloaded part by part; the device holds one part at a time.
  std::optional<Mesh> extractToHost(
    const Volume& volume, const Request& request, Report& report, const Progress& progress = {}) override;

  // As extractToHost, but the mesh stays on the device.
  std::optional<DeviceMesh> extract(
    const Volume& volume, const Request& request, Report& report, const Progress& progress = {});

  // Returns the mesh with at most one part, whose arrays are in memory that other APIs can import. Needs
  // Device::exportsMemory() and a mesh with shared points and without sample ids. request: that of the mesh. Copies
  // nothing if the mesh has one part and was extracted with Request::exportArrays. withIsovalues: fills
  // DeviceMesh::isovalues. Adds to the timed stage Export and updates the peak of device memory. Throws OutOfMemory,
  // DeviceLost, Internal.
  DeviceMesh exported(DeviceMesh mesh, const Request& request, bool withIsovalues, Report& report);

  // Downloads a mesh. Adds to the timed stage Download. Throws OutOfMemory, DeviceLost, Internal.
  Mesh download(DeviceMesh mesh, Report& report);

private:
  void checkDevice(const DeviceMesh& mesh) const;

  class Implementation;
  std::unique_ptr<Implementation> Impl;
};

}

#endif
