// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The sum of a value over the invocations of a workgroup, and its exclusive scan. The sum, and the scan of
// SCAN_GROUP_SIZE invocations, saturate at 2^32 - 1, so that the host detects an overflow. Only workgroups of 64 or
// SCAN_GROUP_SIZE invocations may call the scan.
// Include after the kernel has declared its workgroup size: until then gl_WorkGroupSize is 1 and no error is reported.
#include "Shared/Constants.h"

// The scan has two levels: first ScanWidth runs of ScanWidth invocations, then the sums of the runs.
const uint ScanWidth = gl_WorkGroupSize.x > 64 ? 16 : 8;
shared uint scanValue[gl_WorkGroupSize.x];
shared uint scanRunSum[ScanWidth];

shared uint groupSum;
shared uint groupSumOverflows;

// Returns the sum of the values over the workgroup. Every invocation must call this; a kernel calls it once, because a
// second call could clear the sum while others read it.
uint sumOfGroup(uint value)
{
  if (gl_LocalInvocationID.x == 0)
    groupSum = groupSumOverflows = 0;
  barrier();
  const uint before = value != 0 ? atomicAdd(groupSum, value) : 0;
  if (before + value < before)
    atomicOr(groupSumOverflows, 1);
  barrier();
  return groupSumOverflows != 0 ? 0xFFFFFFFFu : groupSum;
}

uint addSaturated(uint a, uint b)
{
  const uint sum = a + b;
  return sum < a ? 0xFFFFFFFFu : sum;
}

// Smaller workgroups scan two counts of 16 bits per word. The counts of one brick cannot overflow.
uint scanSum(uint a, uint b) { return gl_WorkGroupSize.x == SCAN_GROUP_SIZE ? addSaturated(a, b) : a + b; }

// Every invocation of the workgroup must call this. Returns the sum over the invocations before this one.
uint exclusiveScan(uint value, out uint total)
{
  const uint invocation = gl_LocalInvocationID.x;
  const uint run = invocation / ScanWidth, positionInRun = invocation % ScanWidth;
  scanValue[invocation] = value;
  barrier();
  uint before = 0;
  for (uint i = 0; i + 1 < ScanWidth; ++i)
    before = scanSum(before, i < positionInRun ? scanValue[run * ScanWidth + i] : 0);
  if (positionInRun == ScanWidth - 1)
    scanRunSum[run] = scanSum(before, value);
  barrier();
  // No barrier follows: the next call writes scanRunSum only after its first barrier.
  total = 0;
  for (uint i = 0; i < ScanWidth; ++i)
  {
    before = i == run ? scanSum(before, total) : before;
    total = scanSum(total, scanRunSum[i]);
  }
  return before;
}
