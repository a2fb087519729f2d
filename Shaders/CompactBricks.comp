// One invocation: SCAN_RUN consecutive bricks of the slab; one group: a block of SCAN_BLOCK_SIZE bricks.
// Reads range[brick of the volume] and the scanned sum[block]; writes brick[slot] in ascending order for CountBricks
// and the emitting kernels, slot[brick] for EmitTriangles, and the number of active bricks that the slab emits for the
// host, if the slab ends with a look-ahead layer.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "Shared/Constants.h"
layout(local_size_x_id = SPECIALIZE_GROUP_SIZE) in;
#include "Shared/Slab.glsl"
#include "Shared/BrickRange.glsl"
#include "Shared/Scan.glsl"

layout(std430, binding = BINDING_BLOCK_SUM) readonly buffer BlockSum { uint sum[]; };
layout(std430, binding = BINDING_SLOT_OF_BRICK) writeonly buffer SlotOfBrick { uint slotOfBrick[]; };
layout(std430, binding = BINDING_ACTIVE_BRICK) writeonly buffer ActiveBrick { uint activeBrick[]; };
layout(std430, binding = BINDING_TOTALS) writeonly buffer Totals { uint total[]; };

void main()
{
  const uint block = groupIndex();
  const uint first = block * SCAN_BLOCK_SIZE + gl_LocalInvocationID.x * SCAN_RUN;
  const uint end = min(first + SCAN_RUN, slab.brickCount);
  uint count = 0;
  for (uint brick = first; brick < end; ++brick)
    count += isActive(brick) ? 1 : 0;
  uint groupTotal;
  uint slot = exclusiveGroupScan(count, groupTotal);
  if (first < end)
    slot += sum[block];
  for (uint brick = first; brick < end; ++brick)
  {
    if (brick == slab.ownBrickCount)
      total[TOTAL_OWN_ACTIVE] = slot;
    const bool touched = isActive(brick);
    slotOfBrick[brick] = touched ? slot : NO_SLOT;
    if (touched)
      activeBrick[slot++] = brick;
  }
}
