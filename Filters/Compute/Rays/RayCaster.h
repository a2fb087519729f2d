// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Pictures of isosurfaces by rays: what all engines have in common.
#ifndef vmcRayCaster_h
#define vmcRayCaster_h

#include "Compute/Rays/RayPicture.h"
#include "Compute/Rays/RayRequest.h"
#include "Compute/Volume/Report.h"
#include "Compute/Volume/Volume.h"

#include <cstdint>

namespace vmc
{

// Finds where rays first cross isosurfaces, without triangles. The surface in a dual cell is that of the trilinear
// interpolant of its corners; triangles connect the points of this surface on the edges of the cell. The engine keeps
// what it has made of the last volume. One call at a time per object.
class RayCaster
{
public:
  RayCaster() = default;
  virtual ~RayCaster() = default;
  RayCaster(const RayCaster&) = delete;
  RayCaster& operator=(const RayCaster&) = delete;

  // Frees what is kept of the last volume if one of its arrays has this identity, as when the array was deleted.
  virtual void releaseVolumes(std::uint64_t identity) = 0;

  // Returns the nearest crossing per pixel. A volume without a dual cell has none. Adds the stages and the memory to
  // the report. The crossings of the engines differ in the last bits, and where a ray grazes the surface. Throws
  // Unsupported (limits of the device, cameras without rays, see RayTables.h), OutOfMemory, DeviceLost, Internal.
  virtual RayPicture cast(const Volume& volume, const RayRequest& request, Report& report) = 0;
};

}

#endif
