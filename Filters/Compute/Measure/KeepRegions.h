// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Removes regions from a mesh.
#ifndef vmcKeepRegions_h
#define vmcKeepRegions_h

#include "Compute/Contour/Mesh.h"
#include "Compute/Contour/Outputs.h"
#include "Compute/Measure/Regions.h"
#include "Compute/Memory/HostMemoryPool.h"

#include <cstdint>
#include <vector>

namespace vmc
{

// Removes the points and triangles of all regions for which isKept[region] is 0 from the mesh, and if withNumbers is
// set, their points from MeshRegions::ofPoint. The others keep their order. wideIds: makes Mesh::hasWideIds. outputs:
// the arrays of the mesh, which shares points and has no offsets. The number of threads does not change the result.
// Throws OutOfHostMemory; then the mesh is of no use.
void keepRegions(Mesh& mesh, MeshRegions& regions, const std::vector<std::uint8_t>& isKept, bool wideIds,
  bool withNumbers, const std::vector<Output>& outputs, HostMemoryPool& memory, unsigned threads);

}

#endif
