// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Pure functions for the parameters of rays.
#ifndef vmcRayTables_h
#define vmcRayTables_h

#include "Compute/Rays/RayRequest.h"
#include "Compute/Volume/ContourPlan.h"
#include "Compute/Volume/Volume.h"
#include "Shared/Structs.h"

#include <optional>
#include <vector>

namespace vmc
{

// Throws Unsupported if the matrix has no inverse.
Matrix4 inverseOf(const Matrix4& matrix);

// The rays of the camera between the planes of equal depth that enclose the volume, so that a share of the way between
// them has as many digits as possible. None if the volume is before the near plane or behind the far plane. Throws
// Unsupported if the samples have coordinates along each axis, a matrix has no inverse or the planes of equal depth are
// not those of a projection, see RayCamera::worldToClip.
std::optional<RayTable> rayTableOf(const RayCamera& camera, const Volume& volume);

// The slabs of a plan in the order in which the ray through the centre of the picture passes them. A ray that has hit
// the surface in one slab ends there in the next ones.
std::vector<Slab> nearestFirst(std::vector<Slab> slabs, const RayTable& table);

}

#endif
