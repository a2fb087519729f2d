// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Reference implementation of the kernel CompactBricks.
#ifndef vmcReferenceCompactBricks_h
#define vmcReferenceCompactBricks_h

#include "Reference/SelectBricks.h"

namespace vmc::reference
{

// Reads no block sums. Writes total[TOTAL_ACTIVE] and, if the slab has a halo layer, total[TOTAL_OWN_ACTIVE].
// workgroups: one per active brick, on two axes.
inline void compactBricks(const SlabConstants& slab, const std::vector<BrickRange>& range,
  std::vector<std::uint32_t>& slotOfBrick, std::vector<std::uint32_t>& activeBrick, std::vector<std::uint32_t>& total,
  std::vector<std::uint32_t>& workgroups)
{
  std::uint32_t slot = 0;
  for (std::uint32_t brick = 0; brick < slab.brickCount; ++brick)
  {
    if (brick == slab.ownBrickCount)
      total[TOTAL_OWN_ACTIVE] = slot;
    slotOfBrick[brick] = NO_SLOT;
    if (!isActive(slab, range, brick))
      continue;
    activeBrick[slot] = brick;
    slotOfBrick[brick] = slot++;
  }
  total[TOTAL_ACTIVE] = slot;
  workgroups[1] = slot / slab.maxGroups + (slot % slab.maxGroups != 0 ? 1 : 0);
  workgroups[0] = workgroups[1] == 0 ? 0 : slot / workgroups[1] + (slot % workgroups[1] != 0 ? 1 : 0);
  workgroups[2] = 1;
}

}

#endif
