// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The groups of active bricks of levels, which follow the active bricks in their buffer.
// Include after Slab.glsl and where activeBrick is declared.

// The kind of the bricks of the dispatch. Those of BRICK_IS_MASKED may be bordered.
layout(constant_id = SPECIALIZE_BRICK_KIND) const uint Kind = BRICK_IS_STITCHED;

uint firstOfGroup(uint group) { return slab.brickCount * (1 + group); }
uint sizeOfGroup(uint group) { return slab.brickCount * LEVEL_LIST_WORDS + group; }

// The slot of the workgroup's brick, or NO_SLOT.
uint slotOfWorkgroup()
{
  const uint index = workgroupIndex();
  const bool exists = index < activeBrick[sizeOfGroup(slab.levelGroup)];
  return exists ? activeBrick[firstOfGroup(slab.levelGroup) + index] : NO_SLOT;
}
