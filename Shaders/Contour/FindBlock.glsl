// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Finds the block of a brick of a level in the samples and in the coarser levels.
// Include after Samples.glsl and LevelBlock.glsl.
#include "Shared/SampleQuads.glsl"

const uint HiddenLeaf = NO_LEAF - 1; // in leafOf: there is no leaf

bool isLeafInside(uint leaf) { return isInside(sampleAt(leaf)) && !isOutsideLeaf(leaf); }

// The number of the first sample of a row of the brick at this offset along x. Where there is no brick, it is that of
// any sample.
uint firstSample(uint row, int offset)
{
  const ivec3 first = placeInBrick(row * BlockSize);
  const uint brick = brickAroundAt(ivec3(int(BRICK_SIZE) * offset, first.yz));
  return (brick == NO_SLOT ? brickAround[13] : brick) * BRICK_CELLS + numberInBrick(uvec3(ivec3(0, first.yz)));
}

// Returns the inside samples of a row of the block, except the first one.
uint insideSamples(uint row)
{
  const uint first = firstSample(row, 0) / QuadSamples;
  uint inside = isInside(sampleAt(firstSample(row, 1))) ? 1 << BRICK_SIZE : 0;
  for (uint quad = 0; quad < BRICK_SIZE / QuadSamples; ++quad)
    inside |= insideBitsOfQuad(first + quad) << QuadSamples * quad;
  return inside << 1;
}

// Finds the leaves of the level in a row of a stitched brick. inside: the inside samples except the first one. Returns
// the word of the row in blockRow, which has no leaves of coarser levels yet.
uint findLeaves(uint row, uint inside)
{
  const uint own = gatherRow(table.leaves, row);
  const uint before = firstSample(row, -1) + BRICK_SIZE - 1, here = firstSample(row, 0), beyond = firstSample(row, 1);
  for (uint x = 0; x < BlockSize; ++x)
  {
    const uint leaf = x == 0 ? before : x == BRICK_SAMPLES ? beyond : here + x - 1;
    leafOf[row * BlockSize + x] = (own >> x & 1u) != 0 ? leaf : NO_LEAF;
  }
  inside = (inside | (isInside(sampleAt(before)) ? 1 : 0)) & own;
  if (table.outside != NO_SLOT)
    inside &= ~gatherRow(table.outside, row);
  wholeRow[row] = wholeLeaves(row, own);
  return inside | own << BlockSize | own << 2 * BlockSize;
}

// Finds the rows of the block. The dual cells of a brick without stitched cells do not touch the cells before it.
void classifyRows()
{
  const uint rows = IsStitched ? BlockRows : BRICK_SAMPLE_ROWS;
  for (uint i = gl_LocalInvocationID.x; i < rows; i += BRICK_ROWS)
  {
    const uint row = IsStitched ? i : (i / BRICK_SAMPLES + 1) * BlockSize + i % BRICK_SAMPLES + 1;
    const uint inside = insideSamples(row);
    blockRow[row] = IsStitched ? findLeaves(row, inside) : inside;
  }
  if (Kind == BRICK_IS_MASKED)
    for (uint row = gl_LocalInvocationID.x; row < BlockRows; row += BRICK_ROWS)
      wholeRow[row] = wholeLeaves(row, gatherRow(table.leaves, row));
}

// Lists the positions without a leaf of the level.
uint listOthers()
{
  uint others[2];
  for (uint i = 0; i < 2; ++i)
    others[i] = firstListedRow() + i < BlockRows ? ~ownLeaves(firstListedRow() + i) & BlockBits : 0;
  return listPositions(others);
}

// Finds the leaf of a coarser level at a position, if leaves of the levels between are not there.
void findCoarser(LevelEntry coarse, LevelPair pair, uint position)
{
  if (leafOf[position] != NO_LEAF)
    return;
  const ivec3 place = placeInBrick(position);
  if (!Nested)
  {
    const uint number = sampleAround(place);
    if (number != NO_LEAF && hidesCoarser(number))
      return;
  }
  const uint leaf = sampleOfCell(coarse, parentOf(pair, firstCell + place)), bit = 1u << position % BlockSize;
  if (leaf == NO_LEAF)
    return;
  if (!isLeaf(leaf))
  {
    leafOf[position] = hidesCoarser(leaf) ? HiddenLeaf : NO_LEAF;
    return;
  }
  leafOf[position] = leaf;
  atomicOr(blockRow[position / BlockSize], bit << BlockSize | (isLeafInside(leaf) ? bit : 0));
}

// Finds the block of the brick. Every invocation of the workgroup must call this.
void findBlock(LevelBrick brick)
{
  findBricksAround(brick);
  classifyRows();
  barrier();
  if (IsStitched)
  {
    const uint others = listOthers();
    for (uint coarse = brick.level; coarse-- > 0;) // each invocation has positions of its own
    {
      const LevelEntry entry = table.level[coarse];
      const LevelPair pair = levelPair(coarse, brick.level);
      for (uint i = gl_LocalInvocationID.x; i < others; i += BRICK_ROWS)
        findCoarser(entry, pair, listedPosition[i]);
    }
  }
  barrier();
}
