// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The output of an extraction in host memory.
#ifndef vmcMesh_h
#define vmcMesh_h

#include "Compute/Contour/OpenEdges.h"
#include "Compute/Contour/Request.h"
#include "Compute/Contour/SurfaceMeasures.h"
#include "Compute/Memory/HostMemoryPool.h"
#include "Compute/System/Parallel.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace vmc
{

class HostMemoryPool;

// Bounds of the lengths in a mesh: no coordinate of an edge of a triangle is larger in magnitude than `edge`, and none
// of a vector between two points is larger than `extent`.
struct MeshLengths
{
  double edge = 0, extent = 0;
};

// An indexed triangle mesh in world space. With shared points, each crossed edge of the grid has one point. Without,
// triangle t has the points 3t, 3t + 1 and 3t + 2. Triangles are counterclockwise seen from the side of lower values.
// Order of points and triangles: isovalue, brick, row, cell.
struct Mesh
{
  std::size_t pointCount = 0;
  std::size_t triangleCount = 0;
  HostBlock positions; // float[pointCount][3]
  // float[pointCount][3], or empty. If not empty, the position in double is origin + (positions + positionsLow).
  HostBlock positionsLow;
  std::array<double, 3> origin{ 0, 0, 0 }; // positions are relative to it; 0 unless Request::omitsOrigin()
  MeshLengths lengths;                     // of a surface on a device
  HostBlock normals;       // float[pointCount][3], unit length, towards lower values; empty if not requested
  HostBlock gradients;     // float[pointCount][3], towards higher values, per world unit; empty if not requested
  HostBlock triangleCells; // int64[triangleCount]: sample at the dual cell's minimum corner; empty if not requested
  // int32[triangleCount]: the number of the patch with the dual cell's first corner of its finest level; triangleCells
  // counts in this patch. Empty if not requested, and without levels.
  HostBlock trianglePatches;
  HostBlock triangles; // uint32[triangleCount][3], or int64 if the ids are wide
  // int32[triangleCount + 1], or int64 if the ids are wide: 0, 3, 6, ..., the index of each triangle in `triangles`;
  // empty if not requested.
  HostBlock offsets;
  bool hasWideIds = false;
  // float[pointCount]: the isovalue of the point minus the first isovalue of the request, as differences need fewer
  // digits; empty if not requested.
  HostBlock isovalues;
  // int32[pointCount], int32[triangleCount]: the number of the region, from 0 on; empty if not requested.
  HostBlock pointRegions, triangleRegions;
  std::vector<HostBlock> attributes;      // float[pointCount][components], one block per attribute of the volume
  std::vector<std::size_t> firstPoint;    // firstPoint[isovalue]; the last entry is pointCount
  std::vector<std::size_t> firstTriangle; // firstTriangle[isovalue]; the last entry is triangleCount
  // The ends of the edges that belong to one triangle alone: point ids, two per edge, in no particular order. Empty if
  // not requested. Edges at the seam to another piece are among them.
  std::vector<std::uint32_t> openEnds;
  std::vector<SurfaceMeasures> measures; // [isovalue]; empty if not requested
  OpenEdges openEdges;                   // empty if not requested
  HostBlock crossings;                   // EdgeCrossing[pointCount], until the open edges are named
};

// Returns whether every offset and every point id of a mesh fits signed 32 bits.
bool idsAreNarrow(std::size_t points, std::size_t triangles);

// Adds the arrays that depend on the sizes of the meshes alone: if requested, the offsets; if triangles share no
// points, the ids of their points; if requested, the isovalues of the points. Uses at most so many threads. Throws
// OutOfHostMemory.
void addCountedArrays(
  std::vector<Mesh>& meshes, const Request& request, HostMemoryPool& memory, unsigned threads = copyThreads());

}

#endif
