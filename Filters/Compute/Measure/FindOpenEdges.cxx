// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Measure/FindOpenEdges.h"

#include "Compute/Contour/Crossings.h"
#include "Compute/Measure/TriangleSums.h"
#include "Compute/System/Parallel.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace vmc
{

namespace
{

constexpr std::size_t TrianglesAtOnce = 1 << 14;

// A number that looks random, the same in each run (SplitMix64).
std::uint64_t scrambled(std::uint64_t number)
{
  number += 0x9E3779B97F4A7C15u;
  number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9u;
  number = (number ^ (number >> 27)) * 0x94D049BB133111EBu;
  return number ^ (number >> 31);
}

// Sums over the triangles of each point: the scrambled id of the next corner minus that of the one before. Around a
// point without an open edge each neighbour is added and subtracted equally often.
template <class Id>
std::unique_ptr<std::uint64_t[]> sumsAroundPoints(const Id* ids, const Mesh& mesh, unsigned threads)
{
  std::unique_ptr<std::uint64_t[]> sums(new std::uint64_t[mesh.pointCount]());
  inParts(mesh.triangleCount, TrianglesAtOnce, threads,
    [&](std::size_t begin, std::size_t end)
    {
      for (const Id* corner = ids + 3 * begin; corner != ids + 3 * end; corner += 3)
      {
        const auto of = [=](std::size_t i) { return scrambled(static_cast<std::uint64_t>(corner[i])); };
        const std::uint64_t a = of(0), b = of(1), c = of(2);
        __atomic_fetch_add(&sums[corner[0]], b - c, __ATOMIC_RELAXED);
        __atomic_fetch_add(&sums[corner[1]], c - a, __ATOMIC_RELAXED);
        __atomic_fetch_add(&sums[corner[2]], a - b, __ATOMIC_RELAXED);
      }
    });
  return sums;
}

const EdgeCrossing* crossingsOf(const Mesh& mesh)
{
  return reinterpret_cast<const EdgeCrossing*>(mesh.crossings.data());
}

// An edge of a triangle. low, high: its points. isUp: it runs from low to high.
struct HalfEdge
{
  std::uint32_t low, high;
  bool isUp;

  bool isSame(const HalfEdge& other) const { return this->low == other.low && this->high == other.high; }
  friend bool operator<(const HalfEdge& a, const HalfEdge& b)
  {
    return a.low != b.low ? a.low < b.low : a.high < b.high;
  }
};

// The edges of triangles between points with open edges, or of others, [point], which may be empty.
template <class Id>
std::vector<HalfEdge> edgesAtBorder(
  const Id* ids, const Mesh& mesh, const std::vector<std::uint8_t>& others, unsigned threads)
{
  const std::unique_ptr<std::uint64_t[]> sums = sumsAroundPoints(ids, mesh, threads);
  const auto isListed = [&](std::uint32_t point)
  { return sums[point] != 0 || (!others.empty() && others[point] != 0); };
  std::vector<std::vector<HalfEdge>> parts((mesh.triangleCount + TrianglesAtOnce - 1) / TrianglesAtOnce);
  inParts(mesh.triangleCount, TrianglesAtOnce, threads,
    [&](std::size_t begin, std::size_t end)
    {
      for (const Id* corner = ids + 3 * begin; corner != ids + 3 * end; corner += 3)
        for (std::size_t i = 0; i < 3; ++i)
        {
          const auto from = static_cast<std::uint32_t>(corner[i]), to = static_cast<std::uint32_t>(corner[(i + 1) % 3]);
          if (isListed(from) && isListed(to))
            parts[begin / TrianglesAtOnce].push_back({ std::min(from, to), std::max(from, to), from < to });
        }
    });
  std::vector<HalfEdge> edges;
  for (const std::vector<HalfEdge>& part : parts)
    edges.insert(edges.end(), part.begin(), part.end());
  return edges;
}

// Adds the edges, with point ids. A triangle on the other side of an edge passes it in the other direction.
// isBetweenTwo: adds also edges between two triangles.
void addOpenEdges(std::vector<HalfEdge> edges, bool isBetweenTwo, std::vector<OpenEdge>& open)
{
  std::sort(edges.begin(), edges.end());
  for (auto edge = edges.begin(); edge != edges.end();)
  {
    const HalfEdge first = *edge;
    std::size_t uses = 0, up = 0;
    for (; edge != edges.end() && edge->isSame(first); ++edge, ++uses)
      up += edge->isUp ? 1 : 0;
    if (isBetweenTwo || uses != 2 || up != 1)
      open.insert(open.end(), uses, { first.low, first.high });
  }
}

// Names the points with nameOf(crossing).
template <class NameOf>
void namePoints(Mesh& mesh, const NameOf& nameOf)
{
  const EdgeCrossing* const crossings = crossingsOf(mesh);
  for (const std::uint32_t point : mesh.openEdges.points)
    mesh.openEdges.names.push_back(nameOf(crossings[point]));
  mesh.crossings = HostBlock();
}

PointName nameOf(const EdgeCrossing& crossing, const Volume& volume)
{
  constexpr std::uint32_t Axis = (1u << CROSSING_OFFSET_SHIFT) - 1, Sign = 1u << (CROSSING_OFFSET_BITS - 1);
  PointName name{};
  name[0] = static_cast<std::int32_t>(crossing.place & Axis);
  std::uint64_t sample = startOf(crossing);
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const std::uint32_t bits = crossing.place >> (CROSSING_OFFSET_SHIFT + axis * CROSSING_OFFSET_BITS) & (2 * Sign - 1);
    name[axis + 1] = static_cast<std::int32_t>(sample % volume.size[axis]) + static_cast<std::int32_t>(bits ^ Sign) -
                     static_cast<std::int32_t>(Sign);
    sample /= volume.size[axis];
  }
  return name;
}

// The level and the cell of a leaf.
std::array<std::int32_t, 4> nameOfLeaf(const LevelBricks& bricks, std::uint64_t leaf)
{
  const std::size_t brick = leaf / BrickCells, inBrick = leaf % BrickCells;
  std::size_t level = bricks.levels.size() - 1;
  while (bricks.levels[level].firstBrick > brick)
    --level;
  const LevelIndex first = bricks.levels[level].firstCell(brick - bricks.levels[level].firstBrick);
  return { static_cast<std::int32_t>(level), static_cast<std::int32_t>(first[0]) + std::int32_t(inBrick % BRICK_SIZE),
    static_cast<std::int32_t>(first[1]) + std::int32_t(inBrick / BRICK_SIZE % BRICK_SIZE),
    static_cast<std::int32_t>(first[2]) + std::int32_t(inBrick / BRICK_ROWS) };
}

// Returns whether a brick touches a patch of another piece.
bool isNearOthers(const Levels& levels, const LevelOfBricks& level, std::size_t slot)
{
  const LevelIndex first = level.firstCell(slot);
  return std::any_of(levels.patches.begin(), levels.patches.end(),
    [&](const LevelPatch& patch)
    {
      bool touches = !patch.isOwned;
      for (std::size_t a = 0; a < 3 && touches; ++a)
      {
        std::int64_t perCell = 1; // cells of the patch per cell of level 0
        for (std::size_t i = 1; i <= patch.level; ++i)
          perCell *= levels.ratio[i][a];
        // In units of which both sizes of cells are multiples.
        touches = first[a] * perCell <= (patch.low[a] + patch.size[a]) * level.perCell[a] &&
                  patch.low[a] * level.perCell[a] <= (first[a] + BRICK_SIZE) * perCell;
      }
      return touches;
    });
}

// Returns 1 for the points between leaves of bricks that touch other pieces, 0 for all others.
std::vector<std::uint8_t> pointsNearOthers(const Levels& levels, const LevelBricks& bricks, const Mesh& mesh)
{
  std::vector<std::uint8_t> isNear; // [brick]
  for (const LevelOfBricks& level : bricks.levels)
    for (std::size_t slot = 0; slot < level.brick.size(); ++slot)
      isNear.push_back(isNearOthers(levels, level, slot) ? 1 : 0);
  std::vector<std::uint8_t> points(mesh.pointCount);
  const EdgeCrossing* const crossings = crossingsOf(mesh);
  for (std::size_t point = 0; point < points.size(); ++point)
    points[point] =
      isNear[startLeafOf(crossings[point]) / BrickCells] & isNear[endLeafOf(crossings[point]) / BrickCells];
  return points;
}

PointName nameOf(const EdgeCrossing& crossing, const LevelBricks& bricks)
{
  auto low = nameOfLeaf(bricks, startLeafOf(crossing)), high = nameOfLeaf(bricks, endLeafOf(crossing));
  if (high < low)
    std::swap(low, high);
  return { low[0], low[1], low[2], low[3], high[0], high[1], high[2], high[3] };
}

}

OpenEdges findOpenEdges(const Mesh& mesh, unsigned threads, bool isBetweenTwo, const std::vector<std::uint8_t>& others)
{
  const TriangleArrays arrays(mesh);
  OpenEdges open;
  addOpenEdges(arrays.triangles ? edgesAtBorder(arrays.triangles, mesh, others, threads)
                                : edgesAtBorder(arrays.wideTriangles, mesh, others, threads),
    isBetweenTwo, open.edges);
  for (std::uint32_t point = 0; point < others.size(); ++point)
    if (others[point] != 0)
      open.points.push_back(point);
  for (const OpenEdge& edge : open.edges)
    open.points.insert(open.points.end(), edge.begin(), edge.end());
  std::sort(open.points.begin(), open.points.end());
  open.points.erase(std::unique(open.points.begin(), open.points.end()), open.points.end());
  for (OpenEdge& edge : open.edges)
    for (std::uint32_t& point : edge)
      point = static_cast<std::uint32_t>(
        std::lower_bound(open.points.begin(), open.points.end(), point) - open.points.begin());
  return open;
}

void nameOpenEdges(const Volume& volume, unsigned threads, Mesh& mesh)
{
  mesh.openEdges = findOpenEdges(mesh, threads);
  namePoints(mesh, [&](const EdgeCrossing& crossing) { return nameOf(crossing, volume); });
}

// An edge between two triangles of a piece of levels may be one of another piece, too. Where finer cells cover a cell
// in part, the triangles around a point need not be connected, so pieces may have a point in common without an open
// edge.
void nameOpenEdges(const Levels& levels, const LevelBricks& bricks, unsigned threads, Mesh& mesh)
{
  mesh.openEdges = findOpenEdges(
    mesh, threads, true, bricks.isWellNested ? std::vector<std::uint8_t>() : pointsNearOthers(levels, bricks, mesh));
  namePoints(mesh, [&](const EdgeCrossing& crossing) { return nameOf(crossing, bricks); });
}

void nameOpenEdges(const std::vector<Volume>& volumes, unsigned threads, std::vector<Mesh>& meshes)
{
  for (std::size_t i = 0; i < volumes.size(); ++i)
    nameOpenEdges(volumes[i], threads, meshes[i]);
}

}
