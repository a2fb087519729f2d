// Numbers of active bricks, as CompactBricks found them.
// Include after Slab.glsl.
#include "Bindings.h"
#include "Constants.h"

layout(std430, binding = BINDING_TOTALS) readonly buffer Totals { uint total[]; };

// Active bricks of the slab.
uint activeCount() { return total[TOTAL_ACTIVE]; }

// Active bricks that the slab emits: without those of the look-ahead layer.
uint emitCount() { return slab.ownBrickCount < slab.brickCount ? total[TOTAL_OWN_ACTIVE] : total[TOTAL_ACTIVE]; }
