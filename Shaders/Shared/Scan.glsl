// Sums that stick at 2^32 - 1 instead of wrapping, so that the host sees an overflow; and an exclusive scan over the
// invocations of a group. Include after the kernel has declared its group size, which is at most SCAN_GROUP_SIZE: until
// then gl_WorkGroupSize silently means 1.
#include "Constants.h"

shared uint scanValue[SCAN_GROUP_SIZE];

uint addSaturated(uint a, uint b)
{
  const uint sum = a + b;
  return sum < a ? 0xFFFFFFFFu : sum;
}

// Every invocation of the group must call this. Returns the sum over the invocations before this one.
uint exclusiveGroupScan(uint value, out uint total)
{
  const uint lane = gl_LocalInvocationID.x;
  scanValue[lane] = value;
  barrier();
  for (uint offset = 1; offset < gl_WorkGroupSize.x; offset <<= 1)
  {
    const uint before = lane >= offset ? scanValue[lane - offset] : 0;
    barrier();
    scanValue[lane] = addSaturated(before, scanValue[lane]);
    barrier();
  }
  total = scanValue[gl_WorkGroupSize.x - 1];
  const uint sum = lane == 0 ? 0 : scanValue[lane - 1];
  barrier();
  return sum;
}
