// Sums that stick at 2^32 - 1 instead of wrapping, so that the host sees an overflow; and an exclusive scan over the
// invocations of a group of 64 or SCAN_GROUP_SIZE; smaller groups, as on software Vulkan, must not call it. Include
// after the kernel has declared its group size: until then gl_WorkGroupSize silently means 1.
#include "Shared/Constants.h"

// The group scans in two levels: runs of ScanWidth invocations, then the runs, of which there are as many.
const uint ScanWidth = gl_WorkGroupSize.x > 64 ? 16 : 8;
shared uint scanValue[gl_WorkGroupSize.x];
shared uint scanRunSum[ScanWidth];

uint addSaturated(uint a, uint b)
{
  const uint sum = a + b;
  return sum < a ? 0xFFFFFFFFu : sum;
}

// Smaller groups scan what one brick makes: counts of 16 bits, two in a word, which cannot overflow.
uint scanSum(uint a, uint b) { return gl_WorkGroupSize.x == SCAN_GROUP_SIZE ? addSaturated(a, b) : a + b; }

// Every invocation of the group must call this. Returns the sum over the invocations before this one.
uint exclusiveGroupScan(uint value, out uint total)
{
  const uint invocation = gl_LocalInvocationID.x;
  const uint run = invocation / ScanWidth, place = invocation % ScanWidth;
  scanValue[invocation] = value;
  barrier();
  uint before = 0;
  for (uint i = 0; i + 1 < ScanWidth; ++i)
    before = scanSum(before, i < place ? scanValue[run * ScanWidth + i] : 0);
  if (place == ScanWidth - 1)
    scanRunSum[run] = scanSum(before, value);
  barrier();
  // The next call writes the sums of runs behind a barrier of its own: none is needed after reading them.
  total = 0;
  for (uint i = 0; i < ScanWidth; ++i)
  {
    before = i == run ? scanSum(before, total) : before;
    total = scanSum(total, scanRunSum[i]);
  }
  return before;
}
