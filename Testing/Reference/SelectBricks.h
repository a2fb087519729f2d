// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Reference implementation of the kernel SelectBricks.
#ifndef vmcReferenceSelectBricks_h
#define vmcReferenceSelectBricks_h

#include "Reference/BuildBrickRanges.h"

namespace vmc::reference
{

// Returns whether the range of the brick contains the isovalue.
inline bool isActive(const SlabConstants& slab, const std::vector<BrickRange>& range, std::uint32_t brick)
{
  const BrickRange keys = range[brick + slab.firstRange];
  const bool anyOutside = keys[0] <= slab.selectUpTo, anyInside = keys[1] >= slab.thresholdKey;
  return anyOutside && anyInside;
}

inline std::uint32_t scanBlocks(const SlabConstants& slab)
{
  return (slab.brickCount + SCAN_BLOCK_SIZE - 1) / SCAN_BLOCK_SIZE;
}

// The word of BINDING_BLOCK_SUM to which an active brick adds its points (BLOCK_SUM_POINTS) or triangles.
inline std::size_t blockSumWord(const SlabConstants& slab, std::uint32_t array, std::uint32_t slot)
{
  return std::size_t(array + slot % BLOCK_SUM_PARTS) * scanBlocks(slab) + slot / SCAN_BLOCK_SIZE;
}

// Writes sum[BLOCK_SUM_ACTIVE][block], the number of active bricks of each block, and sets the other sums to 0.
inline void selectBricks(
  const SlabConstants& slab, const std::vector<BrickRange>& range, std::vector<std::uint32_t>& sum)
{
  std::fill_n(sum.begin(), BLOCK_SUM_ARRAYS * scanBlocks(slab), 0u);
  for (std::uint32_t brick = 0; brick < slab.brickCount; ++brick)
    sum[BLOCK_SUM_ACTIVE * scanBlocks(slab) + brick / SCAN_BLOCK_SIZE] += isActive(slab, range, brick) ? 1 : 0;
}

}

#endif
