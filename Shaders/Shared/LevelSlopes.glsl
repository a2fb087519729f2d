// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Gradients at the leaves of a hierarchy of levels, in values per step of the level of the leaf. Those of leaves beside
// leaves of other levels are in a buffer; others are differences to neighbours of their level.
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

// Adds the neighbour of a leaf to the neighbours from which its gradient is computed, if it is a leaf of this level.
void addNeighbour(uint level, ivec3 cell, uint axis, inout uvec2 value, inout float distance)
{
  const bool isAround = Kind != BRICK_IS_STITCHED || level == ownLevel;
  const uint number = isAround ? sampleAround(cell - firstCell) : sampleOfCell(level, cell);
  if (number == NO_LEAF || !isLeaf(number))
    return;
  value = sampleAt(number);
  distance += 1;
}

Neighbours neighboursOfLeaf(uint level, ivec3 cell, uvec2 value)
{
  Neighbours found;
  for (uint axis = 0; axis < 3; ++axis)
  {
    ivec3 step = ivec3(0);
    step[axis] = 1;
    found.before[axis] = value;
    found.after[axis] = value;
    found.distance[axis] = 0;
    addNeighbour(level, cell - step, axis, found.before[axis], found.distance[axis]);
    addNeighbour(level, cell + step, axis, found.after[axis], found.distance[axis]);
  }
  return found;
}

// The neighbours of a leaf in a plain brick or at its high sides, which counts from the first cell of the brick.
Neighbours neighboursInside(ivec3 cell)
{
  Neighbours found;
  for (uint axis = 0; axis < 3; ++axis)
  {
    ivec3 step = ivec3(0);
    step[axis] = 1;
    found.before[axis] = sampleAt(sampleAround(cell - step));
    found.after[axis] = sampleAt(sampleAround(cell + step));
    found.distance[axis] = 2;
  }
  return found;
}

// value: the sample of the leaf.
Scaled slopeAt(uint level, uint leaf, ivec3 cell, uvec2 value)
{
  uint place;
  if (findSlope(leaf, place))
    return Scaled(uintBitsToFloat(uvec3(slopeWord[place], slopeWord[place + 1], slopeWord[place + 2])),
      int(slopeWord[place + 3]));
  const Neighbours found = neighboursOfLeaf(level, cell, value);
  const int exponent = largestExponent(found);
  return Scaled(gradient(found, exponent), unitExponent(exponent));
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
