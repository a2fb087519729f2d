// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Meshes whose triangles share no points.
#ifndef vmcRepeatedCorners_h
#define vmcRepeatedCorners_h

#include "Compute/Contour/Mesh.h"
#include "Compute/Contour/Outputs.h"
#include "Compute/Memory/HostMemoryPool.h"

#include <vector>

namespace vmc
{

// A mesh in host memory and the rows of its arrays.
struct MeshOutputs
{
  Mesh* mesh;
  const std::vector<Output>* outputs;
};

// Returns whether the ids of the mesh, as the request has it, need 64 bits.
bool needsWideIds(const Mesh& mesh, const Request& request);

// Gives each triangle points of its own, on so many threads. The meshes have shared points with narrow ids; their ids
// are of no use afterwards, and addCountedArrays writes others. Throws OutOfHostMemory.
void repeatCorners(
  const std::vector<MeshOutputs>& meshes, const Request& request, HostMemoryPool& memory, unsigned threads);

}

#endif
