// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Joins the regions of the pieces of a surface.
#ifndef vmcJoinRegions_h
#define vmcJoinRegions_h

#include "Compute/Contour/OpenEdges.h"
#include "Compute/Measure/RegionTable.h"
#include "Compute/Measure/Regions.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace vmc
{

// The surface and the isovalue of a point, and its name in it.
using SeamName = std::array<std::int32_t, std::tuple_size<PointName>::value + 2>;

// A point of an open edge.
struct SeamPoint
{
  SeamName name;
  std::uint32_t region; // of the piece
};

// The regions of a piece, with the open edges by which they touch those of other pieces.
struct PieceRegions
{
  std::vector<SurfaceRegion> regions; // without the open edges below
  std::vector<SeamPoint> points;
  std::vector<OpenEdge> edges; // indices of points

  // Adds the open edges of a mesh whose first region is number `firstRegion`. surface: its number, which the pieces
  // have in common. origin: the first sample of a volume, counted from one that the pieces have in common.
  void add(const Mesh& mesh, const MeshRegions& ofMesh, std::size_t firstRegion, int surface,
    const std::array<int, 3>& origin);
};

// The regions of all pieces.
struct JoinedRegions
{
  std::vector<SurfaceRegion> regions;
  std::vector<std::vector<std::uint32_t>> numberOf; // [piece][region of the piece]: index in `regions`
};

// Joins regions with a point in common. They are numbered in the order of the pieces and of the regions of a piece. An
// edge of two pieces is not open. Sums are added in this order, too: so equal pieces give equal bytes.
JoinedRegions joinRegions(const std::vector<PieceRegions>& pieces);

// The measures of some regions together.
SurfaceMeasures measuresOf(const std::vector<const SurfaceRegion*>& regions);

}

#endif
