// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Contour/TriangleOffsets.h"

#include "Compute/Memory/HostMemoryPool.h"

#include <cstdint>
#include <limits>

namespace vmc
{

bool idsAreNarrow(std::size_t points, std::size_t triangles)
{
  constexpr std::size_t Largest = std::numeric_limits<std::int32_t>::max();
  return points <= Largest && triangles <= Largest / 3;
}

template <class Value>
HostBlock triangleOffsets(HostMemoryPool& blocks, std::size_t triangles, unsigned threads)
{
  HostBlock block = blocks.acquire((triangles + 1) * sizeof(Value));
  auto* const offset = reinterpret_cast<Value*>(block.data());
  inParallel(
    triangles + 1, sizeof(Value),
    [=](std::size_t begin, std::size_t end)
    {
      for (std::size_t triangle = begin; triangle < end; ++triangle)
        offset[triangle] = static_cast<Value>(3 * triangle);
    },
    threads);
  return block;
}

template HostBlock triangleOffsets<std::int32_t>(HostMemoryPool&, std::size_t, unsigned);
template HostBlock triangleOffsets<std::int64_t>(HostMemoryPool&, std::size_t, unsigned);

}
