// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Joins the meshes of consecutive layers of one volume.
#ifndef vmcJoinedMesh_h
#define vmcJoinedMesh_h

#include "Compute/Contour/Mesh.h"
#include "Compute/Contour/Outputs.h"
#include "Compute/Contour/Request.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace vmc
{

// Joins the meshes of consecutive layers of a volume, in host memory. Each one has the rows `outputs`, whose ids count
// within the mesh; triangles at the border to the next mesh refer to the first points of that one, as if they followed
// the own points of the isovalue. The arrays that depend on sizes alone are left to addCountedArrays. Functions throw
// Unsupported if there are too many points, OutOfHostMemory.
class JoinedMesh
{
public:
  // meshes: how many will be added, at least one. request: of the joined mesh; it and the blocks must outlive this
  // object.
  JoinedMesh(std::size_t meshes, const std::vector<Output>& outputs, const Request& request, HostMemoryPool& blocks);

  // Adds the mesh of the next layers. With one isovalue, its place is known, so it is copied at once; with several,
  // finish() copies all.
  void add(Mesh mesh);

  // Returns the joined mesh, after all have been added. Its blocks may have eight times the capacity that it needs.
  Mesh finish();

private:
  void join();
  void joinRow(const Output& output, Mesh& joined);
  HostBlock blockWithRoom(std::uint64_t sizeInBytes) const;

  const std::size_t Expected; // meshes
  std::size_t Added = 0;
  std::vector<Output> Outputs; // that have blocks
  const Request& JoinedRequest;
  HostMemoryPool& Blocks;
  std::vector<Mesh> Meshes; // that follow each other
};

// Throws Unsupported if a mesh of the isosurfaces has so many points that ids cannot name them.
void checkPointCount(std::size_t points);

}

#endif
