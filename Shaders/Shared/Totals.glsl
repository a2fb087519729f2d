// How many active bricks there are to work on. Where the buffers lack the room there are none: the host sees that from
// the totals, makes room and has the pass done again.
// Include after Slab.glsl.
#include "Shared/Bindings.h"
#include "Shared/Constants.h"

layout(std430, binding = BINDING_TOTALS) readonly buffer Totals { uint total[]; };

// Active bricks of the slab.
uint activeCount() { return total[TOTAL_ACTIVE] <= slab.activeCapacity ? total[TOTAL_ACTIVE] : 0; }

// Active bricks that the slab emits, without those of the look-ahead layer. What they make is the total of this word
// or, if others follow them, where the scan split it; `room` is for so much.
uint emitCount(uint totalWord, uint ownTotalWord, uint room)
{
  const uint all = activeCount();
  const uint own = slab.ownBrickCount < slab.brickCount ? min(total[TOTAL_OWN_ACTIVE], all) : all;
  return total[own < all ? ownTotalWord : totalWord] <= room ? own : 0;
}
