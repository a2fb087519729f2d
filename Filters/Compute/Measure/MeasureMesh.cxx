// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Measure/MeasureMesh.h"

#include "Compute/Measure/FindOpenEdges.h"
#include "Compute/System/Parallel.h"
#include "Compute/System/Stage.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace vmc
{

namespace
{

// Parts have a fixed size, so that sums do not depend on the number of threads.
constexpr std::size_t TrianglesAtOnce = 1 << 12, PointsAtOnce = 1 << 14;

std::size_t partsOf(std::size_t elements, std::size_t atOnce)
{
  return (elements + atOnce - 1) / atOnce;
}

TriangleSums sumInParts(const TriangleArrays& arrays, std::size_t begin, std::size_t end, unsigned threads)
{
  std::vector<TriangleSums> sums(partsOf(end - begin, TrianglesAtOnce));
  inParts(end - begin, TrianglesAtOnce, threads,
    [&](std::size_t first, std::size_t last)
    { sums[first / TrianglesAtOnce] = sumTriangles(arrays, begin + first, begin + last); });
  return sumOf(sums);
}

Bounds boundsInParts(const float* positions, std::size_t begin, std::size_t end, unsigned threads)
{
  std::vector<Bounds> bounds(partsOf(end - begin, PointsAtOnce));
  inParts(end - begin, PointsAtOnce, threads,
    [&](std::size_t first, std::size_t last)
    { bounds[first / PointsAtOnce] = boundsOf(positions, begin + first, begin + last); });
  Bounds all;
  for (const Bounds& part : bounds)
    all.add(part);
  return all;
}

}

SurfaceMeasures measuresOf(const TriangleSums& sums, const Bounds& bounds, const Vector3& meshOrigin)
{
  SurfaceMeasures measures;
  measures.triangles = sums.triangles;
  measures.area = sums.area;
  measures.volume = sums.volume;
  measures.bounds = bounds;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    if (!bounds.isEmpty())
      measures.volume += (sums.origin[axis] - (bounds.low[axis] + bounds.high[axis]) / 2) * sums.vectorArea[axis] / 3;
    measures.bounds.low[axis] += meshOrigin[axis];
    measures.bounds.high[axis] += meshOrigin[axis];
    if (sums.area > 0)
      measures.centroid[axis] = meshOrigin[axis] + sums.origin[axis] + sums.moment[axis] / sums.area;
  }
  return measures;
}

void countOpenEdges(Mesh& mesh)
{
  for (SurfaceMeasures& measures : mesh.measures)
    measures.openEdges = 0;
  std::vector<std::size_t> ends(mesh.measures.size());
  for (const std::uint32_t point : mesh.openEnds)
  {
    const auto next = std::upper_bound(mesh.firstPoint.begin(), mesh.firstPoint.end(), std::size_t(point));
    ++ends[static_cast<std::size_t>(next - mesh.firstPoint.begin()) - 1];
  }
  for (std::size_t i = 0; i < ends.size(); ++i)
    mesh.measures[i].openEdges = ends[i] / 2;
}

void measureMesh(Mesh& mesh, unsigned threads)
{
  const TriangleArrays arrays(mesh);
  mesh.measures.clear();
  for (std::size_t i = 0; i + 1 < mesh.firstPoint.size(); ++i)
    mesh.measures.push_back(measuresOf(sumInParts(arrays, mesh.firstTriangle[i], mesh.firstTriangle[i + 1], threads),
      boundsInParts(arrays.positions, mesh.firstPoint[i], mesh.firstPoint[i + 1], threads), mesh.origin));
  countOpenEdges(mesh);
}

std::vector<std::uint32_t> findOpenEnds(const Mesh& mesh, unsigned threads)
{
  return endsOf(findOpenEdges(mesh, threads));
}

std::vector<std::uint32_t> endsOf(const OpenEdges& open)
{
  std::vector<std::uint32_t> ends;
  for (std::size_t i = 0, next = 0; i < open.edges.size(); i = next)
  {
    while (next < open.edges.size() && open.edges[next] == open.edges[i])
      ++next;
    if (next == i + 1)
      ends.insert(ends.end(), { open.points[open.edges[i][0]], open.points[open.edges[i][1]] });
  }
  std::sort(ends.begin(), ends.end());
  return ends;
}

void findOpenEnds(Surface& surface, const Request& request)
{
  for (Mesh& mesh : surface.meshes)
    if (request.needsOpenEnds())
      mesh.openEnds =
        request.nameOpenEdges ? endsOf(mesh.openEdges) : findOpenEnds(mesh, usableThreads(request.threads));
}

void measureSurface(Surface& surface, const Request& request, StageTimes& times)
{
  const HostClock clock;
  findOpenEnds(surface, request);
  for (Mesh& mesh : surface.meshes)
    if (request.computeMeasures)
      measureMesh(mesh, usableThreads(request.threads));
  times.add(Stage::MeasureSurface, clock.milliseconds());
}

}
