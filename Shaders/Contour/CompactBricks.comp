// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One workgroup: one block of SCAN_BLOCK_SIZE bricks of the slab. One invocation: SCAN_RUN of them.
// Reads the ranges of the bricks and the numbers of active bricks of the blocks before. Writes the active bricks in
// ascending order for CountBricks and the emitting kernels, the slot of each brick for EmitTriangles, the size of the
// indirect dispatches of these kernels, and the number of active bricks for them and for the host; if the slab ends
// with a halo layer, also the number of active bricks before it.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "Shared/Constants.h"
layout(local_size_x = SCAN_GROUP_SIZE) in;
#include "Shared/Slab.glsl"
#include "Shared/BrickRange.glsl"
#include "Shared/Scan.glsl"

layout(std430, binding = BINDING_BLOCK_SUM) readonly buffer BlockSum { uint sum[]; };
layout(std430, binding = BINDING_SLOT_OF_BRICK) writeonly buffer SlotOfBrick { uint slotOfBrick[]; };
layout(std430, binding = BINDING_ACTIVE_BRICK) writeonly buffer ActiveBrick { uint activeBrick[]; };
layout(std430, binding = BINDING_TOTALS) writeonly buffer Totals { uint total[]; };
layout(std430, binding = BINDING_DISPATCH) writeonly buffer Dispatch { uint workgroups[]; };

// Slot of each brick of the block, or NO_SLOT. An invocation numbers a run of consecutive bricks, while neighbouring
// invocations read and write neighbouring bricks.
shared uint slotInBlock[SCAN_BLOCK_SIZE];

void writeCount(uint count)
{
  total[TOTAL_ACTIVE] = count;
  // A second axis if one does not suffice. No sum here overflows: some devices allow 2^32 - 1 workgroups per axis.
  const uint groupsY = count / slab.maxGroups + (count % slab.maxGroups != 0 ? 1 : 0);
  workgroups[0] = groupsY == 0 ? 0 : (count + groupsY - 1) / groupsY;
  workgroups[1] = groupsY;
  workgroups[2] = 1;
}

uint activeInBlocksBefore(uint block)
{
  uint part = 0;
  for (uint before = gl_LocalInvocationID.x; before < block; before += SCAN_GROUP_SIZE)
    part += sum[BLOCK_SUM_ACTIVE * scanBlocks() + before];
  return sumOfGroup(part);
}

void main()
{
  const uint block = workgroupIndex();
  const uint first = block * SCAN_BLOCK_SIZE;
  if (first >= slab.brickCount)
    return;
  const uint invocation = gl_LocalInvocationID.x;
  const uint bricks = min(SCAN_BLOCK_SIZE, slab.brickCount - first);
  [[unroll]] for (uint i = 0; i < SCAN_BLOCK_SIZE; i += SCAN_GROUP_SIZE)
    slotInBlock[i + invocation] = isActiveInSlab(first + i + invocation) ? 0 : NO_SLOT;
  const uint slotsBefore = activeInBlocksBefore(block); // its barriers also make slotInBlock visible to all invocations
  uint count = 0;
  for (uint i = invocation * SCAN_RUN; i < (invocation + 1) * SCAN_RUN; ++i)
    count += slotInBlock[i] != NO_SLOT ? 1 : 0;
  uint activeInBlock;
  uint slot = slotsBefore + exclusiveScan(count, activeInBlock);
  for (uint i = invocation * SCAN_RUN; i < (invocation + 1) * SCAN_RUN; ++i)
  {
    if (first + i == slab.ownBrickCount && i < bricks)
      total[TOTAL_OWN_ACTIVE] = slot;
    if (slotInBlock[i] != NO_SLOT)
      slotInBlock[i] = slot++;
  }
  if (invocation == 0 && first + bricks == slab.brickCount)
    writeCount(slotsBefore + activeInBlock);
  barrier();

  for (uint i = invocation; i < bricks; i += SCAN_GROUP_SIZE)
  {
    slotOfBrick[first + i] = slotInBlock[i];
    if (slotInBlock[i] != NO_SLOT)
      activeBrick[slotInBlock[i]] = first + i;
  }
}
