// One group: a block of SCAN_BLOCK_SIZE elements of one array (group y picks the array).
// Reads value[array][element]; writes the block's sum to sum[array][block] for ScanElements.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "Shared/Constants.h"
layout(local_size_x_id = SPECIALIZE_GROUP_SIZE) in;
#include "Shared/Bindings.h"
#include "Shared/Structs.h"
#include "Shared/Scan.glsl"

layout(push_constant) uniform Push { ScanConstants scan; };
layout(std430, binding = BINDING_BRICK_OFFSET) readonly buffer Values { uint value[]; };
layout(std430, binding = BINDING_TOTALS) readonly buffer Totals { uint total[]; };
layout(std430, binding = BINDING_BLOCK_SUM) writeonly buffer BlockSum { uint sum[]; };

void main()
{
  const uint array = gl_WorkGroupID.y;
  const uint block = gl_WorkGroupID.x;
  const uint end = min((block + 1) * SCAN_BLOCK_SIZE, min(total[scan.countTotal], scan.room));
  uint part = 0;
  for (uint i = block * SCAN_BLOCK_SIZE + gl_LocalInvocationID.x; i < end; i += gl_WorkGroupSize.x)
    part = addSaturated(part, value[array * scan.room + i]);
  uint groupTotal;
  exclusiveGroupScan(part, groupTotal);
  if (gl_LocalInvocationID.x == 0)
    sum[array * scan.blockCount + block] = groupTotal;
}
