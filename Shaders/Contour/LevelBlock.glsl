// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The block of a brick of a level: the leaves at its 8 x 8 x 8 cells and one cell around them; and its stitched cells,
// the dual cells in the block between leaves of this level and of coarser ones.
// CountLevelBricks finds the block of a stitched brick, and keeps its rows for EmitLevelTriangles.
// Include after Slab.glsl, Scan.glsl, CaseTable.glsl, Levels.glsl and LevelGroups.glsl. The workgroup has BRICK_ROWS
// invocations.
#include "Shared/Cell.h"
#include "Contour/BricksAround.glsl"

const uint BlockSize = LEVEL_BLOCK_SIZE;
const uint BlockRows = LEVEL_BLOCK_ROWS;
const uint BlockPositions = BlockSize * BlockRows;
const uint BlockBits = (1u << BlockSize) - 1;

// Row BlockSize * z + y of the block, with one bit per position along x. In stitched bricks: the inside leaves; from
// bit BlockSize, the leaves of any level; from bit 2 * BlockSize, those of this level. In other bricks: the inside
// samples of the rows of the brick and of the first layer beyond it, except the first sample of each row.
shared uint blockRow[BlockRows];
shared uint wholeRow[BlockRows]; // leaves of this level that no finer cell covers in part; not in plain bricks
// Only of stitched bricks:
const bool IsStitched = Kind == BRICK_IS_STITCHED;
shared uint cellsOfRow[IsStitched ? BlockRows : 1]; // stitched cells, one bit per position of the minimum corner
shared uint leafOf[IsStitched ? BlockPositions : 1];
shared uint listedPosition[IsStitched ? BlockPositions : 1]; // of listPositions

uint insideLeaves(uint row) { return blockRow[row] & BlockBits; }
uint allLeaves(uint row) { return blockRow[row] >> BlockSize & BlockBits; }
uint ownLeaves(uint row) { return blockRow[row] >> 2 * BlockSize; }

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

uint wholeLeaves(uint row, uint leaves)
{
  return !Nested ? leaves & ~gatherRow(table.partlyCovered, row) : leaves;
}

bool isOfLevel(uint leaf, uint level) { return leaf >= table.level[level].firstBrick * BRICK_CELLS; }

// Each invocation lists positions of two rows.
uint firstListedRow() { return 2 * gl_LocalInvocationID.x; }

// Lists the positions of these bits of the rows of the invocation, in ascending order. Returns the number of all. Every
// invocation of the workgroup must call this.
uint listPositions(uint bits[2])
{
  uint total;
  uint next = exclusiveScan(bitCount(bits[0]) + bitCount(bits[1]), total);
  for (uint i = 0; i < 2; ++i)
    for (uint rest = bits[i]; rest != 0; rest &= rest - 1)
      listedPosition[next++] = (firstListedRow() + i) * BlockSize + findLSB(rest);
  barrier();
  return total;
}

// Joins the bits of the corners of a row of dual cells.
uint allCorners(uint a, uint b, uint c, uint d) { return a & b & c & d & (a & b & c & d) >> 1; }
uint someCorners(uint a, uint b, uint c, uint d) { return a | b | c | d | (a | b | c | d) >> 1; }

uint cornerOf(uint position, uint corner)
{
  return position + (corner & 1u) + BlockSize * (corner >> 1 & 1u) + BlockRows * (corner >> 2);
}

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
bool isMade(uint position)
{
  for (uint corner = 0; corner < 8; ++corner)
  {
    const uint at = cornerOf(position, corner);
    if (isPartlyCovered(at) && isCovered(ownLevel, firstCell + placeInBrick(at), 7 - corner))
      return false;
  }
  return true;
}

// Stitched cells of a row: with a leaf at each corner, one of them of this level but not all, and on both sides of the
// isovalue.
uint stitchedCells(uint row)
{
  if (row % BlockSize > BRICK_SIZE || row / BlockSize > BRICK_SIZE)
    return 0;
  const uint y = row + 1, z = row + BlockSize, yz = row + BlockSize + 1;
  uint cells = allCorners(allLeaves(row), allLeaves(y), allLeaves(z), allLeaves(yz)) &
    someCorners(ownLeaves(row), ownLeaves(y), ownLeaves(z), ownLeaves(yz)) &
    someCorners(insideLeaves(row), insideLeaves(y), insideLeaves(z), insideLeaves(yz)) &
    ~allCorners(insideLeaves(row), insideLeaves(y), insideLeaves(z), insideLeaves(yz)) &
    ~allCorners(wholeRow[row], wholeRow[y], wholeRow[z], wholeRow[yz]) & (BlockBits >> 1);
  if (!Nested)
    for (uint rest = cells; rest != 0; rest &= rest - 1)
      if (!isMade(row * BlockSize + findLSB(rest)))
        cells &= ~(rest & -rest);
  return cells;
}

// Every invocation of the workgroup must call this.
void findStitchedCells()
{
  for (uint row = gl_LocalInvocationID.x; row < BlockRows; row += BRICK_ROWS)
    cellsOfRow[row] = stitchedCells(row);
  barrier();
}

// Lists the stitched cells by z, y and x. Returns their number. Every invocation of the workgroup must call this.
uint listStitchedCells()
{
  uint cells[2];
  for (uint i = 0; i < 2; ++i)
    cells[i] = firstListedRow() + i < BlockRows ? cellsOfRow[firstListedRow() + i] : 0;
  return listPositions(cells);
}

// Corners of stitched cells in a row.
uint cornersInRow(uint row)
{
  const uint y = row % BlockSize == 0 ? row : row - 1;
  const uint below = row < BlockSize ? 0 : BlockSize;
  const uint cells = cellsOfRow[row] | cellsOfRow[y] | cellsOfRow[row - below] | cellsOfRow[y - below];
  return cells | cells << 1;
}

// Lists the corners of the stitched cells. Returns their number. Every invocation of the workgroup must call this.
uint listCorners()
{
  uint corners[2];
  for (uint i = 0; i < 2; ++i)
    corners[i] = firstListedRow() + i < BlockRows ? cornersInRow(firstListedRow() + i) : 0;
  return listPositions(corners);
}

struct StitchedCell
{
  uint position; // of the minimum corner
  uint cellCase;
  uint owner; // the first corner that is a leaf of the level: its brick makes the triangles
};

StitchedCell describeCell(uint position)
{
  StitchedCell cell = StitchedCell(position, 0, NO_LEAF);
  for (uint corner = 8; corner-- > 0;)
  {
    const uint at = cornerOf(position, corner);
    cell.cellCase |= (blockRow[at / BlockSize] >> at % BlockSize & 1u) << corner;
    if (isOfLevel(leafOf[at], ownLevel))
      cell.owner = leafOf[at];
  }
  return cell;
}

// An edge of dual cells: the position where it starts, and its axis.
struct BlockEdge
{
  uint from;
  uint axis;
};

uint startOf(BlockEdge edge) { return leafOf[edge.from]; }

uint endOf(BlockEdge edge)
{
  return leafOf[edge.from + (edge.axis == 0 ? 1 : edge.axis == 1 ? BlockSize : BlockRows)];
}

// Returns whether two edges connect the same leaves, and so have one point.
bool areSame(BlockEdge a, BlockEdge b)
{
  const uvec2 ofA = uvec2(startOf(a), endOf(a)), ofB = uvec2(startOf(b), endOf(b));
  return ofA == ofB || ofA == ofB.yx;
}

// An edge of a cell: the corner where it starts, plus 8 times its axis. place: EDGE_PLACE.
uint edgeInCell(uint place)
{
  const uint rows = PLACE_ROWS(place);
  return 8 * PLACE_AXIS(place) + PLACE_SAMPLES(place) + 2 * (rows % BRICK_SAMPLES) + 4 * (rows / BRICK_SAMPLES);
}

BlockEdge edgeOfCell(uint position, uint edge) { return BlockEdge(cornerOf(position, edge % 8), edge / 8); }

// The edge at a corner of a triangle. position: of the cell. word: of the triangle in the case table.
BlockEdge edgeOfTriangle(uint position, uint word, uint corner)
{
  return edgeOfCell(position, edgeInCell(edgePlace(word, corner)));
}

bool isDegenerate(uint position, uint word)
{
  const BlockEdge a = edgeOfTriangle(position, word, 0), b = edgeOfTriangle(position, word, 1),
                  c = edgeOfTriangle(position, word, 2);
  return areSame(a, b) || areSame(b, c) || areSame(c, a);
}

// The triangles of a cell, one bit each. Those that use a point twice are dropped.
uint trianglesOf(StitchedCell cell)
{
  const uint count = caseTriangleCount(cell.cellCase);
  uint triangles = 0;
  for (uint triangle = 0; triangle < count; ++triangle)
    triangles |= isDegenerate(cell.position, wordOfTriangle(cell.cellCase, triangle)) ? 0 : 1u << triangle;
  return triangles;
}

// The name of a crossed edge: the finer of its two leaves, or of one level the lower one, and the side of this leaf
// where the other one is. Where the other one contains it, they meet at several sides; the first of them counts. The
// brick of the leaf is active.
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
  const uint start = startOf(edge), end = endOf(edge);
  const uint startLevel = levelOfLeaf(start), endLevel = levelOfLeaf(end);
  const bool isLow = startLevel < endLevel;
  const EdgeName name = EdgeName(isLow ? end : start, edge.axis, isLow);
  if (Nested || startLevel == endLevel)
    return name;
  return firstName(name, isLow ? start : end);
}

uint bitOfName(EdgeName name) { return BRICK_SIZE * name.axis + name.leaf % BRICK_SIZE; }
