// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One workgroup: one active brick. One invocation: first every BRICK_ROWS-th group of up to 4 consecutive samples of
// the brick's 9 x 9 rows of samples, then one of its BRICK_ROWS rows of 8 samples along x.
// Reads the brick's 9 x 9 x 9 samples and their flags. Writes per row, for EmitPoints and EmitTriangles, the crossed
// edges, the inside samples, the numbers of the brick's points and triangles before the row and (with blank samples)
// the valid cells; writes per brick, for ScanBricks, the number of points and triangles and adds them to the sums of
// the brick's block.
// A cell is invalid if it touches a blank sample (NaN or GHOST_BLANK) or if its minimum corner is not owned. An invalid
// cell has no triangles. An edge has no point if all its cells are invalid.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "Shared/Constants.h"
layout(local_size_x = BRICK_ROWS) in;
#include "Shared/Slab.glsl"
#include "Shared/Samples.glsl"
#include "Shared/SampleQuads.glsl"
#include "Shared/Scan.glsl"
#include "Shared/CellRow.glsl"
#include "Shared/Totals.glsl"
#include "Contour/CountRows.glsl"
#include "Contour/BlockSums.glsl"

layout(std430, binding = BINDING_ACTIVE_BRICK) readonly buffer ActiveBrick { uint activeBrick[]; };
layout(std430, binding = BINDING_ROWS) writeonly buffer Rows { uvec2 rows[]; };
layout(std430, binding = BINDING_BRICK_OFFSET) writeonly buffer BrickOffset { uint brickCountOf[]; };

const uint RowParts = 3; // hold 9 samples that begin anywhere in the first part
// Inside bits of the rows of the brick and of the first layer beyond it: of row 9 * z + y, those that one invocation
// has found, at their bits of the row (bit x: sample x). The bits of a row are those of its parts together. One
// instruction reads all parts of a vector, whose last component is not used.
shared uvec4 insidePart[BRICK_SAMPLE_ROWS];

// Blank samples, also of the first layer before the brick: row 10 * (z + 1) + (y + 1), bit x + 1.
const uint BlankSize = BRICK_SIZE + 2;
shared uint blankRow[Blanking ? BlankSize * BlankSize : 1];
shared uint notOwnedRow[Blanking ? BlankSize * BlankSize : 1];

// Inside bits of the samples `first` to `end` - 1 of the row that begins at a grid position. Positions beyond the grid
// repeat the outermost sample.
uint insideBitsOfPadded(uvec3 row, uint first, uint end)
{
  uint inside = 0;
  for (uint i = first; i < end; ++i)
  {
    const uvec3 at = min(row + uvec3(i, 0, 0), gridSize() - 1);
    inside |= (isInsideAt(at, gridSample(at)) ? 1u : 0u) << i;
  }
  return inside;
}

// Inside bits of a part of a row, at their bits of the row. Those of positions beyond the grid are undefined and not
// used. Quads begin at multiples of 4 samples of the binding, but rows begin anywhere: so the bits of a quad are
// shifted down by the number of samples of the first quad that are before the row.
uint insideBitsOfPart(uint row, uint part, uvec3 corner)
{
  const uvec3 at = min(corner + uvec3(0, row % BRICK_SAMPLES, row / BRICK_SAMPLES), gridSize() - 1);
  const uint shift = QuadSamples * part;
  if (Padded)
    return insideBitsOfPadded(at, shift, min(shift + QuadSamples, BRICK_SAMPLES));
  const uint first = slab.windowOffset + sampleNumber(at);
  return insideBitsOfQuad(first / QuadSamples + part) << shift >> first % QuadSamples;
}

// Neighbouring invocations load neighbouring samples. Without padding, the unrolled loop has no branch before its
// loads, so that all of them are in flight at once.
void classifySamples(uvec3 corner)
{
  const uint Parts = RowParts * BRICK_SAMPLE_ROWS;
  [[unroll]] for (uint start = 0; start < Parts; start += BRICK_ROWS)
  {
    const uint number = start + gl_LocalInvocationID.x, clamped = min(number, Parts - 1);
    const uint row = clamped / RowParts, part = clamped % RowParts;
    const uint inside = insideBitsOfPart(row, part, corner);
    if (number < Parts)
      insidePart[row][part] = inside;
  }
}

// Inside bits of a row: bits 0 to 8. Bits 9 to 11 are of other samples.
uint insideBitsOfRow(uint row)
{
  const uvec4 part = insidePart[row];
  return part.x | part.y | part.z;
}

// Positions beyond the grid count as blank: so no cell touches them.
void findBlankRow(uint row, uvec3 corner)
{
  const ivec3 start = ivec3(corner) + ivec3(-1, int(row % BlankSize) - 1, int(row / BlankSize) - 1);
  const ivec3 size = ivec3(gridSize());
  uint blank = 0;
  uint notOwned = 0;
  for (int i = 0; i < int(BlankSize); ++i)
  {
    const ivec3 at = start + ivec3(i, 0, 0);
    const bool beyond = any(lessThan(at, ivec3(0))) || any(greaterThanEqual(at, size));
    const uint ghost = beyond ? 0 : ghostOf(uvec3(at));
    if (beyond || isBlank(ghost, gridSample(uvec3(at))))
      blank |= 1u << i;
    if ((ghost & GHOST_NOT_OWNED) != 0)
      notOwned |= 1u << i;
  }
  blankRow[row] = blank;
  notOwnedRow[row] = notOwned;
}

// Valid cells of the row of cells at (y, z), from x = -1 (bit 0) to x = 7. y and z may be -1.
uint validRow(int y, int z)
{
  const uint row = uint((z + 1) * int(BlankSize) + y + 1);
  const uint blank = blankRow[row] | blankRow[row + 1] | blankRow[row + BlankSize] | blankRow[row + BlankSize + 1];
  return ~(blank | blank >> 1 | notOwnedRow[row]) & 0x1FFu;
}

// Edges and cells of the row that lie in the grid.
Row existingRow(uvec3 position)
{
  const uint samples = (1u << min(BRICK_SIZE, slab.sizeX - position.x)) - 1;
  const uint steps = (1u << min(BRICK_SIZE, slab.sizeX - 1 - position.x)) - 1;
  const bool inside = position.y < slab.sizeY && position.z < slab.sizeZ;
  const bool stepsY = inside && position.y + 1 < slab.sizeY;
  const bool stepsZ = inside && position.z + 1 < slab.sizeZ;
  Row row;
  row.edges = (inside ? steps << ROW_SHIFT_X : 0) | (stepsY ? samples << ROW_SHIFT_Y : 0) |
    (stepsZ ? samples << ROW_SHIFT_Z : 0);
  row.cells = stepsY && stepsZ ? steps : 0;
  return row;
}

// Crossed edges and valid cells of a row of samples, from its inside bits and those of the next rows in y and z.
Row rowAt(uvec3 corner, uvec3 local, uint here, uint nextY, uint nextZ)
{
  Row row = existingRow(corner + local);
  if (Blanking)
    row = withoutInvalid(row, int(local.y), int(local.z));
  row.edges &= crossedEdges(here, nextY, nextZ);
  return row;
}

void writeCounts(uint slot, uint total)
{
  brickCountOf[slot] = total & 0xFFFFu;
  brickCountOf[slab.activeCapacity + slot] = total >> 16;
  addToBlock(BLOCK_SUM_POINTS, slot, total & 0xFFFFu);
  addToBlock(BLOCK_SUM_TRIANGLES, slot, total >> 16);
}

void main()
{
  const uint slot = workgroupIndex();
  if (slot >= activeCount())
    return;
  const uint invocation = gl_LocalInvocationID.x;
  const uvec3 corner = brickCorner(activeBrick[slot]);
  classifySamples(corner);
  if (Blanking)
    for (uint row = invocation; row < BlankSize * BlankSize; row += BRICK_ROWS)
      findBlankRow(row, corner);
  barrier();

  const uvec3 local = uvec3(0, invocation % BRICK_SIZE, invocation / BRICK_SIZE);
  const uint sampleRow = local.z * BRICK_SAMPLES + local.y;
  const uint here = insideBitsOfRow(sampleRow);
  const uint nextY = insideBitsOfRow(sampleRow + 1);
  const uint nextZ = insideBitsOfRow(sampleRow + BRICK_SAMPLES);
  const Row row = rowAt(corner, local, here, nextY, nextZ);
  const CellRow inside = cellRow(here, nextY, nextZ, insideBitsOfRow(sampleRow + BRICK_SAMPLES + 1));
  const uint triangles = trianglesOfCells(row.cells & cutCells(inside), inside);

  // Both counts of a brick fit in 16 bits: so one scan handles both.
  uint total;
  const uint before = exclusiveScan(bitCount(row.edges) | triangles << 16, total);

  rows[slot * BRICK_ROWS + invocation] = uvec2(row.edges | (here & 0xFFu) << ROW_SHIFT_INSIDE, before);
  if (Blanking)
    writeValidCells(slot, row.cells);
  if (invocation == 0)
    writeCounts(slot, total);
}
