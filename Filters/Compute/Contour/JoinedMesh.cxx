// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Contour/JoinedMesh.h"

#include "Compute/System/Error.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>

namespace vmc
{

namespace
{

constexpr std::uint32_t LargestId = 0xFFFFFFFFu;

// Elements of one mesh and one isovalue, and their place in the joined array.
struct JoinedPart
{
  std::size_t mesh, first, count, to;
  std::size_t idOffset; // from an id of a point in this mesh to the same point's in the joined mesh
};

// Consecutive parts have consecutive places.
std::vector<JoinedPart> partsOf(const std::vector<Mesh>& meshes, Output::Element element, const Mesh& joined)
{
  std::vector<JoinedPart> parts;
  for (std::size_t isovalue = 0; isovalue + 1 < joined.firstPoint.size(); ++isovalue)
  {
    std::size_t point = joined.firstPoint[isovalue], triangle = joined.firstTriangle[isovalue];
    for (std::size_t i = 0; i < meshes.size(); ++i)
    {
      const std::size_t* const points = &meshes[i].firstPoint[isovalue];
      const std::size_t* const triangles = &meshes[i].firstTriangle[isovalue];
      const bool arePoints = element == Output::Element::Point;
      const std::size_t* const first = arePoints ? points : triangles;
      parts.push_back({ i, first[0], first[1] - first[0], arePoints ? point : triangle, point - points[0] });
      point += points[1] - points[0];
      triangle += triangles[1] - triangles[0];
    }
  }
  return parts;
}

// Adds up the sizes of the meshes by isovalue.
void setSizes(const std::vector<Mesh>& meshes, Mesh& joined)
{
  joined.firstPoint.assign(1, 0);
  joined.firstTriangle.assign(1, 0);
  for (std::size_t isovalue = 0; isovalue + 1 < meshes.front().firstPoint.size(); ++isovalue)
  {
    std::size_t points = joined.firstPoint.back(), triangles = joined.firstTriangle.back();
    for (const Mesh& mesh : meshes)
    {
      points += mesh.firstPoint[isovalue + 1] - mesh.firstPoint[isovalue];
      triangles += mesh.firstTriangle[isovalue + 1] - mesh.firstTriangle[isovalue];
    }
    joined.firstPoint.push_back(points);
    joined.firstTriangle.push_back(triangles);
  }
  joined.pointCount = joined.firstPoint.back();
  joined.triangleCount = joined.firstTriangle.back();
  checkPointCount(joined.pointCount);
}

// Copies point ids. Differences wrap around in 32 bits, as do the sums.
template <class From, class To>
void copyIds(const Mesh& mesh, const JoinedPart& part, const HostBlock& joined)
{
  const auto* const from = reinterpret_cast<const From*>(mesh.triangles.data()) + 3 * part.first;
  auto* const to = reinterpret_cast<To*>(joined.data()) + 3 * part.to;
  const auto offset = static_cast<std::uint32_t>(part.idOffset);
  inParallel(3 * part.count, sizeof(To),
    [=](std::size_t begin, std::size_t end)
    {
      for (; begin < end; ++begin)
        to[begin] = static_cast<std::uint32_t>(from[begin]) + offset;
    });
}

void copyIds(const Mesh& mesh, const JoinedPart& part, Mesh& joined)
{
  if (!joined.hasWideIds) // then no mesh has
    copyIds<std::uint32_t, std::uint32_t>(mesh, part, joined.triangles);
  else if (mesh.hasWideIds)
    copyIds<std::int64_t, std::int64_t>(mesh, part, joined.triangles);
  else
    copyIds<std::uint32_t, std::int64_t>(mesh, part, joined.triangles);
}

}

void checkPointCount(std::size_t points)
{
  if (points > LargestId)
    throw Error(Error::Kind::Unsupported,
      "The isosurfaces have " + std::to_string(points) + " points or more; ids are limited to 4294967295.");
}

JoinedMesh::JoinedMesh(
  std::size_t meshes, const std::vector<Output>& outputs, const Request& request, HostMemoryPool& blocks)
  : Expected(meshes)
  , JoinedRequest(request)
  , Blocks(blocks)
{
  std::copy_if(outputs.begin(), outputs.end(), std::back_inserter(this->Outputs),
    [&](const Output& output) { return output.isDownloaded(request.mergePoints); });
}

void JoinedMesh::add(Mesh mesh)
{
  ++this->Added;
  this->Meshes.push_back(std::move(mesh));
  if (this->JoinedRequest.isovalues.size() == 1)
    this->join();
}

Mesh JoinedMesh::finish()
{
  if (this->JoinedRequest.isovalues.size() != 1)
    this->join();
  return std::move(this->Meshes.front());
}

// Joins the meshes to one.
void JoinedMesh::join()
{
  Mesh joined;
  setSizes(this->Meshes, joined);
  joined.origin = this->Meshes.front().origin;
  joined.attributes.resize(this->Meshes.front().attributes.size());
  joined.hasWideIds = joined.triangleCount != 0 &&
                      (this->JoinedRequest.wideIds || !idsAreNarrow(joined.pointCount, joined.triangleCount));
  for (const Output& output : this->Outputs)
    this->joinRow(output, joined);
  this->Meshes.resize(1);
  this->Meshes.front() = std::move(joined);
}

// Returns a block of at least this size. It has room for what is to be expected of the meshes to come, from those so
// far, if the host has so much memory.
HostBlock JoinedMesh::blockWithRoom(std::uint64_t sizeInBytes) const
{
  constexpr double MostRoom = 8, SpareRoom = 1.125; // for meshes that are larger than those so far
  if (this->Added < this->Expected)
    try
    {
      const double room = std::min(MostRoom, SpareRoom * double(this->Expected) / double(this->Added));
      return this->Blocks.acquire(static_cast<std::size_t>(double(sizeInBytes) * room));
    }
    catch (const Error& error)
    {
      if (error.kind() != Error::Kind::OutOfHostMemory)
        throw;
    }
  return this->Blocks.acquire(static_cast<std::size_t>(sizeInBytes));
}

// The row of the first mesh stays where it is, if it need not change and the others fit behind it.
void JoinedMesh::joinRow(const Output& output, Mesh& joined)
{
  const bool areIds = output.isPointIds();
  const std::uint64_t bytes =
    output.bytes(joined.pointCount, joined.triangleCount) * (areIds && joined.hasWideIds ? 2 : 1);
  const std::vector<JoinedPart> parts = partsOf(this->Meshes, output.element, joined);
  HostBlock& first = *blockOf(this->Meshes.front(), output);
  const bool fits =
    first.capacity() >= bytes && !(areIds && joined.hasWideIds && !this->Meshes.front().hasWideIds) &&
    std::all_of(parts.begin(), parts.end(),
      [&](const JoinedPart& part)
      { return part.mesh != 0 || part.count == 0 || (part.to == part.first && (!areIds || part.idOffset == 0)); });
  HostBlock& block = *blockOf(joined, output);
  block = fits ? std::move(first) : this->blockWithRoom(bytes);
  block.resize(static_cast<std::size_t>(bytes));
  for (const JoinedPart& part : parts)
  {
    if (part.mesh == 0 && fits)
      continue;
    if (areIds)
      copyIds(this->Meshes[part.mesh], part, joined);
    else
      copyInParallel(block.data() + part.to * output.bytesPerElement(),
        blockOf(this->Meshes[part.mesh], output)->data() + part.first * output.bytesPerElement(),
        part.count * output.bytesPerElement());
  }
}

}
