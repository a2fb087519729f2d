// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Contour/CaseTable.h"
#include "Shared/Cell.h"
#include "Shared/Constants.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace
{

using vmc::CellEdge;
using vmc::CellTriangle;

// A grid edge: start position and axis.
using GridEdge = std::array<unsigned, 4>;
using Segment = std::pair<GridEdge, GridEdge>;

bool isInside(unsigned cellCase, unsigned corner)
{
  return (cellCase >> corner & 1u) != 0;
}

// The edge in a cell whose minimum corner is at `cell`.
GridEdge gridEdge(unsigned edge, const std::array<unsigned, 3>& cell)
{
  return { cell[0] + EDGE_START_X(edge), cell[1] + EDGE_START_Y(edge), cell[2] + EDGE_START_Z(edge), EDGE_AXIS(edge) };
}

bool isCrossed(unsigned cellCase, unsigned edge)
{
  const unsigned start = EDGE_START_X(edge) | EDGE_START_Y(edge) << 1 | EDGE_START_Z(edge) << 2;
  return isInside(cellCase, start) != isInside(cellCase, start | 1u << EDGE_AXIS(edge));
}

// Returns whether the edge lies in the plane that the coordinate `at` fixes along `axis`.
bool liesIn(const GridEdge& edge, unsigned axis, unsigned at)
{
  return edge[3] != axis && edge[axis] == at;
}

std::vector<Segment> segmentsOf(unsigned cellCase, const std::array<unsigned, 3>& cell = { 0, 0, 0 })
{
  std::vector<Segment> segments;
  for (const CellTriangle& triangle : vmc::trianglesOfCase(cellCase))
    for (unsigned i = 0; i < 3; ++i)
      segments.emplace_back(gridEdge(triangle[i], cell), gridEdge(triangle[(i + 1) % 3], cell));
  return segments;
}

// Segments that no other triangle of the cell uses in the opposite direction.
std::set<Segment> borderOf(const std::vector<Segment>& segments)
{
  std::set<Segment> border(segments.begin(), segments.end());
  for (const Segment& segment : segments)
    if (border.count({ segment.second, segment.first }) != 0 && border.count(segment) != 0)
    {
      border.erase({ segment.second, segment.first });
      border.erase(segment);
    }
  return border;
}

std::set<Segment> borderInPlane(const std::vector<Segment>& segments, unsigned axis, unsigned at)
{
  std::set<Segment> inPlane;
  for (const Segment& segment : borderOf(segments))
    if (liesIn(segment.first, axis, at) && liesIn(segment.second, axis, at))
      inPlane.insert(segment);
  return inPlane;
}

// Returns whether the high face of `low` along `axis` has the samples of the low face of `high`.
bool canTouch(unsigned low, unsigned high, unsigned axis)
{
  for (unsigned corner = 0; corner < 8; ++corner)
    if ((corner >> axis & 1u) == 0 && isInside(low, corner | 1u << axis) != isInside(high, corner))
      return false;
  return true;
}

// Calls `check(low, high, segments of both)` for every pair of cells that can lie beside each other along an axis.
template <class Check>
void forEachPair(unsigned axis, const Check& check)
{
  std::array<unsigned, 3> second{};
  second[axis] = 1;
  for (unsigned low = 0; low < CASE_COUNT; ++low)
    for (unsigned high = 0; high < CASE_COUNT; ++high)
      if (canTouch(low, high, axis))
        check(low, high, segmentsOf(low), segmentsOf(high, second));
}

}

TEST(CaseTable, EveryCaseHasAtMostFiveTriangles)
{
  for (unsigned cellCase = 0; cellCase < CASE_COUNT; ++cellCase)
    EXPECT_LE(vmc::trianglesOfCase(cellCase).size(), 5u) << "case " << cellCase;
}

TEST(CaseTable, TrianglesJoinExactlyTheCrossedEdges)
{
  for (unsigned cellCase = 0; cellCase < CASE_COUNT; ++cellCase)
  {
    std::set<unsigned> used, crossed;
    for (const CellTriangle& triangle : vmc::trianglesOfCase(cellCase))
    {
      used.insert(triangle.begin(), triangle.end());
      EXPECT_EQ(std::set<unsigned>(triangle.begin(), triangle.end()).size(), 3u) << "case " << cellCase;
    }
    for (unsigned edge = 0; edge < 12; ++edge)
      if (isCrossed(cellCase, edge))
        crossed.insert(edge);
    EXPECT_EQ(used, crossed) << "case " << cellCase;
  }
}

TEST(CaseTable, NumbersOfTrianglesOfSimpleCasesAreThoseCountedByHand)
{
  const std::map<unsigned, std::size_t> triangleCount = {
    { 0x00, 0 }, { 0xFF, 0 }, { 0x01, 1 }, { 0xFE, 1 }, // one corner: a triangle
    { 0x03, 2 }, { 0xFC, 2 },                           // an edge: a quadrilateral
    { 0x07, 3 }, { 0xF8, 3 },                           // three corners of a face: a pentagon
    { 0x0F, 2 }, { 0x33, 2 }, { 0x55, 2 },              // a face: a quadrilateral
    { 0x81, 2 }, { 0x7E, 2 },                           // two opposite corners: two triangles
    { 0x09, 2 },                                        // two corners across a face, separated: two triangles
    { 0xF6, 4 }, // its complement: the two inside corners of that face are separated, which leaves one hexagon
    { 0x69, 4 }, { 0x96, 4 }, // no two inside corners share an edge: four triangles
    { 0x17, 4 },              // a corner and its three neighbours: a hexagon
  };
  for (const auto& [cellCase, count] : triangleCount)
    EXPECT_EQ(vmc::trianglesOfCase(cellCase).size(), count) << "case " << cellCase;
}

TEST(CaseTable, BorderOfEveryCaseLiesInItsFaces)
{
  for (unsigned cellCase = 0; cellCase < CASE_COUNT; ++cellCase)
    for (const Segment& segment : borderOf(segmentsOf(cellCase)))
    {
      bool onFace = false;
      for (unsigned axis = 0; axis < 3; ++axis)
        for (unsigned side = 0; side < 2; ++side)
          onFace = onFace || (liesIn(segment.first, axis, side) && liesIn(segment.second, axis, side));
      EXPECT_TRUE(onFace) << "case " << cellCase;
    }
}

TEST(CaseTable, NoDiagonalLiesInAFace)
{
  for (unsigned cellCase = 0; cellCase < CASE_COUNT; ++cellCase)
  {
    const std::vector<Segment> segments = segmentsOf(cellCase);
    const std::set<Segment> border = borderOf(segments);
    for (const Segment& segment : segments)
      for (unsigned face = 0; border.count(segment) == 0 && face < 6; ++face)
        EXPECT_FALSE(liesIn(segment.first, face / 2, face % 2) && liesIn(segment.second, face / 2, face % 2))
          << "case " << cellCase;
  }
}

TEST(CaseTable, NeighboursHaveTheSameEdgesInTheFaceTheyShare)
{
  for (unsigned axis = 0; axis < 3; ++axis)
    forEachPair(axis,
      [&](unsigned low, unsigned high, const auto& ofLow, const auto& ofHigh)
      {
        std::set<Segment> reversed;
        for (const Segment& segment : borderInPlane(ofHigh, axis, 1))
          reversed.emplace(segment.second, segment.first);
        EXPECT_EQ(borderInPlane(ofLow, axis, 1), reversed) << "cases " << low << " and " << high << ", axis " << axis;
      });
}

TEST(CaseTable, NoEdgeOfTwoNeighboursIsUsedMoreThanTwice)
{
  for (unsigned axis = 0; axis < 3; ++axis)
    forEachPair(axis,
      [&](unsigned low, unsigned high, const auto& ofLow, const auto& ofHigh)
      {
        std::map<Segment, int> uses;
        for (const auto* segments : { &ofLow, &ofHigh })
          for (const Segment& segment : *segments)
            ++uses[{ std::min(segment.first, segment.second), std::max(segment.first, segment.second) }];
        for (const auto& [segment, count] : uses)
          EXPECT_LE(count, 2) << "cases " << low << " and " << high << ", axis " << axis;
      });
}

// The triangles and the inside parts of the cell's faces enclose the inside of the cell, so their outward vector areas
// sum to zero. With crossings in the middle of the edges all areas are multiples of 1/8: the comparison is exact.
TEST(CaseTable, TrianglesFaceFromInsideToOutside)
{
  for (unsigned cellCase = 0; cellCase < CASE_COUNT; ++cellCase)
  {
    std::array<double, 3> sum{};
    for (const CellTriangle& triangle : vmc::trianglesOfCase(cellCase))
    {
      std::array<std::array<double, 3>, 3> p;
      for (unsigned i = 0; i < 3; ++i)
      {
        const GridEdge edge = gridEdge(triangle[i], { 0, 0, 0 });
        p[i] = { double(edge[0]), double(edge[1]), double(edge[2]) };
        p[i][edge[3]] += 0.5;
      }
      for (unsigned c = 0; c < 3; ++c)
      {
        const unsigned d = (c + 1) % 3, e = (c + 2) % 3;
        sum[c] += ((p[1][d] - p[0][d]) * (p[2][e] - p[0][e]) - (p[1][e] - p[0][e]) * (p[2][d] - p[0][d])) / 2;
      }
    }
    for (unsigned face = 0; face < 6; ++face)
    {
      const unsigned axis = face / 2, side = face % 2;
      const unsigned u = 1u << (axis + 1) % 3, v = 1u << (axis + 2) % 3, base = side << axis;
      const std::array<bool, 4> around = { isInside(cellCase, base), isInside(cellCase, base | u),
        isInside(cellCase, base | u | v), isInside(cellCase, base | v) };
      const auto corners = std::count(around.begin(), around.end(), true);
      const bool diagonal = corners == 2 && around[0] == around[2];
      constexpr std::array<double, 5> AreaOf = { 0, 0.125, 0.5, 0.875, 1 };
      sum[axis] += (side == 1 ? 1 : -1) * (diagonal ? 0.25 : AreaOf[corners]);
    }
    EXPECT_EQ(sum, (std::array<double, 3>{})) << "case " << cellCase;
  }
}

// Where no face is ambiguous, exchanging inside and outside reverses the winding of the triangles.
TEST(CaseTable, ComplementReversesTheWindingOfUnambiguousCases)
{
  unsigned compared = 0;
  for (unsigned cellCase = 0; cellCase < CASE_COUNT; ++cellCase)
  {
    std::set<Segment> reversed;
    const std::set<Segment> border = borderOf(segmentsOf(cellCase));
    for (const Segment& segment : border)
      reversed.emplace(segment.second, segment.first);
    bool ambiguous = false;
    for (unsigned face = 0; face < 6; ++face)
    {
      const unsigned axis = face / 2, base = face % 2 << axis, u = 1u << (axis + 1) % 3, v = 1u << (axis + 2) % 3;
      const bool a = isInside(cellCase, base), b = isInside(cellCase, base | u);
      ambiguous = ambiguous || (a != b && isInside(cellCase, base | u | v) == a && isInside(cellCase, base | v) == b);
    }
    if (ambiguous)
      continue;
    ++compared;
    EXPECT_EQ(borderOf(segmentsOf(255 - cellCase)), reversed) << "case " << cellCase;
    EXPECT_EQ(vmc::trianglesOfCase(255 - cellCase).size(), vmc::trianglesOfCase(cellCase).size());
  }
  EXPECT_GT(compared, 100u);
}

// The loop around a corner and its three neighbours is symmetric, so only convention tells its diagonals (see
// CaseTable.h). The triangles are those that this table had when the tests of the filter compared it with VTK's.
TEST(CaseTable, HexagonsAroundACornerHaveTheDiagonalsOfTheConvention)
{
  const std::map<unsigned, std::vector<CellTriangle>> expected = {
    { 23, { { 10, 6, 2 }, { 10, 2, 9 }, { 9, 5, 1 }, { 9, 1, 10 } } },
    { 43, { { 4, 8, 2 }, { 4, 2, 7 }, { 7, 11, 1 }, { 7, 1, 4 } } },
    { 77, { { 11, 3, 6 }, { 5, 11, 6 }, { 8, 0, 5 }, { 6, 8, 5 } } },
    { 113, { { 4, 10, 3 }, { 0, 4, 3 }, { 7, 9, 0 }, { 3, 7, 0 } } },
    { 142, { { 0, 9, 7 }, { 0, 7, 3 }, { 3, 10, 4 }, { 3, 4, 0 } } },
    { 178, { { 6, 3, 11 }, { 6, 11, 5 }, { 5, 0, 8 }, { 5, 8, 6 } } },
    { 212, { { 2, 8, 4 }, { 7, 2, 4 }, { 1, 11, 7 }, { 4, 1, 7 } } },
    { 232, { { 2, 6, 10 }, { 9, 2, 10 }, { 1, 5, 9 }, { 10, 1, 9 } } }
  };
  for (const auto& [cellCase, triangles] : expected)
    EXPECT_EQ(vmc::trianglesOfCase(cellCase), triangles) << "case " << cellCase;
}

// The formula of CellRow.glsl and Cpu/Cases.h. CountBricks.*, LevelKernels.* and Engines.* test the code that counts by
// it.
TEST(CaseTable, TheNumberOfTrianglesFollowsFromInsideCornersAndFaces)
{
  for (unsigned cellCase = 1; cellCase < CASE_COUNT - 1; ++cellCase)
  {
    int expected = 0;
    for (unsigned corner = 0; corner < 8; ++corner)
      expected += static_cast<int>(cellCase >> corner & 1u);
    for (const unsigned face : { 0x55u, 0xAAu, 0x33u, 0xCCu, 0x0Fu, 0xF0u }) // their corners, one bit each
      expected -= (cellCase & face) == face ? 2 : 0;
    for (const unsigned diagonal : { 0x81u, 0x42u, 0x24u, 0x18u })
      expected -= cellCase == (0xFFu ^ diagonal) ? 4 : 0;
    EXPECT_EQ(static_cast<int>(vmc::trianglesOfCase(cellCase).size()), expected) << "case " << cellCase;
  }
}

TEST(CaseTable, PackedTableHoldsTheSameTriangles)
{
  for (unsigned cellCase = 0; cellCase < CASE_COUNT; ++cellCase)
  {
    const vmc::PackedCase packed = vmc::packedCaseTable()[cellCase];
    const std::vector<CellTriangle>& triangles = vmc::trianglesOfCase(cellCase);
    for (std::size_t t = 0; t < packed.size(); ++t)
    {
      if (t >= triangles.size())
      {
        EXPECT_EQ(packed[t], 0u);
        continue;
      }
      EXPECT_EQ(packed[t] >> CASE_TRIANGLES_SHIFT, triangles.size() - t);
      for (unsigned corner = 0; corner < 3; ++corner)
      {
        const std::uint32_t place = packed[t] >> (CASE_EDGE_BITS * corner) & ((1u << CASE_EDGE_BITS) - 1);
        const unsigned edge = triangles[t][corner];
        EXPECT_EQ(PLACE_ROWS(place), EDGE_START_Y(edge) + BRICK_SAMPLES * EDGE_START_Z(edge));
        EXPECT_EQ(PLACE_SAMPLES(place), EDGE_START_X(edge));
        EXPECT_EQ(PLACE_AXIS(place), EDGE_AXIS(edge));
      }
    }
  }
}
