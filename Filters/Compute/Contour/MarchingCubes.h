// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Marching cubes on the dual grid of a volume: what all engines have in common.
#ifndef vmcMarchingCubes_h
#define vmcMarchingCubes_h

#include "Compute/Contour/Mesh.h"
#include "Compute/Contour/Request.h"
#include "Compute/Volume/Report.h"
#include "Compute/Volume/Volume.h"

#include <cstdint>
#include <optional>

namespace vmc
{

// Extracts isosurfaces. The engine keeps what it has made of the last volumes of this object, so that another isovalue
// of the same volume (see Volume::identity) needs less work. One extraction at a time per object. Several objects may
// be used at the same time, also in several threads.
class MarchingCubes
{
public:
  MarchingCubes() = default;
  virtual ~MarchingCubes() = default;
  MarchingCubes(const MarchingCubes&) = delete;
  MarchingCubes& operator=(const MarchingCubes&) = delete;

  // Enclose the extractions of several related volumes, for example the leaves of a composite data set. The engine
  // keeps them all as far as they fit.
  virtual void beginPass() = 0;
  virtual void endPass() = 0;

  // Frees what is kept of the volumes with an array of this identity, as when the array was deleted.
  virtual void releaseVolumes(std::uint64_t identity) = 0;

  // Returns the isosurfaces in host memory, or nothing if `progress` stopped the extraction. A volume with fewer than
  // two samples along an axis has no dual cell and gives an empty mesh. Equal arguments and engines give identical
  // bytes; all engines give the same triangles in the same order. Throws Unsupported (limits of the device, more than
  // 2^32 - 1 points, geometry that cannot be inverted), OutOfMemory, DeviceLost, Internal.
  virtual std::optional<Mesh> extractToHost(
    const Volume& volume, const Request& request, Report& report, const Progress& progress = {}) = 0;
};

}

#endif
