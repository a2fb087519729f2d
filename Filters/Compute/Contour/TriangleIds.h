// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The ids that describe triangles: those of their points, and the offsets of triangles in the list of these. All have
// 32 bits, or all have 64: they are wide.
#ifndef vmcTriangleIds_h
#define vmcTriangleIds_h

#include "Compute/Memory/HostBlock.h"
#include "Compute/System/Parallel.h"

#include <cstddef>
#include <cstdint>

namespace vmc
{

class HostMemoryPool;
struct Mesh;

// Returns whether every offset and every point id of a mesh fits signed 32 bits.
bool idsAreNarrow(std::size_t points, std::size_t triangles);

// Each function writes by at most so many threads.

// Returns the offsets 0, 3, 6, ...: int32[triangles + 1], or int64 if isWide. Each mesh has its own, as its receiver
// may write into them. Throws OutOfMemory.
HostBlock triangleOffsets(HostMemoryPool& memory, std::size_t triangles, bool isWide, unsigned threads = copyThreads());

// Returns the ids 0, 1, 2, ...: uint32[count], or int64 if isWide. Throws OutOfMemory.
HostBlock countUp(HostMemoryPool& memory, std::size_t count, bool isWide, unsigned threads = copyThreads());

// Adds the offsets to a mesh on the host and, if its triangles share no points, the point ids. Throws OutOfMemory.
void addIds(Mesh& mesh, bool mergePoints, HostMemoryPool& memory, unsigned threads = copyThreads());

// Writes `first` plus each of the numbers, uint32[count], to int64[count].
void widen(
  const std::byte* numbers, std::size_t count, std::int64_t first, std::byte* wide, unsigned threads = copyThreads());

}

#endif
