// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Measure/Regions.h"

#include "Compute/System/Parallel.h"

#include <algorithm>
#include <atomic>
#include <numeric>

namespace vmc
{

namespace
{

constexpr std::size_t ElementsAtOnce = 1 << 14; // points, or triangles

// A forest of points: the parent of a point has a smaller id, and the root of a tree is its smallest point. The
// triangles of a tree are counted at its points. Threads may join and find at the same time.
class PointForest
{
public:
  // parents, triangles: uint32[point].
  PointForest(const HostBlock& parents, const HostBlock& triangles)
    : Parents(reinterpret_cast<std::uint32_t*>(parents.data()))
    , Triangles(reinterpret_cast<std::uint32_t*>(triangles.data()))
  {
  }

  void reset(std::size_t begin, std::size_t end)
  {
    std::iota(this->Parents + begin, this->Parents + end, begin);
    std::fill(this->Triangles + begin, this->Triangles + end, 0u);
  }

  std::uint32_t parent(std::uint32_t point) const { return __atomic_load_n(this->Parents + point, __ATOMIC_RELAXED); }
  bool isRoot(std::uint32_t point) const { return this->parent(point) == point; }
  void setParent(std::uint32_t point, std::uint32_t parent)
  {
    __atomic_store_n(this->Parents + point, parent, __ATOMIC_RELAXED);
  }

  std::uint32_t root(std::uint32_t point) const
  {
    for (std::uint32_t parent = this->parent(point); parent != point; parent = this->parent(point))
      point = parent;
    return point;
  }

  // Returns the triangles that are counted at this point.
  std::uint32_t triangles(std::uint32_t point) const { return this->Triangles[point]; }
  void addTriangles(std::uint32_t point, std::uint32_t count)
  {
    __atomic_fetch_add(this->Triangles + point, count, __ATOMIC_RELAXED);
  }

  // Joins the trees of the points of a triangle, of which no other thread joins one, and counts it.
  void joinAlone(std::uint32_t a, std::uint32_t b, std::uint32_t c)
  {
    const std::uint32_t x = this->parent(a), y = this->parent(b), z = this->parent(c);
    if (this->isRoot(x) && this->isRoot(y) && this->isRoot(z)) [[likely]]
      return this->hang(a, b, c, x, y, z);
    this->hang(a, b, c, this->root(x), this->root(y), this->root(z));
  }

  // Joins the trees of two points, while other threads may join the same trees.
  void join(std::uint32_t a, std::uint32_t b)
  {
    for (;;)
    {
      a = this->root(a);
      b = this->root(b);
      if (a == b)
        return;
      if (a > b)
        std::swap(a, b);
      std::uint32_t expected = b; // only a root gets another parent
      if (__atomic_compare_exchange_n(this->Parents + b, &expected, a, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        return;
    }
  }

private:
  // Hangs three points and their roots below the smallest root.
  void hang(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t x, std::uint32_t y, std::uint32_t z)
  {
    const std::uint32_t least = std::min(x, std::min(y, z));
    this->setParent(x, least);
    this->setParent(y, least);
    this->setParent(z, least);
    this->setParent(a, least);
    this->setParent(b, least);
    this->setParent(c, least);
    ++this->Triangles[least];
  }

  std::uint32_t* Parents;
  std::uint32_t* Triangles;
};

// Joins the points of the triangles [begin, end). Points in [firstPoint, lastPoint) belong to this thread alone. Adds
// triangles with other points to `others`.
template <class Id>
void joinTriangles(PointForest& forest, const Id* ids, std::size_t begin, std::size_t end, std::size_t firstPoint,
  std::size_t lastPoint, std::vector<std::size_t>& others)
{
  const std::size_t points = lastPoint - firstPoint;
  const auto isOwn = [=](Id id) { return static_cast<std::size_t>(id) - firstPoint < points; };
  for (; begin < end; ++begin)
  {
    const Id* const corner = ids + 3 * begin;
    if (isOwn(corner[0]) && isOwn(corner[1]) && isOwn(corner[2])) [[likely]]
      forest.joinAlone(static_cast<std::uint32_t>(corner[0]), static_cast<std::uint32_t>(corner[1]),
        static_cast<std::uint32_t>(corner[2]));
    else
      others.push_back(begin);
  }
}

// Joins the points of all triangles. Each thread has a range of triangles and of points, which few triangles leave,
// because points and triangles have the same order.
template <class Id>
void joinAll(PointForest& forest, const Id* ids, const Mesh& mesh, unsigned threads)
{
  const auto boundary = [&](std::size_t part, std::size_t count) { return count * part / threads; };
  const auto pointBoundary = [&](std::size_t part)
  {
    const std::size_t triangle = boundary(part, mesh.triangleCount);
    if (part == 0)
      return std::size_t(0);
    return triangle < mesh.triangleCount ? static_cast<std::size_t>(ids[3 * triangle]) : mesh.pointCount;
  };
  std::vector<std::size_t> firstPoint(threads + 1);
  for (std::size_t part = 0; part <= threads; ++part)
    firstPoint[part] = std::max(part == 0 ? 0 : firstPoint[part - 1], pointBoundary(part));
  std::vector<std::vector<std::size_t>> others(threads);
  inParts(threads, 1, threads,
    [&](std::size_t part, std::size_t)
    {
      joinTriangles(forest, ids, boundary(part, mesh.triangleCount), boundary(part + 1, mesh.triangleCount),
        firstPoint[part], firstPoint[part + 1], others[part]);
    });
  inParts(threads, 1, threads,
    [&](std::size_t part, std::size_t)
    {
      for (const std::size_t triangle : others[part])
      {
        const auto first = static_cast<std::uint32_t>(ids[3 * triangle]);
        for (std::size_t corner = 1; corner < 3; ++corner)
          forest.join(first, static_cast<std::uint32_t>(ids[3 * triangle + corner]));
        forest.addTriangles(first, 1);
      }
    });
}

std::size_t partsOf(std::size_t elements)
{
  return (elements + ElementsAtOnce - 1) / ElementsAtOnce;
}

// Makes each root the parent of all points of its tree, and counts all triangles there. Returns the roots in their
// order.
std::vector<std::uint32_t> flatten(PointForest& forest, std::size_t points, unsigned threads)
{
  std::vector<std::vector<std::uint32_t>> roots(partsOf(points));
  inParts(points, ElementsAtOnce, threads,
    [&](std::size_t begin, std::size_t end)
    {
      std::uint32_t last = 0, triangles = 0; // of the last root, not yet counted there
      for (std::size_t point = begin; point < end; ++point)
      {
        const auto id = static_cast<std::uint32_t>(point);
        const std::uint32_t root = forest.root(id);
        forest.setParent(id, root);
        if (root == id)
        {
          roots[begin / ElementsAtOnce].push_back(id);
          continue;
        }
        if (root != last)
          forest.addTriangles(std::exchange(last, root), std::exchange(triangles, 0));
        triangles += forest.triangles(id);
      }
      forest.addTriangles(last, triangles);
    });
  std::vector<std::uint32_t> all;
  for (const std::vector<std::uint32_t>& part : roots)
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

// Numbers the regions, whose roots these are.
void number(const PointForest& forest, const std::vector<std::uint32_t>& roots, std::size_t points,
  std::uint32_t* regionOfPoint, unsigned threads)
{
  for (std::size_t region = 0; region < roots.size(); ++region)
    regionOfPoint[roots[region]] = static_cast<std::uint32_t>(region);
  inParts(points, ElementsAtOnce, threads,
    [&](std::size_t begin, std::size_t end)
    {
      for (std::size_t point = begin; point < end; ++point)
      {
        const std::uint32_t root = forest.parent(static_cast<std::uint32_t>(point));
        if (root != point)
          regionOfPoint[point] = regionOfPoint[root];
      }
    });
}

template <class Id>
void findRegions(MeshRegions& regions, const Id* ids, const Mesh& mesh, HostMemoryPool& memory, unsigned threads)
{
  const HostBlock parents = memory.acquire(mesh.pointCount * sizeof(std::uint32_t)),
                  triangles = memory.acquire(mesh.pointCount * sizeof(std::uint32_t));
  PointForest forest(parents, triangles);
  inParts(
    mesh.pointCount, ElementsAtOnce, threads, [&](std::size_t begin, std::size_t end) { forest.reset(begin, end); });
  joinAll(forest, ids, mesh, threads);
  const std::vector<std::uint32_t> roots = flatten(forest, mesh.pointCount, threads);
  regions.ofPoint = memory.acquire(mesh.pointCount * sizeof(std::uint32_t));
  auto* const regionOfPoint = reinterpret_cast<std::uint32_t*>(regions.ofPoint.data());
  number(forest, roots, mesh.pointCount, regionOfPoint, threads);
  regions.triangles.reserve(roots.size());
  for (const std::uint32_t root : roots)
    regions.triangles.push_back(forest.triangles(root));
}

}

MeshRegions findRegions(const Mesh& mesh, HostMemoryPool& memory, unsigned threads)
{
  MeshRegions regions;
  if (mesh.hasWideIds)
    findRegions(regions, reinterpret_cast<const std::int64_t*>(mesh.triangles.data()), mesh, memory, threads);
  else
    findRegions(regions, reinterpret_cast<const std::uint32_t*>(mesh.triangles.data()), mesh, memory, threads);
  for (const std::size_t point : mesh.firstPoint) // the first point of an isovalue is the smallest of its region
    regions.firstRegion.push_back(point < mesh.pointCount ? regions.regionOfPoint()[point] : regions.count());
  return regions;
}

}
