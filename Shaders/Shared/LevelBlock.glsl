// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The block of a brick of a level: the leaves at its 8 x 8 x 8 cells and one cell around them; and its stitched cells,
// the dual cells in the block between leaves of this level and of coarser ones.
// Include after Slab.glsl, Samples.glsl, Scan.glsl, CaseTable.glsl and Levels.glsl. The workgroup has BRICK_ROWS
// invocations.
#include "Shared/Cell.h"
#include "Shared/BricksAround.glsl"

const uint BlockSize = BRICK_SIZE + 2;
const uint BlockRows = BlockSize * BlockSize;
const uint BlockPositions = BlockSize * BlockRows;
const uint BlockBits = (1u << BlockSize) - 1;
const uint HiddenLeaf = NO_LEAF - 1; // in leafOf: there is no leaf

// One bit per position along x; row BlockSize * z + y of the block.
shared uint wholeRow[BlockRows];  // leaves of this level that no finer cell covers in part
shared uint insideRow[BlockRows]; // leaves inside
// Only of stitched bricks:
const bool IsStitched = Kind == BRICK_IS_STITCHED;
shared uint leafRow[IsStitched ? BlockRows : 1]; // leaves of any level; from bit 16, those of this level
shared uint leafOf[IsStitched ? BlockPositions : 1];
// Positions in ascending order: those without a leaf of this level; then the minimum corners of the stitched cells.
shared uint listedPosition[IsStitched ? BlockPositions : 1];

ivec3 placeInBrick(uint position)
{
  return ivec3(position % BlockSize, position / BlockSize % BlockSize, position / BlockRows) - 1;
}

// Bits of the cells of a row of the block. bits: one per sample.
uint gatherRow(uint bits, uint row)
{
  const ivec3 first = placeInBrick(row * BlockSize);
  uint gathered = 0;
  for (int x = -1; x <= 1; ++x)
  {
    const uint brick = brickAroundAt(ivec3(8 * x, first.yz));
    const uint inBrick = numberInBrick(uvec3(ivec3(0, first.yz)));
    if (brick == NO_SLOT)
      continue;
    const uint eight = levelWord[bits + BRICK_BIT_WORDS * brick + inBrick / 32] >> inBrick % 32 & 0xFFu;
    gathered |= x < 0 ? eight >> 7 : x == 0 ? eight << 1 : (eight & 1u) << 9;
  }
  return gathered;
}

bool isLeafInside(uint leaf) { return isInside(sampleAt(leaf)) && !isOutsideLeaf(leaf); }

// The number of the first sample of a row of the brick at this offset along x. Where there is no brick, it is that of
// any sample.
uint firstSample(uint row, int offset)
{
  const ivec3 first = placeInBrick(row * BlockSize);
  const uint brick = brickAroundAt(ivec3(int(BRICK_SIZE) * offset, first.yz));
  return (brick == NO_SLOT ? brickAround[13] : brick) * BRICK_CELLS + numberInBrick(uvec3(ivec3(0, first.yz)));
}

// Finds the inside samples of a row of the block, except the first one.
void classifySamples(uint row)
{
  const uint first = firstSample(row, 0);
  uint inside = isInside(sampleAt(firstSample(row, 1))) ? 2u << BRICK_SIZE : 0;
  for (uint x = 0; x < BRICK_SIZE; ++x)
    inside |= isInside(sampleAt(first + x)) ? 2u << x : 0;
  insideRow[row] = inside;
}

uint wholeLeaves(uint row, uint leaves)
{
  return table.isWellNested == 0 ? leaves & ~gatherRow(table.partlyCovered, row) : leaves;
}

// Finds the rows of a brick without stitched cells. Its dual cells do not touch the cells before it.
void classifyOwnRows()
{
  const uint invocation = gl_LocalInvocationID.x;
  for (uint row = invocation; row < BRICK_SAMPLE_ROWS; row += BRICK_ROWS)
    classifySamples((row / BRICK_SAMPLES + 1) * BlockSize + row % BRICK_SAMPLES + 1);
  if (Kind == BRICK_IS_MASKED)
    for (uint row = invocation; row < BlockRows; row += BRICK_ROWS)
      wholeRow[row] = wholeLeaves(row, gatherRow(table.leaves, row));
}

bool isOfLevel(uint leaf, uint level) { return leaf >= table.level[level].firstBrick * BRICK_CELLS; }

uint ownLeaves(uint row) { return leafRow[row] >> 16; }

// Finds the leaves of the level in a row of a stitched brick.
void classifyLeaves(uint row)
{
  const uint own = gatherRow(table.leaves, row);
  const uint before = firstSample(row, -1) + BRICK_SIZE - 1, here = firstSample(row, 0), beyond = firstSample(row, 1);
  uint inside = 0;
  for (uint x = 0; x < BlockSize; ++x)
  {
    const uint leaf = x == 0 ? before : x == BRICK_SAMPLES ? beyond : here + x - 1;
    leafOf[row * BlockSize + x] = (own >> x & 1u) != 0 ? leaf : NO_LEAF;
    inside |= isInside(sampleAt(leaf)) ? 1u << x : 0;
  }
  inside &= own;
  if (table.outside != NO_SLOT)
    inside &= ~gatherRow(table.outside, row);
  leafRow[row] = own | own << 16;
  insideRow[row] = inside;
  wholeRow[row] = wholeLeaves(row, own);
}

// Lists the positions without a leaf of the level. Returns their number. Every invocation of the workgroup must call
// this.
uint listOthers()
{
  const uint first = 2 * gl_LocalInvocationID.x; // of two rows
  uint others[2];
  for (uint i = 0; i < 2; ++i)
    others[i] = first + i < BlockRows ? ~ownLeaves(first + i) & BlockBits : 0;
  uint total;
  uint next = exclusiveScan(bitCount(others[0]) + bitCount(others[1]), total);
  for (uint i = 0; i < 2; ++i)
    for (uint rest = others[i]; rest != 0; rest &= rest - 1)
      listedPosition[next++] = (first + i) * BlockSize + findLSB(rest);
  barrier();
  return total;
}

// Finds the leaf of a coarser level at a position, if leaves of the levels between are not there.
void findCoarser(LevelEntry coarse, LevelPair pair, uint position)
{
  if (leafOf[position] != NO_LEAF)
    return;
  const ivec3 place = placeInBrick(position);
  if (table.isWellNested == 0)
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
  atomicOr(leafRow[position / BlockSize], bit);
  if (isLeafInside(leaf))
    atomicOr(insideRow[position / BlockSize], bit);
}

// Every invocation of the workgroup must call this.
void fillBlock(LevelBrick brick)
{
  const uint invocation = gl_LocalInvocationID.x;
  findBricksAround(brick);
  if (IsStitched)
  {
    for (uint row = invocation; row < BlockRows; row += BRICK_ROWS)
      classifyLeaves(row);
    barrier();
    const uint others = listOthers();
    for (uint coarse = brick.level; coarse-- > 0;) // each invocation has positions of its own
    {
      const LevelEntry entry = table.level[coarse];
      const LevelPair pair = levelPair(coarse, brick.level);
      for (uint i = invocation; i < others; i += BRICK_ROWS)
        findCoarser(entry, pair, listedPosition[i]);
    }
  }
  else
    classifyOwnRows();
  barrier();
}

// Joins the bits of the corners of a row of dual cells.
uint allCorners(uint a, uint b, uint c, uint d) { return a & b & c & d & (a & b & c & d) >> 1; }
uint someCorners(uint a, uint b, uint c, uint d) { return a | b | c | d | (a | b | c | d) >> 1; }

// Stitched cells of a row: with a leaf at each corner, one of them of this level but not all, and on both sides of the
// isovalue. One bit per position of the minimum corner.
uint stitchedCells(uint row)
{
  const uint y = row + 1, z = row + BlockSize, yz = row + BlockSize + 1;
  return allCorners(leafRow[row], leafRow[y], leafRow[z], leafRow[yz]) &
    someCorners(ownLeaves(row), ownLeaves(y), ownLeaves(z), ownLeaves(yz)) &
    someCorners(insideRow[row], insideRow[y], insideRow[z], insideRow[yz]) &
    ~allCorners(insideRow[row], insideRow[y], insideRow[z], insideRow[yz]) &
    ~allCorners(wholeRow[row], wholeRow[y], wholeRow[z], wholeRow[yz]) & (BlockBits >> 1);
}

uint cornerOf(uint position, uint corner) { return position + (corner & 1u) + BlockSize * (corner >> 1 & 1u) + BlockRows * (corner >> 2); }

bool isPartlyCovered(uint position)
{
  const uint number = sampleAround(placeInBrick(position));
  return number != NO_LEAF && hasBit(table.partlyCovered, number);
}

// Returns whether a patch of the level has the cell, or finer cells cover it. Only if the hierarchy is not well nested.
bool hasCell(uint level, ivec3 cell)
{
  const uint number = sampleOfCell(level, cell);
  return number != NO_LEAF && (isLeaf(number) || hidesCoarser(number));
}

// Returns whether a finer cell covers the octant of a cell of a level.
bool isCovered(uint level, ivec3 cell, uint octant)
{
  const ivec3 isHigh = ivec3(octant, octant >> 1, octant >> 2) & 1;
  for (uint fine = level + 1; fine < table.levels; ++fine)
  {
    const LevelPair pair = levelPair(level, fine);
    if (mayHaveChildren(pair, cell) && hasCell(fine, firstChildOf(pair, cell) + isHigh * (pair.cells - 1)))
      return true;
  }
  return false;
}

// Returns whether no finer leaf is at a corner of the cell. A position that finer leaves cover in part is the leaf at
// those of its eight octants that are not covered.
bool isMade(LevelBrick brick, uint position)
{
  for (uint corner = 0; corner < 8; ++corner)
  {
    const uint at = cornerOf(position, corner);
    if (isPartlyCovered(at) &&
      isCovered(brick.level, BRICK_SIZE * ivec3(brick.at) + placeInBrick(at), 7 - corner))
      return false;
  }
  return true;
}

// Lists the stitched cells. Returns their number. Every invocation of the workgroup must call this.
uint listStitchedCells(LevelBrick brick)
{
  const uint first = 2 * gl_LocalInvocationID.x; // of two rows of cells
  uint cells[2];
  uint count = 0;
  for (uint i = 0; i < 2; ++i)
  {
    const uint cellRow = first + i;
    const uint row = cellRow / BRICK_SAMPLES * BlockSize + cellRow % BRICK_SAMPLES;
    cells[i] = cellRow < BRICK_SAMPLE_ROWS ? stitchedCells(row) : 0;
    if (table.isWellNested == 0)
      for (uint rest = cells[i]; rest != 0; rest &= rest - 1)
        if (!isMade(brick, row * BlockSize + findLSB(rest)))
          cells[i] &= ~(rest & -rest);
    count += bitCount(cells[i]);
  }
  uint total;
  uint next = exclusiveScan(count, total);
  for (uint i = 0; i < 2; ++i)
  {
    const uint row = (first + i) / BRICK_SAMPLES * BlockSize + (first + i) % BRICK_SAMPLES;
    for (uint rest = cells[i]; rest != 0; rest &= rest - 1)
      listedPosition[next++] = row * BlockSize + findLSB(rest);
  }
  barrier();
  return total;
}

struct StitchedCell
{
  uint position; // of the minimum corner
  uint cellCase;
  uint owner; // the first corner that is a leaf of the level: its brick makes the triangles
};

StitchedCell describeCell(uint level, uint position)
{
  StitchedCell cell = StitchedCell(position, 0, NO_LEAF);
  for (uint corner = 8; corner-- > 0;)
  {
    const uint at = cornerOf(position, corner);
    cell.cellCase |= (insideRow[at / BlockSize] >> at % BlockSize & 1u) << corner;
    if (isOfLevel(leafOf[at], level))
      cell.owner = leafOf[at];
  }
  return cell;
}

// The leaves at the ends of an edge of a dual cell, and its axis.
struct BlockEdge
{
  uint start;
  uint end;
  uint axis;
};

// edge: the corner where it starts, plus 8 times its axis.
BlockEdge edgeOfCell(StitchedCell cell, uint edge)
{
  const uint axis = edge / 8, start = cornerOf(cell.position, edge % 8);
  return BlockEdge(leafOf[start], leafOf[start + (axis == 0 ? 1 : axis == 1 ? BlockSize : BlockRows)], axis);
}

// Returns whether two edges connect the same leaves, and so have one point.
bool areSame(BlockEdge a, BlockEdge b)
{
  return (a.start == b.start && a.end == b.end) || (a.start == b.end && a.end == b.start);
}

// The edges of a triangle of a cell, and their numbers as in edgeOfCell.
struct EdgeTriangle
{
  BlockEdge edges[3];
  uint numbers[3];
};

EdgeTriangle triangleOfCell(StitchedCell cell, uint triangle)
{
  EdgeTriangle found;
  for (uint i = 0; i < 3; ++i)
  {
    const uint place = edgePlace(wordOfTriangle(cell.cellCase, triangle), i), rows = PLACE_ROWS(place);
    found.numbers[i] =
      8 * PLACE_AXIS(place) + PLACE_SAMPLES(place) + 2 * (rows % BRICK_SAMPLES) + 4 * (rows / BRICK_SAMPLES);
    found.edges[i] = edgeOfCell(cell, found.numbers[i]);
  }
  return found;
}

// A triangle that uses a point twice is dropped.
bool isDegenerate(EdgeTriangle found)
{
  return areSame(found.edges[0], found.edges[1]) || areSame(found.edges[1], found.edges[2]) ||
    areSame(found.edges[2], found.edges[0]);
}

// The name of a crossed edge: the finer of its two leaves, or of one level the lower one, and the side of this leaf where
// the other one is. Where the other one contains it, they meet at several sides; the first of them counts. The brick of
// the leaf is active.
struct EdgeName
{
  uint leaf;
  uint axis;
  bool isLow; // the other leaf is at the low side
};

bool hasCellBetween(uint coarse, uint fine, ivec3 cell)
{
  for (uint level = coarse + 1; level < fine; ++level)
    if (hasCell(level, parentOf(levelPair(level, fine), cell)))
      return true;
  return hasCell(fine, cell);
}

// The first side where the other leaf contains the cell beside the leaf of the name.
EdgeName firstName(EdgeName name, uint other)
{
  const uint fine = levelOfBrick(brickOfLeaf(name.leaf)), coarse = levelOfBrick(brickOfLeaf(other));
  const LevelPair pair = levelPair(coarse, fine);
  const ivec3 cell = cellOfLeaf(name.leaf), target = cellOfLeaf(other);
  if (parentOf(pair, cell) != target)
    return name;
  for (uint side = 0; side < 6; ++side)
  {
    ivec3 beside = cell;
    beside[side / 2] += side % 2 == 0 ? -1 : 1;
    if (parentOf(pair, beside) == target && !hasCellBetween(coarse, fine, beside))
      return EdgeName(name.leaf, side / 2, side % 2 == 0);
  }
  return name;
}

uint levelOfLeaf(uint leaf) { return isOfLevel(leaf, ownLevel) ? ownLevel : levelOfBrick(brickOfLeaf(leaf)); }

EdgeName nameOf(BlockEdge edge)
{
  const uint start = edge.start, end = edge.end;
  const uint startLevel = levelOfLeaf(start), endLevel = levelOfLeaf(end);
  const bool isLow = startLevel < endLevel;
  const EdgeName name = EdgeName(isLow ? end : start, edge.axis, isLow);
  if (table.isWellNested != 0 || startLevel == endLevel)
    return name;
  return firstName(name, isLow ? start : end);
}

uint bitOfName(EdgeName name) { return BRICK_SIZE * name.axis + name.leaf % BRICK_SIZE; }
