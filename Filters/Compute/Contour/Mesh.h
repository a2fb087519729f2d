// The output of an extraction.
#ifndef vmcMesh_h
#define vmcMesh_h

#include "Compute/Memory/HostBlock.h"

#include <array>
#include <cstddef>
#include <vector>

namespace vmc
{

// An indexed triangle mesh in world space. With shared points every edge of the grid that the surface crosses is one
// point; without, each triangle has three points of its own and triangle t has the ids 3t, 3t + 1, 3t + 2.
// Triangles are counterclockwise seen from the side of lower values. Order: isovalue, brick, row, cell.
struct Mesh
{
  std::size_t pointCount = 0;
  std::size_t triangleCount = 0;
  HostBlock positions; // float[pointCount][3]
  // float[pointCount][3], or empty. Where it is there, the position in double is origin + (positions + positionsLow),
  // and positions alone are relative to the origin.
  HostBlock positionsLow;
  std::array<double, 3> origin{ 0, 0, 0 };
  HostBlock normals;       // float[pointCount][3], unit length, towards lower values; empty if not asked for
  HostBlock gradients;     // float[pointCount][3], towards higher values, per world unit; empty if not asked for
  HostBlock triangleCells; // int64[triangleCount]: the sample at the dual cell's minimum corner; empty if not asked for
  HostBlock triangles;     // uint32[triangleCount][3]
  // int32[triangleCount + 1]: where each triangle begins in `triangles`; empty where 32 bits do not hold every id, and
  // of a part of a mesh that has several.
  HostBlock offsets;
  std::vector<HostBlock> attributes;   // float[pointCount][components], one block for each attribute of the volume
  std::vector<std::size_t> firstPoint; // firstPoint[isovalue]: where its points begin; one more entry at the end
};

}

#endif
