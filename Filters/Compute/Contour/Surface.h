// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The isosurfaces of a list of volumes.
#ifndef vmcSurface_h
#define vmcSurface_h

#include "Compute/Contour/Mesh.h"
#include "Compute/Contour/OutputArray.h"
#include "Compute/Contour/Outputs.h"
#include "Compute/Contour/Request.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace vmc
{

class Context;

// The output of an extraction, in host memory or on a device. It owns its memory: no later extraction writes to it. On
// a device, it keeps the device open.
struct Surface
{
  Surface() = default;
  Surface(Surface&&) = default;
  Surface& operator=(Surface&& other) noexcept // releases the arrays before the device
  {
    this->arrays = std::move(other.arrays);
    this->isovalues = std::move(other.isovalues);
    this->context = std::move(other.context);
    this->meshes = std::move(other.meshes);
    this->outputs = std::move(other.outputs);
    return *this;
  }
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

// A surface in host memory; nothing without meshes.
inline std::optional<Surface> onHost(std::optional<std::vector<Mesh>> meshes)
{
  std::optional<Surface> surface;
  if (meshes)
    surface.emplace().meshes = std::move(*meshes);
  return surface;
}

}

#endif
