// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Gradients at the leaves of a hierarchy of levels, in values per step of the level of the leaf. Those of leaves beside
// leaves of other levels are in a buffer; others are differences to neighbours of their level.
// Include after Samples.glsl, WorldPosition.glsl, Gradient.glsl and Levels.glsl.

// [brick]: place of the words of the brick, or NO_SLOT. There, one bit per cell with a slope here; then the slopes in
// the order of the cells: three floats and the exponent of the power of two by which they are multiplied.
layout(std430, binding = BINDING_LEVEL_SLOPES) readonly buffer LevelSlopes { uint slopeWord[]; };

// Returns whether the slope of a leaf is in the buffer, and its place there.
bool findSlope(uint leaf, out uint place)
{
  place = slopeWord[brickOfLeaf(leaf)];
  if (place == NO_SLOT)
    return false;
  const uint number = leaf % BRICK_CELLS, last = place + number / 32, bit = 1u << number % 32;
  if ((slopeWord[last] & bit) == 0)
    return false;
  uint before = bitCount(slopeWord[last] & (bit - 1));
  for (uint word = place; word < last; ++word)
    before += bitCount(slopeWord[word]);
  place += BRICK_BIT_WORDS + 4 * before;
  return true;
}

// Adds the neighbour of a leaf to the neighbours from which its gradient is computed, if it is a leaf of this level.
void addNeighbour(uint level, ivec3 cell, uint axis, inout uvec2 value, inout float distance)
{
  const uint number = sampleOfCell(level, cell);
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
    found.before[axis] = sampleAt(leafAround(cell - step));
    found.after[axis] = sampleAt(leafAround(cell + step));
    found.distance[axis] = 2;
  }
  return found;
}

Scaled slopeBetween(Neighbours found)
{
  const int exponent = largestExponent(found);
  return Scaled(gradient(found, exponent), unitExponent(exponent));
}

// value: the sample of the leaf.
Scaled slopeAt(uint level, uint leaf, ivec3 cell, uvec2 value)
{
  uint place;
  if (findSlope(leaf, place))
    return Scaled(uintBitsToFloat(uvec3(slopeWord[place], slopeWord[place + 1], slopeWord[place + 2])),
      int(slopeWord[place + 3]));
  return slopeBetween(neighboursOfLeaf(level, cell, value));
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
