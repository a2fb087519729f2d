// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Reference/LevelSurface.h"
#include "Reference/PaddedGrid.h"
#include "Reference/PaintedLattice.h"
#include "Reference/WholeSurface.h"
#include "Support/RandomLevels.h"
#include "Support/Vectors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace
{

using vmc::reference::LevelCell;
using vmc::reference::LevelDualCell;
using vmc::reference::LevelIndex;
using vmc::reference::LevelLeaves;
using vmc::reference::LevelPair;
using vmc::reference::LevelPatch;
using vmc::reference::LevelPoint;
using vmc::reference::Levels;
using vmc::reference::LevelSurface;
using vmc::reference::LevelTriangle;
using vmc::reference::Octants;
using vmc::reference::PaintedLattice;
using vmc::reference::Vector;
using vmc::test::cross;
using vmc::test::difference;
using vmc::test::dot;
using vmc::test::RandomLevels;

constexpr std::uint64_t Seeds = 320; // 240 of them give well nested hierarchies

// A random hierarchy with its leaves and its surface.
struct Example
{
  explicit Example(std::uint64_t seed)
    : input(vmc::test::randomLevels(seed))
    , leaves(input.levels)
    , surface(input.levels, leaves, input.isovalue)
  {
  }
  Example(const Example&) = delete; // the leaves refer to the input
  Example& operator=(const Example&) = delete;

  RandomLevels input;
  LevelLeaves leaves;
  LevelSurface surface;
};

template <class Check>
void forEachSeed(const Check& check)
{
  for (std::uint64_t seed = 0; seed < Seeds; ++seed)
  {
    SCOPED_TRACE("seed " + std::to_string(seed));
    check(Example(seed));
    if (testing::Test::HasFailure())
      return; // one hierarchy is enough to look at
  }
}

// Calls check(example, its painted lattice) for the hierarchies whose finest lattice is small. Returns their number.
template <class Check>
std::size_t forEachPainted(const Check& check)
{
  constexpr std::int64_t LargestLattice = 200'000; // positions, so that a test takes about a second
  std::size_t painted = 0;
  forEachSeed(
    [&](const Example& example)
    {
      PaintedLattice lattice(example.input.levels);
      if (lattice.count() > LargestLattice)
        return;
      lattice.paint();
      check(example, lattice);
      ++painted;
    });
  return painted;
}

// A made dual cell by the rule, from a painted lattice.
struct PaintedDualCell
{
  LevelIndex vertex;
  std::array<LevelCell, 8> leaf;
  LevelCell owner;

  bool operator==(const PaintedDualCell& b) const
  {
    return this->vertex == b.vertex && this->leaf == b.leaf && this->owner == b.owner;
  }
};

// Adds the dual cell of a lattice point, if there is one.
void addDualCell(const PaintedLattice& lattice, const LevelIndex& vertex, std::vector<PaintedDualCell>& cells)
{
  PaintedDualCell cell = { vertex, {}, {} };
  std::size_t finest = 0;
  for (unsigned corner = 0; corner < 8; ++corner)
  {
    const int number =
      lattice.at({ vertex[0] - 1 + (corner & 1u), vertex[1] - 1 + (corner >> 1 & 1u), vertex[2] - 1 + (corner >> 2) });
    if (number < 0 || !lattice.isValid[static_cast<std::size_t>(number)])
      return;
    cell.leaf[corner] = lattice.cells[static_cast<std::size_t>(number)];
    if (corner == 0 || cell.leaf[corner].level > finest)
    {
      finest = cell.leaf[corner].level;
      cell.owner = cell.leaf[corner]; // corners ascend by z, y, x: the first one of the finest level
    }
  }
  for (std::size_t a = 0; a < 3; ++a)
    if (vertex[a] % lattice.cellsOf(finest)[a] != 0)
      return; // on a face or an edge of the leaves, not at a corner
  cells.push_back(cell);
}

// The directed edges of some triangles by the names of their ends: [smaller end, larger end] is the number of edges in
// this direction minus the number in the other one. Edges for which that is 0 are left out.
class EdgeBalance
{
public:
  void add(const LevelPair& from, const LevelPair& to)
  {
    const bool ascends = from < to;
    const auto sum = this->Sums.insert({ ascends ? Ends{ from, to } : Ends{ to, from }, 0 }).first;
    sum->second += ascends ? 1 : -1;
    if (sum->second == 0)
      this->Sums.erase(sum);
  }

  friend bool operator==(const EdgeBalance& a, const EdgeBalance& b) { return a.Sums == b.Sums; }
  std::size_t size() const { return this->Sums.size(); }

private:
  using Ends = std::pair<LevelPair, LevelPair>;
  std::map<Ends, int> Sums;
};

EdgeBalance balanceOf(const LevelSurface& surface, const std::vector<LevelTriangle>& triangles)
{
  EdgeBalance balance;
  for (const LevelTriangle& triangle : triangles)
    for (std::size_t i = 0; i < 3; ++i)
      balance.add(surface.points[triangle.points[i]].leaves, surface.points[triangle.points[(i + 1) % 3]].leaves);
  return balance;
}

// Returns whether the finest leaf around a lattice point has a corner there.
bool isCornerOfALeaf(const Example& example, const LevelIndex& vertex, const Octants& octants)
{
  std::size_t finest = 0;
  for (const auto& leaf : octants)
    finest = std::max(finest, leaf ? leaf->level : 0);
  const LevelIndex cells = example.leaves.toFinest(finest, { 1, 1, 1 });
  return vertex[0] % cells[0] == 0 && vertex[1] % cells[1] == 0 && vertex[2] % cells[2] == 0;
}

// Returns whether a face of a dual cell has no dual cell on its other side: the next lattice point along the axis that
// is a corner of a leaf has an octant without a valid leaf. The face must join three leaves or more: one of them, the
// finest, has an edge between the two lattice points. Otherwise the search may end beyond all leaves.
bool isOpen(const Example& example, const LevelDualCell& cell, std::size_t axis, unsigned side)
{
  LevelIndex vertex = cell.vertex;
  Octants octants;
  do
  {
    vertex[axis] += side == 0 ? -1 : 1;
    octants = vmc::reference::octantsOf(example.leaves, vertex);
  } while (octants != Octants() && !isCornerOfALeaf(example, vertex, octants));
  return std::any_of(
    octants.begin(), octants.end(), [&](const auto& leaf) { return !leaf || !example.leaves.at(*leaf).isValid; });
}

// Adds the edges that the polygons of a dual cell have in a face: each of them cuts off a run of inside corners.
void addFace(const Example& example, const LevelDualCell& cell, std::size_t axis, unsigned side, EdgeBalance& edges)
{
  const unsigned base = side << axis, u = 1u << (axis + 1) % 3, v = 1u << (axis + 2) % 3;
  // Counterclockwise seen from outside the dual cell, if the steps are right-handed.
  std::array<unsigned, 4> ring = { base, base | u, base | u | v, base | v };
  if ((side == 0) != example.input.levels.isMirrored())
    std::reverse(ring.begin(), ring.end());
  const auto isInside = [&](unsigned i) { return (cell.cellCase >> ring[i % 4] & 1u) != 0; };
  const auto pairAfter = [&](unsigned i)
  { return vmc::reference::pairOf(cell.leaf[ring[i % 4]], cell.leaf[ring[(i + 1) % 4]]); };
  for (unsigned i = 0; i < 4; ++i)
  {
    if (isInside(i) || !isInside(i + 1))
      continue;
    unsigned last = i + 1; // the last corner of the run that begins with corner i + 1
    while (isInside(last + 1))
      ++last;
    if (pairAfter(i) != pairAfter(last) && isOpen(example, cell, axis, side))
      edges.add(pairAfter(i), pairAfter(last));
  }
}

// The edges at the border of the domain and of holes: those in the open faces of all dual cells, also of dual cells
// without triangles.
EdgeBalance borderOf(const Example& example)
{
  EdgeBalance edges;
  for (const LevelDualCell& cell : example.surface.dualCells)
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (unsigned side = 0; side < 2; ++side)
        addFace(example, cell, axis, side, edges);
  return edges;
}

// The sum of the area vectors of all triangles, in world space.
Vector areaVectorOf(const LevelSurface& surface)
{
  Vector sum{};
  for (const LevelTriangle& triangle : surface.triangles)
  {
    const Vector& a = surface.points[triangle.points[0]].position;
    const Vector normal = cross(difference(surface.points[triangle.points[1]].position, a),
      difference(surface.points[triangle.points[2]].position, a));
    for (std::size_t i = 0; i < 3; ++i)
      sum[i] += normal[i] / 2;
  }
  return sum;
}

// The world gradient of a field that is linear in index space.
Vector worldGradient(const Levels& levels, const Vector& slope)
{
  const auto& [x, y, z] = levels.steps;
  const std::array<Vector, 3> cofactors = { cross(y, z), cross(z, x), cross(x, y) };
  Vector gradient{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t a = 0; a < 3; ++a)
      gradient[i] += slope[a] * cofactors[a][i] / dot(x, cofactors[0]);
  return gradient;
}

// The faces of the first leaf of a pair at which crossed edges reach the second one: 2 * axis + (0: low, 1: high side).
using Faces = std::set<std::size_t>;

std::map<LevelPair, Faces> facesOfPairs(const LevelSurface& surface)
{
  std::map<LevelPair, Faces> faces;
  for (const LevelDualCell& cell : surface.dualCells)
    for (unsigned edge = 0; edge < 12; ++edge)
    {
      const std::size_t axis = EDGE_AXIS(edge);
      const unsigned start = EDGE_START_X(edge) | EDGE_START_Y(edge) << 1 | EDGE_START_Z(edge) << 2;
      const LevelPair pair = LevelSurface::pairOfEdge(cell, edge);
      if ((cell.cellCase >> start & 1u) != (cell.cellCase >> start >> (1u << axis) & 1u))
        faces[pair].insert(2 * axis + (cell.leaf[start] == pair.first ? 1 : 0));
    }
  return faces;
}

// Returns whether the second, coarser cell of a pair contains the first one.
bool isNested(const Levels& levels, const LevelPair& pair)
{
  const LevelIndex cells = levels.cellsPerCell(pair.second.level, pair.first.level);
  for (std::size_t a = 0; a < 3; ++a)
    if (vmc::reference::floorOfQuotient(pair.first.index[a], cells[a]) != pair.second.index[a])
      return false;
  return true;
}

// A triangle by the names of its points; the smallest one comes first, the direction stays.
std::array<LevelPair, 3> rotated(std::array<LevelPair, 3> triangle)
{
  std::rotate(triangle.begin(), std::min_element(triangle.begin(), triangle.end()), triangle.end());
  return triangle;
}

std::vector<std::array<LevelPair, 3>> trianglesByName(const LevelSurface& surface)
{
  std::vector<std::array<LevelPair, 3>> triangles;
  for (const LevelTriangle& triangle : surface.triangles)
    triangles.push_back(rotated({ surface.points[triangle.points[0]].leaves, surface.points[triangle.points[1]].leaves,
      surface.points[triangle.points[2]].leaves }));
  std::sort(triangles.begin(), triangles.end());
  return triangles;
}

void expectSame(const LevelSurface& a, const LevelSurface& b)
{
  EXPECT_EQ(trianglesByName(a), trianglesByName(b));
  ASSERT_EQ(a.points.size(), b.points.size());
  for (std::size_t i = 0; i < a.points.size(); ++i)
  {
    EXPECT_EQ(a.points[i].leaves, b.points[i].leaves);
    EXPECT_EQ(a.points[i].position, b.points[i].position);
  }
}

// The cells of a hierarchy of one level as an image around all of them. Positions without a cell are blank.
struct DenseImage
{
  explicit DenseImage(const Example& example)
  {
    const PaintedLattice lattice(example.input.levels);
    this->low = lattice.low;
    for (std::size_t a = 0; a < 3; ++a)
      this->volume.size[a] = static_cast<std::uint32_t>(lattice.high[a] - lattice.low[a]);
    const auto& cells = example.leaves.cellsOf(0);
    for (std::int64_t i = 0; i < lattice.count(); ++i)
    {
      const auto found = cells.find(this->cellAt(static_cast<std::size_t>(i)).index);
      const bool isValid = found != cells.end() && found->second.isValid;
      this->samples.push_back(isValid ? found->second.sample : 0);
      this->ghosts.push_back(isValid ? std::uint8_t(0) : std::uint8_t(vmc::Ghost::Blank));
    }
    this->volume.ghosts = this->ghosts.data();
  }
  DenseImage(const DenseImage&) = delete; // the volume refers to the flags
  DenseImage& operator=(const DenseImage&) = delete;

  LevelCell cellAt(std::size_t number) const
  {
    const std::size_t x = this->volume.size[0], y = this->volume.size[1];
    return { 0, { this->low[0] + std::int64_t(number % x), this->low[1] + std::int64_t(number / x % y),
                  this->low[2] + std::int64_t(number / (x * y)) } };
  }

  LevelIndex low{ 0, 0, 0 };
  std::vector<double> samples;
  std::vector<std::uint8_t> ghosts;
  vmc::Volume volume;
};

// Expects that a hierarchy of one level has the points and triangles of the image.
void expectSurfaceOfImage(const Example& example)
{
  const DenseImage image(example);
  const vmc::reference::PaddedGrid grid(image.volume, [&](std::size_t i) { return image.samples[i]; });
  const vmc::reference::WholeSurface whole(grid, example.input.isovalue);
  std::map<LevelPair, double> fractions;
  for (const LevelPoint& point : example.surface.points)
    fractions[point.leaves] = point.fraction;
  EXPECT_EQ(fractions.size(), whole.points.size());
  std::vector<LevelPair> names;
  for (const vmc::reference::SurfacePoint& point : whole.points)
  {
    names.emplace_back(image.cellAt(point.lowSample), image.cellAt(point.highSample));
    ASSERT_EQ(fractions.count(names.back()), 1u);
    EXPECT_EQ(fractions[names.back()], point.fraction);
  }
  std::vector<std::array<LevelPair, 3>> triangles;
  for (std::size_t i = 0; i < whole.triangles.size(); i += 3)
  {
    std::array<LevelPair, 3> triangle = { names[whole.triangles[i]], names[whole.triangles[i + 1]],
      names[whole.triangles[i + 2]] };
    if (example.input.levels.isMirrored())
      std::swap(triangle[1], triangle[2]); // the reference of images leaves this to those who know the geometry
    triangles.push_back(rotated(triangle));
  }
  std::sort(triangles.begin(), triangles.end());
  EXPECT_EQ(trianglesByName(example.surface), triangles);
}

// The cell of level 0 that contains a cell.
LevelCell ancestorOf(const Levels& levels, const LevelCell& cell)
{
  const LevelIndex cells = levels.cellsPerCell(0, cell.level);
  LevelCell ancestor;
  for (std::size_t a = 0; a < 3; ++a)
    ancestor.index[a] = static_cast<std::int64_t>(std::floor(double(cell.index[a]) / double(cells[a])));
  return ancestor;
}

// Gives all cells in a cell of level 0 the same value, and takes away NaN and the flags of hidden cells.
void repeatCoarseValues(Levels& levels)
{
  for (LevelPatch& patch : levels.patches)
    for (std::int64_t i = 0; i < patch.count(); ++i)
    {
      const LevelIndex index = ancestorOf(levels, { patch.level, patch.cellAt(i) }).index;
      const std::int64_t mixed = 7 * index[0] * index[0] + 5 * index[1] * index[2] + 3 * index[2] + index[1];
      patch.samples[static_cast<std::size_t>(i)] = double(((mixed % 11) + 11) % 11);
      if (!patch.flags.empty())
        patch.flags[static_cast<std::size_t>(i)] &= vmc::reference::LevelFlag::Duplicate;
    }
}

// The pairs of cells of level 0 that contain the pairs of leaves of all crossed edges.
std::set<LevelPair> ancestorsOfCrossings(const Levels& levels, const LevelSurface& surface)
{
  std::set<LevelPair> pairs = surface.unusedPairs;
  for (const LevelPoint& point : surface.points)
    pairs.insert(point.leaves);
  std::set<LevelPair> ancestors;
  for (const auto& [first, second] : pairs)
    ancestors.insert(vmc::reference::pairOf(ancestorOf(levels, first), ancestorOf(levels, second)));
  return ancestors;
}

// Returns whether two cells of level 0 have a common face.
bool areNeighbours(const LevelPair& pair)
{
  std::int64_t steps = 0;
  for (std::size_t a = 0; a < 3; ++a)
    steps += std::abs(pair.first.index[a] - pair.second.index[a]);
  return steps == 1;
}

// A patch whose cells all have the same value.
LevelPatch patchOf(std::size_t level, const LevelIndex& low, const LevelIndex& size, double value)
{
  LevelPatch patch;
  patch.level = level;
  patch.low = low;
  patch.size = size;
  patch.samples.assign(static_cast<std::size_t>(patch.count()), value);
  return patch;
}

// Cells of value 0 with unit steps: `size` coarse ones, of which the one at the origin is divided by 2.
Levels oneRefinedCell(const LevelIndex& size)
{
  Levels levels;
  levels.ratio = { { 1, 1, 1 }, { 2, 2, 2 } };
  levels.patches = { patchOf(0, { 0, 0, 0 }, size, 0), patchOf(1, { 0, 0, 0 }, { 2, 2, 2 }, 0) };
  return levels;
}

}

TEST(LevelSurface, LeavesAreThoseOfAPaintedLattice)
{
  const std::size_t painted = forEachPainted(
    [](const Example& example, const PaintedLattice& lattice)
    {
      std::vector<LevelCell> expected;
      for (const int number : lattice.numbers())
        expected.push_back(lattice.cells[static_cast<std::size_t>(number)]);
      std::sort(expected.begin(), expected.end());
      EXPECT_EQ(example.leaves.leaves(), expected);
    });
  EXPECT_GT(painted, Seeds / 2);
}

TEST(LevelSurface, EachCornerOfALeafHasItsDualCellOnce)
{
  const std::size_t painted = forEachPainted(
    [](const Example& example, const PaintedLattice& lattice)
    {
      std::vector<PaintedDualCell> expected, found;
      for (std::int64_t z = lattice.low[2]; z <= lattice.high[2]; ++z)
        for (std::int64_t y = lattice.low[1]; y <= lattice.high[1]; ++y)
          for (std::int64_t x = lattice.low[0]; x <= lattice.high[0]; ++x)
            addDualCell(lattice, { x, y, z }, expected);
      for (const LevelDualCell& cell : example.surface.dualCells)
        found.push_back({ cell.vertex, cell.leaf, cell.owner });
      EXPECT_TRUE(found == expected);
    });
  EXPECT_GT(painted, Seeds / 2);
}

TEST(LevelSurface, AnOwnerHasACornerAtItsDualCell)
{
  forEachSeed(
    [](const Example& example)
    {
      std::set<std::pair<LevelCell, LevelIndex>> owned;
      for (const LevelDualCell& cell : example.surface.dualCells)
      {
        const LevelIndex size = example.leaves.toFinest(cell.level, { 1, 1, 1 });
        LevelIndex corner{};
        for (std::size_t a = 0; a < 3; ++a)
        {
          corner[a] = cell.vertex[a] / size[a] - cell.owner.index[a];
          EXPECT_EQ(cell.vertex[a] % size[a], 0);
          EXPECT_TRUE(corner[a] == 0 || corner[a] == 1);
        }
        EXPECT_TRUE(owned.insert({ cell.owner, corner }).second) << "The owner has two dual cells at one corner.";
      }
    });
}

// So all other edges are balanced: inside the domain there is no crack.
TEST(LevelSurface, OpenEdgesAreThoseOfTheBorder)
{
  forEachSeed([](const Example& example)
    { EXPECT_TRUE(balanceOf(example.surface, example.surface.triangles) == borderOf(example)); });
}

TEST(LevelSurface, AMissingTriangleIsACrack)
{
  for (std::uint64_t seed = 0; seed < Seeds; seed += 16)
  {
    const Example example(seed);
    std::vector<LevelTriangle> triangles = example.surface.triangles;
    ASSERT_FALSE(triangles.empty());
    triangles.erase(triangles.begin() + static_cast<std::ptrdiff_t>(triangles.size() / 2));
    EXPECT_FALSE(balanceOf(example.surface, triangles) == borderOf(example)) << "seed " << seed;
  }
}

TEST(LevelSurface, EachPairOfLeavesHasOnePointAndEachPointATriangle)
{
  forEachSeed(
    [](const Example& example)
    {
      std::set<std::uint32_t> used;
      for (const LevelTriangle& triangle : example.surface.triangles)
      {
        used.insert(triangle.points.begin(), triangle.points.end());
        EXPECT_EQ(std::set<std::uint32_t>(triangle.points.begin(), triangle.points.end()).size(), 3u);
      }
      EXPECT_EQ(used.size(), example.surface.points.size());
      for (std::size_t i = 1; i < example.surface.points.size(); ++i)
        EXPECT_TRUE(example.surface.points[i - 1].leaves < example.surface.points[i].leaves);
    });
}

// So an edge can be named by its finer leaf, its axis and its side. Only a fine leaf inside its coarse leaf, of a
// mis-nested hierarchy, may have several such names.
TEST(LevelSurface, APairOfLeavesMeetsInOneFaceUnlessOneContainsTheOther)
{
  forEachSeed(
    [](const Example& example)
    {
      for (const auto& [pair, faces] : facesOfPairs(example.surface))
      {
        EXPECT_TRUE(faces.size() == 1 || isNested(example.input.levels, pair));
        const bool isLower = *faces.begin() % 2 == 1; // the first leaf is that at the start of the edge
        EXPECT_TRUE(isLower || pair.first.level != pair.second.level);
      }
    });
}

TEST(LevelSurface, ALinearFieldHasItsPointsOnThePlane)
{
  std::size_t points = 0;
  forEachSeed(
    [&](const Example& example)
    {
      if (example.input.field != vmc::test::LevelField::Linear)
        return;
      for (const LevelPoint& point : example.surface.points)
      {
        // No term of a sample exceeds `size`. A sample has at most six roundings, so it is off by less than 6 u * 3
        // `size` with u = 2^-53; that of the point's value is the sum of the errors of two samples, of the fraction and
        // of the position, which are of the same kind: less than 4 * 18 u * size.
        double size = std::abs(example.input.isovalue);
        for (const LevelCell& leaf : { point.leaves.first, point.leaves.second })
          for (std::size_t a = 0; a < 3; ++a)
            size = std::max(size, std::abs(example.input.slope[a] * example.input.levels.centerOf(leaf)[a]));
        EXPECT_NEAR(dot(example.input.slope, point.index), example.input.isovalue, 72 * 0x1p-53 * size);
      }
      points += example.surface.points.size();
    });
  EXPECT_GT(points, 5'000u);
}

TEST(LevelSurface, NormalsPointTowardsLowerValues)
{
  std::size_t mirrored = 0, surfaces = 0;
  forEachSeed(
    [&](const Example& example)
    {
      if (example.input.field != vmc::test::LevelField::Linear || example.surface.triangles.empty())
        return;
      // The sum, since stitched dual cells may have small folds.
      const Vector gradient = worldGradient(example.input.levels, example.input.slope);
      EXPECT_LT(dot(areaVectorOf(example.surface), gradient), 0);
      mirrored += example.input.levels.isMirrored() ? 1 : 0;
      ++surfaces;
    });
  EXPECT_GT(mirrored, 10u);
  EXPECT_GT(surfaces - mirrored, 10u);
}

TEST(LevelSurface, AMirroredStepReversesEachTriangle)
{
  forEachSeed(
    [](const Example& example)
    {
      Levels mirrored = example.input.levels;
      for (double& coordinate : mirrored.steps[1])
        coordinate = -coordinate;
      const LevelSurface other(mirrored, example.input.isovalue);
      ASSERT_EQ(other.triangles.size(), example.surface.triangles.size());
      for (std::size_t i = 0; i < other.triangles.size(); ++i)
      {
        const std::array<std::uint32_t, 3>& points = example.surface.triangles[i].points;
        EXPECT_EQ(other.triangles[i].points, (std::array<std::uint32_t, 3>{ points[0], points[2], points[1] }));
      }
    });
}

TEST(LevelSurface, OneLevelInAnyPatchesIsTheImage)
{
  std::size_t images = 0;
  forEachSeed(
    [&](const Example& example)
    {
      if (example.input.levels.ratio.size() > 1)
        return;
      expectSurfaceOfImage(example);
      ++images;
    });
  EXPECT_GT(images, 40u);
}

TEST(LevelSurface, TheOrderOfPatchesDoesNotMatter)
{
  forEachSeed(
    [](const Example& example)
    {
      const Levels other = vmc::test::shuffled(example.input.levels, 1);
      expectSame(LevelSurface(other, example.input.isovalue), example.surface);
    });
}

TEST(LevelSurface, FinerCellsWithTheValueOfTheirCoarseCellChangeNoCrossing)
{
  constexpr double Isovalue = 5; // some of the values 0 to 10 are equal to it
  forEachSeed(
    [](const Example& example)
    {
      Levels levels = example.input.levels;
      repeatCoarseValues(levels);
      const std::set<LevelPair> found = ancestorsOfCrossings(levels, LevelSurface(levels, Isovalue));
      for (const LevelPair& pair : found)
        EXPECT_TRUE(areNeighbours(pair));
      levels.patches.erase(std::remove_if(levels.patches.begin(), levels.patches.end(),
                             [](const LevelPatch& patch) { return patch.level > 0; }),
        levels.patches.end());
      for (const LevelPair& pair : ancestorsOfCrossings(levels, LevelSurface(levels, Isovalue)))
        EXPECT_EQ(found.count(pair), 1u);
    });
}

TEST(LevelSurface, ACoarseLevelThatIsWhollyCoveredDoesNotMatter)
{
  Levels levels;
  levels.ratio = { { 1, 1, 1 }, { 2, 3, 4 } };
  LevelPatch fine = patchOf(1, { -2, 3, 8 }, { 6, 9, 8 }, 0);
  for (std::size_t i = 0; i < fine.samples.size(); ++i)
    fine.samples[i] = double(i * i % 17);
  levels.patches = { fine };
  const LevelSurface alone(levels, 8);
  levels.patches.push_back(patchOf(0, { -1, 1, 2 }, { 3, 3, 2 }, 16));
  const LevelSurface covered(levels, 8);
  EXPECT_GT(alone.triangles.size(), 100u);
  EXPECT_EQ(alone.dualCells.size(), 5u * 8 * 7);
  expectSame(alone, covered);
}

// Inside the refined cell lies 1 dual cell, on its three faces that are not at the border 3 pyramids, on the edges
// between these faces 3 wedges, and 1 around their common corner. All others would need cells beyond the border.
TEST(LevelSurface, OneRefinedCornerHasEightDualCells)
{
  const LevelSurface surface(oneRefinedCell({ 2, 2, 2 }), 0.5);
  std::map<std::size_t, std::size_t> cellsByLeaves;
  for (const LevelDualCell& cell : surface.dualCells)
    ++cellsByLeaves[std::set<LevelCell>(cell.leaf.begin(), cell.leaf.end()).size()];
  // Wedges have 2 fine leaves and 3 coarse ones, pyramids 4 and 1.
  EXPECT_EQ(cellsByLeaves, (std::map<std::size_t, std::size_t>{ { 5, 6 }, { 8, 2 } }));
}

// The fine cell (1, 1, 1) has its centre at 0.75, its coarse neighbours at 1.5 along one axis and at 0.5 along the
// other two; the point is a quarter of the way from the value 1 to the value 0.
TEST(LevelSurface, PositionsLieBetweenTheCentresOfTheirLeaves)
{
  Levels levels = oneRefinedCell({ 2, 2, 2 });
  levels.patches[1].samples[7] = 1;
  levels.origin = { 1e6, -10, 0 };
  levels.steps = { { { 0, 2, 0 }, { 0, 0, 4 }, { 8, 0, 0 } } };
  const LevelSurface surface(levels, 0.75);
  const LevelPair alongX = { { 1, { 1, 1, 1 } }, { 0, { 1, 0, 0 } } };
  const auto point =
    std::find_if(surface.points.begin(), surface.points.end(), [&](const LevelPoint& p) { return p.leaves == alongX; });
  ASSERT_NE(point, surface.points.end());
  EXPECT_EQ(point->fraction, 0.25);
  EXPECT_EQ(point->index, (Vector{ 0.9375, 0.6875, 0.6875 })); // all of these are sums of few powers of 2: exact
  EXPECT_EQ(point->position, (Vector{ 1e6 + 5.5, -10 + 1.875, 2.75 }));
}

// The coarse cell is inside. It has one point with each of the four fine cells at its face, and one with each of its
// two coarse neighbours.
TEST(LevelSurface, ACoarseCellBesideSeveralFineOnesHasAPointWithEach)
{
  Levels levels = oneRefinedCell({ 2, 2, 2 });
  levels.patches[0].samples[1] = 1; // cell (1, 0, 0)
  const LevelSurface surface(levels, 0.5);
  std::size_t withFine = 0, withCoarse = 0;
  for (const LevelPoint& point : surface.points)
    (point.leaves.first.level == 1 ? withFine : withCoarse) += 1;
  EXPECT_EQ(withFine, 4u);
  EXPECT_EQ(withCoarse, 2u);
}

TEST(LevelSurface, AHiddenOrNanCellCoversAndIsAHole)
{
  for (const bool isNan : { false, true })
  {
    Levels levels = oneRefinedCell({ 2, 2, 2 });
    levels.patches[1].flags.assign(8, 0);
    if (isNan)
      levels.patches[1].samples[7] = std::numeric_limits<double>::quiet_NaN();
    else
      levels.patches[1].flags[7] = vmc::reference::LevelFlag::Hidden;
    const LevelLeaves leaves(levels);
    EXPECT_EQ(leaves.leafAt({ 1, 1, 1 }), (LevelCell{ 1, { 1, 1, 1 } }));
    EXPECT_TRUE(leaves.partlyCovered().empty());
    EXPECT_TRUE(LevelSurface(levels, 0.5).dualCells.empty()); // all eight touch this cell
  }
}

TEST(LevelSurface, ADuplicateCellIsNotThere)
{
  Levels levels = oneRefinedCell({ 2, 2, 2 });
  levels.patches[1].flags.assign(8, 0);
  levels.patches[1].flags[7] = vmc::reference::LevelFlag::Duplicate;
  const LevelLeaves leaves(levels);
  const LevelCell coarse = { 0, { 0, 0, 0 } };
  EXPECT_EQ(leaves.leafAt({ 1, 1, 1 }), coarse);
  EXPECT_EQ(leaves.leafAt({ 0, 1, 1 }), (LevelCell{ 1, { 0, 1, 1 } }));
  EXPECT_EQ(leaves.partlyCovered(), std::vector<LevelCell>{ coarse });
}

TEST(LevelSurface, TheFirstPatchWithACellThatIsNoDuplicateCounts)
{
  Levels levels;
  levels.ratio = { { 1, 1, 1 } };
  levels.patches = { patchOf(0, { 0, 0, 0 }, { 2, 1, 1 }, 1), patchOf(0, { 0, 0, 0 }, { 2, 1, 1 }, 2),
    patchOf(0, { 0, 0, 0 }, { 2, 1, 1 }, 3) };
  levels.patches[0].flags = { vmc::reference::LevelFlag::Duplicate, 0 };
  const LevelLeaves leaves(levels);
  EXPECT_EQ(leaves.at({ 0, { 0, 0, 0 } }).sample, 2);
  EXPECT_EQ(leaves.at({ 0, { 1, 0, 0 } }).sample, 1);
}

// Four coarse cells in one layer, one of them refined. Of the four dual cells, the wedge in the middle of the edge that
// the coarse cells share is the only one that touches the cell across this edge, which is inside. Its polygon visits
// both points of this cell twice: all of its triangles vanish. The dual cells at the ends of the edge would use the
// points, but they lie at the border and are not made.
TEST(LevelSurface, AWellNestedHierarchyMayHaveCrossingsWithoutATriangle)
{
  Levels levels = oneRefinedCell({ 2, 2, 1 });
  levels.patches[0].samples[3] = 1; // cell (1, 1, 0)
  const LevelLeaves leaves(levels);
  const LevelSurface surface(levels, leaves, 0.5);
  EXPECT_TRUE(leaves.partlyCovered().empty());
  EXPECT_EQ(surface.dualCells.size(), 4u);
  EXPECT_TRUE(surface.triangles.empty());
  EXPECT_TRUE(surface.points.empty());
  const LevelCell inside = { 0, { 1, 1, 0 } };
  const std::set<LevelPair> unused = { { { 0, { 1, 0, 0 } }, inside }, { { 0, { 0, 1, 0 } }, inside } };
  EXPECT_EQ(surface.unusedPairs, unused);
}

// A fine cell in a corner of a coarse one meets it in three faces, but has one point with it.
TEST(LevelSurface, APairOfAMisNestedHierarchyMayMeetInThreeFaces)
{
  Levels levels = oneRefinedCell({ 2, 2, 2 });
  levels.patches[1] = patchOf(1, { 1, 1, 1 }, { 1, 1, 1 }, 1);
  const LevelLeaves leaves(levels);
  const LevelSurface surface(levels, leaves, 0.5);
  EXPECT_EQ(leaves.partlyCovered(), (std::vector<LevelCell>{ { 0, { 0, 0, 0 } } }));
  // Its six faces: three to the coarse cell around it, three to others. A point for each of the four leaves.
  ASSERT_EQ(surface.points.size(), 4u);
  EXPECT_EQ(surface.triangles.size(), 4u);
  EXPECT_EQ(balanceOf(surface, surface.triangles).size(), 0u); // a closed tetrahedron
}
