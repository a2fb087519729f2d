// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Contour/Mesh.h"

#include "Compute/Memory/HostMemoryPool.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace vmc
{

bool idsAreNarrow(std::size_t points, std::size_t triangles)
{
  constexpr std::size_t Largest = std::numeric_limits<std::int32_t>::max();
  return points <= Largest && triangles <= Largest / 3;
}

namespace
{

// Writes 0, step, 2 * step, ...
template <class Value>
void writeMultiples(const HostBlock& block, std::size_t step, unsigned threads)
{
  auto* const to = reinterpret_cast<Value*>(block.data());
  inParallel(
    block.size() / sizeof(Value), sizeof(Value),
    [=](std::size_t begin, std::size_t end)
    {
      for (; begin < end; ++begin)
        to[begin] = static_cast<Value>(step * begin);
    },
    threads);
}

void writeIds(const HostBlock& block, bool isWide, std::size_t step, unsigned threads)
{
  if (isWide)
    writeMultiples<std::int64_t>(block, step, threads);
  else
    writeMultiples<std::uint32_t>(block, step, threads);
}

void writeIsovalues(const Mesh& mesh, const std::vector<double>& isovalues, unsigned threads)
{
  auto* const values = reinterpret_cast<float*>(mesh.isovalues.data());
  for (std::size_t i = 0; i < isovalues.size(); ++i)
  {
    float* const first = values + mesh.firstPoint[i];
    const auto difference = static_cast<float>(isovalues[i] - isovalues[0]);
    inParallel(
      mesh.firstPoint[i + 1] - mesh.firstPoint[i], sizeof(float),
      [=](std::size_t begin, std::size_t end) { std::fill(first + begin, first + end, difference); }, threads);
  }
}

}

void addCountedArrays(std::vector<Mesh>& meshes, const Request& request, HostMemoryPool& memory, unsigned threads)
{
  std::vector<HostMemoryPool::Part> offsets, triangles, isovalues;
  for (Mesh& mesh : meshes)
  {
    if (mesh.triangleCount == 0)
      continue;
    const std::size_t bytesPerId = mesh.hasWideIds ? 8 : 4;
    if (request.writeOffsets)
      offsets.push_back({ &mesh.offsets, 0, (mesh.triangleCount + 1) * bytesPerId });
    if (!request.mergePoints)
      triangles.push_back({ &mesh.triangles, 0, mesh.pointCount * bytesPerId });
    if (request.pointIsovalues)
      isovalues.push_back({ &mesh.isovalues, 0, mesh.pointCount * sizeof(float) });
  }
  memory.acquire(offsets);
  memory.acquire(triangles);
  memory.acquire(isovalues);
  for (const Mesh& mesh : meshes)
  {
    writeIds(mesh.offsets, mesh.hasWideIds, 3, threads);
    if (!request.mergePoints)
      writeIds(mesh.triangles, mesh.hasWideIds, 1, threads);
    if (mesh.isovalues.size() != 0)
      writeIsovalues(mesh, request.isovalues, threads);
  }
}

}
