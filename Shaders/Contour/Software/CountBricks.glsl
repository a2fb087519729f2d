// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// CountBricks on software Vulkan. One invocation: first every 8th row of samples, then a layer of 8 rows.
#include "Contour/Software/Layer.glsl"
#include "Contour/Software/LayerCells.glsl"

// The buffers rowEdges and rowPointOffset in vectors of four words.
layout(std430, binding = BINDING_ROW_EDGES) writeonly buffer RowEdgesOfLayer { uvec4 layerEdges[]; };
layout(std430, binding = BINDING_ROW_POINT_OFFSET) writeonly buffer PointOffsetsOfLayer { uvec4 layerPointOffset[]; };

shared uint countOfLayer[BRICK_SIZE]; // points from bit 0, triangles from bit 16

void classifyEverything(uvec3 corner)
{
  uint row = gl_LocalInvocationID.x;
  do
  {
    if (row < BRICK_SAMPLE_ROWS)
      classifyRow(row, corner);
    row += BRICK_SIZE;
  } while (row < BRICK_SAMPLE_ROWS);
}

uint trianglesOfCells(uvec2 cells, uint z)
{
  uint count = 0;
  do
  {
    const uint cell = firstCell(cells);
    const uint triangles = caseTriangleCount(caseInRow(BRICK_SIZE * z + cell / BRICK_SIZE, cell % BRICK_SIZE));
    count += isEmpty(cells) ? 0 : triangles;
    cells = withoutFirst(cells);
  } while (!isEmpty(cells));
  return count;
}

void countLayer(uint slot, uint z, uvec3 corner)
{
  uint edges[BRICK_SIZE], pointsBefore[BRICK_SIZE];
  uint points = 0;
  uvec2 valid = uvec2(0), cut = uvec2(0);
  uint here = insideRow[BRICK_SAMPLES * z];
  uint nextZ = insideRow[BRICK_SAMPLES * (z + 1)];
  for (uint y = 0; y < BRICK_SIZE; ++y)
  {
    const uint nextY = insideRow[BRICK_SAMPLES * z + y + 1];
    const uint nextYZ = insideRow[BRICK_SAMPLES * (z + 1) + y + 1];
    const CellRow inside = cellRow(here, nextY, nextZ, nextYZ);
    keepCellRow(BRICK_SIZE * z + y, inside);
    const Row row = rowAt(corner, uvec3(0, y, z), here, nextY, nextZ);
    addCells(valid, y, row.cells);
    addCells(cut, y, row.cells & cutCells(inside));
    edges[y] = row.edges | (here & 0xFFu) << ROW_SHIFT_INSIDE;
    pointsBefore[y] = points;
    points += bitCount(row.edges);
    here = nextY;
    nextZ = nextYZ;
  }
  countOfLayer[z] = points | trianglesOfCells(cut, z) << 16;
  barrier();

  uint before = 0, total = 0;
  for (uint layer = 0; layer < BRICK_SIZE; ++layer)
  {
    before = layer == z ? total : before;
    total += countOfLayer[layer];
  }
  before &= 0xFFFFu;
  const uint vector = edgesOfLayer(slot, z);
  layerEdges[vector] = uvec4(edges[0], edges[1], edges[2], edges[3]);
  layerEdges[vector + 1] = uvec4(edges[4], edges[5], edges[6], edges[7]);
  layerPointOffset[pointOffsetsOfLayer(slot, z)] =
    before + uvec4(pointsBefore[0], pointsBefore[2], pointsBefore[4], pointsBefore[6]) |
    (before + uvec4(pointsBefore[1], pointsBefore[3], pointsBefore[5], pointsBefore[7])) << 16;
  if (Blanking)
    for (uint word = 0; word < 2; ++word)
      validCells[VALID_CELL_WORDS * slot + 2 * z + word] = valid[word];
  if (z == 0)
    writeCounts(slot, total);
}
