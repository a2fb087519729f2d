// One group: all block sums of one array (group y picks the array), SCAN_GROUP_SIZE at a time.
// Replaces sum[array][block] by its exclusive scan, for ScanElements and CompactBricks, and writes the sum of the whole
// array to total[sumTotal + array] for the host.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "Shared/Constants.h"
layout(local_size_x_id = SPECIALIZE_GROUP_SIZE) in;
#include "Shared/Bindings.h"
#include "Shared/Structs.h"
#include "Shared/Scan.glsl"

layout(push_constant) uniform Push { ScanConstants scan; };
layout(std430, binding = BINDING_BLOCK_SUM) buffer BlockSum { uint sum[]; };
layout(std430, binding = BINDING_TOTALS) writeonly buffer Totals { uint total[]; };

void main()
{
  const uint array = gl_WorkGroupID.y;
  uint carry = 0;
  for (uint first = 0; first < scan.blockCount; first += gl_WorkGroupSize.x)
  {
    const uint block = first + gl_LocalInvocationID.x;
    const bool valid = block < scan.blockCount;
    const uint index = array * scan.blockCount + block;
    uint batchTotal;
    const uint before = exclusiveGroupScan(valid ? sum[index] : 0, batchTotal);
    if (valid)
      sum[index] = addSaturated(carry, before);
    carry = addSaturated(carry, batchTotal);
  }
  if (gl_LocalInvocationID.x == 0)
    total[scan.sumTotal + array] = carry;
}
