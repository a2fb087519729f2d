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

// Replaces the numbers of the regions of points by their ranks, and adds those of triangles.
template <class Id>
void addRegions(
  Mesh& mesh, HostBlock regions, const std::vector<std::int32_t>& rank, HostMemoryPool& memory, unsigned threads)
{
  auto* const ofPoint = reinterpret_cast<std::int32_t*>(regions.data());
  inParallel(
    mesh.pointCount, sizeof(std::int32_t),
    [&](std::size_t begin, std::size_t end)
    {
      for (; begin < end; ++begin)
        ofPoint[begin] = rank[static_cast<std::uint32_t>(ofPoint[begin])];
    },
    threads);
  mesh.triangleRegions = memory.acquire(mesh.triangleCount * sizeof(std::int32_t));
  auto* const ofTriangle = reinterpret_cast<std::int32_t*>(mesh.triangleRegions.data());
  const auto* const ids = reinterpret_cast<const Id*>(mesh.triangles.data());
  inParallel(
    mesh.triangleCount, sizeof(std::int32_t),
    [&](std::size_t begin, std::size_t end)
    {
      for (; begin < end; ++begin)
        ofTriangle[begin] = ofPoint[ids[3 * begin]];
    },
    threads);
  mesh.pointRegions = std::move(regions);
}

}

void finishMesh(Mesh& mesh, MeshRegions regions, const ChosenRegions& chosen, const std::vector<Output>& outputs,
  const Request& request, HostMemoryPool& memory, unsigned threads)
{
  const bool wideIds = request.mergePoints && needsWideIds(mesh, request);
  const bool isWhole = std::all_of(chosen.isKept.begin(), chosen.isKept.end(), [](auto isKept) { return isKept != 0; });
  if (!isWhole || wideIds != mesh.hasWideIds)
    keepRegions(mesh, regions, chosen.isKept, wideIds, request.computeRegions, outputs, memory, threads);
  if (request.computeMeasures)
    measureMesh(mesh, threads);
  if (request.computeRegions && mesh.hasWideIds)
    addRegions<std::int64_t>(mesh, std::move(regions.ofPoint), chosen.rank, memory, threads);
  else if (request.computeRegions)
    addRegions<std::uint32_t>(mesh, std::move(regions.ofPoint), chosen.rank, memory, threads);
  if (!request.mergePoints)
    repeatCorners({ { &mesh, &outputs } }, request, memory, threads);
}

}
