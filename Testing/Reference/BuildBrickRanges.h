// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Reference implementation of the kernel BuildBrickRanges.
#ifndef vmcReferenceBuildBrickRanges_h
#define vmcReferenceBuildBrickRanges_h

#include "Reference/SlabGrid.h"

#include <algorithm>
#include <vector>

namespace vmc::reference
{

using BrickRange = std::array<std::uint32_t, 2>; // smallest and largest key; high words of 64-bit keys

// Writes range[firstRange + brick] for the bricks of the slab alone.
inline void buildBrickRanges(const SlabConstants& slab, const PackedValues& samples, std::vector<BrickRange>& range,
  std::vector<std::uint32_t>& total)
{
  const SlabGrid grid(slab, samples);
  for (std::uint32_t brick = 0; brick < slab.brickCount; ++brick)
  {
    BrickRange found = { 0xFFFFFFFFu, 0 };
    const Position corner = grid.brickCorner(brick);
    for (std::uint32_t z = corner[2]; z < std::min(corner[2] + BRICK_SIZE + 1, slab.sizeZ); ++z)
      for (std::uint32_t y = corner[1]; y < std::min(corner[1] + BRICK_SIZE + 1, slab.sizeY); ++y)
        for (std::uint32_t x = corner[0]; x < std::min(corner[0] + BRICK_SIZE + 1, slab.sizeX); ++x)
          if (grid.isNan({ x, y, z }))
            total[TOTAL_HAS_NAN] = 1;
          else
          {
            const auto key = static_cast<std::uint32_t>(grid.key({ x, y, z }) >> (isWide(samples.type) ? 32 : 0));
            found = { std::min(found[0], key), std::max(found[1], key) };
          }
    range[slab.firstRange + brick] = found;
    total[TOTAL_INVERTED_SMALLEST_KEY] = std::max(total[TOTAL_INVERTED_SMALLEST_KEY], ~found[0]);
    total[TOTAL_LARGEST_KEY] = std::max(total[TOTAL_LARGEST_KEY], found[1]);
  }
}

}

#endif
