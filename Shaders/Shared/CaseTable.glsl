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

// The word of triangle `number` of a case, from 0 on.
uint wordOfTriangle(uint cellCase, uint number) { return caseWord[CASE_WORDS * cellCase + number]; }

// Returns how many triangles the case has from this one on.
uint trianglesLeft(uint word) { return word >> CASE_TRIANGLES_SHIFT; }

uint caseTriangleCount(uint cellCase) { return trianglesLeft(wordOfTriangle(cellCase, 0)); }

// EDGE_PLACE of a corner (0 to 2) of the word's triangle.
uint edgePlace(uint word, uint corner)
{
  return word >> (CASE_EDGE_BITS * corner) & ((1u << CASE_EDGE_BITS) - 1);
}
