// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Completes meshes after their regions have been found and chosen.
#ifndef vmcFinishMesh_h
#define vmcFinishMesh_h

#include "Compute/Contour/Mesh.h"
#include "Compute/Contour/Outputs.h"
#include "Compute/Measure/Regions.h"
#include "Compute/Memory/HostMemoryPool.h"

#include <cstdint>
#include <vector>

namespace vmc
{

// The regions that remain, and the number that each of them gets: [region].
struct ChosenRegions
{
  std::vector<std::uint8_t> isKept;
  std::vector<std::int32_t> rank;
};

// Turns the mesh of Request::unfinished() into the mesh of the request: removes regions, measures what remains, adds
// the numbers of regions, and brings points and ids to their final form. outputs: those of the unfinished request.
// Throws OutOfHostMemory; then the mesh is of no use.
void finishMesh(Mesh& mesh, MeshRegions regions, const ChosenRegions& chosen, const std::vector<Output>& outputs,
  const Request& request, HostMemoryPool& memory, unsigned threads);

}

#endif
