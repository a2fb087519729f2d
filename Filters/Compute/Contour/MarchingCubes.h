// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Marching cubes on the dual grid of a volume, on a Vulkan device.
#ifndef vmcMarchingCubes_h
#define vmcMarchingCubes_h

#include "Compute/Contour/Mesh.h"
#include "Compute/Contour/Request.h"
#include "Compute/Volume/Volume.h"

#include <functional>
#include <memory>
#include <optional>

namespace vmc
{

class Context;
class VolumeCache;
struct DeviceMesh;

// Called repeatedly with the finished fraction in [0, 1]. Returns false to stop the extraction.
using Progress = std::function<bool(double done)>;

// Extracts isosurfaces. The cache keeps the last volumes of this object on the device (see VolumeCache::User), so that
// another isovalue of the same volume (see Volume::identity) uploads nothing. One extraction at a time per object.
// Several objects may use one device, also from several threads.
class MarchingCubes
{
public:
  MarchingCubes(std::shared_ptr<Context> context, std::shared_ptr<VolumeCache> volumes);
  ~MarchingCubes();
  MarchingCubes(const MarchingCubes&) = delete;
  MarchingCubes& operator=(const MarchingCubes&) = delete;

  // Enclose the extractions of several related volumes, for example the leaves of a composite data set. Their arrays
  // stay on the device as far as they fit.
  void beginPass();
  void endPass();

  // Frees the volumes with an array of this identity on the device, as when the array was deleted.
  void releaseVolumes(std::uint64_t identity);

  // Both functions return the isosurfaces, or nothing if `progress` stopped the extraction. A volume with fewer than
  // two samples along an axis has no dual cell and gives an empty mesh. Equal arguments on one device give identical
  // bytes. Throws Unsupported (limits of the device, more than 2^32 - 1 points, geometry that cannot be inverted),
  // OutOfMemory, DeviceLost, Internal.

  // The mesh stays on the device.
  std::optional<DeviceMesh> extract(
    const Volume& volume, const Request& request, Report& report, const Progress& progress = {});
  // The mesh is downloaded part by part; the device holds one part at a time.
  std::optional<Mesh> extractToHost(
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
