// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Measure/FinishMesh.h"

#include "Compute/Contour/RepeatedCorners.h"
#include "Compute/Measure/KeepRegions.h"
#include "Compute/Measure/MeasureMesh.h"
#include "Compute/System/Parallel.h"

#include <algorithm>
#include <utility>

namespace vmc
{

namespace
{

// Replaces the numbers of the regions of some elements by their ranks.
HostBlock ranksOf(HostBlock regions, const std::vector<std::int32_t>& rank, unsigned threads)
{
  auto* const numbers = reinterpret_cast<std::uint32_t*>(regions.data());
  inParallel(
    regions.size() / sizeof(std::uint32_t), sizeof(std::uint32_t),
    [&](std::size_t begin, std::size_t end)
    {
      for (; begin < end; ++begin)
        numbers[begin] = static_cast<std::uint32_t>(rank[numbers[begin]]);
    },
    threads);
  return regions;
}

}

void finishMesh(Mesh& mesh, MeshRegions regions, const ChosenRegions& chosen, const std::vector<Output>& outputs,
  const Request& request, HostMemoryPool& memory, unsigned threads)
{
  const bool wideIds = request.mergePoints && needsWideIds(mesh, request);
  const bool isWhole = std::all_of(chosen.isKept.begin(), chosen.isKept.end(), [](auto isKept) { return isKept != 0; });
  if (!isWhole || wideIds != mesh.hasWideIds)
    keepRegions(mesh, regions, chosen.isKept, wideIds, outputs, memory, threads);
  if (request.computeMeasures)
    measureMesh(mesh, threads);
  if (request.computeRegions)
  {
    mesh.pointRegions = ranksOf(std::move(regions.ofPoint), chosen.rank, threads);
    mesh.triangleRegions = ranksOf(std::move(regions.ofTriangle), chosen.rank, threads);
  }
  if (!request.mergePoints)
    repeatCorners({ { &mesh, &outputs } }, request, memory, threads);
}

}
