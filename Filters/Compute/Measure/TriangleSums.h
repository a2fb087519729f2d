// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Sums over triangles, from which the measures of a surface follow.
#ifndef vmcTriangleSums_h
#define vmcTriangleSums_h

#include "Compute/Contour/Mesh.h"
#include "Compute/Contour/SurfaceMeasures.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace vmc
{

// The positions of a mesh, and the corners of its triangles, in one of the two types of ids.
struct TriangleArrays
{
  explicit TriangleArrays(const Mesh& mesh);

  const float* positions;         // [point][3]
  std::size_t points;             // the number of points
  bool isFollowed;                // 4 bytes of memory follow the positions
  const std::uint32_t* triangles; // [triangle][3]: point ids; null: they are wide
  const std::int64_t* wideTriangles;
};

// Sums over some triangles. Vectors and volumes are relative to `origin`.
struct TriangleSums
{
  std::size_t triangles = 0;
  Vector3 origin{ 0, 0, 0 };
  double area = 0;
  Vector3 moment{ 0, 0, 0 };     // the sum of area * (centroid - origin)
  Vector3 vectorArea{ 0, 0, 0 }; // the sum of area * unit normal; 0 for a closed surface
  double volume = 0;             // of the cones from the origin to the triangles

  // Adds the sums of other triangles. The origin stays. The order of additions changes the last bits.
  void add(const TriangleSums& other);
};

// Returns the sums of the triangles [begin, end), relative to the first corner. Equal arguments give equal bytes. The
// edges of a triangle are floats. For 128 triangles at a time, their first corners are floats relative to that of the
// first one, and so are their sums: see Accuracy.md.
TriangleSums sumTriangles(const TriangleArrays& arrays, std::size_t begin, std::size_t end);

// Returns the sums of the triangles [boundaries[i], boundaries[i + 1]) for each i, on so many threads.
std::vector<TriangleSums> sumRanges(
  const TriangleArrays& arrays, const std::vector<std::size_t>& boundaries, unsigned threads);

// Adds sums in their order, relative to the origin of the first one.
TriangleSums sumOf(const std::vector<TriangleSums>& parts);

// Returns the bounds of the points [begin, end). positions: [point][3].
Bounds boundsOf(const float* positions, std::size_t begin, std::size_t end);

}

#endif
