// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Measure/KeepRegions.h"

#include "Compute/System/Parallel.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

namespace vmc
{

namespace
{

constexpr std::size_t ElementsAtOnce = 1 << 14; // points, or triangles

// The elements of kept regions among all points or triangles, as ranges.
class KeptElements
{
public:
  // regionOf: [element].
  KeptElements(
    std::size_t count, const std::uint32_t* regionOf, const std::vector<std::uint8_t>& isKept, unsigned threads)
    : Count(count)
    , Threads(threads)
    , Parts((count + ElementsAtOnce - 1) / ElementsAtOnce)
  {
    inParts(count, ElementsAtOnce, threads,
      [&](std::size_t begin, std::size_t end)
      { this->Parts[begin / ElementsAtOnce].find(begin, end, regionOf, isKept.data()); });
    for (Part& part : this->Parts)
      this->Kept += std::exchange(part.kept, this->Kept);
  }

  std::size_t count() const { return this->Kept; }

  // Returns the number of kept elements before an element.
  std::size_t before(std::size_t element) const
  {
    if (element == this->Count)
      return this->Kept;
    const Part& part = this->Parts[element / ElementsAtOnce];
    std::size_t kept = part.kept;
    for (const Range& range : part.ranges)
      kept += std::min(element, range.last) - std::min(element, range.first);
    return kept;
  }

  // Calls use(first, last) for ranges of kept elements, in their order.
  template <class Use>
  void forRanges(const Use& use) const
  {
    for (const Part& part : this->Parts)
      for (const Range& range : part.ranges)
        use(range.first, range.last);
  }

  // Calls use(first, last, to) for ranges of kept elements; `to`: the number of the first one among the kept ones.
  template <class Use>
  void forAll(const Use& use) const
  {
    inParts(this->Parts.size(), 1, this->Threads,
      [&](std::size_t index, std::size_t)
      {
        std::size_t to = this->Parts[index].kept;
        for (const Range& range : this->Parts[index].ranges)
        {
          use(range.first, range.last, to);
          to += range.last - range.first;
        }
      });
  }

private:
  struct Range
  {
    std::size_t first, last;
  };

  struct Part
  {
    std::vector<Range> ranges;
    std::size_t kept = 0; // elements of the part, then those before it

    void find(std::size_t begin, std::size_t end, const std::uint32_t* regionOf, const std::uint8_t* isKept)
    {
      while (begin < end)
      {
        while (begin < end && isKept[regionOf[begin]] == 0)
          ++begin;
        const std::size_t first = begin;
        while (begin < end && isKept[regionOf[begin]] != 0)
          ++begin;
        if (first < begin)
          this->ranges.push_back({ first, begin });
        this->kept += begin - first;
      }
    }
  };

  std::size_t Count;
  unsigned Threads;
  std::vector<Part> Parts;
  std::size_t Kept = 0;
};

// An array of the mesh.
struct Row
{
  HostBlock* block;
  std::size_t bytesPerElement;
};

// Removes elements from an array: in its own block, or to a smaller one if that has memory.
void keepInRow(const Row& row, const KeptElements& kept, HostBlock smaller)
{
  const std::size_t bytes = kept.count() * row.bytesPerElement;
  std::byte* to = smaller.size() != 0 ? smaller.data() : row.block->data();
  kept.forRanges(
    [&](std::size_t first, std::size_t last)
    {
      const std::size_t size = (last - first) * row.bytesPerElement;
      std::memmove(to, row.block->data() + first * row.bytesPerElement, size);
      to += size;
    });
  if (smaller.size() != 0 || bytes == 0)
    *row.block = std::move(smaller);
  else
    row.block->shorten(bytes);
}

// Removes elements from arrays, one thread per array. Those with less than three quarters left get smaller blocks.
// These are acquired in one order, so that the next call finds them in the pool.
void keepInRows(const std::vector<Row>& rows, const KeptElements& kept, HostMemoryPool& memory, unsigned threads)
{
  std::vector<HostBlock> smaller;
  for (const Row& row : rows)
  {
    const std::size_t bytes = kept.count() * row.bytesPerElement;
    smaller.push_back(bytes < row.block->size() / 4 * 3 ? memory.acquire(bytes) : HostBlock());
  }
  inParts(rows.size(), 1, threads,
    [&](std::size_t row, std::size_t) { keepInRow(rows[row], kept, std::move(smaller[row])); });
}

// The arrays of points or of triangles, but for the ids of points.
std::vector<Row> rowsOf(Mesh& mesh, Output::Element element, const std::vector<Output>& outputs)
{
  std::vector<Row> rows;
  for (const Output& output : outputs)
  {
    HostBlock* const block = output.element == element && !output.isPointIds() ? blockOf(mesh, output) : nullptr;
    if (block && block->size() != 0)
      rows.push_back({ block, output.bytesPerElement() });
  }
  if (element == Output::Element::Triangle && mesh.trianglePatches.size() != 0)
    rows.push_back({ &mesh.trianglePatches, sizeof(std::int32_t) });
  return rows;
}

// Renumbers boundaries between elements, such as the first ones of isovalues.
void renumber(std::vector<std::size_t>& boundaries, const KeptElements& kept)
{
  for (std::size_t& boundary : boundaries)
    boundary = kept.before(boundary);
}

// newPoint: [point], of kept points.
template <class Id, class NewId>
void keepTriangles(Mesh& mesh, const KeptElements& kept, const std::uint32_t* newPoint, HostMemoryPool& memory)
{
  const auto* const ids = reinterpret_cast<const Id*>(mesh.triangles.data());
  HostBlock triangles = memory.acquire(kept.count() * 3 * sizeof(NewId));
  auto* const newIds = reinterpret_cast<NewId*>(triangles.data());
  kept.forAll(
    [&](std::size_t first, std::size_t last, std::size_t to)
    {
      for (std::size_t i = 0; i < 3 * (last - first); ++i)
        newIds[3 * to + i] = static_cast<NewId>(newPoint[ids[3 * first + i]]);
    });
  mesh.triangles = std::move(triangles);
  mesh.hasWideIds = kept.count() != 0 && sizeof(NewId) == sizeof(std::int64_t);
}

template <class Id>
void keepTriangles(
  Mesh& mesh, const KeptElements& kept, bool wideIds, const std::uint32_t* newPoint, HostMemoryPool& memory)
{
  if (wideIds)
    keepTriangles<Id, std::int64_t>(mesh, kept, newPoint, memory);
  else
    keepTriangles<Id, std::uint32_t>(mesh, kept, newPoint, memory);
}

void keepEnds(std::vector<std::uint32_t>& ends, const std::uint32_t* regionOfPoint,
  const std::vector<std::uint8_t>& isKept, const std::uint32_t* newPoint)
{
  std::size_t kept = 0;
  for (const std::uint32_t point : ends)
    if (isKept[regionOfPoint[point]] != 0)
      ends[kept++] = newPoint[point];
  ends.resize(kept);
}

}

void keepRegions(Mesh& mesh, MeshRegions& regions, const std::vector<std::uint8_t>& isKept, bool wideIds,
  const std::vector<Output>& outputs, HostMemoryPool& memory, unsigned threads)
{
  const KeptElements points(mesh.pointCount, regions.regionOfPoint(), isKept, threads),
    triangles(mesh.triangleCount, regions.regionOfTriangle(), isKept, threads);
  HostBlock newPoints = memory.acquire(mesh.pointCount * sizeof(std::uint32_t));
  auto* const newPoint = reinterpret_cast<std::uint32_t*>(newPoints.data());
  points.forAll([=](std::size_t first, std::size_t last, std::size_t to)
    { std::iota(newPoint + first, newPoint + last, static_cast<std::uint32_t>(to)); });
  if (mesh.hasWideIds)
    keepTriangles<std::int64_t>(mesh, triangles, wideIds, newPoint, memory);
  else
    keepTriangles<std::uint32_t>(mesh, triangles, wideIds, newPoint, memory);
  keepEnds(mesh.openEnds, regions.regionOfPoint(), isKept, newPoint);
  std::vector<Row> pointRows = rowsOf(mesh, Output::Element::Point, outputs),
                   triangleRows = rowsOf(mesh, Output::Element::Triangle, outputs);
  pointRows.push_back({ &regions.ofPoint, sizeof(std::uint32_t) });
  triangleRows.push_back({ &regions.ofTriangle, sizeof(std::uint32_t) });
  keepInRows(pointRows, points, memory, threads);
  keepInRows(triangleRows, triangles, memory, threads);
  renumber(mesh.firstPoint, points);
  renumber(mesh.firstTriangle, triangles);
  mesh.pointCount = points.count();
  mesh.triangleCount = triangles.count();
}

}
