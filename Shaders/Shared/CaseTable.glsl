// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Case of a dual cell, from the inside bits of its four rows of samples, and the triangles of the case.
#include "Shared/Bindings.h"
#include "Shared/Constants.h"
#include "Shared/CellRow.glsl"

layout(std430, binding = BINDING_CASE_TABLE) readonly buffer CaseTable { uint caseWord[]; };

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
