// One group: a block of SCAN_BLOCK_SIZE elements of one array (group y picks the array).
// Reads sum[array][block] of the blocks before; replaces value[array][element] by its exclusive scan for the emitting
// kernels, and writes the sum of the array to total[sumTotal + array] and the offset of the split element to
// total[splitTotal + array] for the host.
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
  const uint count = min(total[scan.countTotal], scan.room);
  const uint split = scan.splitElement != NO_TOTAL ? total[scan.splitElement] : NO_TOTAL;
  uint countOf[SCAN_RUN];
  uint runSum = 0;
  for (uint i = 0; i < SCAN_RUN; ++i)
  {
    countOf[i] = first + i < count ? value[array * scan.room + first + i] : 0;
    runSum = addSaturated(runSum, countOf[i]);
  }
  uint before = 0;
  for (uint b = gl_LocalInvocationID.x; b < block; b += gl_WorkGroupSize.x)
    before = addSaturated(before, sum[array * scan.blockCount + b]);
  uint blocksBefore, blockSum;
  exclusiveGroupScan(before, blocksBefore);
  uint offset = addSaturated(blocksBefore, exclusiveGroupScan(runSum, blockSum));

  if (block + 1 >= scan.blockCount && gl_LocalInvocationID.x == 0)
    total[scan.sumTotal + array] = addSaturated(blocksBefore, blockSum);
  for (uint i = 0; i < SCAN_RUN; ++i)
  {
    if (first + i >= count)
      break;
    value[array * scan.room + first + i] = offset;
    if (first + i == split)
      total[scan.splitTotal + array] = offset;
    offset = addSaturated(offset, countOf[i]);
  }
}
