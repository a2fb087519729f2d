// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Contour/TriangleIds.h"

#include "Compute/Contour/Mesh.h"
#include "Compute/Memory/HostMemoryPool.h"

#include <algorithm>
#include <limits>

namespace vmc
{

namespace
{

// 0, step, 2 * step, ...
template <class Value>
HostBlock multiples(HostMemoryPool& memory, std::size_t step, std::size_t count, unsigned threads)
{
  HostBlock block = memory.acquire(count * sizeof(Value));
  auto* const to = reinterpret_cast<Value*>(block.data());
  inParallel(
    count, sizeof(Value),
    [=](std::size_t begin, std::size_t end)
    {
      for (; begin < end; ++begin)
        to[begin] = static_cast<Value>(step * begin);
    },
    threads);
  return block;
}

}

bool idsAreNarrow(std::size_t points, std::size_t triangles)
{
  constexpr std::size_t Largest = std::numeric_limits<std::int32_t>::max();
  return points <= Largest && triangles <= Largest / 3;
}

HostBlock triangleOffsets(HostMemoryPool& memory, std::size_t triangles, bool isWide, unsigned threads)
{
  return isWide ? multiples<std::int64_t>(memory, 3, triangles + 1, threads)
                : multiples<std::int32_t>(memory, 3, triangles + 1, threads);
}

HostBlock countUp(HostMemoryPool& memory, std::size_t count, bool isWide, unsigned threads)
{
  return isWide ? multiples<std::int64_t>(memory, 1, count, threads)
                : multiples<std::uint32_t>(memory, 1, count, threads);
}

void addIds(Mesh& mesh, bool mergePoints, HostMemoryPool& memory, unsigned threads)
{
  if (mesh.triangleCount == 0)
    return;
  mesh.offsets = triangleOffsets(memory, mesh.triangleCount, mesh.hasWideIds, threads);
  if (!mergePoints)
    mesh.triangles = countUp(memory, mesh.pointCount, mesh.hasWideIds, threads);
}

void widen(const std::byte* numbers, std::size_t count, std::int64_t first, std::byte* wide, unsigned threads)
{
  const auto* const from = reinterpret_cast<const std::uint32_t*>(numbers);
  auto* const to = reinterpret_cast<std::int64_t*>(wide);
  inParallel(
    count, sizeof(std::int64_t),
    [=](std::size_t begin, std::size_t end)
    { std::transform(from + begin, from + end, to + begin, [first](std::uint32_t number) { return first + number; }); },
    threads);
}

}
