// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The values of the vertices of a surface, as skimage returns them.
#ifndef vmcVertexValues_h
#define vmcVertexValues_h

#include "Compute/Contour/Mesh.h"
#include "Compute/Memory/HostMemoryPool.h"
#include "Compute/Volume/Volume.h"

namespace vmc::python
{

// Returns float[vertex]: the larger of the two samples beside each vertex, or the sample that is nearer than 1e-4 steps
// or than float rounds the position by. mesh: of the volume, whose steps lie along the axes of the world. threads: 0:
// all. Throws OutOfHostMemory.
HostBlock valuesOfVertices(const Mesh& mesh, const Volume& volume, HostMemoryPool& memory, unsigned threads);

}

#endif
