// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Case of a dual cell, from the inside bits of its four rows of samples, and the triangles of the case.
#include "Shared/Bindings.h"
#include "Shared/Constants.h"

layout(std430, binding = BINDING_CASE_TABLE) readonly buffer CaseTable { uint caseWord[]; };

// Inside bits of the four rows of samples around a row of cells along x. Cell x lies between bits x and x + 1.
struct CellRow
{
  uint low;  // samples at z: those at y in the low half, those at y + 1 in the high half
  uint high; // samples at z + 1, in the same order
};

CellRow cellRow(uint here, uint nextY, uint nextZ, uint nextYZ)
{
  return CellRow(here | nextY << 16, nextZ | nextYZ << 16);
}

// Cells of the row whose corners are not all on one side, one bit per cell. Only these have triangles.
uint cutCells(CellRow row)
{
  const uint someY = row.low | row.high, allY = row.low & row.high;
  const uint some = someY | someY >> 16, all = allY & allY >> 16;
  return (some | some >> 1) & ~(all & all >> 1);
}

uint caseOfCell(uint x, CellRow row)
{
  const uint bits = (row.low >> x & 0x30003u) | (row.high >> x & 0x30003u) << 4;
  return (bits | bits >> 14) & 0xFFu;
}

uint caseTriangleCount(uint cellCase)
{
  return caseWord[CASE_COUNTS_WORD + cellCase / 8] >> (4 * (cellCase % 8)) & 15u;
}

// EDGE_PLACE of a corner (0 to 14) of the case's triangle list.
uint caseEdge(uint cellCase, uint corner)
{
  return caseWord[CASE_WORDS * cellCase + corner / 4] >> (8 * (corner % 4)) & 0xFFu;
}
