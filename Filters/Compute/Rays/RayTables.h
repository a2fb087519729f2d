// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Pure functions for the parameters of rays.
#ifndef vmcRayTables_h
#define vmcRayTables_h

#include "Compute/Rays/RayRequest.h"
#include "Compute/Volume/Volume.h"
#include "Shared/Structs.h"

#include <optional>

namespace vmc
{

// Throws Unsupported if the matrix has no inverse.
Matrix4 inverseOf(const Matrix4& matrix);

// The rays of the camera between the planes of equal depth that enclose the volume, so that a share of the way between
// them has as many digits as possible. None if the volume is before the near plane or behind the far plane. Throws
// Unsupported if a matrix has no inverse or the planes of equal depth are not those of a projection, see
// RayCamera::worldToClip.
std::optional<RayTable> rayTableOf(const RayCamera& camera, const Volume& volume);

}

#endif
