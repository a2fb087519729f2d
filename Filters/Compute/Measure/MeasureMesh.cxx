// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Measure/MeasureMesh.h"

#include "Compute/System/Parallel.h"

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

// An edge of a triangle. low, high: its points.
struct HalfEdge
{
  std::uint32_t low, high;

  friend bool operator<(const HalfEdge& a, const HalfEdge& b)
  {
    return a.low != b.low ? a.low < b.low : a.high < b.high;
  }
  friend bool operator==(const HalfEdge& a, const HalfEdge& b) { return a.low == b.low && a.high == b.high; }
};

// The edges of the triangles [begin, end) by the ranges of points that their lower points are in.
template <class Id>
void addEdges(const Id* ids, std::size_t begin, std::size_t end, std::size_t pointsPerRange,
  std::vector<std::vector<HalfEdge>>& edges)
{
  for (; begin < end; ++begin)
    for (std::size_t corner = 0; corner < 3; ++corner)
    {
      const auto a = static_cast<std::uint32_t>(ids[3 * begin + corner]);
      const auto b = static_cast<std::uint32_t>(ids[3 * begin + (corner + 1) % 3]);
      edges[std::min(a, b) / pointsPerRange].push_back({ std::min(a, b), std::max(a, b) });
    }
}

// Adds the ends of edges that appear once.
void addSingleEdges(std::vector<HalfEdge>& edges, std::vector<std::uint32_t>& ends)
{
  std::sort(edges.begin(), edges.end());
  for (std::size_t i = 0; i < edges.size();)
  {
    std::size_t next = i + 1;
    while (next < edges.size() && edges[next] == edges[i])
      ++next;
    if (next == i + 1)
      ends.insert(ends.end(), { edges[i].low, edges[i].high });
    i = next;
  }
}

template <class Id>
std::vector<std::uint32_t> openEndsOf(const Id* ids, const Mesh& mesh, unsigned threads)
{
  constexpr std::size_t RangesPerThread = 16; // so that ranges without triangles do not matter
  const std::size_t ranges = threads * RangesPerThread;
  const std::size_t pointsPerRange = mesh.pointCount / ranges + 1;
  std::vector<std::vector<std::vector<HalfEdge>>> edges(threads, std::vector<std::vector<HalfEdge>>(ranges));
  inParts(threads, 1, threads,
    [&](std::size_t part, std::size_t)
    {
      addEdges(ids, mesh.triangleCount * part / threads, mesh.triangleCount * (part + 1) / threads, pointsPerRange,
        edges[part]);
    });
  std::vector<std::vector<std::uint32_t>> ends(ranges);
  inParts(ranges, 1, threads,
    [&](std::size_t range, std::size_t)
    {
      std::vector<HalfEdge> all;
      for (const auto& part : edges)
        all.insert(all.end(), part[range].begin(), part[range].end());
      addSingleEdges(all, ends[range]);
    });
  std::vector<std::uint32_t> all;
  for (const auto& range : ends)
    all.insert(all.end(), range.begin(), range.end());
  std::sort(all.begin(), all.end());
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
  const TriangleArrays arrays(mesh);
  return arrays.triangles ? openEndsOf(arrays.triangles, mesh, threads)
                          : openEndsOf(arrays.wideTriangles, mesh, threads);
}

}
