// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Joins the parts of a mesh.
#ifndef vmcMeshBuilder_h
#define vmcMeshBuilder_h

#include "Compute/Contour/Mesh.h"
#include "Compute/Contour/Outputs.h"
#include "Compute/Memory/HostMemoryPool.h"

#include <vector>

namespace vmc
{

// Collects the parts that slabs and isovalues make and joins their arrays.
class MeshBuilder
{
public:
  // memory: supplies joined arrays; must outlive the builder.
  explicit MeshBuilder(HostMemoryPool& memory)
    : Memory(&memory)
  {
  }

  // Adds the next part in order. Its triangles contain point ids of the whole mesh.
  void add(Mesh part);
  void endIsovalue() { this->FirstPoint.push_back(this->Points); }

  // Returns the whole mesh with these outputs. A single part is not copied, except ids that become wide. Without
  // mergePoints, triangles get the ids 0, 1, 2, ... wideIds: as in the request. Throws OutOfMemory.
  Mesh finish(const std::vector<Output>& outputs, bool mergePoints, bool wideIds);

private:
  HostBlock join(const Output& output, bool isWidened);

  HostMemoryPool* Memory;
  std::vector<Mesh> Parts;
  std::vector<std::size_t> FirstPoint{ 0 };
  std::size_t Points = 0;
  std::size_t Triangles = 0;
};

}

#endif
