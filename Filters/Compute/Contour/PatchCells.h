// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The cells of patches that triangles lie in.
#ifndef vmcPatchCells_h
#define vmcPatchCells_h

#include "Compute/Contour/Mesh.h"
#include "Compute/Volume/LevelBricks.h"
#include "Compute/Volume/Levels.h"

namespace vmc
{

class HostMemoryPool;

// Replaces the numbers of the samples in Mesh::triangleCells, among those of all levels, by the cells of the patches,
// and sets Mesh::trianglePatches. Uses at most so many threads. Throws OutOfHostMemory.
void namePatchCells(
  const Levels& levels, const LevelBricks& bricks, HostMemoryPool& memory, unsigned threads, Mesh& mesh);

}

#endif
