// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Contour/MeshBuilder.h"

#include "Compute/Contour/TriangleIds.h"

#include <cstring>
#include <utility>

namespace vmc
{

void MeshBuilder::add(Mesh part)
{
  this->Points += part.pointCount;
  this->Triangles += part.triangleCount;
  this->Parts.push_back(std::move(part));
}

// Concatenates the blocks of all parts and releases each after its copy. A single block that is not widened is moved.
HostBlock MeshBuilder::join(const Output& output, bool isWidened)
{
  if (this->Parts.size() == 1 && !isWidened)
    return std::move(*blockOf(this->Parts.front(), output));
  std::size_t size = 0;
  for (Mesh& part : this->Parts)
    size += blockOf(part, output)->size();
  const std::size_t growth = isWidened ? 2 : 1;
  HostBlock whole = this->Memory->acquire(growth * size);
  std::size_t at = 0;
  for (Mesh& part : this->Parts)
  {
    HostBlock& block = *blockOf(part, output);
    if (isWidened)
      widen(block.data(), block.size() / sizeof(std::uint32_t), 0, whole.data() + at);
    else if (block.size() != 0)
      std::memcpy(whole.data() + at, block.data(), block.size());
    at += growth * block.size();
    block = HostBlock();
  }
  return whole;
}

Mesh MeshBuilder::finish(const std::vector<Output>& outputs, bool mergePoints, bool wideIds)
{
  Mesh mesh;
  mesh.pointCount = this->Points;
  mesh.triangleCount = this->Triangles;
  mesh.firstPoint = std::move(this->FirstPoint);
  if (this->Parts.empty())
    return mesh;
  Mesh& first = this->Parts.front();
  mesh.attributes.resize(first.attributes.size());
  mesh.hasWideIds = wideIds || !idsAreNarrow(this->Points, this->Triangles);
  const bool isWidened = mesh.hasWideIds && !first.hasWideIds;
  if (this->Parts.size() == 1) // offsets of parts cannot be concatenated
    mesh.offsets = std::move(first.offsets);
  for (const Output& output : outputs)
    if (output.isDownloaded(mergePoints))
      *blockOf(mesh, output) = this->join(output, isWidened && output.isPointIds());
  if (!mergePoints)
    mesh.triangles = countUp(*this->Memory, 3 * this->Triangles, mesh.hasWideIds);
  if (mesh.triangles.size() != 0 && mesh.offsets.size() == 0)
    mesh.offsets = triangleOffsets(*this->Memory, this->Triangles, mesh.hasWideIds);
  return mesh;
}

}
