// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Measure/JoinRegions.h"

#include "Compute/Measure/MeasureMesh.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace vmc
{

namespace
{

// The regions of all pieces, one piece after the other, as a forest. The root of a tree is its smallest number.
class RegionForest
{
public:
  explicit RegionForest(std::size_t regions)
    : Parent(regions)
  {
    std::iota(this->Parent.begin(), this->Parent.end(), std::size_t(0));
  }

  std::size_t root(std::size_t region)
  {
    while (this->Parent[region] != region)
      region = this->Parent[region] = this->Parent[this->Parent[region]];
    return region;
  }

  void join(std::size_t a, std::size_t b)
  {
    a = this->root(a);
    b = this->root(b);
    this->Parent[std::max(a, b)] = std::min(a, b);
  }

private:
  std::vector<std::size_t> Parent;
};

// A point of a piece. region: among those of all pieces.
struct PieceOfPoint
{
  const SeamName* name;
  std::size_t region, number; // number: of the point among those of all pieces
};

// Joins the regions with points of one name. Returns for each point of all pieces the number of its name.
std::vector<std::size_t> joinAtPoints(
  const std::vector<PieceRegions>& pieces, const std::vector<std::size_t>& firstRegion, RegionForest& forest)
{
  std::vector<PieceOfPoint> points;
  for (std::size_t piece = 0; piece < pieces.size(); ++piece)
    for (const SeamPoint& point : pieces[piece].points)
      points.push_back({ &point.name, firstRegion[piece] + point.region, points.size() });
  std::sort(points.begin(), points.end(),
    [](const PieceOfPoint& a, const PieceOfPoint& b)
    { return std::tie(*a.name, a.number) < std::tie(*b.name, b.number); });
  std::vector<std::size_t> names(points.size());
  std::size_t name = 0;
  for (std::size_t i = 0; i < points.size(); ++i)
  {
    const bool isSame = i > 0 && *points[i].name == *points[i - 1].name;
    name += isSame ? 0 : 1;
    names[points[i].number] = name;
    if (isSame)
      forest.join(points[i].region, points[i - 1].region);
  }
  return names;
}

// An edge of a piece. low, high: the numbers of the names of its points.
struct SeamEdge
{
  std::size_t low, high;
  std::size_t region; // among those of all pieces

  friend bool operator<(const SeamEdge& a, const SeamEdge& b)
  {
    return std::tie(a.low, a.high) < std::tie(b.low, b.high);
  }
};

// Calls use(region) for each edge of one triangle of all pieces. names: of the points of all pieces.
template <class Use>
void forOpenEdges(const std::vector<PieceRegions>& pieces, const std::vector<std::size_t>& firstRegion,
  const std::vector<std::size_t>& names, const Use& use)
{
  std::vector<SeamEdge> edges;
  std::size_t firstPoint = 0;
  for (std::size_t piece = 0; piece < pieces.size(); ++piece)
  {
    for (const OpenEdge& edge : pieces[piece].edges)
    {
      const std::size_t from = names[firstPoint + edge[0]], to = names[firstPoint + edge[1]];
      edges.push_back(
        { std::min(from, to), std::max(from, to), firstRegion[piece] + pieces[piece].points[edge[0]].region });
    }
    firstPoint += pieces[piece].points.size();
  }
  std::sort(edges.begin(), edges.end());
  for (auto edge = edges.begin(); edge != edges.end();)
  {
    const auto first = edge;
    while (edge != edges.end() && !(*first < *edge))
      ++edge;
    if (edge == first + 1)
      use(first->region);
  }
}

// Adds a region of a piece to one of all pieces.
void add(const SurfaceRegion& piece, SurfaceRegion& sum)
{
  if (sum.sums.triangles == 0)
    sum.sums.origin = piece.sums.origin;
  sum.isovalue = piece.isovalue;
  sum.sums.add(piece.sums);
  sum.measures.triangles += piece.measures.triangles;
  sum.measures.openEdges += piece.measures.openEdges;
  sum.measures.bounds.add(piece.measures.bounds);
  sum.touchesBorder = sum.touchesBorder || piece.touchesBorder;
  sum.squaredDistance = std::min(sum.squaredDistance, piece.squaredDistance);
}

// Computes the measures that follow from the sums.
void finishMeasures(SurfaceRegion& region)
{
  SurfaceMeasures measures = measuresOf(region.sums, region.measures.bounds, {});
  measures.triangles = region.measures.triangles;
  measures.openEdges = region.measures.openEdges;
  region.measures = measures;
}

}

void PieceRegions::add(
  const Mesh& mesh, const MeshRegions& ofMesh, std::size_t firstRegion, int surface, const std::array<int, 3>& origin)
{
  const std::uint32_t* const regionOfPoint = ofMesh.regionOfPoint();
  const OpenEdges& open = mesh.openEdges;
  const auto firstPoint = static_cast<std::uint32_t>(this->points.size());
  for (std::size_t i = 0; i < open.points.size(); ++i)
  {
    const std::size_t region = firstRegion + regionOfPoint[open.points[i]];
    SeamPoint& point = this->points.emplace_back();
    point.region = static_cast<std::uint32_t>(region);
    point.name[0] = surface;
    point.name[1] = static_cast<std::int32_t>(this->regions[region].isovalue);
    std::copy(open.names[i].begin(), open.names[i].end(), point.name.begin() + 2);
    for (std::size_t axis = 0; axis < 3; ++axis)
      point.name[axis + 3] += origin[axis];
  }
  for (const OpenEdge& edge : open.edges)
    this->edges.push_back({ firstPoint + edge[0], firstPoint + edge[1] });
}

JoinedRegions joinRegions(const std::vector<PieceRegions>& pieces)
{
  std::vector<std::size_t> firstRegion{ 0 }; // [piece]
  for (const PieceRegions& piece : pieces)
    firstRegion.push_back(firstRegion.back() + piece.regions.size());
  RegionForest forest(firstRegion.back());
  const std::vector<std::size_t> names = joinAtPoints(pieces, firstRegion, forest);

  JoinedRegions joined;
  std::vector<std::uint32_t> numbers; // [region of all pieces]
  for (const PieceRegions& piece : pieces)
  {
    std::vector<std::uint32_t>& ofPiece = joined.numberOf.emplace_back();
    for (const SurfaceRegion& region : piece.regions)
    {
      const std::size_t root = forest.root(numbers.size());
      const bool isFirst = root == numbers.size();
      numbers.push_back(isFirst ? static_cast<std::uint32_t>(joined.regions.size()) : numbers[root]);
      ofPiece.push_back(numbers.back());
      add(region, isFirst ? joined.regions.emplace_back() : joined.regions[numbers.back()]);
    }
  }
  forOpenEdges(pieces, firstRegion, names,
    [&](std::size_t region)
    {
      SurfaceRegion& open = joined.regions[numbers[region]];
      ++open.measures.openEdges;
      open.touchesBorder = true;
    });
  for (SurfaceRegion& region : joined.regions)
    finishMeasures(region);
  return joined;
}

SurfaceMeasures measuresOf(const std::vector<const SurfaceRegion*>& regions)
{
  SurfaceRegion sum;
  for (const SurfaceRegion* const region : regions)
    add(*region, sum);
  finishMeasures(sum);
  return sum.measures;
}

}
