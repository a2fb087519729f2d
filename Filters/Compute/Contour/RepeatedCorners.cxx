// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Contour/RepeatedCorners.h"

#include "Compute/System/Parallel.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace vmc
{

namespace
{

constexpr std::size_t CornersAtOnce = 1 << 16;

// An array of points.
struct PointRow
{
  HostBlock* block;
  std::size_t words; // per point
};

std::vector<PointRow> pointRowsOf(const MeshOutputs& mesh)
{
  std::vector<PointRow> rows;
  for (const Output& output : *mesh.outputs)
    if (HostBlock* const block = output.element == Output::Element::Point ? blockOf(*mesh.mesh, output) : nullptr)
      rows.push_back({ block, output.words });
  if (mesh.mesh->pointRegions.size() != 0)
    rows.push_back({ &mesh.mesh->pointRegions, 1 });
  return rows;
}

// rows, corners: [mesh].
void repeatRow(const std::vector<MeshOutputs>& meshes, const std::vector<PointRow>& rows,
  const std::vector<std::size_t>& corners, HostMemoryPool& memory, unsigned threads)
{
  std::vector<HostBlock> repeated(corners.size());
  std::vector<HostMemoryPool::Part> parts;
  for (std::size_t i = 0; i < corners.size(); ++i)
    if (rows[i].block)
      parts.push_back({ &repeated[i], 0, corners[i] * rows[i].words * sizeof(std::uint32_t) });
  memory.acquire(parts);
  inParts(corners, CornersAtOnce, threads,
    [&](std::size_t i, std::size_t begin, std::size_t end)
    {
      if (repeated[i].size() == 0)
        return;
      const std::size_t words = rows[i].words;
      const auto* const triangles = reinterpret_cast<const std::uint32_t*>(meshes[i].mesh->triangles.data());
      const auto* const from = reinterpret_cast<const std::uint32_t*>(rows[i].block->data());
      auto* const to = reinterpret_cast<std::uint32_t*>(repeated[i].data());
      for (; begin < end; ++begin)
        std::copy_n(from + std::size_t(triangles[begin]) * words, words, to + begin * words);
    });
  for (std::size_t i = 0; i < corners.size(); ++i)
    if (repeated[i].size() != 0)
      *rows[i].block = std::move(repeated[i]);
}

}

bool needsWideIds(const Mesh& mesh, const Request& request)
{
  const std::size_t points = request.mergePoints ? mesh.pointCount : 3 * mesh.triangleCount;
  return request.wideIds || !idsAreNarrow(points, mesh.triangleCount);
}

void repeatCorners(
  const std::vector<MeshOutputs>& meshes, const Request& request, HostMemoryPool& memory, unsigned threads)
{
  std::vector<std::vector<PointRow>> rows; // [mesh]
  std::vector<std::size_t> corners;
  std::size_t most = 0;
  for (const MeshOutputs& mesh : meshes)
  {
    most = std::max(most, rows.emplace_back(pointRowsOf(mesh)).size());
    corners.push_back(3 * mesh.mesh->triangleCount);
  }
  for (std::size_t row = 0; row < most; ++row)
  {
    std::vector<PointRow> ofMeshes(rows.size());
    std::transform(rows.begin(), rows.end(), ofMeshes.begin(),
      [=](const std::vector<PointRow>& all) {
        return row < all.size() ? all[row] : PointRow{ nullptr, 0 };
      });
    repeatRow(meshes, ofMeshes, corners, memory, threads);
  }
  for (const MeshOutputs& mesh : meshes)
  {
    mesh.mesh->hasWideIds = needsWideIds(*mesh.mesh, request);
    mesh.mesh->pointCount = 3 * mesh.mesh->triangleCount;
    for (std::size_t i = 0; i < mesh.mesh->firstPoint.size(); ++i)
      mesh.mesh->firstPoint[i] = 3 * mesh.mesh->firstTriangle[i];
  }
}

}
