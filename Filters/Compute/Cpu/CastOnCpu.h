// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Pictures of isosurfaces by rays, on threads of the CPU.
#ifndef vmcCastOnCpu_h
#define vmcCastOnCpu_h

#include "Compute/Cpu/CpuState.h"
#include "Compute/Rays/RayPicture.h"
#include "Compute/Rays/RayRequest.h"
#include "Compute/Volume/Report.h"

namespace vmc
{

// Returns the picture that the request describes, see Session::cast. Rays walk as in the kernel CastRays, in double.
// Samples are read in place. The hits do not depend on the number of threads. The memory limit of the request has no
// effect. Adds to the report. Throws Unsupported, OutOfHostMemory.
RayPicture castOnCpu(CpuState& state, const Volume& volume, const RayRequest& request, Report& report);

// Returns float[pixel][component]: the attribute between the samples around each hit, 0 without a hit. picture: of any
// engine, from the camera and the volume. Uses at most so many threads; 0: all processors. Throws Unsupported as
// Session::cast does, OutOfMemory.
HostBlock valuesAtHits(const RayPicture& picture, const RayCamera& camera, const Volume& volume,
  const Attribute& attribute, HostMemoryPool& memory, unsigned threads);

}

#endif
