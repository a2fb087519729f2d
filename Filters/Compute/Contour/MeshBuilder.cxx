// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Contour/MeshBuilder.h"

#include "Compute/Contour/TriangleOffsets.h"

#include <cstring>
#include <numeric>
#include <utility>

namespace vmc
{

void MeshBuilder::add(Mesh part)
{
  this->Points += part.pointCount;
  this->Triangles += part.triangleCount;
  this->Parts.push_back(std::move(part));
}

// Concatenates the blocks of all parts and releases each after its copy. A single block is moved.
HostBlock MeshBuilder::join(const Output& output)
{
  if (this->Parts.size() == 1)
    return std::move(*blockOf(this->Parts.front(), output));
  std::size_t size = 0;
  for (Mesh& part : this->Parts)
    size += blockOf(part, output)->size();
  HostBlock whole = this->Memory->acquire(size);
  std::size_t at = 0;
  for (Mesh& part : this->Parts)
  {
    HostBlock& block = *blockOf(part, output);
    if (block.size() != 0)
      std::memcpy(whole.data() + at, block.data(), block.size());
    at += block.size();
    block = HostBlock();
  }
  return whole;
}

HostBlock countUp(HostMemoryPool& memory, std::size_t count, unsigned threads)
{
  HostBlock block = memory.acquire(count * sizeof(std::uint32_t));
  auto* const ids = reinterpret_cast<std::uint32_t*>(block.data());
  inParallel(
    count, sizeof(std::uint32_t),
    [=](std::size_t begin, std::size_t end) { std::iota(ids + begin, ids + end, static_cast<std::uint32_t>(begin)); },
    threads);
  return block;
}

// Returns the offsets of a single part if it has them, else new ones. Offsets of parts cannot be concatenated.
HostBlock MeshBuilder::offsets()
{
  if (this->Parts.size() == 1 && this->Parts.front().offsets.size() != 0)
    return std::move(this->Parts.front().offsets);
  return idsAreNarrow(this->Points, this->Triangles) ? triangleOffsets<std::int32_t>(*this->Memory, this->Triangles)
                                                     : HostBlock();
}

Mesh MeshBuilder::finish(const std::vector<Output>& outputs, bool mergePoints)
{
  Mesh mesh;
  mesh.pointCount = this->Points;
  mesh.triangleCount = this->Triangles;
  mesh.firstPoint = std::move(this->FirstPoint);
  if (this->Parts.empty())
    return mesh;
  mesh.attributes.resize(this->Parts.front().attributes.size());
  for (const Output& output : outputs)
    if (output.isDownloaded(mergePoints))
      *blockOf(mesh, output) = this->join(output);
  if (!mergePoints)
    mesh.triangles = countUp(*this->Memory, 3 * this->Triangles);
  if (mesh.triangles.size() != 0)
    mesh.offsets = this->offsets();
  return mesh;
}

}
