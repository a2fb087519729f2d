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
// loops, and a loop of k crossings is cut into k - 2 triangles, without a diagonal that joins two crossings of one
// face: such a diagonal would lie in the face, where the neighbour may have it too, and an edge of the mesh would be
// used by four triangles. The topology is that of vtkFlyingEdges3D.
//
// Which of the diagonals that are left does not matter to the topology, but to area and volume: fans from anywhere gave
// areas 0.1 to 0.2 % below those of vtkFlyingEdges3D. Written as the runs of inside corners that a loop goes around,
// face by face, loops fall into few patterns, and these rules give FlyingEdges' diagonals in all patterns without a
// face of four crossings, so that area and volume agree within 1e-4 on real volumes:
// - a hexagon around three different runs, twice, is cut around the triangle of every other crossing;
// - a hexagon around runs of one and three corners in turns is cut into a strip;
// - any other loop is a fan from a crossing between two runs of three corners, if there is one, else from one where the
//   runs grow by one corner, else from any.
// Where a pattern's symmetry leaves two mirror images, one diagonal of the cell is the reference that decides.
const std::vector<CellTriangle>& trianglesOfCase(unsigned cellCase);

// The same for the kernels: 15 edges of 8 bits (EDGE_PLACE) from the low end of four words a case, unused ones being 0,
// and the number of triangles in the top 8 bits. Behind all cases these numbers once more, 4 bits a case from the low
// end of the first word.
using PackedCase = std::array<std::uint32_t, 4>;
using PackedCaseTable = std::array<PackedCase, 256 + 8>;
const PackedCaseTable& packedCaseTable();

}

#endif
