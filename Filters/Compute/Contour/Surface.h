// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The isosurfaces of a list of volumes.
#ifndef vmcSurface_h
#define vmcSurface_h

#include "Compute/Contour/Mesh.h"
#include "Compute/Contour/OutputArray.h"
#include "Compute/Contour/Outputs.h"
#include "Compute/Contour/Request.h"
#include "Compute/System/Parallel.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace vmc
{

class Context;
class HostMemoryPool;

// The output of an extraction, in host memory or on a device. It owns its memory: no later extraction writes to it. On
// a device, it keeps the device open.
struct Surface
{
  Surface() = default;
  Surface(Surface&&) = default;
  Surface& operator=(Surface&& other) noexcept; // releases the arrays before the device
  ~Surface() = default;

  std::shared_ptr<Context> context; // of the arrays on the device; null: the surface is in host memory
  std::vector<Mesh> meshes;         // [volume]; point ids count per volume. On a device, without arrays
  std::vector<Output> outputs;      // on a device: the rows of `arrays`
  // On a device: arrays[row], with the elements of the first volume, then those of the next one. Has no memory where
  // the row is not an output, or without elements.
  std::vector<OutputArray> arrays;
  OutputArray isovalues; // on a device: see Mesh::isovalues

  bool isOnDevice() const { return this->context != nullptr; }
};

// Whether every offset and every point id of a mesh fits signed 32 bits.
bool idsAreNarrow(std::size_t points, std::size_t triangles);

// Adds the arrays that depend on the sizes of the meshes alone: the offsets; if triangles share no points, the ids of
// their points; if requested, the isovalues of the points. Uses at most so many threads. Throws OutOfMemory.
void addCountedArrays(
  std::vector<Mesh>& meshes, const Request& request, HostMemoryPool& memory, unsigned threads = copyThreads());

}

#endif
