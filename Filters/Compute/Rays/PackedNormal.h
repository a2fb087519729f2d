// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Normals of RayHit on the host.
#ifndef vmcPackedNormal_h
#define vmcPackedNormal_h

#include <array>
#include <cmath>
#include <cstdint>

namespace vmc
{

// A direction in 32 bits, as packedNormal in Shaders/Rays/RayHit.glsl. The vector must not be 0.
inline std::uint32_t packedNormal(const std::array<double, 3>& n)
{
  const double size = std::abs(n[0]) + std::abs(n[1]) + std::abs(n[2]);
  const double x = n[0] / size, y = n[1] / size;
  const bool isFolded = n[2] < 0;
  const double onX = isFolded ? (1 - std::abs(y)) * (x < 0 ? -1 : 1) : x;
  const double onY = isFolded ? (1 - std::abs(x)) * (y < 0 ? -1 : 1) : y;
  const auto bits = [](double value)
  { return static_cast<std::uint32_t>(static_cast<std::uint16_t>(std::lround(value * 32767))); };
  return bits(onX) | bits(onY) << 16;
}

}

#endif
