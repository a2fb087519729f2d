// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The bricks around the brick of a workgroup, and the cells in them.
// Include after the kernel has declared its workgroup size, and after Levels.glsl.

// The bricks around the brick, or NO_SLOT: at offset (x, y, z), each -1, 0 or 1, is element 9 * z + 3 * y + x + 13.
shared uint brickAround[27];
uint ownLevel;   // of the brick
ivec3 firstCell; // of the brick in its level

// The brick around the brick that contains a cell, which counts from the first cell of the brick.
uint brickAroundAt(ivec3 cell)
{
  const ivec3 offset = (cell >> 3) + 1;
  return brickAround[9 * offset.z + 3 * offset.y + offset.x];
}

// Every invocation of the workgroup must call this.
void findBricksAround(LevelBrick brick)
{
  const uint i = gl_LocalInvocationID.x;
  ownLevel = brick.level;
  firstCell = ivec3(BRICK_SIZE * brick.at);
  if (i < 27)
    brickAround[i] = brickAt(brick.level, ivec3(brick.at) + ivec3(i % 3, i / 3 % 3, i / 9) - 1);
  barrier();
}

// The number of the sample of a cell, which counts from the first cell of the brick, or NO_LEAF.
uint sampleAround(ivec3 cell)
{
  const uint brick = brickAroundAt(cell);
  return brick == NO_SLOT ? NO_LEAF : brick * BRICK_CELLS + numberInBrick(uvec3(cell));
}
