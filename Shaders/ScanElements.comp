// One group: a block of SCAN_BLOCK_SIZE elements of one array (group y picks the array).
// Reads the scanned sum[array][block]; replaces value[array][element] by its exclusive scan for the emitting kernels,
// and writes the offset of the split element to total[splitTotal + array] for the host.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "Shared/Constants.h"
layout(local_size_x_id = SPECIALIZE_GROUP_SIZE) in;
#include "Shared/Bindings.h"
#include "Shared/Structs.h"
#include "Shared/Scan.glsl"

layout(push_constant) uniform Push { ScanConstants scan; };
layout(std430, binding = BINDING_BRICK_OFFSET) buffer Values { uint value[]; };
layout(std430, binding = BINDING_BLOCK_SUM) readonly buffer BlockSum { uint sum[]; };
layout(std430, binding = BINDING_TOTALS) buffer Totals { uint total[]; };

void main()
{
  const uint array = gl_WorkGroupID.y;
  const uint block = gl_WorkGroupID.x;
  const uint first = block * SCAN_BLOCK_SIZE + gl_LocalInvocationID.x * SCAN_RUN;
  const uint end = min(first + SCAN_RUN, min(total[scan.countTotal], scan.room));
  uint runSum = 0;
  for (uint i = first; i < end; ++i)
    runSum = addSaturated(runSum, value[array * scan.room + i]);
  const uint split = scan.splitElement != NO_TOTAL ? total[scan.splitElement] : NO_TOTAL;
  uint groupTotal;
  uint offset = exclusiveGroupScan(runSum, groupTotal);
  offset = addSaturated(offset, sum[array * scan.blockCount + block]);
  for (uint i = first; i < end; ++i)
  {
    const uint count = value[array * scan.room + i];
    value[array * scan.room + i] = offset;
    if (i == split)
      total[scan.splitTotal + array] = offset;
    offset = addSaturated(offset, count);
  }
}
