// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Marching cubes on the dual grids of volumes, on threads of the CPU.
#ifndef vmcExtractOnCpu_h
#define vmcExtractOnCpu_h

#include "Compute/Contour/Mesh.h"
#include "Compute/Contour/Request.h"
#include "Compute/Cpu/CpuState.h"
#include "Compute/Volume/Levels.h"
#include "Compute/Volume/Report.h"

#include <optional>
#include <vector>

namespace vmc
{

// Returns the mesh of each volume, see Session::extract, with the bricks, ids and order of the Vulkan kernels; or
// nothing if `progress` stopped the extraction. Samples are read in place. The bytes of the meshes do not depend on the
// number of threads. The memory limit of the request has no effect. Adds to the report. Throws Unsupported,
// OutOfHostMemory.
std::optional<std::vector<Mesh>> extractOnCpu(CpuState& state, const std::vector<Volume>& volumes,
  const Request& request, Report& report, const Progress& progress);

// Returns the mesh of each hierarchy of levels, over all of its levels: one point per pair of neighbouring leaves on
// different sides of the isovalue, named by the finer leaf, and no crack between levels. Order of points and triangles:
// isovalue, level, brick, row, cell. Gradients of doubles beyond 1e-240 and 1e270 are not rescaled.
std::optional<std::vector<Mesh>> extractOnCpu(CpuState& state, const std::vector<Levels>& hierarchies,
  const Request& request, Report& report, const Progress& progress);

}

#endif
