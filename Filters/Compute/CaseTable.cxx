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

using Loop = std::vector<CellEdge>;

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

// next[edge]: the crossed edge that follows on the loop, or 12. Around a face, a run of inside corners is entered
// through one crossed edge and left through another, and the link joins the two in that order, so that loops turn
// counterclockwise seen from outside the surface. Two runs of one corner each are the face with four crossings: each is
// cut off by itself.
std::array<CellEdge, 12> linkCrossings(unsigned cellCase)
{
  std::array<CellEdge, 12> next;
  next.fill(12);
  for (const Face& face : faces())
    for (unsigned i = 0; i < 4; ++i)
    {
      const bool enters = !isInside(cellCase, face.corner[i]) && isInside(cellCase, face.corner[(i + 1) % 4]);
      if (!enters)
        continue;
      unsigned leave = i + 1;
      while (isInside(cellCase, face.corner[(leave + 1) % 4]))
        ++leave;
      next[face.edge[i]] = face.edge[leave % 4];
    }
  return next;
}

std::vector<Loop> loopsOf(unsigned cellCase)
{
  std::array<CellEdge, 12> next = linkCrossings(cellCase);
  std::vector<Loop> loops;
  for (CellEdge start = 0; start < 12; ++start)
  {
    Loop loop;
    for (CellEdge edge = start; next[edge] != 12;)
    {
      loop.push_back(edge);
      edge = std::exchange(next[edge], CellEdge(12));
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

// Index of the first crossing whose fan has no diagonal inside a face.
std::size_t fanStart(const Loop& loop)
{
  for (std::size_t start = 0; start < loop.size(); ++start)
  {
    bool clean = true;
    for (std::size_t i = 2; i + 1 < loop.size(); ++i)
      clean = clean && !shareFace(loop[start], loop[(start + i) % loop.size()]);
    if (clean)
      return start;
  }
  return 0; // not reached: every loop of every case has such a crossing, which a test shows
}

std::vector<CellTriangle> deriveTriangles(unsigned cellCase)
{
  std::vector<CellTriangle> triangles;
  for (const Loop& loop : loopsOf(cellCase))
  {
    const std::size_t start = fanStart(loop), size = loop.size();
    for (std::size_t i = 1; i + 1 < size; ++i)
      triangles.push_back({ loop[start], loop[(start + i) % size], loop[(start + i + 1) % size] });
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
