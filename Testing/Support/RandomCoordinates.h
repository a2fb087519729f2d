// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

#ifndef vmcRandomCoordinates_h
#define vmcRandomCoordinates_h

#include "Compute/Volume/Volume.h"
#include "Support/AnalyticVolumes.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace vmc::test
{

// Distances of neighbouring random coordinates.
constexpr double LeastDistance = 0.125, LargestDistance = 1;

// So many coordinates along each axis, which increase from the first ones.
inline Coordinates randomCoordinates(
  const std::array<std::uint32_t, 3>& count, std::uint64_t seed, const Vector3& first = { -3, 1.5, 7 })
{
  const AnalyticVolume random = noise(seed);
  Coordinates coordinates;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    double next = first[axis];
    for (std::uint32_t i = 0; i < count[axis]; ++i)
    {
      coordinates[axis].push_back(next);
      next += LeastDistance + (LargestDistance - LeastDistance) * random.value({ double(i), double(axis), 0 });
    }
  }
  return coordinates;
}

}

#endif
