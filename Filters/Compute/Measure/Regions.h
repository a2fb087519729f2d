// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The regions of a surface: its connected pieces.
#ifndef vmcRegions_h
#define vmcRegions_h

#include "Compute/Contour/Mesh.h"
#include "Compute/Memory/HostMemoryPool.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace vmc
{

// The regions of a mesh with shared points. Two triangles are in one region if they share a point, directly or through
// other triangles. Regions are numbered in the order of their smallest point ids, so that those of an isovalue are
// consecutive.
struct MeshRegions
{
  HostBlock ofPoint;                    // uint32[point]: the number of the region
  std::vector<std::uint32_t> triangles; // [region]: the number of its triangles
  std::vector<std::size_t> firstRegion; // [isovalue]; the last entry is the number of regions

  std::size_t count() const { return this->triangles.size(); }
  const std::uint32_t* regionOfPoint() const { return reinterpret_cast<const std::uint32_t*>(this->ofPoint.data()); }
};

// Finds the regions with union-find on the points, on so many threads. Their number does not change the result. Throws
// OutOfHostMemory.
MeshRegions findRegions(const Mesh& mesh, HostMemoryPool& memory, unsigned threads);

}

#endif
