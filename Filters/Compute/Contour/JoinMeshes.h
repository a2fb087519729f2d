// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Joins the meshes of consecutive layers of one volume.
#ifndef vmcJoinMeshes_h
#define vmcJoinMeshes_h

#include "Compute/Contour/Mesh.h"
#include "Compute/Contour/Outputs.h"
#include "Compute/Contour/Request.h"

#include <vector>

namespace vmc
{

// Returns the mesh of the volume from those of its layers, at least one, in host memory. Each one has the rows
// `outputs`, whose ids count within the mesh and are wide only if they must be; triangles at the border to the next
// mesh refer to the first points of that one, as if they followed the own points of the isovalue. The arrays that
// depend on sizes alone are left to addCountedArrays. Needs the memory of the result beside that of the meshes: then
// the pool keeps enough for the next call. Throws Unsupported if there are too many points, OutOfHostMemory.
Mesh joinMeshes(
  std::vector<Mesh> meshes, const std::vector<Output>& outputs, const Request& request, HostMemoryPool& blocks);

// Throws Unsupported if a mesh of the isosurfaces has so many points that ids cannot name them.
void checkPointCount(std::size_t points);

}

#endif
