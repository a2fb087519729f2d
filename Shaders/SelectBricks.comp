// One invocation: SCAN_RUN consecutive bricks of the slab; one group: a block of SCAN_BLOCK_SIZE bricks.
// Reads range[brick of the volume]; writes the number of active bricks of the block to sum[block] for ScanBlocks.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "Shared/Constants.h"
layout(local_size_x_id = SPECIALIZE_GROUP_SIZE) in;
#include "Shared/Slab.glsl"
#include "Shared/BrickRange.glsl"
#include "Shared/Scan.glsl"

layout(std430, binding = BINDING_BLOCK_SUM) writeonly buffer BlockSum { uint sum[]; };

void main()
{
  const uint block = groupIndex();
  const uint first = block * SCAN_BLOCK_SIZE + gl_LocalInvocationID.x * SCAN_RUN;
  uint count = 0;
  for (uint brick = first; brick < min(first + SCAN_RUN, slab.brickCount); ++brick)
    count += isActive(brick) ? 1 : 0;
  uint total;
  exclusiveGroupScan(count, total);
  if (gl_LocalInvocationID.x == 0 && block * SCAN_BLOCK_SIZE < slab.brickCount)
    sum[block] = total;
}
