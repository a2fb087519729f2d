// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// EmitTriangles on software Vulkan. One invocation: first a layer of 8 rows, whose triangles it lists, then every 8th
// triangle of the brick.
#include "Contour/Software/Layer.glsl"
#include "Contour/Software/LayerCells.glsl"

// The four words of each case (Constants.h) as one vector.
layout(std430, binding = BINDING_CASE_TABLE) readonly buffer CaseTriangles { uvec4 caseTriangles[]; };

// The buffers rowEdges and rowPointOffset in vectors of four words.
layout(std430, binding = BINDING_ROW_EDGES) readonly buffer RowEdgesOfLayer { uvec4 layerEdges[]; };
layout(std430, binding = BINDING_ROW_POINT_OFFSET) readonly buffer PointOffsetsOfLayer { uvec4 layerPointOffset[]; };

// The list has a part for each layer, so that a layer does not need the number of triangles of the others. An entry is
// the row from bit 24, x from bit 21, and the EDGE_PLACE of the triangle's three edges, 7 bits each from bit 0.
const uint LayerTriangles = BRICK_MAX_TRIANGLES / BRICK_SIZE;
shared uint countOfLayer[BRICK_SIZE];

// Loads the 8 rows of a layer of the brick (across = 0) or of the next brick along x (across = 1).
void loadLayer(uint across, uint z)
{
  const uint slot = slotAt[across];
  const uint first = pointsAt[across];
  uvec4 words[2] = { uvec4(0), uvec4(0) };
  uvec4 offsets = uvec4(0);
  if (slot != NO_SLOT)
  {
    words[0] = layerEdges[edgesOfLayer(slot, z)];
    words[1] = layerEdges[edgesOfLayer(slot, z) + 1];
    offsets = layerPointOffset[pointOffsetsOfLayer(slot, z)];
  }
  const uint to = across * BRICK_SAMPLE_ROWS + BRICK_SAMPLES * z;
  for (uint y = 0; y < BRICK_SIZE; ++y)
    rowOf[to + y] = uvec2(words[y / 4][y % 4], first + pointOffsetInPair(offsets[y / 2], y));
}

void loadRows(uint invocation)
{
  for (uint across = 0; across < 2; ++across)
  {
    loadLayer(across, invocation);
    loadRow(across, BRICK_SIZE, invocation);
    loadRow(across, invocation, BRICK_SIZE);
  }
  if (invocation < 2)
    loadRow(invocation, BRICK_SIZE, BRICK_SIZE);
}

// Returns the cells of a layer that have triangles. Keeps the CellRow of each of its rows.
uvec2 cutLayer(uint slot, uint z, uvec3 corner)
{
  uvec2 cut = uvec2(0);
  uint own = rowOf[BRICK_SAMPLES * z].x;
  uint next = rowOf[BRICK_SAMPLES * z + BRICK_SAMPLE_ROWS].x;
  for (uint y = 0; y < BRICK_SIZE; ++y)
  {
    const uint ownBeyond = rowOf[BRICK_SAMPLES * z + y + 1].x;
    const uint nextBeyond = rowOf[BRICK_SAMPLES * z + y + 1 + BRICK_SAMPLE_ROWS].x;
    const CellRow inside = insideBetween(own, next, ownBeyond, nextBeyond);
    keepCellRow(BRICK_SIZE * z + y, inside);
    addCells(cut, y, cutCells(inside) & validCellsOfRow(slot, BRICK_SIZE * z + y, corner + uvec3(0, y, z)));
    own = ownBeyond;
    next = nextBeyond;
  }
  return cut;
}

// Packs three values of EDGE_PLACE, 8 bits each, into 7 bits each.
uint packedPlaces(uint places) { return (places & 0x7Fu) | (places >> 1 & 0x3F80u) | (places >> 2 & 0x1FC000u); }

// Lists the triangles of the cells of a layer; returns their number.
uint listCells(uvec2 cells, uint z)
{
  uint count = 0;
  do
  {
    const uint cell = firstCell(cells);
    const uint y = cell / BRICK_SIZE, x = cell % BRICK_SIZE;
    const uvec4 edges = caseTriangles[caseInRow(BRICK_SIZE * z + y, x)];
    const uint triangles = isEmpty(cells) ? 0 : edges.w >> 24;
    const uint places[5] = { edges.x, edges.x >> 24 | edges.y << 8, edges.y >> 16 | edges.z << 16, edges.z >> 8,
      edges.w };
    for (uint i = 0; i < 5; ++i)
      if (i < triangles)
        listed[LayerTriangles * z + count + i] = (BRICK_SAMPLES * z + y) << 24 | x << 21 | packedPlaces(places[i]);
    count += triangles;
    cells = withoutFirst(cells);
  } while (!isEmpty(cells));
  return count;
}

void emitTriangle(uint triangle, uint entry)
{
  const uint row = entry >> 24, x = entry >> 21 & 7u;
  const uint second = pointOfEdge(entry >> 7 & 0x7Fu, x, row);
  const uint third = pointOfEdge(entry >> 14 & 0x7Fu, x, row);
  pointId[3 * triangle] = pointOfEdge(entry & 0x7Fu, x, row);
  pointId[3 * triangle + 1] = isSet(SETTING_FLIP_WINDING) ? third : second;
  pointId[3 * triangle + 2] = isSet(SETTING_FLIP_WINDING) ? second : third;
}

uint firstOfLayer[BRICK_SIZE]; // number in the brick of each layer's first triangle

uint entryOf(uint index)
{
  uint layer = 0, first = 0;
  for (uint z = 1; z < BRICK_SIZE; ++z)
  {
    layer = index >= firstOfLayer[z] ? z : layer;
    first = index >= firstOfLayer[z] ? firstOfLayer[z] : first;
  }
  return listed[LayerTriangles * layer + index - first];
}

void emitLayers(uint firstTriangle, uvec3 corner)
{
  uint total = 0;
  for (uint z = 0; z < BRICK_SIZE; ++z)
  {
    firstOfLayer[z] = total;
    total += countOfLayer[z];
  }
  uint index = gl_LocalInvocationID.x;
  do
  {
    if (index < total)
      emitTriangle(firstTriangle + index, entryOf(index));
    index += BRICK_SIZE;
  } while (index < total);
  // A separate loop: a condition in the loop above would not save the stores.
  for (index = writes(BINDING_TRIANGLE_CELL) ? gl_LocalInvocationID.x : total; index < total; index += BRICK_SIZE)
  {
    const uint entry = entryOf(index);
    emitCell(firstTriangle + index, entry >> 24, entry >> 21 & 7u, corner);
  }
}

void emitBrick(uint slot)
{
  const uint invocation = gl_LocalInvocationID.x;
  const uint brick = activeBrick[slot];
  const uvec3 corner = brickCorner(brick);
  findSlot(invocation, brick, corner);
  barrier();
  loadRows(invocation);
  barrier();
  countOfLayer[invocation] = listCells(cutLayer(slot, invocation, corner), invocation);
  barrier();
  emitLayers(brickOffset[slab.activeCapacity + slot], corner);
}
