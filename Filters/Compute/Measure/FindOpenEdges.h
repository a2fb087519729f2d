// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Finds the open edges of a mesh from its triangles, and names their points.
#ifndef vmcFindOpenEdges_h
#define vmcFindOpenEdges_h

#include "Compute/Contour/Mesh.h"
#include "Compute/Contour/OpenEdges.h"
#include "Compute/Volume/LevelBricks.h"
#include "Compute/Volume/Volume.h"

#include <cstdint>
#include <vector>

namespace vmc
{

// Returns the open edges of a mesh with shared points, without names. isBetweenTwo: also the edges between two
// triangles whose points are points of open edges. others: 1 for further points that are listed, [point]; may be empty.
// The number of threads does not change the result.
OpenEdges findOpenEdges(
  const Mesh& mesh, unsigned threads, bool isBetweenTwo = false, const std::vector<std::uint8_t>& others = {});

// Sets Mesh::openEdges of the surface of a volume or of levels, from Mesh::crossings, which it releases.
void nameOpenEdges(const Volume& volume, unsigned threads, Mesh& mesh);
void nameOpenEdges(const std::vector<Volume>& volumes, unsigned threads, std::vector<Mesh>& meshes); // of all volumes
// bricks: of the levels.
void nameOpenEdges(const Levels& levels, const LevelBricks& bricks, unsigned threads, Mesh& mesh);

}

#endif
