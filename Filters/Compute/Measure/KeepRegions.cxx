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
constexpr std::size_t BitsPerWord = 64;

// A set of points or triangles: one bit per element, 1 if it is kept.
class KeptElements
{
public:
  // isKept(element): 1 or 0. Any thread may call it.
  template <class IsKept>
  KeptElements(std::size_t count, const IsKept& isKept, unsigned threads)
    : Count(count)
    , Threads(threads)
    , Words(count / BitsPerWord + 1)
    , Before((count + ElementsAtOnce - 1) / ElementsAtOnce)
  {
    inParts(count, ElementsAtOnce, threads,
      [&](std::size_t begin, std::size_t end)
      {
        std::size_t kept = 0;
        for (std::size_t first = begin; first < end; first += BitsPerWord)
        {
          std::uint64_t bits = 0;
          for (std::size_t element = first; element < std::min(first + BitsPerWord, end); ++element)
            bits |= std::uint64_t(isKept(element)) << element % BitsPerWord;
          this->Words[first / BitsPerWord] = bits;
          kept += static_cast<std::size_t>(__builtin_popcountll(bits));
        }
        this->Before[begin / ElementsAtOnce] = kept;
      });
    for (std::size_t& before : this->Before)
      this->Kept += std::exchange(before, this->Kept);
  }

  std::size_t count() const { return this->Kept; }

  std::uint64_t has(std::size_t element) const
  {
    return this->Words[element / BitsPerWord] >> element % BitsPerWord & 1;
  }

  // Returns the number of kept elements before an element.
  std::size_t before(std::size_t element) const
  {
    if (element == this->Count)
      return this->Kept;
    const std::size_t part = element / ElementsAtOnce;
    std::size_t kept = this->Before[part];
    for (std::size_t i = part * ElementsAtOnce; i < element; ++i)
      kept += this->has(i);
    return kept;
  }

  // Calls use(first, last, to) for ranges of kept elements, in their order; `to`: the number of the first one among the
  // kept ones.
  template <class Use>
  void forRanges(const Use& use) const
  {
    for (std::size_t part = 0; part < this->Before.size(); ++part)
      this->forRangesOf(part, use);
  }

  // The same in an undefined order, in several threads.
  template <class Use>
  void forAll(const Use& use) const
  {
    inParts(
      this->Before.size(), 1, this->Threads, [&](std::size_t part, std::size_t) { this->forRangesOf(part, use); });
  }

private:
  template <class Use>
  void forRangesOf(std::size_t part, const Use& use) const
  {
    const std::size_t begin = part * ElementsAtOnce, end = std::min(begin + ElementsAtOnce, this->Count);
    std::size_t first = begin, to = this->Before[part];
    std::uint64_t inRange = 0; // all bits are set in a range, which begins at `first`
    const auto change = [&](std::size_t element)
    {
      if (inRange != 0)
      {
        use(first, element, to);
        to += element - first;
      }
      first = element;
      inRange = ~inRange;
    };
    for (std::size_t word = begin / BitsPerWord; word * BitsPerWord < end; ++word)
      for (std::uint64_t after = ~std::uint64_t(0);
           const std::uint64_t changes = (this->Words[word] ^ inRange) & after;)
      {
        const int bit = __builtin_ctzll(changes);
        change(word * BitsPerWord + static_cast<std::size_t>(bit));
        after = ~std::uint64_t(0) << bit;
      }
    if (inRange != 0 && first < end)
      use(first, end, to);
  }

  std::size_t Count;
  unsigned Threads;
  std::vector<std::uint64_t> Words; // bits beyond the last element are 0
  std::vector<std::size_t> Before;  // [part]: kept elements before it
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
    [&](std::size_t first, std::size_t last, std::size_t)
    {
      const std::size_t size = (last - first) * row.bytesPerElement;
      std::memmove(to, row.block->data() + first * row.bytesPerElement, size);
      to += size;
    });
  if (smaller.size() != 0 || bytes == 0)
    *row.block = std::move(smaller);
  else
    row.block->resize(bytes);
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

// Returns the triangles whose points are kept.
template <class Id>
KeptElements trianglesOf(const KeptElements& points, const Mesh& mesh, unsigned threads)
{
  const auto* const ids = reinterpret_cast<const Id*>(mesh.triangles.data());
  return { mesh.triangleCount,
    [&](std::size_t triangle) { return points.has(static_cast<std::size_t>(ids[3 * triangle])); }, threads };
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

void keepEnds(std::vector<std::uint32_t>& ends, const KeptElements& points, const std::uint32_t* newPoint)
{
  std::size_t kept = 0;
  for (const std::uint32_t point : ends)
    if (points.has(point) != 0)
      ends[kept++] = newPoint[point];
  ends.resize(kept);
}

}

void keepRegions(Mesh& mesh, MeshRegions& regions, const std::vector<std::uint8_t>& isKept, bool wideIds,
  bool withNumbers, const std::vector<Output>& outputs, HostMemoryPool& memory, unsigned threads)
{
  const KeptElements points(
    mesh.pointCount, [&, of = regions.regionOfPoint()](std::size_t point) { return isKept[of[point]] != 0; }, threads);
  const KeptElements triangles = mesh.hasWideIds ? trianglesOf<std::int64_t>(points, mesh, threads)
                                                 : trianglesOf<std::uint32_t>(points, mesh, threads);
  HostBlock newPoints = memory.acquire(mesh.pointCount * sizeof(std::uint32_t));
  auto* const newPoint = reinterpret_cast<std::uint32_t*>(newPoints.data());
  points.forAll([=](std::size_t first, std::size_t last, std::size_t to)
    { std::iota(newPoint + first, newPoint + last, static_cast<std::uint32_t>(to)); });
  if (mesh.hasWideIds)
    keepTriangles<std::int64_t>(mesh, triangles, wideIds, newPoint, memory);
  else
    keepTriangles<std::uint32_t>(mesh, triangles, wideIds, newPoint, memory);
  keepEnds(mesh.openEnds, points, newPoint);
  std::vector<Row> pointRows = rowsOf(mesh, Output::Element::Point, outputs);
  if (withNumbers)
    pointRows.push_back({ &regions.ofPoint, sizeof(std::uint32_t) });
  keepInRows(pointRows, points, memory, threads);
  keepInRows(rowsOf(mesh, Output::Element::Triangle, outputs), triangles, memory, threads);
  renumber(mesh.firstPoint, points);
  renumber(mesh.firstTriangle, triangles);
  mesh.pointCount = points.count();
  mesh.triangleCount = triangles.count();
}

}
