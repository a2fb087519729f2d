// The triangles of every marching-cubes case, derived from the faces of the cube.
#ifndef vmcCaseTable_h
#define vmcCaseTable_h

#include <array>
#include <cstdint>
#include <vector>

namespace vmc
{

// A crossed edge of the dual cell, numbered as in Shaders/Shared/Cell.h.
using CellEdge = std::uint8_t;
using CellTriangle = std::array<CellEdge, 3>;

// Triangles of a case: bit c of the case says that corner c is inside. At most 5; none for cases 0 and 255.
// Counterclockwise seen from outside, so that right-hand normals point from inside to outside.
//
// Provenance: nothing is tabulated. On each face of the cell the crossed edges are linked in pairs; a face with four
// crossings, two diagonal corners being inside, cuts each inside corner off by itself. That rule looks at the face
// alone, so two cells agree about the face they share and the surface has no cracks (the "face test" of G. M. Nielson
// and B. Hamann, "The asymptotic decider", 1991, decided always for separated inside corners). The links form closed
// loops, and a loop of k crossings is cut into a fan of k - 2 triangles. The fan starts at a crossing from which no
// diagonal joins two crossings of one face: such a diagonal would lie in the face, where the neighbour may have it too,
// and an edge of the mesh would be used by four triangles. Where that leaves a choice, the fan starts where the runs of
// inside corners around the faces grow by one corner: among the rules that look at the loop alone it is the one whose
// diagonals are most often those of vtkFlyingEdges3D. The topology is that of vtkFlyingEdges3D.
const std::vector<CellTriangle>& trianglesOfCase(unsigned cellCase);

// The same for the kernels: 15 edge numbers of 4 bits from the low end of two words, the number of triangles in the
// top 4 bits. Unused numbers are 0.
using PackedCase = std::array<std::uint32_t, 2>;
const std::array<PackedCase, 256>& packedCaseTable();

}

#endif
