// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Contour/CaseTable.h"

#include "Shared/Cell.h"
#include "Shared/Constants.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace vmc
{

namespace
{

// A face of the cell. Corners and edges are listed counterclockwise seen from outside the cell; edge i joins corners i
// and i + 1.
struct Face
{
  std::array<unsigned, 4> corner;
  std::array<CellEdge, 4> edge;
};

constexpr CellEdge edgeBetween(unsigned cornerA, unsigned cornerB)
{
  const unsigned start = std::min(cornerA, cornerB);
  const unsigned difference = cornerA ^ cornerB; // 1, 2 or 4: the axis
  for (unsigned edge = 0; edge < 12; ++edge)
    if (1u << EDGE_AXIS(edge) == difference &&
        start == (EDGE_START_X(edge) | EDGE_START_Y(edge) << 1 | EDGE_START_Z(edge) << 2))
      return static_cast<CellEdge>(edge);
  return 0; // not reached: neighbouring corners of a face share an edge
}

constexpr std::array<Face, 6> makeFaces()
{
  std::array<Face, 6> faces{};
  for (unsigned f = 0; f < 6; ++f)
  {
    const unsigned axis = f / 2, side = f % 2;
    const unsigned u = 1u << (axis + 1) % 3, v = 1u << (axis + 2) % 3, base = side << axis;
    Face& face = faces[f];
    // u, v and the axis are right-handed: their order is counterclockwise seen from the high side.
    if (side == 0)
      face.corner = { base | v, base | u | v, base | u, base };
    else
      face.corner = { base, base | u, base | u | v, base | v };
    for (unsigned i = 0; i < 4; ++i)
      face.edge[i] = edgeBetween(face.corner[i], face.corner[(i + 1) % 4]);
  }
  return faces;
}

constexpr std::array<Face, 6> Faces = makeFaces();

bool isInside(unsigned cellCase, unsigned corner)
{
  return (cellCase >> corner & 1u) != 0;
}

constexpr CellEdge NoEdge = 12;

// A crossing of a loop, and the length of the run of inside corners between it and the next crossing: 1, 2 or 3.
struct Crossing
{
  CellEdge edge = NoEdge;
  unsigned insideCorners = 0;
};
using Loop = std::vector<Crossing>;

// Returns next[edge]: the next edge of the loop, and the run before it; NoEdge if the edge is not crossed. It joins the
// crossed edges at the beginning and the end of a run of inside corners around a face, in this order, so that loops are
// counterclockwise seen from outside the surface. A face with four crossings has two runs of one corner; each is cut
// off separately.
std::array<Crossing, 12> linkCrossings(unsigned cellCase)
{
  std::array<Crossing, 12> next;
  for (const Face& face : Faces)
    for (unsigned i = 0; i < 4; ++i)
    {
      const bool enters = !isInside(cellCase, face.corner[i]) && isInside(cellCase, face.corner[(i + 1) % 4]);
      if (!enters)
        continue;
      unsigned leave = i + 1;
      while (isInside(cellCase, face.corner[(leave + 1) % 4]))
        ++leave;
      next[face.edge[i]] = { face.edge[leave % 4], leave - i };
    }
  return next;
}

std::vector<Loop> loopsOf(unsigned cellCase)
{
  std::array<Crossing, 12> next = linkCrossings(cellCase);
  std::vector<Loop> loops;
  for (CellEdge start = 0; start < 12; ++start)
  {
    Loop loop;
    for (CellEdge edge = start; next[edge].edge != NoEdge;)
    {
      const Crossing end = std::exchange(next[edge], Crossing());
      loop.push_back({ edge, end.insideCorners });
      edge = end.edge;
    }
    if (!loop.empty())
      loops.push_back(loop);
  }
  return loops;
}

bool shareFace(CellEdge a, CellEdge b)
{
  return std::any_of(Faces.begin(), Faces.end(),
    [&](const Face& face)
    {
      const auto has = [&](CellEdge edge)
      { return std::find(face.edge.begin(), face.edge.end(), edge) != face.edge.end(); };
      return has(a) && has(b);
    });
}

const Crossing& at(const Loop& loop, std::size_t index)
{
  return loop[index % loop.size()];
}

bool hasDiagonalInFace(const Loop& loop, std::size_t start)
{
  for (std::size_t i = 2; i + 1 < loop.size(); ++i)
    if (shareFace(loop[start].edge, at(loop, start + i).edge))
      return true;
  return false;
}

// Where symmetry leaves a choice, the rules refer to the diagonal of the cell from corner (1, 0, 0) to (0, 1, 1).
constexpr unsigned DiagonalStart = 1, DiagonalEnd = 6;

bool touchesDiagonal(CellEdge edge)
{
  const unsigned start = EDGE_START_X(edge) | EDGE_START_Y(edge) << 1 | EDGE_START_Z(edge) << 2;
  const unsigned end = start | 1u << EDGE_AXIS(edge);
  return start == DiagonalStart || end == DiagonalStart || start == DiagonalEnd || end == DiagonalEnd;
}

// Rates a crossing as the start of a fan, higher is better. 0: not allowed, as a diagonal would lie in a face.
int rankOfStart(const Loop& loop, std::size_t start)
{
  const unsigned before = at(loop, start + loop.size() - 1).insideCorners;
  const unsigned after = loop[start].insideCorners;
  if (hasDiagonalInFace(loop, start))
    return 0;
  if (before == 3 && after == 3)
    return 3;
  const bool offDiagonal = loop.size() == 4 && before == 2 && after == 2 && !touchesDiagonal(loop[start].edge);
  return after == before + 1 || offDiagonal ? 2 : 1;
}

void cutAsFan(const Loop& loop, std::vector<CellTriangle>& triangles)
{
  std::size_t start = 0;
  for (std::size_t i = 1; i < loop.size(); ++i)
    if (rankOfStart(loop, i) > rankOfStart(loop, start))
      start = i;
  for (std::size_t i = 1; i + 1 < loop.size(); ++i)
    triangles.push_back({ loop[start].edge, at(loop, start + i).edge, at(loop, start + i + 1).edge });
}

// Returns whether the loop has six crossings whose runs have three different lengths, repeated twice.
bool isTwoFoldHexagon(const Loop& loop)
{
  if (loop.size() != 6 || loop[0].insideCorners == loop[1].insideCorners ||
      loop[1].insideCorners == loop[2].insideCorners || loop[2].insideCorners == loop[0].insideCorners)
    return false;
  return loop[0].insideCorners == loop[3].insideCorners && loop[1].insideCorners == loop[4].insideCorners &&
         loop[2].insideCorners == loop[5].insideCorners;
}

// Adds the triangle of every other crossing from `first` on, and the three triangles around it.
void cutAroundTriangle(const Loop& loop, std::size_t first, std::vector<CellTriangle>& triangles)
{
  triangles.push_back({ at(loop, first).edge, at(loop, first + 2).edge, at(loop, first + 4).edge });
  for (std::size_t i = first; i < first + 6; i += 2)
    triangles.push_back({ at(loop, i).edge, at(loop, i + 1).edge, at(loop, i + 2).edge });
}

// The number of edges that do not touch the diagonal, among every other crossing of a loop, and the axis of the first.
struct OffDiagonal
{
  unsigned count = 0;
  unsigned axis = 0;
};

OffDiagonal offDiagonal(const Loop& loop, std::size_t first)
{
  OffDiagonal result;
  for (std::size_t i = first; i < first + 6; i += 2)
    if (const CellEdge edge = at(loop, i).edge; !touchesDiagonal(edge))
    {
      result.axis = result.count == 0 ? EDGE_AXIS(edge) : result.axis;
      ++result.count;
    }
  return result;
}

// The two possible inner triangles are mirror images. If the runs grow along the loop, choose the triangle with more
// crossings off the diagonal, else the other one. If both have equally many, the axes decide, in the order x, z, y, x,
// ... or its reverse.
void cutTwoFoldHexagon(const Loop& loop, std::vector<CellTriangle>& triangles)
{
  const auto shortest = std::find_if(loop.begin(), loop.end(), [](const Crossing& c) { return c.insideCorners == 1; });
  const bool grows = at(loop, static_cast<std::size_t>(shortest - loop.begin()) + 1).insideCorners == 2;
  const OffDiagonal even = offDiagonal(loop, 0), odd = offDiagonal(loop, 1);
  const bool takeEven =
    even.count != odd.count ? (even.count > odd.count) == grows : (even.axis + (grows ? 2 : 1)) % 3 == odd.axis;
  cutAroundTriangle(loop, takeEven ? 0 : 1, triangles);
}

// Returns whether the loop encloses a corner and its three neighbours, or all other corners: runs of 1 and 3
// alternate.
bool isThreeFoldHexagon(const Loop& loop)
{
  for (std::size_t i = 0; i < loop.size(); ++i)
    if (loop.size() != 6 || loop[i].insideCorners + at(loop, i + 1).insideCorners != 4 || loop[i].insideCorners == 2)
      return false;
  return loop.size() == 6;
}

// Cuts the loop into a strip of four triangles. Its diagonals join the two crossings of axis `across`, and each of them
// to the crossing of axis `along` two steps further.
void cutAsStrip(const Loop& loop, unsigned across, unsigned along, std::vector<CellTriangle>& triangles)
{
  std::size_t start = 0;
  while (EDGE_AXIS(loop[start].edge) != across)
    ++start;
  const bool forward = EDGE_AXIS(at(loop, start + 2).edge) == along;
  for (const std::size_t p : { start, start + 3 })
  {
    const CellEdge one = at(loop, p).edge, two = at(loop, p + 1).edge, three = at(loop, p + 2).edge,
                   four = at(loop, p + 3).edge;
    triangles.push_back(forward ? CellTriangle{ one, two, three } : CellTriangle{ two, three, four });
    triangles.push_back(forward ? CellTriangle{ one, three, four } : CellTriangle{ one, two, four });
  }
}

// `along` is the first axis whose two crossed edges do not touch the diagonal. `across` is the previous axis in the
// order x, y, z, x, ..., or the next one for the two hexagons that do not touch the diagonal at all.
void cutThreeFoldHexagon(const Loop& loop, std::vector<CellTriangle>& triangles)
{
  std::array<bool, 3> touches{};
  for (const Crossing& crossing : loop)
    touches[EDGE_AXIS(crossing.edge)] |= touchesDiagonal(crossing.edge);
  const auto along = static_cast<unsigned>(std::find(touches.begin(), touches.end(), false) - touches.begin());
  const bool touchesNowhere = !touches[0] && !touches[1] && !touches[2];
  cutAsStrip(loop, (along + (touchesNowhere ? 1 : 2)) % 3, along, triangles);
}

std::vector<CellTriangle> deriveTriangles(unsigned cellCase)
{
  std::vector<CellTriangle> triangles;
  for (const Loop& loop : loopsOf(cellCase))
    if (isTwoFoldHexagon(loop))
      cutTwoFoldHexagon(loop, triangles);
    else if (isThreeFoldHexagon(loop))
      cutThreeFoldHexagon(loop, triangles);
    else
      cutAsFan(loop, triangles);
  return triangles;
}

PackedCase pack(const std::vector<CellTriangle>& triangles)
{
  PackedCase packed{};
  for (unsigned t = 0; t < triangles.size(); ++t)
  {
    packed[t] = static_cast<std::uint32_t>(triangles.size() - t) << CASE_TRIANGLES_SHIFT;
    for (unsigned corner = 0; corner < 3; ++corner)
      packed[t] |= std::uint32_t(EDGE_PLACE(unsigned(triangles[t][corner]))) << (CASE_EDGE_BITS * corner);
  }
  return packed;
}

}

const std::vector<CellTriangle>& trianglesOfCase(unsigned cellCase)
{
  static const auto table = []
  {
    std::array<std::vector<CellTriangle>, CASE_COUNT> all;
    for (unsigned c = 0; c < CASE_COUNT; ++c)
      all[c] = deriveTriangles(c);
    return all;
  }();
  return table.at(cellCase);
}

const PackedCaseTable& packedCaseTable()
{
  static const auto table = []
  {
    PackedCaseTable all{};
    for (unsigned c = 0; c < CASE_COUNT; ++c)
      all[c] = pack(trianglesOfCase(c));
    return all;
  }();
  return table;
}

}
