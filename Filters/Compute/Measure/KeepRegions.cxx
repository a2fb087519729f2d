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

// Calls use(first, last) for each longest range of kept elements in [begin, end).
template <class IsKept, class Use>
void forRunsIn(std::size_t begin, std::size_t end, const IsKept& isKept, const Use& use)
{
  while (begin < end)
  {
    while (begin < end && !isKept(begin))
      ++begin;
    const std::size_t first = begin;
    while (begin < end && isKept(begin))
      ++begin;
    if (first < begin)
      use(first, begin);
  }
}

// The kept ones of some elements: their numbers among the kept ones.
template <class IsKept>
class KeptElements
{
public:
  KeptElements(std::size_t count, IsKept isKept, unsigned threads)
    : Count(count)
    , Threads(threads)
    , Keeps(isKept)
    , Before((count + ElementsAtOnce - 1) / ElementsAtOnce + 1)
  {
    inParts(count, ElementsAtOnce, threads,
      [&](std::size_t begin, std::size_t end)
      {
        std::size_t kept = 0;
        for (std::size_t i = begin; i < end; ++i)
          kept += this->Keeps(i) ? 1 : 0;
        this->Before[begin / ElementsAtOnce] = kept;
      });
    std::size_t sum = 0;
    for (std::size_t& before : this->Before)
      sum += std::exchange(before, sum);
  }

  std::size_t count() const { return this->Before.back(); }

  // Returns the number of kept elements before an element.
  std::size_t before(std::size_t element) const
  {
    const std::size_t part = element / ElementsAtOnce;
    std::size_t kept = this->Before[part];
    for (std::size_t i = part * ElementsAtOnce; i < element; ++i)
      kept += this->Keeps(i) ? 1 : 0;
    return kept;
  }

  // Calls use(first, last) for each longest range of kept elements, in their order.
  template <class Use>
  void forRuns(const Use& use) const
  {
    forRunsIn(0, this->Count, this->Keeps, use);
  }

  // Calls use(first, last, to) for ranges of kept elements; `to`: the number of the first one among the kept ones.
  template <class Use>
  void forAll(const Use& use) const
  {
    inParts(this->Count, ElementsAtOnce, this->Threads,
      [&](std::size_t begin, std::size_t end)
      {
        std::size_t to = this->Before[begin / ElementsAtOnce];
        forRunsIn(begin, end, this->Keeps,
          [&](std::size_t first, std::size_t last)
          {
            use(first, last, to);
            to += last - first;
          });
      });
  }

private:
  std::size_t Count;
  unsigned Threads;
  IsKept Keeps;
  std::vector<std::size_t> Before; // [part]; the last entry is the number of all
};

// An array of the mesh.
struct Row
{
  HostBlock* block;
  std::size_t bytesPerElement;
};

// Removes elements from an array: in its own block, or in a smaller one if less than three quarters are left.
template <class Kept>
void keepInRow(const Row& row, const Kept& kept, HostMemoryPool& memory)
{
  const std::size_t bytes = kept.count() * row.bytesPerElement;
  HostBlock smaller = bytes < row.block->size() / 4 * 3 ? memory.acquire(bytes) : HostBlock();
  std::byte* to = smaller.size() != 0 ? smaller.data() : row.block->data();
  kept.forRuns(
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

// Removes elements from arrays, one thread per array.
template <class Kept>
void keepInRows(const std::vector<Row>& rows, const Kept& kept, HostMemoryPool& memory, unsigned threads)
{
  inParts(rows.size(), 1, threads, [&](std::size_t row, std::size_t) { keepInRow(rows[row], kept, memory); });
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
template <class Kept>
void renumber(std::vector<std::size_t>& boundaries, const Kept& kept, std::size_t all)
{
  for (std::size_t& boundary : boundaries)
    boundary = boundary == all ? kept.count() : kept.before(boundary);
}

constexpr std::uint32_t NoPoint = 0xFFFFFFFFu; // the new id of a removed point

// newPoint: [point].
template <class Id, class NewId>
void keepTriangles(Mesh& mesh, const std::uint32_t* newPoint, const std::vector<Output>& outputs,
  HostMemoryPool& memory, unsigned threads)
{
  const auto* const ids = reinterpret_cast<const Id*>(mesh.triangles.data());
  const auto keeps = [=](std::size_t triangle) { return newPoint[ids[3 * triangle]] != NoPoint; };
  const KeptElements<decltype(keeps)> kept(mesh.triangleCount, keeps, threads);
  HostBlock triangles = memory.acquire(kept.count() * 3 * sizeof(NewId));
  auto* const newIds = reinterpret_cast<NewId*>(triangles.data());
  kept.forAll(
    [&](std::size_t first, std::size_t last, std::size_t to)
    {
      for (std::size_t i = 0; i < 3 * (last - first); ++i)
        newIds[3 * to + i] = static_cast<NewId>(newPoint[ids[3 * first + i]]);
    });
  keepInRows(rowsOf(mesh, Output::Element::Triangle, outputs), kept, memory, threads);
  renumber(mesh.firstTriangle, kept, mesh.triangleCount);
  mesh.triangles = std::move(triangles);
  mesh.triangleCount = kept.count();
  mesh.hasWideIds = sizeof(NewId) == sizeof(std::int64_t);
}

template <class Id>
void keepTriangles(Mesh& mesh, bool wideIds, const std::uint32_t* newPoint, const std::vector<Output>& outputs,
  HostMemoryPool& memory, unsigned threads)
{
  if (wideIds)
    keepTriangles<Id, std::int64_t>(mesh, newPoint, outputs, memory, threads);
  else
    keepTriangles<Id, std::uint32_t>(mesh, newPoint, outputs, memory, threads);
}

void keepEnds(std::vector<std::uint32_t>& ends, const std::uint32_t* newPoint)
{
  std::size_t kept = 0;
  for (const std::uint32_t point : ends)
    if (newPoint[point] != NoPoint)
      ends[kept++] = newPoint[point];
  ends.resize(kept);
}

}

void keepRegions(Mesh& mesh, MeshRegions& regions, const std::vector<std::uint8_t>& isKept, bool wideIds,
  const std::vector<Output>& outputs, HostMemoryPool& memory, unsigned threads)
{
  const std::uint32_t* const regionOfPoint = regions.regionOfPoint();
  const auto keeps = [=, keptOf = isKept.data()](std::size_t point) { return keptOf[regionOfPoint[point]] != 0; };
  const KeptElements<decltype(keeps)> kept(mesh.pointCount, keeps, threads);
  HostBlock newPoints = memory.acquire(mesh.pointCount * sizeof(std::uint32_t));
  auto* const newPoint = reinterpret_cast<std::uint32_t*>(newPoints.data());
  inParallel(mesh.pointCount, sizeof(std::uint32_t),
    [=](std::size_t begin, std::size_t end) { std::fill(newPoint + begin, newPoint + end, NoPoint); }, threads);
  kept.forAll([&](std::size_t first, std::size_t last, std::size_t to)
    { std::iota(newPoint + first, newPoint + last, static_cast<std::uint32_t>(to)); });
  if (mesh.hasWideIds)
    keepTriangles<std::int64_t>(mesh, wideIds, newPoint, outputs, memory, threads);
  else
    keepTriangles<std::uint32_t>(mesh, wideIds, newPoint, outputs, memory, threads);
  keepEnds(mesh.openEnds, newPoint);
  renumber(mesh.firstPoint, kept, mesh.pointCount);
  keepInRows(rowsOf(mesh, Output::Element::Point, outputs), kept, memory, threads);
  keepInRow({ &regions.ofPoint, sizeof(std::uint32_t) }, kept, memory); // which tells what is kept: the last one
  mesh.pointCount = kept.count();
}

}
