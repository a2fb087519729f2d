// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Measure/RegionTable.h"

#include "Compute/Measure/MeasureMesh.h"
#include "Compute/System/Parallel.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vmc
{

namespace
{

// The triangles of a mesh by regions.
struct SortedTriangles
{
  std::vector<std::size_t> first; // [region]; the last entry is the number of triangles
  std::vector<std::uint32_t> ids; // [triangle][3]
};

template <class Id>
SortedTriangles sortTriangles(const Id* ids, std::size_t triangles, const MeshRegions& regions)
{
  SortedTriangles sorted;
  sorted.first.resize(regions.count() + 1);
  std::partial_sum(regions.triangles.begin(), regions.triangles.end(), sorted.first.begin() + 1);
  sorted.ids.resize(3 * triangles);
  std::vector<std::size_t> next(sorted.first.begin(), sorted.first.end() - 1);
  const std::uint32_t* const regionOfPoint = regions.regionOfPoint();
  for (std::size_t t = 0; t < triangles; ++t)
  {
    std::uint32_t* const to = sorted.ids.data() + 3 * next[regionOfPoint[ids[3 * t]]]++;
    for (std::size_t corner = 0; corner < 3; ++corner)
      to[corner] = static_cast<std::uint32_t>(ids[3 * t + corner]);
  }
  return sorted;
}

void setMeasures(const Mesh& mesh, const MeshRegions& regions, unsigned threads, std::vector<SurfaceRegion>& table)
{
  TriangleArrays arrays(mesh);
  const SortedTriangles sorted = arrays.triangles ? sortTriangles(arrays.triangles, mesh.triangleCount, regions)
                                                  : sortTriangles(arrays.wideTriangles, mesh.triangleCount, regions);
  arrays.triangles = sorted.ids.data();
  arrays.wideTriangles = nullptr;
  const std::vector<TriangleSums> sums = sumRanges(arrays, sorted.first, threads);
  const std::uint32_t* const regionOfPoint = regions.regionOfPoint();
  std::vector<Bounds> bounds(table.size()); // relative to the origin of the mesh
  for (std::size_t p = 0; p < mesh.pointCount; ++p)
  {
    const float* const at = arrays.positions + 3 * p;
    const Vector3 position{ at[0], at[1], at[2] };
    bounds[regionOfPoint[p]].add({ position, position });
  }
  for (std::size_t i = 0; i < table.size(); ++i)
  {
    table[i].measures = measuresOf(sums[i], bounds[i], mesh.origin);
    table[i].sums = sums[i];
    for (std::size_t axis = 0; axis < 3; ++axis)
      table[i].sums.origin[axis] += mesh.origin[axis];
  }
  for (const std::uint32_t point : mesh.openEnds) // two per edge
    ++table[regionOfPoint[point]].measures.openEdges;
  for (SurfaceRegion& region : table)
    region.measures.openEdges /= 2;
}

void setBorder(const Mesh& mesh, const MeshRegions& regions, const std::vector<BorderSide>& border,
  std::vector<SurfaceRegion>& table)
{
  const auto* const positions = reinterpret_cast<const float*>(mesh.positions.data());
  const std::uint32_t* const regionOfPoint = regions.regionOfPoint();
  for (const std::uint32_t point : mesh.openEnds)
    table[regionOfPoint[point]].touchesBorder = true;
  for (std::size_t p = 0; p < mesh.pointCount; ++p)
    for (const BorderSide& side : border)
    {
      double along = -side.offset;
      for (std::size_t axis = 0; axis < 3; ++axis)
        along += side.normal[axis] * (mesh.origin[axis] + positions[3 * p + axis]);
      if (along >= 0)
        table[regionOfPoint[p]].touchesBorder = true;
    }
}

void setDistances(const Mesh& mesh, const MeshRegions& regions, const Vector3& to, std::vector<SurfaceRegion>& table)
{
  const auto* const positions = reinterpret_cast<const float*>(mesh.positions.data());
  const std::uint32_t* const regionOfPoint = regions.regionOfPoint();
  for (std::size_t p = 0; p < mesh.pointCount; ++p)
  {
    double squared = 0;
    for (std::size_t axis = 0; axis < 3; ++axis)
      squared += std::pow(mesh.origin[axis] + positions[3 * p + axis] - to[axis], 2);
    double& least = table[regionOfPoint[p]].squaredDistance;
    least = std::min(least, squared);
  }
}

// Calls use(begin, end) for the numbers of the regions of each isovalue.
template <class Use>
void forIsovalues(const std::vector<std::size_t>& order, const std::vector<SurfaceRegion>& regions, const Use& use)
{
  for (auto begin = order.begin(); begin != order.end();)
  {
    const auto end =
      std::find_if(begin, order.end(), [&](std::size_t i) { return regions[i].isovalue != regions[*begin].isovalue; });
    use(begin, end);
    begin = end;
  }
}

// Keeps the first `count` regions of each isovalue in the order of `isBefore`, and of equals the first ones.
template <class IsBefore>
void keepFirst(const std::vector<SurfaceRegion>& regions, std::size_t count, const IsBefore& isBefore,
  std::vector<std::uint8_t>& isKept)
{
  std::vector<std::size_t> order(regions.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(),
    [&](std::size_t a, std::size_t b) { return regions[a].isovalue < regions[b].isovalue; });
  forIsovalues(order, regions,
    [&](auto begin, auto end)
    {
      const auto kept = begin + static_cast<std::ptrdiff_t>(std::min(count, static_cast<std::size_t>(end - begin)));
      std::vector<std::size_t> best(kept - begin);
      std::partial_sort_copy(begin, end, best.begin(), best.end(),
        [&](std::size_t a, std::size_t b)
        { return isBefore(regions[a], regions[b]) || (!isBefore(regions[b], regions[a]) && a < b); });
      for (const std::size_t i : best)
        isKept[i] = 1;
    });
}

}

std::vector<BorderSide> borderOf(const SampleGeometry& geometry, const Vector3& low, const Vector3& high)
{
  constexpr double Near = 1e-3; // steps
  std::vector<BorderSide> sides;
  const std::array<Vector3, 3> dual = geometry.gradientToWorld(); // [axis]: changes by 1 per step along it
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const Vector3& up = dual[axis];
    const Vector3& zero = geometry.positionOfZero();
    const double atZero = up[0] * zero[0] + up[1] * zero[1] + up[2] * zero[2];
    sides.push_back({ { -up[0], -up[1], -up[2] }, -(atZero + low[axis] + Near) });
    sides.push_back({ up, atZero + high[axis] - Near });
  }
  return sides;
}

std::vector<BorderSide> borderOf(const Volume& volume)
{
  if (volume.sampleCount() == 0)
    return {};
  Vector3 low, high;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const std::vector<double> coordinates = volume.gridCoordinates(axis);
    low[axis] = coordinates.front();
    high[axis] = coordinates.back();
  }
  return borderOf(volume.geometry, low, high);
}

std::vector<BorderSide> borderOf(const Levels& levels)
{
  Bounds box; // in cells of level 0
  if (levels.border && levels.border->low != levels.border->high)
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      box.low[axis] = double(levels.border->low[axis]);
      box.high[axis] = double(levels.border->high[axis]);
    }
  else
    for (const LevelPatch& patch : levels.patches)
    {
      Bounds ofPatch;
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        double cells = 1; // per cell of level 0
        for (std::size_t level = 1; level <= patch.level; ++level)
          cells *= levels.ratio[level][axis];
        ofPatch.low[axis] = std::floor(double(patch.low[axis]) / cells);
        ofPatch.high[axis] = std::ceil(double(patch.low[axis] + patch.size[axis]) / cells);
      }
      box.add(ofPatch);
    }
  return borderOf(SampleGeometry(levels.origin, levels.steps), box.low, box.high);
}

std::vector<SurfaceRegion> regionsOf(const Mesh& mesh, const MeshRegions& regions, const RegionChoice& choice,
  bool withMeasures, const std::vector<BorderSide>& border, unsigned threads)
{
  std::vector<SurfaceRegion> table(regions.count());
  for (std::size_t i = 0; i < table.size(); ++i)
    table[i].measures.triangles = regions.triangles[i];
  if (withMeasures || choice.needsMeasures())
    setMeasures(mesh, regions, threads, table);
  for (std::size_t isovalue = 0; isovalue + 1 < regions.firstRegion.size(); ++isovalue)
    for (std::size_t i = regions.firstRegion[isovalue]; i < regions.firstRegion[isovalue + 1]; ++i)
      table[i].isovalue = isovalue;
  if (choice.needsBorder())
    setBorder(mesh, regions, border, table);
  if (choice.keep == RegionChoice::Keep::Nearest)
    setDistances(mesh, regions, choice.point, table);
  return table;
}

std::vector<std::uint8_t> chosenOf(const std::vector<SurfaceRegion>& regions, const RegionChoice& choice)
{
  using Keep = RegionChoice::Keep;
  std::vector<std::uint8_t> isKept(regions.size());
  const auto keepIf = [&](const auto& isChosen)
  {
    std::transform(
      regions.begin(), regions.end(), isKept.begin(), [&](const SurfaceRegion& r) { return isChosen(r) ? 1 : 0; });
  };
  switch (choice.keep)
  {
    case Keep::All:
      keepIf([](const SurfaceRegion&) { return true; });
      break;
    case Keep::Largest:
      keepFirst(
        regions, choice.count,
        [](const SurfaceRegion& a, const SurfaceRegion& b) { return a.measures.triangles > b.measures.triangles; },
        isKept);
      break;
    case Keep::LeastTriangles:
      keepIf([&](const SurfaceRegion& region) { return double(region.measures.triangles) >= choice.least; });
      break;
    case Keep::LeastArea:
      keepIf([&](const SurfaceRegion& region) { return region.measures.area >= choice.least; });
      break;
    case Keep::LeastVolume:
      keepIf([&](const SurfaceRegion& region) { return std::abs(region.measures.volume) >= choice.least; });
      break;
    case Keep::TouchingBorder:
      keepIf([](const SurfaceRegion& region) { return region.touchesBorder; });
      break;
    case Keep::NotTouchingBorder:
      keepIf([](const SurfaceRegion& region) { return !region.touchesBorder; });
      break;
    case Keep::Nearest:
      keepFirst(
        regions, 1,
        [](const SurfaceRegion& a, const SurfaceRegion& b) { return a.squaredDistance < b.squaredDistance; }, isKept);
      break;
  }
  return isKept;
}

std::vector<std::int32_t> ranksOf(const std::vector<SurfaceRegion>& regions, const std::vector<std::uint8_t>& isKept)
{
  std::vector<std::uint32_t> order;
  for (std::size_t i = 0; i < regions.size(); ++i)
    if (isKept[i] != 0)
      order.push_back(static_cast<std::uint32_t>(i));
  std::stable_sort(order.begin(), order.end(),
    [&](std::size_t a, std::size_t b) { return regions[a].measures.triangles > regions[b].measures.triangles; });
  std::vector<std::int32_t> ranks(regions.size());
  for (std::size_t rank = 0; rank < order.size(); ++rank)
    ranks[order[rank]] = static_cast<std::int32_t>(rank);
  return ranks;
}

}
