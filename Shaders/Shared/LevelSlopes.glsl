// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Gradients at the leaves of a hierarchy of levels, in values per step of the level of the leaf. Those of leaves that
// lack a neighbour of their level, or are at the border of a domain, are in a buffer; others are central differences.
// Include after Samples.glsl, WorldPosition.glsl, Gradient.glsl and BricksAround.glsl.

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

// The number of the sample of a cell beside a leaf, or that of the leaf if no brick contains the cell.
uint sampleBeside(uint level, uint leaf, ivec3 cell)
{
  uint number;
  if (Nested || level == ownLevel) // of another level, which has its slope in the buffer, any cell will do
  {
    const ivec3 inBrick = cell - firstCell;
    number = sampleAround(Kind == BRICK_IS_STITCHED ? clamp(inBrick, ivec3(-2), ivec3(BRICK_SIZE + 1)) : inBrick);
  }
  else
    number = sampleOfCell(level, cell);
  return number == NO_LEAF ? leaf : number;
}

// The neighbours of a leaf, which are leaves of its level if its slope is not in the buffer.
Neighbours neighboursOfLeaf(uint level, uint leaf, ivec3 cell)
{
  Neighbours found;
  for (uint axis = 0; axis < 3; ++axis)
  {
    ivec3 step = ivec3(0);
    step[axis] = 1;
    found.before[axis] = sampleAt(sampleBeside(level, leaf, cell - step));
    found.after[axis] = sampleAt(sampleBeside(level, leaf, cell + step));
    found.distance[axis] = 2;
  }
  return found;
}

// The neighbours are read in any case, because most leaves need them: so their loads wait for no branch.
Scaled slopeAt(uint level, uint leaf, ivec3 cell)
{
  const Neighbours found = neighboursOfLeaf(level, leaf, cell);
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
