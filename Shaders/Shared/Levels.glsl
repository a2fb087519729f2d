// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The leaves of a hierarchy of levels: their bricks, and which leaf covers a cell. Cells count from the first one of
// their level; those before the first one and beyond the last one have no brick.
#include "Shared/Bindings.h"
#include "Shared/Constants.h"
#include "Shared/Structs.h"

layout(std430, binding = BINDING_LEVELS) readonly buffer LevelsBuffer
{
  LevelTable table;
  uint levelWord[];
};

// Whether no cell is covered in part: then no cell hides a coarser leaf without being a leaf.
layout(constant_id = SPECIALIZE_NESTED) const bool Nested = false;

struct LevelBrick
{
  uvec3 at; // in bricks of its level
  uint level;
  uint kind; // BRICK_IS_...
};

uint levelOfBrick(uint brick) { return levelWord[table.bricks + LEVEL_BRICK_WORDS * brick + 3] & 0xFFu; }

LevelBrick levelBrick(uint brick)
{
  const uint word = table.bricks + LEVEL_BRICK_WORDS * brick;
  const uint levelAndKind = levelWord[word + 3];
  return LevelBrick(
    uvec3(levelWord[word], levelWord[word + 1], levelWord[word + 2]), levelAndKind & 0xFFu, levelAndKind >> 8);
}

// The brick at a place of the level, or NO_SLOT.
uint brickAt(LevelEntry entry, ivec3 at)
{
  const uvec3 page = uvec3(at >> LEVEL_PAGE_SHIFT), inPage = uvec3(at) & 7u; // a negative page is very large
  if (page.x >= entry.pagesX || page.y >= entry.pagesY || page.z >= entry.pagesZ)
    return NO_SLOT;
  const uint first = levelWord[entry.pages + (page.z * entry.pagesY + page.y) * entry.pagesX + page.x];
  return first == NO_SLOT ? NO_SLOT : levelWord[first + (inPage.z << 2 * LEVEL_PAGE_SHIFT | inPage.y << LEVEL_PAGE_SHIFT | inPage.x)];
}

uint brickAt(uint level, ivec3 at) { return brickAt(table.level[level], at); }

uint numberInBrick(uvec3 cell) { return (cell.z & 7u) << 6 | (cell.y & 7u) << 3 | (cell.x & 7u); }

// The number of the sample of a cell, or NO_LEAF if no brick contains the cell.
uint sampleOfCell(LevelEntry entry, ivec3 cell)
{
  const uint brick = brickAt(entry, cell >> 3);
  return brick == NO_SLOT ? NO_LEAF : brick * BRICK_CELLS + numberInBrick(uvec3(cell));
}

uint sampleOfCell(uint level, ivec3 cell) { return sampleOfCell(table.level[level], cell); }

// Returns whether a bit per sample is set.
bool hasBit(uint bits, uint number) { return (levelWord[bits + number / 32] >> number % 32 & 1u) != 0; }

bool isLeaf(uint number) { return hasBit(table.leaves, number); }
bool isOutsideLeaf(uint number) { return table.outside != NO_SLOT && hasBit(table.outside, number); }
bool isNotOwned(uint number) { return table.notOwned != NO_SLOT && hasBit(table.notOwned, number); }
bool hidesCoarser(uint number) { return !Nested && hasBit(table.hiding, number); }

uint brickOfLeaf(uint leaf) { return leaf / BRICK_CELLS; }
uint rowOfLeaf(uint leaf) { return leaf / BRICK_SIZE % BRICK_ROWS; }

ivec3 cellOfLeaf(uint leaf)
{
  return ivec3(BRICK_SIZE * levelBrick(brickOfLeaf(leaf)).at + uvec3(leaf, leaf >> 3, leaf >> 6) % BRICK_SIZE);
}

// The way from the centre of a cell to another place, in steps. A place beyond the domain is at its border.
vec3 withinDomain(uint level, ivec3 cell, vec3 steps)
{
  if (table.domains == NO_SLOT)
    return steps;
  const uint word = table.domains + LEVEL_DOMAIN_WORDS * level;
  for (uint a = 0; a < 3; ++a)
    steps[a] =
      clamp(steps[a], int(levelWord[word + a]) - cell[a] - 0.5, int(levelWord[word + 3 + a]) - cell[a] - 0.5);
  return steps;
}

// How the cells of two levels lie in each other, along each axis: see LEVEL_PAIR_WORDS.
struct LevelPair
{
  ivec3 cells;
  ivec3 remainder;
  ivec3 offset;
};

LevelPair levelPair(uint coarse, uint fine)
{
  const uint word = table.pairs + LEVEL_PAIR_WORDS * (fine * (fine - 1) / 2 + coarse);
  LevelPair pair;
  for (uint a = 0; a < 3; ++a)
  {
    pair.cells[a] = int(levelWord[word + a]);
    pair.remainder[a] = int(levelWord[word + 3 + a]);
    pair.offset[a] = int(levelWord[word + 6 + a]);
  }
  return pair;
}

// Returns numerator / denominator for numbers from 0 to 2^30. A quotient of floats is computed and corrected twice, as
// software Vulkan divides the integers of its lanes one after the other.
ivec3 quotientOf(ivec3 numerator, ivec3 denominator)
{
  ivec3 quotient = ivec3(vec3(numerator) / vec3(denominator));
  quotient += ivec3(vec3(numerator - quotient * denominator) / vec3(denominator));
  const ivec3 rest = numerator - quotient * denominator;
  return quotient + ivec3(greaterThanEqual(rest, denominator)) - ivec3(lessThan(rest, ivec3(0)));
}

// The coarser cell that contains a cell, which is at most one before the first one of its level.
ivec3 parentOf(LevelPair pair, ivec3 cell)
{
  return pair.offset + quotientOf(pair.remainder + cell + pair.cells, pair.cells) - 1;
}

// The first cell of the finer level in a coarser cell that has cells of its box.
ivec3 firstChildOf(LevelPair pair, ivec3 cell) { return (cell - pair.offset) * pair.cells - pair.remainder; }

// Returns whether cells of the finer level may lie in the coarser cell. Only then their numbers fit.
bool mayHaveChildren(LevelPair pair, ivec3 cell)
{
  const ivec3 steps = cell - pair.offset;
  return all(greaterThanEqual(steps, ivec3(0))) &&
    all(lessThanEqual(steps, ivec3(LEVEL_MOST_CELLS / pair.cells + 1)));
}

// The leaf of a coarser level that covers a cell, or NO_LEAF.
uint coarserLeafAt(uint level, ivec3 cell)
{
  for (uint coarse = level; coarse-- > 0;)
  {
    const uint parent = sampleOfCell(coarse, parentOf(levelPair(coarse, level), cell));
    if (parent != NO_LEAF && isLeaf(parent))
      return parent;
    if (parent != NO_LEAF && hidesCoarser(parent))
      return NO_LEAF;
  }
  return NO_LEAF;
}

// The leaf of this level or of a coarser one that covers a cell, or NO_LEAF. number: of the sample of the cell.
uint leafAt(uint level, ivec3 cell, uint number)
{
  if (number == NO_LEAF)
    return coarserLeafAt(level, cell);
  return isLeaf(number) ? number : hidesCoarser(number) ? NO_LEAF : coarserLeafAt(level, cell);
}
