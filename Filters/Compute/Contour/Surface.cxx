// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Contour/Surface.h"

#include "Compute/Memory/HostMemoryPool.h"
#include "Compute/System/Parallel.h"

#include <algorithm>
#include <utility>

namespace vmc
{

Surface& Surface::operator=(Surface&& other) noexcept
{
  this->arrays = std::move(other.arrays);
  this->isovalues = std::move(other.isovalues);
  this->context = std::move(other.context);
  this->meshes = std::move(other.meshes);
  this->outputs = std::move(other.outputs);
  this->mergePoints = other.mergePoints;
  return *this;
}

HostBlock isovaluesOfPoints(const Mesh& mesh, const Request& request, HostMemoryPool& memory, unsigned threads)
{
  const std::vector<double>& isovalues = request.isovalues;
  HostBlock block = memory.acquire(mesh.pointCount * sizeof(float));
  auto* const values = reinterpret_cast<float*>(block.data());
  for (std::size_t i = 0; i < isovalues.size(); ++i)
  {
    float* const first = values + mesh.firstPoint[i];
    const auto difference = static_cast<float>(isovalues[i] - isovalues[0]);
    inParallel(
      mesh.firstPoint[i + 1] - mesh.firstPoint[i], sizeof(float),
      [=](std::size_t begin, std::size_t end) { std::fill(first + begin, first + end, difference); }, threads);
  }
  return block;
}

}
