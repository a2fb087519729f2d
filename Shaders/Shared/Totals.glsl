// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Number of active bricks that a kernel handles: 0 if a buffer is too small. In this case the host reads the required
// capacity from the totals, allocates larger buffers and runs the pass again.
// Include after Slab.glsl.
#include "Shared/Bindings.h"
#include "Shared/Constants.h"

layout(std430, binding = BINDING_TOTALS) readonly buffer Totals { uint total[]; };

// Active bricks of the slab, halo layer included.
uint activeCount() { return total[TOTAL_ACTIVE] <= slab.activeCapacity ? total[TOTAL_ACTIVE] : 0; }

// Active bricks that the slab emits: those before the halo layer. Their number of points or triangles, which must not
// exceed the capacity, is total[ownTotalWord] if active bricks follow in the halo layer, else total[totalWord].
uint emitCount(uint totalWord, uint ownTotalWord, uint capacity)
{
  const uint all = activeCount();
  const uint own = slab.ownBrickCount < slab.brickCount ? min(total[TOTAL_OWN_ACTIVE], all) : all;
  return total[own < all ? ownTotalWord : totalWord] <= capacity ? own : 0;
}
