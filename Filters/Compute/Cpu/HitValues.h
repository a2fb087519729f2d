// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Values of an attribute where rays hit.
#ifndef vmcHitValues_h
#define vmcHitValues_h

#include "Compute/Memory/HostMemoryPool.h"
#include "Compute/Rays/RayPicture.h"
#include "Compute/Rays/RayRequest.h"
#include "Compute/Volume/Volume.h"

namespace vmc
{

// Returns float[pixel][component]: the attribute between the samples around each hit, 0 without a hit. picture: of any
// engine, from the camera and the volume. Uses at most so many threads; 0: all processors. Throws Unsupported as
// Session::cast does, OutOfMemory.
HostBlock valuesAtHits(const RayPicture& picture, const RayCamera& camera, const Volume& volume,
  const Attribute& attribute, HostMemoryPool& memory, unsigned threads);

}

#endif
