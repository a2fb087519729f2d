// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Reference implementation of MarkBricks.
#ifndef vmcReferenceMarkBricks_h
#define vmcReferenceMarkBricks_h

#include "Reference/SelectBricks.h"

#include <array>
#include <cstdint>
#include <vector>

namespace vmc::reference
{

using BrickMask = std::array<std::uint32_t, 2>; // bits of a group's bricks, x fastest

// Returns the masks of all groups of the volume, which has these bricks along each axis.
inline std::vector<BrickMask> markBricks(
  const SlabConstants& slab, const std::vector<BrickRange>& range, const std::array<std::uint32_t, 3>& bricks)
{
  std::array<std::uint32_t, 3> groups{};
  for (std::size_t a = 0; a < 3; ++a)
    groups[a] = (bricks[a] + BRICK_GROUP_SIZE - 1) / BRICK_GROUP_SIZE;
  std::vector<BrickMask> masks(std::size_t(groups[0]) * groups[1] * groups[2], BrickMask{});
  for (std::uint32_t brick = 0; brick < slab.ownBrickCount; ++brick)
  {
    const std::uint32_t x = brick % bricks[0], y = brick / bricks[0] % bricks[1],
                        z = brick / bricks[0] / bricks[1] + slab.brickLayer;
    if (!isActive(slab, range, brick))
      continue;
    const std::size_t group = x / 4 + groups[0] * (y / 4 + std::size_t(groups[1]) * (z / 4));
    const std::uint32_t bit = x % 4 + 4 * (y % 4) + 16 * (z % 4);
    masks[group][bit / 32] |= 1u << bit % 32;
  }
  return masks;
}

}

#endif
