// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "LevelChecks.h"

#include "Mismatch.h"
#include "Reference/BorderedLevels.h"
#include "Reference/LevelSurface.h"
#include "ReferenceCheck.h"
#include "Support/LevelOrder.h"
#include "Support/LevelViews.h"
#include "Support/PiecesOfLevels.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace vmc::torture
{

namespace
{

// The hierarchy of a case as the reference reads it: with cells beyond its border.
struct ReferenceInput
{
  const reference::LevelLeaves leaves; // of the hierarchy without a border
  std::unique_ptr<reference::BorderedLevels> bordered;
  const reference::Levels* levels;

  explicit ReferenceInput(const LevelInput& input)
    : leaves(input.random.levels)
    , levels(&input.random.levels)
  {
    if (!input.view.border)
      return;
    this->bordered = std::make_unique<reference::BorderedLevels>(
      input.random.levels, reference::borderOf(input.random.levels, this->leaves, input.view.border->isClosed));
    this->levels = &this->bordered->levels;
  }

  // The extent of the larger one of two leaves along an axis of the world.
  long double extentOf(const reference::LevelPair& leaves, std::size_t axis) const
  {
    long double largest = 0;
    for (const reference::LevelCell& leaf : { leaves.first, leaves.second })
    {
      const reference::LevelIndex perStep = this->levels->cellsPerCell(0, leaf.level);
      long double extent = 0;
      for (std::size_t a = 0; a < 3; ++a)
        extent += std::fabs(this->levels->steps[a][axis]) / static_cast<long double>(perStep[a]);
      largest = std::max(largest, extent);
    }
    return largest;
  }

  reference::LevelCell sourceOf(const reference::LevelCell& cell) const
  {
    return this->bordered ? this->bordered->sourceOf(cell) : cell;
  }
};

}

LevelInput::LevelInput(const LevelSettings& settings)
  : random(test::randomLevels(settings.seed))
  , view(test::viewOf(random.levels))
{
  if (settings.hasBorder)
    this->view.border = LevelBorder{ settings.isClosed, {}, {} };
}

void checkReference(const LevelInput& input, const Request& request, bool isDevice, const ExtractLevels& extract)
{
  const Oracle oracle("reference of levels");
  const double isovalue = request.isovalues.front();
  Request whole = request;
  whole.computeCells = whole.mergePoints = whole.splitPositions = true;
  whole.wideIds = false;
  const Mesh mesh = extract(input.view, whole);
  const ReferenceInput from(input);
  const reference::LevelLeaves leaves(*from.levels);
  const reference::LevelSurface expected(*from.levels, leaves, isovalue);
  oracle.requireEqual(mesh.pointCount, expected.points.size(), "number of points");
  oracle.requireEqual(mesh.triangleCount, expected.triangles.size(), "number of triangles");
  const std::vector<std::uint32_t> ids = test::idsOf(*from.levels, leaves, bricksOf(input.view, 1), expected);
  std::vector<test::TriangleOfLeaf> triangles;
  for (const reference::LevelTriangle& triangle : expected.triangles)
    triangles.push_back({ test::rotated({ ids[triangle.points[0]], ids[triangle.points[1]], ids[triangle.points[2]] }),
      from.sourceOf(expected.dualCells[triangle.dualCell].owner) });
  std::sort(triangles.begin(), triangles.end());
  oracle.require(test::sortedTriangles(input.view, mesh) == triangles, "triangles differ");
  for (std::size_t i = 0; i < ids.size(); ++i)
    for (std::size_t c = 0; c < 3; ++c)
    {
      const long double truth = expected.points[i].position[c], origin = std::fabs(from.levels->origin[c]);
      // Two floats hold 48 bits of a distance of at most some hundred; the origin has 53. On devices, the way from the
      // centre of the finer leaf is a float: its fraction has an error of 2^-24, and four sums and products are
      // rounded.
      const long double error = 1e-9L + (isDevice ? 0x1p-22L * from.extentOf(expected.points[i].leaves, c) : 0);
      oracle.requireNear(positionOf(mesh, ids[i])[c], truth, error + 0x1p-50L * origin, "coordinate of point", ids[i]);
    }
}

void checkPieces(const LevelInput& input, const Request& request, std::size_t pieces, const ExtractLevels& extract)
{
  const Oracle oracle("pieces of levels");
  Request whole = request;
  whole.computeCells = whole.relativePositions = whole.computeNormals = whole.mergePoints = true;
  whole.splitPositions = whole.wideIds = whole.computeMeasures = false;
  std::vector<test::TriangleOfPatch> expected, found;
  test::addTriangles(extract(input.view, whole), expected);
  for (std::size_t piece = 0; piece < pieces; ++piece)
    test::addTriangles(extract(test::PieceOfLevels(input.random.levels, piece, pieces).levels, whole), found);
  test::sortByCells(expected);
  test::sortByCells(found);
  oracle.requireEqual(found.size(), expected.size(), "number of triangles");
  for (std::size_t t = 0; t < found.size(); ++t)
  {
    const test::TriangleOfPatch &a = found[t], &b = expected[t];
    oracle.require(a.patch == b.patch && a.cell == b.cell, "cells differ");
    for (std::size_t i = 0; i < a.corners.size(); ++i)
      oracle.requireNear(a.corners[i], b.corners[i], 0, "corner of triangle", t);
  }
}

void checkUnchanged(const LevelInput& input, const Request& request, const ExtractLevels& extract)
{
  Request whole = request;
  whole.computeCells = false; // their numbers are those of patches
  const Mesh expected = extract(input.view, whole);
  const reference::Levels shuffled = test::shuffled(input.random.levels, 5);
  Levels other = test::viewOf(shuffled);
  other.border = input.view.border;
  Levels deeper = input.view;
  deeper.ratio.push_back({ 2, 1, 3 });
  for (const Levels* const levels : { &other, &deeper })
  {
    const Oracle oracle(levels == &other ? "shuffled patches" : "one more level without patches");
    const Mesh found = extract(*levels, whole);
    oracle.require(idsOf(found) == idsOf(expected), "triangles differ");
    oracle.require(test::valuesOf<std::uint32_t>(found.positions) == test::valuesOf<std::uint32_t>(expected.positions),
      "positions differ");
  }
}

}
