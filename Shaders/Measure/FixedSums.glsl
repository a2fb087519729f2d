// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Fixed-point sums in a buffer: SUM_ARRAY is its array. Additions to one word of it wait for each other, so a workgroup
// first sums its elements with the smallest key, and adds once for them. It adds other elements one by one. GROUP_SUMS
// is the number of sums per key. Include after the kernel has declared its workgroup size, as Invocation.glsl.
#include "Fixed.glsl"

void addFixed(uint word, uvec3 value)
{
  uint carry = 0;
  for (uint i = 0; i < FIXED_WORDS; ++i)
  {
    const uint next = value[i] + carry;
    carry = next < carry ? 1 : 0;
    if (next == 0)
      continue;
    const uint before = atomicAdd(SUM_ARRAY[word + i], next);
    carry += before + next < before ? 1 : 0;
  }
}

shared uint smallestKey;
shared uint groupWord[GROUP_SUMS * FIXED_WORDS][gl_WorkGroupSize.x];

// All invocations of a workgroup call this. One without elements passes NO_SLOT.
void findSmallestKey(uint key)
{
  if (gl_LocalInvocationID.x == 0)
    smallestKey = NO_SLOT;
  barrier();
  atomicMin(smallestKey, key);
  barrier();
}

void shareWithGroup(uint number, uvec3 sum)
{
  for (uint i = 0; i < FIXED_WORDS; ++i)
    groupWord[number * FIXED_WORDS + i][gl_LocalInvocationID.x] = sum[i];
}

// The sum of what all invocations have shared.
uvec3 sumOfGroup(uint number)
{
  const uint first = number * FIXED_WORDS;
  uvec3 sum = uvec3(0);
  for (uint i = 0; i < gl_WorkGroupSize.x; ++i)
  {
    const uint at = (i + number) % gl_WorkGroupSize.x; // another bank for each sum
    sum = sumOfFixed(sum, uvec3(groupWord[first][at], groupWord[first + 1][at], groupWord[first + 2][at]));
  }
  return sum;
}
