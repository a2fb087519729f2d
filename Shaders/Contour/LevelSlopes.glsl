// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Gradients at the leaves of a hierarchy of levels, in values per step of the level of the leaf. Those of leaves beside
// leaves of other levels are in a buffer; others are differences to neighbours of their level.
// Include after Samples.glsl, WorldPosition.glsl, Gradient.glsl, LevelGroups.glsl and BricksAround.glsl.

// [brick]: place of the words of the brick, or NO_SLOT. There, for each 32 cells, one bit per cell with a slope here,
// and the number of slopes before; then the slopes in the order of the cells: three floats and the exponent of the
// power of two by which they are multiplied.
layout(std430, binding = BINDING_LEVEL_SLOPES) readonly buffer LevelSlopes { uint slopeWord[]; };

// Returns whether the slope of a leaf is in the buffer, and its place there.
bool findSlope(uint leaf, out uint place)
{
  place = slopeWord[brickOfLeaf(leaf)];
  if (place == NO_SLOT)
    return false;
  const uint number = leaf % BRICK_CELLS, bit = 1u << number % 32;
  const uint bits = slopeWord[place + 2 * (number / 32)], before = slopeWord[place + 2 * (number / 32) + 1];
  place += 2 * BRICK_BIT_WORDS + 4 * (before + bitCount(bits & (bit - 1)));
  return (bits & bit) != 0;
}

// Returns the sample of a neighbour of a leaf, or that of the leaf if there is none. Adds 1 to the distance if there
// is. No load depends on a branch or on another load. The leaves at edges of plain bricks have all neighbours.
uvec2 neighbourOf(uint level, uint leaf, uvec2 value, ivec3 cell, inout float distance)
{
  uint number;
  if (Nested || level == ownLevel)
  {
    // A leaf of another level has its slope in the buffer, so that the neighbour is not used.
    const ivec3 inBrick = cell - firstCell;
    number = sampleAround(Kind == BRICK_IS_STITCHED ? clamp(inBrick, ivec3(-2), ivec3(BRICK_SIZE + 1)) : inBrick);
  }
  else
    number = sampleOfCell(level, cell);
  const uint known = number == NO_LEAF ? leaf : number;
  const uvec2 found = sampleAt(known);
  const bool isNeighbour = Kind == BRICK_IS_PLAIN || (isLeaf(known) && known == number);
  distance += isNeighbour ? 1 : 0;
  return isNeighbour ? found : value;
}

// value: the sample of the leaf.
Neighbours neighboursOfLeaf(uint level, uint leaf, uvec2 value, ivec3 cell)
{
  Neighbours found;
  for (uint axis = 0; axis < 3; ++axis)
  {
    ivec3 step = ivec3(0);
    step[axis] = 1;
    found.distance[axis] = 0;
    found.before[axis] = neighbourOf(level, leaf, value, cell - step, found.distance[axis]);
    found.after[axis] = neighbourOf(level, leaf, value, cell + step, found.distance[axis]);
  }
  return found;
}

// The neighbours are read in any case, because most leaves need them: so their loads wait for no branch.
Scaled slopeAt(uint level, uint leaf, uvec2 value, ivec3 cell)
{
  const Neighbours found = neighboursOfLeaf(level, leaf, value, cell);
  const int exponent = largestExponent(found);
  Scaled slope = Scaled(gradient(found, exponent), unitExponent(exponent));
  uint place;
  if (findSlope(leaf, place))
    slope = Scaled(uintBitsToFloat(uvec3(slopeWord[place], slopeWord[place + 1], slopeWord[place + 2])),
      int(slopeWord[place + 3]));
  return slope;
}

vec3 timesPowerOfTwo(vec3 values, int exponent)
{
  return vec3(timesPowerOfTwo(values.x, exponent), timesPowerOfTwo(values.y, exponent),
    timesPowerOfTwo(values.z, exponent));
}

// The slope at a fraction of the way between two leaves.
Scaled mixSlopes(Scaled start, Scaled end, float fraction)
{
  const int exponent = max(start.exponent, end.exponent);
  return Scaled(mix(timesPowerOfTwo(start.value, start.exponent - exponent),
                  timesPowerOfTwo(end.value, end.exponent - exponent), fraction),
    exponent);
}
