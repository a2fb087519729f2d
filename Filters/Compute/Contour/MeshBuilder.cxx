#include "Compute/Contour/MeshBuilder.h"

#include "Compute/Contour/TriangleOffsets.h"
#include "Compute/System/Parallel.h"

#include <cstring>
#include <numeric>
#include <utility>

namespace vmc
{

// The blocks one after the other; ends each once it is copied.
HostBlock MeshBuilder::concatenate(const std::vector<HostBlock*>& parts)
{
  if (parts.size() == 1)
    return std::move(*parts.front());
  std::size_t size = 0;
  for (const HostBlock* block : parts)
    size += block->size();
  HostBlock whole = this->Blocks.take(size);
  std::size_t at = 0;
  for (HostBlock* block : parts)
  {
    if (block->size() != 0)
      std::memcpy(whole.data() + at, block->data(), block->size());
    at += block->size();
    *block = HostBlock();
  }
  return whole;
}

HostBlock MeshBuilder::countUp(std::size_t count)
{
  HostBlock block = this->Blocks.take(count * sizeof(std::uint32_t));
  auto* const ids = reinterpret_cast<std::uint32_t*>(block.data());
  inParallel(count, sizeof(std::uint32_t),
    [=](std::size_t begin, std::size_t end) { std::iota(ids + begin, ids + end, static_cast<std::uint32_t>(begin)); });
  return block;
}

// Those of a single part, if it has any, else new ones: offsets of parts do not follow each other.
HostBlock MeshBuilder::offsets()
{
  if (this->Parts.size() == 1 && this->Parts.front().offsets.size() != 0)
    return std::move(this->Parts.front().offsets);
  return idsAreNarrow(this->Points, this->Triangles) ? triangleOffsets<std::int32_t>(this->Blocks, this->Triangles)
                                                     : HostBlock();
}

void MeshBuilder::add(Mesh part)
{
  this->Points += part.pointCount;
  this->Triangles += part.triangleCount;
  this->Parts.push_back(std::move(part));
}

HostBlock MeshBuilder::join(HostBlock Mesh::*array)
{
  std::vector<HostBlock*> blocks;
  for (Mesh& part : this->Parts)
    blocks.push_back(&(part.*array));
  return this->concatenate(blocks);
}

HostBlock MeshBuilder::joinAttribute(std::size_t index)
{
  std::vector<HostBlock*> blocks;
  for (Mesh& part : this->Parts)
    blocks.push_back(&part.attributes[index]);
  return this->concatenate(blocks);
}

Mesh MeshBuilder::finish(bool ownCorners)
{
  Mesh mesh;
  mesh.pointCount = this->Points;
  mesh.triangleCount = this->Triangles;
  mesh.firstPoint = std::move(this->FirstPoint);
  if (this->Parts.empty())
    return mesh;
  mesh.positions = this->join(&Mesh::positions);
  mesh.positionsLow = this->join(&Mesh::positionsLow);
  mesh.normals = this->join(&Mesh::normals);
  mesh.gradients = this->join(&Mesh::gradients);
  mesh.triangleCells = this->join(&Mesh::triangleCells);
  mesh.triangles = ownCorners ? this->countUp(3 * this->Triangles) : this->join(&Mesh::triangles);
  if (mesh.triangles.size() != 0)
    mesh.offsets = this->offsets();
  for (std::size_t i = 0; i < this->Parts.front().attributes.size(); ++i)
    mesh.attributes.push_back(this->joinAttribute(i));
  return mesh;
}

}
