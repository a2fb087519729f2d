// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Cameras by eye and center.
#ifndef vmcView_h
#define vmcView_h

#include "Support/Vectors.h"

#include "Compute/Rays/RayRequest.h"

#include <array>
#include <cmath>
#include <cstdint>

namespace vmc::test
{

inline Vector normalized(const Vector& v)
{
  const double size = std::sqrt(dot(v, v));
  return { v[0] / size, v[1] / size, v[2] / size };
}

struct View
{
  Vector eye, center;
  double nearPlane, farPlane; // distances from the eye
  double size; // of the image along its shorter side: at a distance of 1; of a parallel projection, in world units
  bool isParallel = false;
};

// Returns a camera that maps world to clip space as a camera of VTK does: z from -1 at the near plane to 1 at the far
// plane.
inline RayCamera cameraOf(const View& view, std::uint32_t width, std::uint32_t height)
{
  const Vector back =
    normalized({ view.eye[0] - view.center[0], view.eye[1] - view.center[1], view.eye[2] - view.center[2] });
  const Vector right = normalized(cross(std::abs(back[2]) < 0.9 ? Vector{ 0, 0, 1 } : Vector{ 1, 0, 0 }, back));
  const Vector up = cross(back, right);
  const double n = view.nearPlane, f = view.farPlane;
  RayCamera camera;
  camera.width = width;
  camera.height = height;
  const auto row = [&](const Vector& axis, double scale) {
    return std::array<double, 4>{ scale * axis[0], scale * axis[1], scale * axis[2], -scale * dot(axis, view.eye) };
  };
  const double shorter = width < height ? width : height;
  camera.worldToClip[0] = row(right, 2 / view.size * shorter / width);
  camera.worldToClip[1] = row(up, 2 / view.size * shorter / height);
  camera.worldToClip[2] = row(back, view.isParallel ? -2 / (f - n) : -(f + n) / (f - n));
  camera.worldToClip[2][3] -= view.isParallel ? (f + n) / (f - n) : 2 * f * n / (f - n);
  camera.worldToClip[3] = view.isParallel ? std::array<double, 4>{ 0, 0, 0, 1 } : row(back, -1);
  return camera;
}

}

#endif
