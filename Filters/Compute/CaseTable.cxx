#include "CaseTable.h"

#include "Cell.h"
#include "Constants.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace vmc
{

namespace
{

// A face of the cell: the axis it is normal to, and on which side. Its corners and edges are numbered around it,
// counterclockwise seen from outside the cell; edge i joins corners i and i + 1.
struct Face
{
  std::array<unsigned, 4> corner;
  std::array<CellEdge, 4> edge;
};

CellEdge edgeBetween(unsigned cornerA, unsigned cornerB)
{
  const unsigned start = std::min(cornerA, cornerB);
  const unsigned difference = cornerA ^ cornerB; // 1, 2 or 4: the axis
  for (unsigned edge = 0; edge < 12; ++edge)
    if (1u << EDGE_AXIS(edge) == difference &&
      start == (EDGE_START_X(edge) | EDGE_START_Y(edge) << 1 | EDGE_START_Z(edge) << 2))
      return static_cast<CellEdge>(edge);
  return 0; // not reached: the corners of a face are joined by an edge
}

std::array<Face, 6> makeFaces()
{
  std::array<Face, 6> faces{};
  for (unsigned f = 0; f < 6; ++f)
  {
    const unsigned axis = f / 2, side = f % 2;
    const unsigned u = 1u << (axis + 1) % 3, v = 1u << (axis + 2) % 3, base = side << axis;
    Face& face = faces[f];
    // u, v and the axis are right-handed: this order is counterclockwise seen from the high side.
    face.corner = { base, base | u, base | u | v, base | v };
    if (side == 0)
      std::reverse(face.corner.begin(), face.corner.end());
    for (unsigned i = 0; i < 4; ++i)
      face.edge[i] = edgeBetween(face.corner[i], face.corner[(i + 1) % 4]);
  }
  return faces;
}

const std::array<Face, 6>& faces()
{
  static const std::array<Face, 6> all = makeFaces();
  return all;
}

bool isInside(unsigned cellCase, unsigned corner)
{
  return (cellCase >> corner & 1u) != 0;
}

constexpr CellEdge NoEdge = 12;

// From one crossed edge to the next one on its loop, across a face, around a run of inside corners of that face.
struct Link
{
  CellEdge to = NoEdge;
  unsigned insideCorners = 0; // length of the run: 1, 2 or 3
};

// link[edge], without an end where the edge is not crossed. Around a face, a run of inside corners is entered through
// one crossed edge and left through another, and the link joins the two in that order, so that loops turn
// counterclockwise seen from outside the surface. Two runs of one corner each are the face with four crossings: each is
// cut off by itself.
std::array<Link, 12> linkCrossings(unsigned cellCase)
{
  std::array<Link, 12> links;
  for (const Face& face : faces())
    for (unsigned i = 0; i < 4; ++i)
    {
      const bool enters = !isInside(cellCase, face.corner[i]) && isInside(cellCase, face.corner[(i + 1) % 4]);
      if (!enters)
        continue;
      unsigned leave = i + 1;
      while (isInside(cellCase, face.corner[(leave + 1) % 4]))
        ++leave;
      links[face.edge[i]] = { face.edge[leave % 4], leave - i };
    }
  return links;
}

// A crossing of a loop and the run of inside corners that the link from it to the next crossing goes around.
struct Crossing
{
  CellEdge edge;
  unsigned insideCorners;
};
using Loop = std::vector<Crossing>;

std::vector<Loop> loopsOf(unsigned cellCase)
{
  std::array<Link, 12> links = linkCrossings(cellCase);
  std::vector<Loop> loops;
  for (CellEdge start = 0; start < 12; ++start)
  {
    Loop loop;
    for (CellEdge edge = start; links[edge].to != NoEdge;)
    {
      const Link link = std::exchange(links[edge], Link());
      loop.push_back({ edge, link.insideCorners });
      edge = link.to;
    }
    if (!loop.empty())
      loops.push_back(loop);
  }
  return loops;
}

bool shareFace(CellEdge a, CellEdge b)
{
  return std::any_of(faces().begin(), faces().end(), [&](const Face& face) {
    const auto has = [&](CellEdge edge) { return std::find(face.edge.begin(), face.edge.end(), edge) != face.edge.end(); };
    return has(a) && has(b);
  });
}

bool hasDiagonalInFace(const Loop& loop, std::size_t start)
{
  for (std::size_t i = 2; i + 1 < loop.size(); ++i)
    if (shareFace(loop[start].edge, loop[(start + i) % loop.size()].edge))
      return true;
  return false;
}

// Where the fan of a loop starts: at a crossing without a diagonal inside a face, if there is one at which the runs of
// inside corners grow by one corner. Every loop of every case has a crossing of the first kind, which a test shows.
std::size_t fanStart(const Loop& loop)
{
  std::size_t best = 0;
  int bestRank = 0;
  for (std::size_t start = 0; start < loop.size(); ++start)
  {
    const unsigned before = loop[(start + loop.size() - 1) % loop.size()].insideCorners;
    const bool grows = loop[start].insideCorners == before + 1;
    const int rank = hasDiagonalInFace(loop, start) ? 0 : grows ? 2 : 1;
    if (rank > bestRank)
    {
      best = start;
      bestRank = rank;
    }
  }
  return best;
}

std::vector<CellTriangle> deriveTriangles(unsigned cellCase)
{
  std::vector<CellTriangle> triangles;
  for (const Loop& loop : loopsOf(cellCase))
  {
    const std::size_t start = fanStart(loop), size = loop.size();
    for (std::size_t i = 1; i + 1 < size; ++i)
      triangles.push_back(
        { loop[start].edge, loop[(start + i) % size].edge, loop[(start + i + 1) % size].edge });
  }
  return triangles;
}

PackedCase pack(const std::vector<CellTriangle>& triangles)
{
  std::uint64_t bits = 0;
  unsigned shift = 0;
  for (const CellTriangle& triangle : triangles)
    for (const CellEdge edge : triangle)
    {
      bits |= std::uint64_t(edge) << shift;
      shift += 4;
    }
  bits |= std::uint64_t(triangles.size()) << (32 + CASE_TRIANGLE_COUNT_SHIFT);
  return { static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32) };
}

}

const std::vector<CellTriangle>& trianglesOfCase(unsigned cellCase)
{
  static const auto table = [] {
    std::array<std::vector<CellTriangle>, CASE_COUNT> all;
    for (unsigned c = 0; c < CASE_COUNT; ++c)
      all[c] = deriveTriangles(c);
    return all;
  }();
  return table.at(cellCase);
}

const std::array<PackedCase, 256>& packedCaseTable()
{
  static const auto table = [] {
    std::array<PackedCase, CASE_COUNT> all{};
    for (unsigned c = 0; c < CASE_COUNT; ++c)
      all[c] = pack(trianglesOfCase(c));
    return all;
  }();
  return table;
}

}
