// One group of BRICK_ROWS invocations: one active brick; one invocation: the dual cells of one row along x.
// Reads the rows that CountBricks kept for the brick and for its neighbours on the high sides, and no sample; writes
// the point ids of each triangle, in the order of bricks, rows and cells, for the output.
// The id of any edge's point is the offset of its brick, plus the points before its row, plus the crossed edges before
// it in the row: no map and no search.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "Shared/Constants.h"
layout(local_size_x = BRICK_ROWS) in;
#include "Shared/Slab.glsl"
#include "Shared/Cell.h"
#include "Shared/Scan.glsl"
#include "Shared/CaseTable.glsl"
#include "Shared/ActiveRows.glsl"
#include "Shared/Totals.glsl"

layout(constant_id = SPECIALIZE_BLANKING) const bool Blanking = false;
layout(std430, binding = BINDING_ACTIVE_BRICK) readonly buffer ActiveBrick { uint activeBrick[]; };
layout(std430, binding = BINDING_SLOT_OF_BRICK) readonly buffer SlotOfBrick { uint slotOfBrick[]; };
layout(std430, binding = BINDING_LIVE_CELLS) readonly buffer LiveCells { uint liveCells[]; };
layout(std430, binding = BINDING_BRICK_OFFSET) readonly buffer BrickOffset { uint brickOffset[]; };
layout(std430, binding = BINDING_TRIANGLE) writeonly buffer Triangle { uint pointId[]; };
layout(std430, binding = BINDING_TRIANGLE_CELL) writeonly buffer TriangleCell { uint cellOfTriangle[]; };

// Rows of the brick and of the first layer beyond it in y and z, first for the brick's own x, then for the next
// brick along x, of which only the first sample counts: row 9 * z + y, plus RowsOfSide for the next brick.
const uint RowsAcross = BRICK_SIZE + 1;
const uint RowsOfSide = RowsAcross * RowsAcross;
shared uint slotAt[8];             // slot of the brick at offset (bit 0, bit 1, bit 2), or NO_SLOT
shared uint edgesOf[2 * RowsOfSide];   // row word; 0 where the isosurface does not touch the brick
shared uint firstPoint[2 * RowsOfSide]; // id of the row's first point

void findSlot(uint side, uint brick)
{
  const uvec3 offset = uvec3(side & 1u, side >> 1 & 1u, side >> 2);
  const uvec2 at = uvec2(brick % slab.bricksX, brick / slab.bricksX % slab.bricksY) + offset.xy;
  const uint neighbour = brick + offset.x + slab.bricksX * (offset.y + slab.bricksY * offset.z);
  const bool exists = at.x < slab.bricksX && at.y < slab.bricksY && neighbour < slab.brickCount;
  slotAt[side] = exists ? slotOfBrick[neighbour] : NO_SLOT;
}

void loadRow(uint index)
{
  const uint y = index % RowsOfSide % RowsAcross;
  const uint z = index % RowsOfSide / RowsAcross;
  const uint slot = slotAt[index / RowsOfSide + 2 * (y / BRICK_SIZE) + 4 * (z / BRICK_SIZE)];
  const uint row = z % BRICK_SIZE * BRICK_SIZE + y % BRICK_SIZE;
  edgesOf[index] = slot == NO_SLOT ? 0 : rowEdges[slot * ROW_WORDS + row];
  firstPoint[index] = slot == NO_SLOT ? 0 : slab.pointBase + brickOffset[slot] + pointsBeforeRow(slot, row);
}

// Crossed edges of the row that start at samples 0 to 8 along x; sample 8 belongs to the next brick.
uint nineEdges(uint row, uint shift)
{
  return (edgesOf[row] >> shift & 0xFFu) | (edgesOf[row + RowsOfSide] >> shift & 1u) << BRICK_SIZE;
}

// Inside bits of the 9 samples of a row of the brick itself.
uint nineInside(uint row)
{
  const uint eight = edgesOf[row] >> ROW_SHIFT_INSIDE;
  const uint last = eight >> (BRICK_SIZE - 1) ^ (edgesOf[row] >> (ROW_SHIFT_X + BRICK_SIZE - 1) & 1u);
  return eight | last << BRICK_SIZE;
}

uint pointOfEdge(uint edge, uint x, uint row)
{
  const uint column = x + EDGE_START_X(edge);
  const uint index = row + EDGE_START_Y(edge) + RowsAcross * EDGE_START_Z(edge) + column / BRICK_SIZE * RowsOfSide;
  const uint bit = EDGE_AXIS(edge) * BRICK_SIZE + column % BRICK_SIZE;
  return firstPoint[index] + bitCount(edgesOf[index] & ((1u << bit) - 1));
}

void main()
{
  const uint slot = groupIndex();
  if (slot >= emitCount())
    return;
  const uint lane = gl_LocalInvocationID.x;
  if (lane < 8)
    findSlot(lane, activeBrick[slot]);
  barrier();
  for (uint index = lane; index < 2 * RowsOfSide; index += BRICK_ROWS)
    loadRow(index);
  barrier();

  // Across a live cell every inside bit follows from one sample and the crossed edges, also in a brick that has no slot.
  const uvec3 at = brickCorner(activeBrick[slot]) + uvec3(0, lane % BRICK_SIZE, lane / BRICK_SIZE);
  const uint row = lane / BRICK_SIZE * RowsAcross + lane % BRICK_SIZE;
  const uint here = nineInside(row);
  const uint nextY = here ^ nineEdges(row, ROW_SHIFT_Y);
  const uint nextZ = here ^ nineEdges(row, ROW_SHIFT_Z);
  const uint nextYZ = nextY ^ nineEdges(row + 1, ROW_SHIFT_Z);
  uint cells = at.y + 1 < slab.sizeY && at.z + 1 < slab.sizeZ ? (1u << min(BRICK_SIZE, slab.sizeX - 1 - at.x)) - 1 : 0;
  if (Blanking)
    cells = liveCells[slot * LIVE_CELL_WORDS + lane / 4] >> (8 * (lane % 4)) & 0xFFu;

  uint count = 0;
  for (uint x = 0; x < BRICK_SIZE; ++x)
    if ((cells >> x & 1u) != 0)
      count += caseTriangleCount(caseOfCell(x, here, nextY, nextZ, nextYZ));
  uint total;
  uint triangle = brickOffset[slab.activeRoom + slot] + exclusiveGroupScan(count, total);

  for (uint x = 0; x < BRICK_SIZE; ++x)
  {
    if ((cells >> x & 1u) == 0)
      continue;
    const uvec2 triangles = caseTriangles[caseOfCell(x, here, nextY, nextZ, nextYZ)];
    for (uint t = 0; t < triangles.y >> CASE_TRIANGLE_COUNT_SHIFT; ++t, ++triangle)
    {
      if (slab.writesCells != 0)
        cellOfTriangle[triangle] = sampleNumber(imagePosition(at + uvec3(x, 0, 0)));
      for (uint corner = 0; corner < 3; ++corner)
      {
        const uint turned = slab.flipWinding != 0 && corner != 0 ? 3 - corner : corner;
        pointId[3 * triangle + turned] = pointOfEdge(caseEdge(triangles, 3 * t + corner), x, row);
      }
    }
  }
}
