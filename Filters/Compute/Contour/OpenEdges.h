// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The open edges of a mesh, with names by which the mesh of another piece recognizes them.
#ifndef vmcOpenEdges_h
#define vmcOpenEdges_h

#include <array>
#include <cstdint>
#include <vector>

namespace vmc
{

// The name of a point: the edge of the grid that it lies on, as several points may have one position. Of a volume: the
// axis and the grid position of the start, counted from the first sample, then zeros. Of levels: the level and the cell
// of both leaves, counted from the lattice point (0, 0, 0), the smaller one first. On the cap of a closed surface,
// points of one position may have one name.
using PointName = std::array<std::int32_t, 8>;

// The points of an edge: indices of OpenEdges::points, ascending.
using OpenEdge = std::array<std::uint32_t, 2>;

// The edges at which the surface may continue in another piece: all but those between two triangles. All points at
// which two pieces of a surface meet are points of such edges of both pieces, or are listed in addition.
struct OpenEdges
{
  std::vector<std::uint32_t> points; // ids, ascending
  std::vector<PointName> names;      // [point]
  std::vector<OpenEdge> edges;       // ascending, each as often as there are triangles with it; once: it is open
};

}

#endif
