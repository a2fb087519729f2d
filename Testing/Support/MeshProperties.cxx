// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Support/MeshProperties.h"

#include "Support/Vectors.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

namespace vmc::test
{

namespace
{

// One use of an edge by a triangle: smaller id, larger id, and whether the triangle runs from the smaller to the
// larger.
using Use = std::tuple<std::uint32_t, std::uint32_t, bool>;

std::vector<Use> sortedUses(const MeshView& mesh)
{
  std::vector<Use> uses;
  uses.reserve(3 * mesh.triangleCount);
  for (std::size_t t = 0; t < mesh.triangleCount; ++t)
    for (std::size_t corner = 0; corner < 3; ++corner)
    {
      const std::uint32_t from = mesh.triangles[3 * t + corner];
      const std::uint32_t to = mesh.triangles[3 * t + (corner + 1) % 3];
      uses.emplace_back(std::min(from, to), std::max(from, to), from < to);
    }
  std::sort(uses.begin(), uses.end());
  return uses;
}

bool sameEdge(const Use& a, const Use& b)
{
  return std::get<0>(a) == std::get<0>(b) && std::get<1>(a) == std::get<1>(b);
}

}

EdgeUse edgeUseOf(const MeshView& mesh)
{
  const std::vector<Use> uses = sortedUses(mesh);
  EdgeUse result;
  for (std::size_t begin = 0, end = 0; begin < uses.size(); begin = end)
  {
    while (end < uses.size() && sameEdge(uses[begin], uses[end]))
      ++end;
    ++result.edges;
    result.border += end - begin == 1 ? 1 : 0;
    result.doubled += end - begin == 2 && uses[begin] == uses[begin + 1] ? 1 : 0;
    result.overused += end - begin > 2 ? 1 : 0;
  }
  return result;
}

std::array<double, 3> windingNormal(const MeshView& mesh, std::size_t triangle)
{
  const std::uint32_t* ids = mesh.triangles + 3 * triangle;
  const Vector a = mesh.position(ids[0]);
  return cross(difference(mesh.position(ids[1]), a), difference(mesh.position(ids[2]), a));
}

double areaOf(const MeshView& mesh)
{
  double area = 0;
  for (std::size_t t = 0; t < mesh.triangleCount; ++t)
  {
    const Vector normal = windingNormal(mesh, t);
    area += std::sqrt(dot(normal, normal)) / 2;
  }
  return area;
}

double signedVolumeOf(const MeshView& mesh)
{
  double volume = 0;
  for (std::size_t t = 0; t < mesh.triangleCount; ++t)
    volume += dot(mesh.position(mesh.triangles[3 * t]), windingNormal(mesh, t)) / 6;
  return volume;
}

long eulerCharacteristicOf(const MeshView& mesh)
{
  const std::size_t used = mesh.pointCount - unreferencedPoints(mesh);
  return static_cast<long>(used + mesh.triangleCount) - static_cast<long>(edgeUseOf(mesh).edges);
}

std::size_t badIds(const MeshView& mesh)
{
  return static_cast<std::size_t>(std::count_if(
    mesh.triangles, mesh.triangles + 3 * mesh.triangleCount, [&](std::uint32_t id) { return id >= mesh.pointCount; }));
}

std::size_t degenerateTriangles(const MeshView& mesh)
{
  std::size_t count = 0;
  for (std::size_t t = 0; t < mesh.triangleCount; ++t)
  {
    const std::uint32_t* ids = mesh.triangles + 3 * t;
    count += ids[0] == ids[1] || ids[1] == ids[2] || ids[2] == ids[0] ? 1 : 0;
  }
  return count;
}

std::size_t unreferencedPoints(const MeshView& mesh)
{
  std::vector<bool> used(mesh.pointCount, false);
  for (std::size_t i = 0; i < 3 * mesh.triangleCount; ++i)
    if (mesh.triangles[i] < mesh.pointCount)
      used[mesh.triangles[i]] = true;
  return static_cast<std::size_t>(std::count(used.begin(), used.end(), false));
}

}
