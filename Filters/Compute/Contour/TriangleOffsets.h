// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The offsets of triangles in a list of point ids: 0, 3, 6, ...
#ifndef vmcTriangleOffsets_h
#define vmcTriangleOffsets_h

#include "Compute/Memory/HostBlock.h"
#include "Compute/System/Parallel.h"

#include <cstddef>

namespace vmc
{

class HostMemoryPool;

// Whether every offset and every point id of a mesh fits signed 32 bits.
bool idsAreNarrow(std::size_t points, std::size_t triangles);

// Returns Value[triangles + 1] in memory of `blocks`, written by at most so many threads. Value is std::int32_t or
// std::int64_t and must be able to hold 3 * triangles. Throws OutOfMemory.
template <class Value>
HostBlock triangleOffsets(HostMemoryPool& blocks, std::size_t triangles, unsigned threads = copyThreads());

}

#endif
