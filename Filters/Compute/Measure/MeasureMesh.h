// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Measures the surfaces of a mesh in host memory.
#ifndef vmcMeasureMesh_h
#define vmcMeasureMesh_h

#include "Compute/Contour/Mesh.h"
#include "Compute/Contour/Surface.h"
#include "Compute/Measure/TriangleSums.h"

#include <cstdint>
#include <vector>

namespace vmc
{

// Returns the measures of triangles with these sums and bounds, without open edges. meshOrigin: see Mesh::origin.
SurfaceMeasures measuresOf(const TriangleSums& sums, const Bounds& bounds, const Vector3& meshOrigin);

// Sets Mesh::measures of a mesh with shared points. Reads Mesh::openEnds. The number of threads does not change the
// result.
void measureMesh(Mesh& mesh, unsigned threads);

// Sets SurfaceMeasures::openEdges of all isovalues from Mesh::openEnds.
void countOpenEdges(Mesh& mesh);

// Returns Mesh::openEnds of a mesh with shared points, from its triangles alone: in the order of point ids, each id as
// often as it is an end.
std::vector<std::uint32_t> findOpenEnds(const Mesh& mesh, unsigned threads);
// Returns the same from its open edges.
std::vector<std::uint32_t> endsOf(const OpenEdges& open);

// Finds the open edges of a surface in host memory, if they are requested.
void findOpenEnds(Surface& surface, const Request& request);
// The same, and measures it if that is requested.
void measureSurface(Surface& surface, const Request& request, StageTimes& times);

}

#endif
