// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Emits the triangles of a brick from the row words of the brick and of its neighbours. Reads no samples.
#ifndef vmcEmitTriangles_h
#define vmcEmitTriangles_h

#include "Compute/Cpu/BrickKernels.h"
#include "Compute/Cpu/Cases.h"

#include <algorithm>

namespace vmc::cpu
{

// The rows of a brick and of the first layer beyond it: row 9 * z + y.
struct RowsAround
{
  std::array<std::uint16_t, BRICK_SAMPLE_ROWS> low, high;    // halves of the row words; 0 in a brick without a slot
  std::array<std::uint16_t, BRICK_SAMPLE_ROWS> nextY, nextZ; // 1 << 8 if the edge at sample 8 is crossed, else 0
  std::array<std::uint32_t, 3 * IdsPerAxis> id; // [idIndex()]: of the points of crossed edges; others have no meaning
};

// [bits][i]: the number of ones below bit i.
inline constexpr auto OnesBelow = []
{
  std::array<std::array<std::uint8_t, 8>, 256> all{};
  for (std::uint32_t bits = 0; bits < all.size(); ++bits)
    for (std::uint32_t i = 1; i < 8; ++i)
      all[bits][i] = static_cast<std::uint8_t>(all[bits][i - 1] + (bits >> (i - 1) & 1u));
  return all;
}();

// Row words and points of a slot.
struct SlotRows
{
  const std::uint32_t* word;
  const std::uint16_t* points;
  std::uint32_t firstPoint;

  VMC_INLINE SlotRows(const ActiveBricks& active, std::uint32_t slot)
    : word(active.rowWord + std::size_t(slot) * BRICK_ROWS)
    , points(active.rowPoints + std::size_t(slot) * BRICK_ROWS)
    , firstPoint(active.points[slot])
  {
  }
};

// from: a row of the slot. to: its number in RowsAround. Sets the ids of all edges, crossed or not: a loop over the
// crossed ones alone would end in a mispredicted branch.
VMC_INLINE void loadRow(const SlotRows& slot, std::uint32_t from, std::uint32_t to, RowsAround& rows)
{
  const std::uint32_t word = slot.word[from];
  rows.low[to] = static_cast<std::uint16_t>(word);
  rows.high[to] = static_cast<std::uint16_t>(word >> 16);
  if ((word & 0xFFFFFFu) == 0)
    return;
  std::uint32_t point = slot.firstPoint + slot.points[from];
  for (std::uint32_t axis = 0; axis < 3; ++axis)
  {
    const std::uint32_t edges = word >> axis * BRICK_SIZE & 0xFFu;
    const auto& before = OnesBelow[edges];
    std::uint32_t* const id = rows.id.data() + idIndex(axis, to, 0);
    for (std::uint32_t x = 0; x < BRICK_SIZE; ++x)
      id[x] = point + before[x];
    point += bitCount(edges);
  }
}

// The same for a row of the next brick along x, of which only the edges that start at the first sample are used.
VMC_INLINE void loadNextRow(const SlotRows& slot, std::uint32_t from, std::uint32_t to, RowsAround& rows)
{
  const std::uint32_t word = slot.word[from];
  rows.nextY[to] = static_cast<std::uint16_t>((word >> ROW_SHIFT_Y & 1u) << BRICK_SIZE);
  rows.nextZ[to] = static_cast<std::uint16_t>((word >> ROW_SHIFT_Z & 1u) << BRICK_SIZE);
  if ((word & (1u << ROW_SHIFT_Y | 1u << ROW_SHIFT_Z)) == 0)
    return;
  for (const std::uint32_t axis : { 1u, 2u })
    rows.id[idIndex(axis, to, BRICK_SIZE)] =
      slot.firstPoint + slot.points[from] + bitCount(word & ((1u << axis * BRICK_SIZE) - 1));
}

// A place in the grid or a distance, along each axis.
using Steps = std::array<std::uint32_t, 3>;

// The slot of the brick that lies beside another one at the high sides whose offset is 1, or NO_SLOT. offset: 0 or 1
// brick along each axis. corner: of the other brick.
VMC_INLINE std::uint32_t slotBeside(
  const BrickPass& pass, std::uint32_t brick, const Steps& corner, const Steps& offset)
{
  for (std::size_t a = 0; a < 3; ++a)
    if (corner[a] + BRICK_SIZE * offset[a] >= pass.grid.axis[a].size)
      return NO_SLOT;
  const std::uint32_t bricksX = pass.grid.axis[0].bricks, bricksY = pass.grid.axis[1].bricks;
  return pass.active.slotOfBrick[brick + offset[0] + bricksX * (offset[1] + bricksY * offset[2])];
}

// Loads the rows of the brick at this offset. Beyond the brick, only the first layer is loaded.
VMC_INLINE void loadRowsOfSlot(const SlotRows& slot, const Steps& offset, RowsAround& rows)
{
  const std::uint32_t first = (BRICK_SAMPLES * offset[2] + offset[1]) * BRICK_SIZE;
  const std::uint32_t endY = offset[1] != 0 ? 1 : BRICK_SIZE, endZ = offset[2] != 0 ? 1 : BRICK_SIZE;
  for (std::uint32_t z = 0; z < endZ; ++z)
    for (std::uint32_t y = 0; y < endY; ++y)
      if (offset[0] == 0)
        loadRow(slot, BRICK_SIZE * z + y, first + BRICK_SAMPLES * z + y, rows);
      else
        loadNextRow(slot, BRICK_SIZE * z + y, first + BRICK_SAMPLES * z + y, rows);
}

// slotAt(offset): of the brick at this offset, 0 or 1 brick along each axis, or NO_SLOT.
template <class SlotAt>
VMC_INLINE void loadRows(const ActiveBricks& active, const SlotAt& slotAt, RowsAround& rows)
{
  rows.low.fill(0);
  rows.high.fill(0);
  rows.nextY.fill(0);
  rows.nextZ.fill(0);
  for (std::uint32_t side = 0; side < 8; ++side)
  {
    const Steps offset = { side & 1u, side >> 1 & 1u, side >> 2 };
    const std::uint32_t slot = slotAt(offset);
    if (slot != NO_SLOT)
      loadRowsOfSlot(SlotRows(active, slot), offset, rows);
  }
}

// The cells of layer z. The inside bits of a valid cell's corners follow from one sample and the crossed edges, even if
// a brick has no slot.
VMC_INLINE CellLayer cellsOfLayer(const RowsAround& rows, std::uint32_t z)
{
  const std::uint32_t row = BRICK_SAMPLES * z;
  const LayerOfRows low = loadLayer(rows.low.data() + row), high = loadLayer(rows.high.data() + row);
  const LayerOfRows eight = high >> 8;
  const LayerOfRows here = eight | ((eight >> (BRICK_SIZE - 1) ^ (low >> (BRICK_SIZE - 1))) & 1) << BRICK_SIZE;
  const auto edgesZ = [&](std::uint32_t first)
  { return (loadLayer(rows.high.data() + first) & 0xFF) | loadLayer(rows.nextZ.data() + first); };
  const LayerOfRows nextY = here ^ (low >> 8 | loadLayer(rows.nextY.data() + row));
  return CellLayer({ here, nextY, here ^ edgesZ(row), nextY ^ edgesZ(row + 1) });
}

// A brick whose triangles are emitted.
struct EmittedBrick
{
  const SurfacePass& pass;
  std::size_t slot;
  Steps size; // in cells
  const CaseTable& cases;
  const RowsAround& rows;
};

// The cells of half a layer that may have triangles, as in CellLayer::cut.
VMC_INLINE std::uint64_t validCells(const EmittedBrick& brick, std::uint32_t z, std::uint32_t half)
{
  const std::uint8_t* const validOfRow = brick.pass.active.validCells;
  std::uint64_t valid = 0;
  for (std::uint32_t i = 0; i < 4; ++i)
  {
    const std::uint32_t y = 4 * half + i;
    std::uint64_t row = y < brick.size[1] ? (1u << brick.size[0]) - 1 : 0;
    if (validOfRow)
      row &= validOfRow[brick.slot * BRICK_ROWS + BRICK_SIZE * z + y];
    valid |= row << 16 * i;
  }
  return valid;
}

// Triangles of a cell whose ids are always written, so that most cells need no branch.
constexpr std::size_t TrianglesAtOnce = 4;

// Writes the ids of a cell's triangles. Always writes at least 3 * TrianglesAtOnce ids; the next cell overwrites those
// beyond its triangles. id: that of the edge along x from the cell's minimum corner, in RowsAround::id.
VMC_INLINE void putTriangles(const CaseTriangles& triangles, const std::uint32_t* id, std::uint32_t* to)
{
  for (std::size_t i = 0; i < 3 * TrianglesAtOnce; ++i)
    to[i] = id[triangles.edge[i]];
  for (std::size_t i = 3 * TrianglesAtOnce; i < 3u * triangles.count; ++i)
    to[i] = id[triangles.edge[i]];
}

// The memory of the next triangle of a brick.
struct NextTriangle
{
  std::uint32_t* ids;
  std::int64_t* cell; // null: not requested
};

// at: of the cell, in the brick. numberOf(at): what triangles name the cell by.
template <class NumberOf>
VMC_INLINE void emitCell(const EmittedBrick& brick, const CaseTriangles& triangles, const Steps& at,
  const NumberOf& numberOf, NextTriangle& next)
{
  putTriangles(triangles, brick.rows.id.data() + idIndex(0, BRICK_SAMPLES * at[2] + at[1], at[0]), next.ids);
  next.ids += 3u * triangles.count;
  if (next.cell)
    next.cell = std::fill_n(next.cell, triangles.count, static_cast<std::int64_t>(numberOf(at)));
}

template <class NumberOf>
VMC_INLINE void emitLayer(const EmittedBrick& brick, std::uint32_t z, const NumberOf& numberOf, NextTriangle& next)
{
  const CellLayer cells = cellsOfLayer(brick.rows, z);
  for (std::uint32_t half = 0; half < 2; ++half)
    for (std::uint64_t bits = cells.cut[half] & validCells(brick, z, half); bits != 0; bits &= bits - 1)
    {
      const std::uint32_t bit = lowestBit(bits), x = bit % 16, y = 4 * half + bit / 16;
      emitCell(brick, brick.cases[cells.caseOf(x, y)], { x, y, z }, numberOf, next);
    }
}

// Writes the ids to the mesh. end: of the ids.
VMC_INLINE void storeTriangles(
  const MeshArrays& mesh, std::size_t first, const std::uint32_t* ids, const std::uint32_t* end)
{
  if (mesh.wideTriangles)
    std::copy(ids, end, mesh.wideTriangles + 3 * first);
  else
    std::copy(ids, end, mesh.triangles + 3 * first);
}

// Emits the triangles of the cells that their corners' rows describe. Returns their number.
template <class NumberOf>
VMC_INLINE std::size_t emitCells(const EmittedBrick& brick, const NumberOf& numberOf)
{
  const MeshArrays& mesh = brick.pass.mesh;
  const std::size_t first = brick.pass.active.triangles[brick.slot];
  std::array<std::uint32_t, 3 * (BRICK_MAX_TRIANGLES + TrianglesAtOnce)> ids;
  NextTriangle next{ ids.data(), mesh.triangleCells ? mesh.triangleCells + first : nullptr };
  for (std::uint32_t z = 0; z < brick.size[2]; ++z)
    emitLayer(brick, z, numberOf, next);
  storeTriangles(mesh, first, ids.data(), next.ids);
  return static_cast<std::size_t>(next.ids - ids.data()) / 3;
}

// rows: scratch memory, initialized.
VMC_INLINE void emitTriangles(const BrickPass& pass, std::size_t slot, RowsAround& rows)
{
  const std::uint32_t brick = pass.active.brick[slot];
  const Steps corner = pass.grid.cornerOf(brick);
  Steps size;
  for (std::size_t a = 0; a < 3; ++a)
    size[a] = std::min<std::uint32_t>(BRICK_SIZE, pass.grid.axis[a].size - 1 - corner[a]);
  loadRows(
    pass.active, [&](const Steps& offset) { return slotBeside(pass, brick, corner, offset); }, rows);
  emitCells({ pass, slot, size, caseTriangles(pass.toWorld.determinant() < 0), rows },
    [&](const Steps& at) { return pass.grid.sampleAt(corner[0] + at[0], corner[1] + at[1], corner[2] + at[2]); });
}

}

#endif
