// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The triangles of all marching-cubes cases, derived from the faces of the cell.
#ifndef vmcCaseTable_h
#define vmcCaseTable_h

#include "Shared/Constants.h"
#include <array>
#include <cstdint>
#include <vector>

namespace vmc
{

// A crossed edge of the dual cell, numbered as in Shaders/Shared/Cell.h.
using CellEdge = std::uint8_t;
using CellTriangle = std::array<CellEdge, 3>;

// The triangles of a case, at most 5; none for cases 0 and 255. Bit c of the case is 1 if corner c is inside. Triangles
// are counterclockwise seen from outside, so right-hand normals point from inside to outside.
//
// Provenance: no published table is copied. On each face of the cell the crossed edges are linked in pairs. If a face
// has four crossings, each of its two inside corners is cut off separately. This rule depends on the face alone, so two
// cells agree on their common face and the surface has no cracks. (It is the "face test" of G. M. Nielson and B.
// Hamann, "The asymptotic decider", 1991, always decided for separated inside corners.) The links form closed loops. A
// loop of k crossings is cut into k - 2 triangles. No diagonal joins two crossings of one face: the neighbouring cell
// could have the same diagonal, and four triangles would share an edge. The topology is that of vtkFlyingEdges3D.
//
// The choice among the remaining diagonals affects area and volume: arbitrary fans gave areas 0.1 to 0.2 % below those
// of vtkFlyingEdges3D. A loop is described by the lengths of its runs of inside corners, face by face. These rules give
// the diagonals of vtkFlyingEdges3D for all loops without a face of four crossings; area and volume agree within 1e-4
// on real volumes:
// - a hexagon with three different run lengths, repeated twice, is cut around the triangle of every other crossing;
// - a hexagon with alternating runs of one and three corners is cut into a strip;
// - any other loop is a fan. It starts at a crossing between two runs of three corners, else at one where the run
// length
//   grows by one, else at any crossing.
// Where symmetry leaves two mirror images, one diagonal of the cell decides.
const std::vector<CellTriangle>& trianglesOfCase(unsigned cellCase);

// The table for the kernels; CASE_WORDS (Shared/Constants.h) says what the words are.
using PackedCase = std::array<std::uint32_t, CASE_WORDS>;
using PackedCaseTable = std::array<PackedCase, CASE_COUNT>;
const PackedCaseTable& packedCaseTable();

}

#endif
