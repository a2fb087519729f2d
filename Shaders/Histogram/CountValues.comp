// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One invocation: every n-th run of cells (Constants.h), where n is the number of invocations.
// Reads the samples that these cells touch and their flags. Adds 1 to the slot of each sample; adds 1 to the slot of the
// smallest corner of each valid cell and subtracts 1 from that of its largest corner: the sum of all slots up to one is
// the number of cells that the isovalue of that slot cuts. Counters lie in shared memory, and are added to those of the
// volume in the end. All are sums of integers: their order does not matter.
// If all samples of a run's bricks have one rank, it has no cut cell and is not read.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "Shared/Constants.h"
layout(local_size_x = HISTOGRAM_GROUP_SIZE) in;
#include "Shared/Slab.glsl"
#include "Shared/SampleRow.glsl"
#include "Shared/Bins.glsl"

layout(constant_id = SPECIALIZE_SLOTS) const uint Slots = HISTOGRAM_SLOTS(HISTOGRAM_LARGEST_BINS);
layout(std430, binding = BINDING_BRICK_RANGE) readonly buffer BrickRange { uvec2 range[]; };
layout(std430, binding = BINDING_VALUE_COUNT) buffer ValueCount { uint valueCount[]; };

const uint RunCells = HISTOGRAM_RUN_CELLS(SampleBytes);
const uint RunRows = HISTOGRAM_RUN_ROWS(SampleBytes);
// Whether words of samples suffice: no sample is blank, outside or wide.
const bool ByWords = !Blanking && !Padded && SampleBytes <= 4;
// Rank of a sample that is not counted and whose cells are not valid. It is larger than all others.
const uint NoRank = SampleBytes == 1 ? Slots : 2 * Slots;

// Cells by their smallest and by their largest corner: additions of a constant 1 are faster than those of -1. The last
// counter of each counts nothing that is used.
shared uint sampleCounter[Slots + 1];
shared uint smallestCounter[Slots + 1];
shared uint largestCounter[Slots + 1];
shared uint extraCounter[HISTOGRAM_EXTRA_WORDS];

bool isImageSample(uvec3 at)
{
  return !Padded || (all(greaterThanEqual(at, lowPadding())) && all(lessThan(at, lowPadding() + imageSize())));
}

// Counts a sample without a rank, if it belongs to the image.
void addExtra(uvec3 at, uint ghost)
{
  if (isImageSample(at))
    atomicAdd(extraCounter[ghost != 0 ? HISTOGRAM_GHOSTS : HISTOGRAM_NAN], 1);
}

// The samples of a row: those of the cells of a run, and one more.
struct Row
{
  uint rank[BRICK_SAMPLES]; // or NoRank; the first RunCells + 1 are used
  uint notOwned;            // one bit per sample
};

void rankWords(uint word[BRICK_SAMPLES], inout Row row)
{
  bool areCertain = true;
  [[unroll]] for (uint i = 0; i <= RunCells; ++i)
  {
    bool isCertain;
    row.rank[i] = rankAt(positionOfWord(word[i]), isCertain);
    areCertain = areCertain && isCertain; // false for NaN beyond the row
  }
  if (!areCertain)
    [[unroll]] for (uint i = 0; i <= RunCells; ++i)
      row.rank[i] = exactRank(row.rank[i], sampleOfWord(word[i]));
}

Row rowOfWords(uint word[BRICK_SAMPLES], uvec3 start)
{
  Row row;
  if (SampleBytes == 1)
    [[unroll]] for (uint i = 0; i <= RunCells; ++i)
      row.rank[i] = sampleOfWord(word[i]).x + 1;
  else
    rankWords(word, row);
  const uint columns = start.y < slab.sizeY && start.z < slab.sizeZ ? slab.sizeX - start.x : 0;
  if (columns <= RunCells)
    [[unroll]] for (uint i = 0; i <= RunCells; ++i)
      row.rank[i] = i < columns ? row.rank[i] : NoRank;
  return row;
}

void countRow(Row row)
{
  [[unroll]] for (uint i = 0; i < RunCells; ++i)
    atomicAdd(sampleCounter[slotOfSample(row.rank[i])], 1);
}

// Loads any samples, and counts them if `counts`.
Row loadSamples(uvec3 start, bool counts)
{
  Row row;
  row.notOwned = 0;
  const uvec3 size = gridSize();
  for (uint i = 0; i <= RunCells; ++i)
  {
    const uvec3 at = start + uvec3(i, 0, 0);
    row.rank[i] = NoRank;
    if (any(greaterThanEqual(at, size)))
      continue;
    const uint ghost = ghostOf(at);
    const uvec2 value = gridSample(at);
    const bool isBlankSample = Blanking && isBlank(ghost, value);
    if (!isBlankSample)
      row.rank[i] = isOutside(at) ? 0 : rankOfSample(value);
    if ((ghost & GHOST_NOT_OWNED) != 0)
      row.notOwned |= 1u << i;
    if (!counts || i == RunCells)
      continue;
    if (ghost != 0 || isBlankSample)
      addExtra(at, ghost);
    else if (isImageSample(at))
      atomicAdd(sampleCounter[slotOfSample(row.rank[i])], 1);
  }
  return row;
}

// Smallest and largest rank of the samples of each cell in one layer, or in one row of it.
struct Face
{
  uint smallest[BRICK_SIZE];
  uint largest[BRICK_SIZE];
  uint notOwned;
};

struct Layer
{
  Face face[HISTOGRAM_MOST_RUN_ROWS]; // the first RunRows are used
};

Face pairsOf(Row row)
{
  Face face;
  [[unroll]] for (uint i = 0; i < RunCells; ++i)
  {
    face.smallest[i] = min(row.rank[i], row.rank[i + 1]);
    face.largest[i] = max(row.rank[i], row.rank[i + 1]);
  }
  face.notOwned = row.notOwned;
  return face;
}

Face merged(Face a, Face b)
{
  [[unroll]] for (uint i = 0; i < RunCells; ++i)
  {
    a.smallest[i] = min(a.smallest[i], b.smallest[i]);
    a.largest[i] = max(a.largest[i], b.largest[i]);
  }
  return a;
}

// Adds 1 in both counters. They cancel out if a cell is not valid.
void addCells(Face cells)
{
  [[unroll]] for (uint i = 0; i < RunCells; ++i)
  {
    const bool isValid = cells.largest[i] != NoRank && (ByWords || (cells.notOwned >> i & 1u) == 0);
    atomicAdd(smallestCounter[slotOfCell(cells.smallest[i])], 1);
    atomicAdd(largestCounter[slotOfCell(isValid ? cells.largest[i] : cells.smallest[i])], 1);
  }
}

// The words of a layer. They are loaded before any counter is changed, because later loads wait for that.
struct Words
{
  uint row[HISTOGRAM_MOST_RUN_ROWS + 1][BRICK_SAMPLES]; // the first RunRows + 1 are used
};

Words loadWords(uvec3 start)
{
  Words words;
  if (ByWords)
    [[unroll]] for (uint y = 0; y <= RunRows; ++y)
      loadWordRow(
        slab.windowOffset + sampleNumber(min(start + uvec3(0, y, 0), gridSize() - 1)), words.row[y]);
  return words;
}

Row rowOf(Words words, uint y, uvec3 start, bool counts)
{
  if (!ByWords)
    return loadSamples(start + uvec3(0, y, 0), counts);
  const Row row = rowOfWords(words.row[y], start + uvec3(0, y, 0));
  if (counts)
    countRow(row);
  return row;
}

Layer loadLayer(uvec3 start, bool counts)
{
  const Words words = loadWords(start);
  Layer layer;
  Face near;
  [[unroll]] for (uint y = 0; y <= RunRows; ++y)
  {
    const Face far = pairsOf(rowOf(words, y, start, counts && y < RunRows));
    if (y != 0)
      layer.face[y - 1] = merged(near, far);
    near = far;
  }
  return layer;
}

void countRun(uvec3 start, uint endZ)
{
  Layer low;
  for (uint z = start.z; z <= endZ; ++z)
  {
    const Layer high = loadLayer(uvec3(start.xy, z), z < endZ);
    [[unroll]] for (uint y = 0; z != start.z && y < RunRows; ++y)
      addCells(merged(low.face[y], high.face[y]));
    low = high;
  }
}

// Returns whether all samples of the run's bricks have one rank; then counts those of the run.
bool countUniform(uvec3 start, uint endZ)
{
  if (Blanking || Padded)
    return false;
  uvec2 keys = uvec2(0xFFFFFFFFu, 0);
  for (uint z = start.z / BRICK_SIZE; z <= (endZ - 1) / BRICK_SIZE; ++z)
  {
    const uvec2 ofBrick = range[brickNumber(uvec3(start.xy / BRICK_SIZE, z))];
    keys = uvec2(min(keys.x, ofBrick.x), max(keys.y, ofBrick.y));
  }
  const uint rank = rankOfSample(uvec2(keys.x, 0));
  // The range of 64-bit samples has the high words only.
  if (rank != rankOfSample(uvec2(keys.y, SampleBytes == 8 ? 0xFFFFFFFFu : 0)))
    return false;
  const uvec2 samples = min(uvec2(RunCells, RunRows), gridSize().xy - start.xy);
  atomicAdd(sampleCounter[slotOfSample(rank)], samples.x * samples.y * (endZ - start.z));
  return true;
}

void main()
{
  bins = storedBins;
  const uint invocation = gl_LocalInvocationID.x;
  for (uint slot = invocation; slot < Slots; slot += gl_WorkGroupSize.x)
  {
    sampleCounter[slot] = 0;
    smallestCounter[slot] = 0;
    largestCounter[slot] = 0;
  }
  if (invocation < HISTOGRAM_EXTRA_WORDS)
    extraCounter[invocation] = 0;
  barrier();

  const uint firstZ = BRICK_SIZE * slab.brickLayer;
  const uint endZ = min(firstZ + BRICK_SIZE * ownLayers(), slab.sizeZ);
  const uint runsX = (slab.sizeX + RunCells - 1) / RunCells;
  const uint runsY = (slab.sizeY + RunRows - 1) / RunRows;
  const uint runs = runsX * runsY * ((endZ - firstZ + HISTOGRAM_RUN_LAYERS - 1) / HISTOGRAM_RUN_LAYERS);
  const uint stride = gl_NumWorkGroups.x * gl_NumWorkGroups.y * gl_WorkGroupSize.x;
  for (uint run = invocationIndex(); run < runs; run += stride)
  {
    const uvec3 start = uvec3(run % runsX * RunCells, run / runsX % runsY * RunRows,
      firstZ + run / (runsX * runsY) * HISTOGRAM_RUN_LAYERS);
    const uint endOfRun = min(start.z + HISTOGRAM_RUN_LAYERS, endZ);
    if (!countUniform(start, endOfRun))
      countRun(start, endOfRun);
  }
  barrier();

  for (uint slot = invocation; slot < Slots; slot += gl_WorkGroupSize.x)
  {
    if (sampleCounter[slot] != 0)
      atomicAdd(valueCount[slot], sampleCounter[slot]);
    const uint cells = smallestCounter[slot] - largestCounter[slot];
    if (cells != 0)
      atomicAdd(valueCount[Slots + slot], cells);
  }
  if (invocation < HISTOGRAM_EXTRA_WORDS && extraCounter[invocation] != 0)
    atomicAdd(valueCount[2 * Slots + invocation], extraCounter[invocation]);
}
