// One group: one active brick; one invocation, of BRICK_ROWS: one row of 8 samples along x; on software Vulkan, of
// BRICK_SIZE: a layer of such rows (Software/CountBricks.glsl).
// Reads the brick's 9 x 9 x 9 samples; writes, for EmitPoints and EmitTriangles, the row's crossed edges and inside
// samples, the number of the brick's points before the row and (with blank samples) the row's live cells; for the
// scan, the brick's points and triangles, also added to the sums of its block of active bricks.
// A cell that touches a blank sample (NaN, or flagged so), or whose minimum corner another piece owns, makes no
// triangle; an edge none of whose cells is live makes no point.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "Shared/Constants.h"
layout(local_size_x_id = SPECIALIZE_GROUP_SIZE) in;
#include "Shared/Slab.glsl"
#include "Shared/SampleRow.glsl"
#include "Shared/Ghosts.glsl"
#include "Shared/Scan.glsl"
#include "Shared/CaseTable.glsl"
#include "Shared/Totals.glsl"

layout(constant_id = SPECIALIZE_BLANKING) const bool Blanking = false;
// On a GPU neighbouring invocations read neighbouring samples, which it loads at once; else each reads rows, which
// takes the fewest loads.
layout(constant_id = SPECIALIZE_GPU) const bool Gpu = false;
layout(std430, binding = BINDING_ACTIVE_BRICK) readonly buffer ActiveBrick { uint activeBrick[]; };
layout(std430, binding = BINDING_ROW_EDGES) writeonly buffer RowEdges { uint rowEdges[]; };
layout(std430, binding = BINDING_ROW_POINT_OFFSET) writeonly buffer RowPointOffset { uint rowPointOffset[]; };
layout(std430, binding = BINDING_VALID_CELLS) writeonly buffer ValidCells { uint validCells[]; };
layout(std430, binding = BINDING_BRICK_OFFSET) writeonly buffer BrickOffset { uint brickCountOf[]; };
layout(std430, binding = BINDING_BLOCK_SUM) buffer BlockSum { uint sum[]; };

// Rows of samples of the brick and of the first layer beyond it: row 9 * z + y, one bit a sample along x.
const uint SampleRows = BRICK_SAMPLES * BRICK_SAMPLES;
shared uint insideRow[SampleRows];
shared uint insideColumn[Gpu ? SampleRows : 1]; // the same samples, one bit a sample along z: column 9 * y + x
// Blank samples, with one more layer on the low side: row 10 * (z + 1) + (y + 1), bit x + 1.
const uint BlankSize = BRICK_SIZE + 2;
shared uint blankRow[Blanking ? BlankSize * BlankSize : 1];
shared uint notOwnedRow[Blanking ? BlankSize * BlankSize : 1];
shared uint rowValid[Blanking && Gpu ? BRICK_ROWS : 1];

// Of integers, what is outside has the smallest sample's key: it is not inside even if all samples are.
bool isInsideAt(uvec3 at, uvec2 value) { return isInside(value) && (slab.thresholdKey != 0 || !isOutside(at)); }

void classifyRow(uint row, uvec3 corner)
{
  const uvec3 at = corner + uvec3(0, row % BRICK_SAMPLES, row / BRICK_SAMPLES);
  uint mask = 0;
  if (at.y < slab.sizeY && at.z < slab.sizeZ)
  {
    uvec2 samples[BRICK_SAMPLES];
    loadGridRow(at, samples);
    for (uint i = 0; i < BRICK_SAMPLES; ++i)
      mask |= (isInsideAt(at + uvec3(i, 0, 0), samples[i]) ? 1u : 0u) << i;
  }
  insideRow[row] = mask;
}

// What lies beyond the grid is never used: the outermost samples stand in for it.
void classifyColumn(uint column, uvec3 corner)
{
  uint mask = 0;
  for (uint z = 0; z < BRICK_SAMPLES; ++z)
  {
    const uvec3 at = min(corner + uvec3(column % BRICK_SAMPLES, column / BRICK_SAMPLES, z), gridSize() - 1);
    mask |= (isInsideAt(at, gridSample(at)) ? 1u : 0u) << z;
  }
  insideColumn[column] = mask;
}

void turnColumns(uint row)
{
  uint mask = 0;
  for (uint x = 0; x < BRICK_SAMPLES; ++x)
    mask |= (insideColumn[BRICK_SAMPLES * (row % BRICK_SAMPLES) + x] >> (row / BRICK_SAMPLES) & 1u) << x;
  insideRow[row] = mask;
}

void classifyColumns(uvec3 corner)
{
  const uint invocation = gl_LocalInvocationID.x;
  for (uint column = invocation; column < SampleRows; column += BRICK_ROWS)
    classifyColumn(column, corner);
  barrier();
  for (uint row = invocation; row < SampleRows; row += BRICK_ROWS)
    turnColumns(row);
}

// Places outside the grid count as blank: no cell reaches there.
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

// Live cells of the row of cells at (y, z), from x = -1 (bit 0) to x = 7. y and z may be -1.
uint validRow(int y, int z)
{
  const uint row = uint((z + 1) * int(BlankSize) + y + 1);
  const uint blank = blankRow[row] | blankRow[row + 1] | blankRow[row + BlankSize] | blankRow[row + BlankSize + 1];
  return ~(blank | blank >> 1 | notOwnedRow[row]) & 0x1FFu;
}

struct Row
{
  uint edges; // crossed x, y and z edges, shifted as in the row word
  uint cells; // live cells
};

// What exists of the row inside the grid; without blank samples all of it is live.
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

// Takes away the cells that are not live, and the edges that none of their four cells keeps.
Row withoutBlank(Row row, int y, int z)
{
  const uint here = validRow(y, z);
  const uint besideY = here | validRow(y, z - 1);     // cells around y edges: same y, both z
  const uint besideZ = here | validRow(y - 1, z);     // cells around z edges: same z, both y
  const uint besideX = besideY | besideZ | validRow(y - 1, z - 1);
  row.edges &= (besideX >> 1 & 0xFFu) << ROW_SHIFT_X | ((besideY | besideY >> 1) & 0xFFu) << ROW_SHIFT_Y |
    ((besideZ | besideZ >> 1) & 0xFFu) << ROW_SHIFT_Z;
  row.cells &= here >> 1;
  return row;
}

// What counts of a row of samples, next to whose inside bits lie those of the next rows in y and z.
Row rowAt(uvec3 corner, uvec3 local, uint here, uint nextY, uint nextZ)
{
  Row row = existingRow(corner + local);
  if (Blanking)
    row = withoutBlank(row, int(local.y), int(local.z));
  row.edges &= ((here ^ here >> 1) & 0xFFu) << ROW_SHIFT_X | ((here ^ nextY) & 0xFFu) << ROW_SHIFT_Y |
    ((here ^ nextZ) & 0xFFu) << ROW_SHIFT_Z;
  return row;
}

void writeLiveCells(uint slot, uint cells)
{
  const uint invocation = gl_LocalInvocationID.x;
  rowValid[invocation] = cells;
  barrier();
  if (invocation < VALID_CELL_WORDS)
    validCells[slot * VALID_CELL_WORDS + invocation] = rowValid[4 * invocation] | rowValid[4 * invocation + 1] << 8 |
      rowValid[4 * invocation + 2] << 16 | rowValid[4 * invocation + 3] << 24;
}

void writeCounts(uint slot, uint total)
{
  brickCountOf[slot] = total & 0xFFFFu;
  brickCountOf[slab.activeCapacity + slot] = total >> 16;
  const uint block = slot / SCAN_BLOCK_SIZE;
  atomicAdd(sum[BLOCK_SUM_POINTS * scanBlocks() + block], total & 0xFFFFu);
  atomicAdd(sum[BLOCK_SUM_TRIANGLES * scanBlocks() + block], total >> 16);
}

#include "Contour/Software/CountBricks.glsl"

void main()
{
  const uint slot = groupIndex();
  if (slot >= activeCount())
    return;
  const uint invocation = gl_LocalInvocationID.x;
  const uvec3 corner = brickCorner(activeBrick[slot]);
  if (Gpu)
    classifyColumns(corner);
  else
    classifyEverything(corner);
  if (Blanking)
    for (uint row = invocation; row < BlankSize * BlankSize; row += gl_WorkGroupSize.x)
      findBlankRow(row, corner);
  barrier();
  if (!Gpu)
  {
    countLayer(slot, invocation, corner);
    return;
  }

  const uvec3 local = uvec3(0, invocation % BRICK_SIZE, invocation / BRICK_SIZE);
  const uint sampleRow = local.z * BRICK_SAMPLES + local.y;
  const uint here = insideRow[sampleRow];
  const uint nextY = insideRow[sampleRow + 1];
  const uint nextZ = insideRow[sampleRow + BRICK_SAMPLES];
  const Row row = rowAt(corner, local, here, nextY, nextZ);
  const CellRow inside = cellRow(here, nextY, nextZ, insideRow[sampleRow + BRICK_SAMPLES + 1]);
  uint triangles = 0;
  for (uint cells = row.cells & cutCells(inside); cells != 0; cells &= cells - 1)
    triangles += caseTriangleCount(caseOfCell(findLSB(cells), inside));

  // Both counts of a brick fit 16 bits: one scan serves both.
  uint total;
  const uint points = bitCount(row.edges);
  const uint before = exclusiveGroupScan(points | triangles << 16, total) & 0xFFFFu;

  rowEdges[slot * ROW_WORDS + invocation] = row.edges | (here & 0xFFu) << ROW_SHIFT_INSIDE;
  if (invocation % 2 == 0) // this row's number, and the next one's
    rowPointOffset[slot * ROW_OFFSET_WORDS + invocation / 2] = before | (before + points) << 16;
  if (Blanking)
    writeLiveCells(slot, row.cells);
  if (invocation == 0)
    writeCounts(slot, total);
}
