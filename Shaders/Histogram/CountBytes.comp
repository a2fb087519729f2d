// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The counts of CountValues for 8-bit samples, on devices with 16-bit floats. The volume must have no flags and no
// padding, and its rows must begin at words and be whole words.
// One invocation: every n-th run of cells (Constants.h), where n is the number of invocations.
// Reads the samples that these cells touch. Adds 1 to the slot of each sample; adds 1 to the slot of the smallest
// corner of each valid cell and subtracts 1 from that of its largest corner. Counters lie in shared memory, and are
// added to those of the volume in the end. All are sums of integers: their order does not matter.
// If all samples of a run's bricks are equal, it has no cut cell and is not read.
// The bound is the number of instructions, mainly of integers. So two samples are compared at a time, as floats, which
// are processed twice as fast: max(a, b) is a + clamp(b - a, 0, 1), and the clamp is part of the subtraction.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#include "Shared/Constants.h"
layout(local_size_x = HISTOGRAM_GROUP_SIZE) in;
#include "Shared/Slab.glsl"
#include "Shared/Samples.glsl"

layout(std430, binding = BINDING_BRICK_RANGE) readonly buffer BrickRange { uvec2 range[]; };
layout(std430, binding = BINDING_VALUE_COUNT) buffer ValueCount { uint valueCount[]; };

const uint Keys = 256;
const uint RunRows = HISTOGRAM_BYTE_RUN_ROWS;

// [key]: cells by their smallest and by their largest corner.
shared uint sampleCounter[Keys];
shared uint smallestCounter[Keys];
shared uint largestCounter[Keys];

// Two keys as 1 + key / 256, whose bits are 0x3C00 + 4 * key. Sums and differences below are exact. Of `bits`, bits 2 to
// 9 and 18 to 25 are the keys.
f16vec2 pairOf(uint bits) { return unpackFloat2x16((bits & 0x03FC03FCu) | 0x3C003C00u); }

uint lowKey(uint bits) { return (bits & 0x3FCu) >> 2; }
uint highKey(uint bits) { return (bits >> 16 & 0x3FCu) >> 2; }

f16vec2 smallerOf(f16vec2 a, f16vec2 b)
{
  precise const f16vec2 difference = b - a;
  precise const f16vec2 smaller = b - clamp(difference, f16vec2(0), f16vec2(1));
  return smaller;
}

f16vec2 largerOf(f16vec2 a, f16vec2 b)
{
  precise const f16vec2 difference = b - a;
  precise const f16vec2 larger = a + clamp(difference, f16vec2(0), f16vec2(1));
  return larger;
}

// Smallest and largest sample of the four cells of a run in one layer, or in one row of it: cells 0 and 2, then 1 and 3.
struct Face
{
  f16vec2 smallest[2];
  f16vec2 largest[2];
};

// The words of a layer of the run, and those after them. They are loaded before any counter is changed, because later
// loads wait for that. Words beyond a row are not used; the buffer is padded, so reading them is safe.
struct Words
{
  uint word[RunRows + 1];
  uint next[RunRows + 1];
};

struct Layer
{
  Face face[RunRows];
};

Words loadWords(uvec3 start)
{
  const uint first = wordOfValue(slab.windowOffset + sampleNumber(uvec3(start.x, 0, start.z)));
  Words words;
  [[unroll]] for (uint y = 0; y <= RunRows; ++y)
  {
    const uint index = first + min(start.y + y, slab.sizeY - 1) * wordOfValue(slab.sizeX);
    words.word[y] = sampleWord[index];
    words.next[y] = sampleWord[index + 1];
  }
  return words;
}

// Keys of words of samples.
uint keysOf(uint word) { return SampleKind == SAMPLE_SIGNED ? word ^ 0x80808080u : word; }

void countSamples(uint keys)
{
  atomicAdd(sampleCounter[keys & 0xFFu], 1);
  atomicAdd(sampleCounter[keys >> 8 & 0xFFu], 1);
  atomicAdd(sampleCounter[keys >> 16 & 0xFFu], 1);
  atomicAdd(sampleCounter[keys >> 24], 1);
}

// Returns the pairs of neighbours among four samples and the next one.
Face pairsOf(uint keys, uint nextKeys)
{
  const f16vec2 even = pairOf(keys << 2), odd = pairOf(keys >> 6);
  const f16vec2 next = pairOf((keys >> 14 & 0x3FCu) | nextKeys << 18);
  return Face(f16vec2[2](smallerOf(even, odd), smallerOf(odd, next)),
    f16vec2[2](largerOf(even, odd), largerOf(odd, next)));
}

Face merged(Face a, Face b)
{
  [[unroll]] for (uint i = 0; i < 2; ++i)
  {
    a.smallest[i] = smallerOf(a.smallest[i], b.smallest[i]);
    a.largest[i] = largerOf(a.largest[i], b.largest[i]);
  }
  return a;
}

// rows: of samples in the grid, from the start of the run. Counts the samples of the run if `counts`.
Layer loadLayer(uvec3 start, uint rows, bool counts)
{
  const Words words = loadWords(start);
  if (counts)
    [[unroll]] for (uint y = 0; y < RunRows; ++y)
      if (y < rows)
        countSamples(keysOf(words.word[y]));
  Layer layer;
  Face near = pairsOf(keysOf(words.word[0]), keysOf(words.next[0]));
  [[unroll]] for (uint y = 0; y < RunRows; ++y)
  {
    const Face far = pairsOf(keysOf(words.word[y + 1]), keysOf(words.next[y + 1]));
    layer.face[y] = merged(near, far);
    near = far;
  }
  return layer;
}

// Adds 1 in both counters: additions of a constant 1 are faster than those of -1. They cancel out for cell 3 unless
// isLastValid.
void addCells(Face cells, bool isLastValid)
{
  [[unroll]] for (uint i = 0; i < 2; ++i)
  {
    const uint smallest = packFloat2x16(cells.smallest[i]), largest = packFloat2x16(cells.largest[i]);
    atomicAdd(smallestCounter[lowKey(smallest)], 1);
    atomicAdd(largestCounter[lowKey(largest)], 1);
    atomicAdd(smallestCounter[highKey(smallest)], 1);
    atomicAdd(largestCounter[highKey(i == 0 || isLastValid ? largest : smallest)], 1);
  }
}

void countRun(uvec3 start, uint endZ, uint rows)
{
  const bool isLastValid = start.x + HISTOGRAM_BYTE_RUN_CELLS < slab.sizeX;
  Layer low = loadLayer(start, rows, true);
  for (uint z = start.z; z < min(endZ, slab.sizeZ - 1); ++z)
  {
    const Layer high = loadLayer(uvec3(start.xy, z + 1), rows, z + 1 < endZ);
    [[unroll]] for (uint y = 0; y < RunRows; ++y)
      if (y + 1 < rows)
        addCells(merged(low.face[y], high.face[y]), isLastValid);
    low = high;
  }
}

// Returns whether all samples of the run's bricks are equal; then counts those of the run.
bool countUniform(uvec3 start, uint endZ)
{
  uvec2 keys = uvec2(0xFFFFFFFFu, 0);
  for (uint z = start.z / BRICK_SIZE; z <= (endZ - 1) / BRICK_SIZE; ++z)
  {
    const uvec2 ofBrick = range[(z * slab.bricksY + start.y / BRICK_SIZE) * slab.bricksX + start.x / BRICK_SIZE];
    keys = uvec2(min(keys.x, ofBrick.x), max(keys.y, ofBrick.y));
  }
  if (keys.x != keys.y)
    return false;
  const uint rows = min(RunRows, slab.sizeY - start.y);
  atomicAdd(sampleCounter[keys.x], HISTOGRAM_BYTE_RUN_CELLS * rows * (endZ - start.z));
  return true;
}

void main()
{
  const uint invocation = gl_LocalInvocationID.x;
  for (uint key = invocation; key < Keys; key += gl_WorkGroupSize.x)
  {
    sampleCounter[key] = 0;
    smallestCounter[key] = 0;
    largestCounter[key] = 0;
  }
  barrier();

  const uint firstZ = BRICK_SIZE * slab.brickLayer;
  const uint endZ = min(firstZ + BRICK_SIZE * (slab.ownBrickCount / (slab.bricksX * slab.bricksY)), slab.sizeZ);
  const uint runsX = slab.sizeX / HISTOGRAM_BYTE_RUN_CELLS;
  const uint runsY = (slab.sizeY + RunRows - 1) / RunRows;
  const uint runs = runsX * runsY * ((endZ - firstZ + HISTOGRAM_RUN_LAYERS - 1) / HISTOGRAM_RUN_LAYERS);
  const uint stride = gl_NumWorkGroups.x * gl_NumWorkGroups.y * gl_WorkGroupSize.x;
  for (uint run = invocationIndex(); run < runs; run += stride)
  {
    const uvec3 start = uvec3(run % runsX * HISTOGRAM_BYTE_RUN_CELLS, run / runsX % runsY * RunRows,
      firstZ + run / (runsX * runsY) * HISTOGRAM_RUN_LAYERS);
    const uint endOfRun = min(start.z + HISTOGRAM_RUN_LAYERS, endZ);
    if (countUniform(start, endOfRun))
      continue;
    // Most runs take the variant without conditions on rows.
    const uint rows = slab.sizeY - start.y;
    if (rows > RunRows)
      countRun(start, endOfRun, RunRows + 1);
    else
      countRun(start, endOfRun, rows);
  }
  barrier();

  for (uint key = invocation; key < Keys; key += gl_WorkGroupSize.x)
  {
    const uint cells = smallestCounter[key] - largestCounter[key];
    if (sampleCounter[key] != 0)
      atomicAdd(valueCount[key + 1], sampleCounter[key]);
    if (cells != 0)
      atomicAdd(valueCount[HISTOGRAM_BYTE_SLOTS + key + 1], cells);
  }
}
