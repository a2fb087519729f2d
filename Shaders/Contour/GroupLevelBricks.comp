// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One invocation: one active brick of a level.
// Reads the kind of the brick and, if it is stitched, the range of its stitched cells. Lists the slots of each group of
// bricks for the kernels that have a variant for each kind, and writes the sizes of their indirect dispatches. The
// order in a list has no influence on results. The sizes of groups and dispatches are 0 before.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "Shared/Constants.h"
layout(local_size_x = SCAN_GROUP_SIZE) in;
#include "Shared/Slab.glsl"
#include "Shared/BrickRange.glsl"
#include "Shared/Totals.glsl"
#include "Shared/Levels.glsl"

layout(std430, binding = BINDING_ACTIVE_BRICK) buffer ActiveBrick { uint activeBrick[]; };
layout(std430, binding = BINDING_DISPATCH) buffer Dispatch { uint workgroups[]; };
#include "Contour/LevelGroups.glsl"

shared uint slotsOf[LEVEL_GROUPS];     // [group]: number of slots of the workgroup
shared uint firstInList[LEVEL_GROUPS]; // [group]: place of the first of them in the list of the group

uint groupOf(uint brick)
{
  const uint kind = levelBrick(brick).kind;
  if (kind == BRICK_IS_PLAIN)
    return LEVEL_GROUP_PLAIN;
  if (kind != BRICK_IS_STITCHED)
    return LEVEL_GROUP_MASKED;
  return isActive(slab.brickCount + brick) ? LEVEL_GROUP_STITCHED : LEVEL_GROUP_UNCUT;
}

// Adds slots to a group. Returns their place in its list.
uint extendGroup(uint group, uint slots)
{
  const uint first = atomicAdd(activeBrick[sizeOfGroup(group)], slots);
  const uint word = 3 * (1 + group), size = first + slots;
  atomicMax(workgroups[word], min(size, slab.maxGroups));
  atomicMax(workgroups[word + 1], size / slab.maxGroups + (size % slab.maxGroups != 0 ? 1 : 0));
  atomicMax(workgroups[word + 2], 1);
  return first;
}

void main()
{
  const uint invocation = gl_LocalInvocationID.x, slot = invocationIndex();
  if (invocation < LEVEL_GROUPS)
    slotsOf[invocation] = 0;
  barrier();
  const bool isSlot = slot < total[TOTAL_ACTIVE];
  const uint group = isSlot ? groupOf(activeBrick[slot]) : 0;
  const uint place = isSlot ? atomicAdd(slotsOf[group], 1) : 0;
  barrier();
  if (invocation < LEVEL_GROUPS && slotsOf[invocation] != 0)
    firstInList[invocation] = extendGroup(invocation, slotsOf[invocation]);
  barrier();
  if (isSlot)
    activeBrick[firstOfGroup(group) + firstInList[group] + place] = slot;
}
