// Twin of the kernel CompactBricks.
#ifndef vmcReferenceCompactBricks_h
#define vmcReferenceCompactBricks_h

#include "Reference/SelectBricks.h"

namespace vmc::reference
{

// Needs no block sums: it counts along. total[TOTAL_ACTIVE] is written and, if the slab has a look-ahead layer,
// total[TOTAL_OWN_ACTIVE]; groups: one an active brick, folded into a second axis.
inline void compactBricks(const SlabConstants& slab, const std::vector<BrickRange>& range,
  std::vector<std::uint32_t>& slotOfBrick, std::vector<std::uint32_t>& activeBrick, std::vector<std::uint32_t>& total,
  std::vector<std::uint32_t>& groups)
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
  groups[1] = slot / slab.maxGroups + (slot % slab.maxGroups != 0 ? 1 : 0);
  groups[0] = groups[1] == 0 ? 0 : slot / groups[1] + (slot % groups[1] != 0 ? 1 : 0);
  groups[2] = 1;
}

}

#endif
