// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Oracles that need nothing but the mesh of a volume. They throw Mismatch.
#ifndef vmcTortureSoundChecks_h
#define vmcTortureSoundChecks_h

#include "Compute/Contour/Mesh.h"
#include "Input.h"

namespace vmc::torture
{

// Checks sizes, ids, offsets, finite positions, unit normals, and the edges of a surface that shares points.
void checkSound(const VolumeInput& input, const Request& request, const Mesh& mesh);

// Compares measures with sums over the triangles.
void checkMeasures(const Request& request, const Mesh& mesh);

}

#endif
