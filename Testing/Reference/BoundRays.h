// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Reference implementation of BoundRays: each ray of a packet is cut with each marked brick, in double.
#ifndef vmcReferenceBoundRays_h
#define vmcReferenceBoundRays_h

#include "Shared/Constants.h"
#include "Shared/Structs.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace vmc::reference
{

// The t at which rays enter the first and leave the last marked brick; entry > exit: they touch none.
struct RayBound
{
  double entry = std::numeric_limits<double>::infinity();
  double exit = -std::numeric_limits<double>::infinity();
};

// A box in index space.
struct Box
{
  std::array<double, 3> low, high;
};

// Adds the part of one ray in the box.
inline void addRay(const RayTable& table, std::uint32_t x, std::uint32_t y, const Box& box, RayBound& bound)
{
  double entry = 0, exit = 1;
  for (std::size_t a = 0; a < 3; ++a)
  {
    const auto at = [&](std::size_t plane)
    {
      return double(table.originHigh[plane][a]) + double(table.originLow[plane][a]) +
             x * (double(table.stepXHigh[plane][a]) + double(table.stepXLow[plane][a])) +
             y * (double(table.stepYHigh[plane][a]) + double(table.stepYLow[plane][a]));
    };
    const double start = at(0), along = at(1) - at(0);
    if (along == 0 && (start < box.low[a] || start > box.high[a]))
      return;
    if (along == 0)
      continue;
    const double toLow = (box.low[a] - start) / along, toHigh = (box.high[a] - start) / along;
    entry = std::max(entry, std::min(toLow, toHigh));
    exit = std::min(exit, std::max(toLow, toHigh));
  }
  if (entry > exit)
    return;
  bound.entry = std::min(bound.entry, entry);
  bound.exit = std::max(bound.exit, exit);
}

// Returns the bounds of all packets, row by row.
inline std::vector<RayBound> boundRays(const RayTable& table, const std::vector<Box>& marked)
{
  const std::uint32_t across = (table.width + RAY_GROUP_SIDE - 1) / RAY_GROUP_SIDE;
  const std::uint32_t down = (table.height + RAY_GROUP_SIDE - 1) / RAY_GROUP_SIDE;
  std::vector<RayBound> bounds(std::size_t(across) * down);
  for (std::uint32_t y = 0; y < table.height; ++y)
    for (std::uint32_t x = 0; x < table.width; ++x)
      for (const Box& box : marked)
        addRay(table, x, y, box, bounds[x / RAY_GROUP_SIDE + std::size_t(across) * (y / RAY_GROUP_SIDE)]);
  return bounds;
}

}

#endif
