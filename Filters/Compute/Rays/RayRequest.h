// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The input of a picture of isosurfaces by rays.
#ifndef vmcRayRequest_h
#define vmcRayRequest_h

#include "Compute/Contour/Request.h"

#include <array>
#include <cstdint>
#include <vector>

namespace vmc
{

// A 4 x 4 matrix by rows: a column vector is multiplied from the right.
using Matrix4 = std::array<std::array<double, 4>, 4>;

// A view of the world. Normalized device coordinates are -1 to 1 along x, y and z; z = -1 is the near plane.
struct RayCamera
{
  std::uint32_t width = 0, height = 0; // pixels; row 0 is at y = -1
  // Maps world space to clip space, with a perspective or a parallel projection whose planes of equal depth are
  // perpendicular to the direction of view. It must have an inverse.
  Matrix4 worldToClip{ { { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, 0, 1, 0 }, { 0, 0, 0, 1 } } };
};

struct RayRequest
{
  std::vector<double> isovalues; // fewer than RAY_NO_HIT
  RayCamera camera;
  unsigned threads = 0; // see the members of Request with these names
  std::uint64_t memoryLimit = 0;
  OutputMemory memory = OutputMemory::Host;
};

}

#endif
