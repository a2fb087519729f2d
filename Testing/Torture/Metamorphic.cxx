// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Metamorphic.h"

#include "Mismatch.h"
#include "ReferenceCheck.h"
#include "Support/BlockValues.h"
#include "Support/Dice.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <numeric>
#include <tuple>
#include <vector>

namespace vmc::torture
{

namespace
{

using test::valuesOf;

// The sums of the coordinates of the points of one isovalue, and the error that they may have.
struct CoordinateSum
{
  std::array<long double, 3> sum{}, error{};
};

CoordinateSum sumOf(const VolumeInput& input, const Mesh& mesh, std::size_t isovalue)
{
  const PositionTolerance tolerance(input, mesh);
  CoordinateSum result;
  for (std::size_t p = mesh.firstPoint[isovalue]; p < mesh.firstPoint[isovalue + 1]; ++p)
  {
    const std::array<long double, 3> position = positionOf(mesh, p);
    for (std::size_t c = 0; c < 3; ++c)
    {
      result.sum[c] += position[c];
      result.error[c] += tolerance.at(c, position[c]);
    }
  }
  return result;
}

AxisOrder randomOrder(std::uint64_t choice)
{
  test::Dice dice(choice);
  AxisOrder order;
  for (std::size_t a = 0; a < 2; ++a)
    std::swap(order.axis[a], order.axis[static_cast<std::size_t>(dice.between(std::int64_t(a), 2))]);
  for (bool& isReversed : order.isReversed)
    isReversed = dice.chance(0.5);
  return order;
}

void checkReordered(
  const VolumeInput& input, const Request& request, const Mesh& mesh, std::uint64_t choice, const ExtractOne& extract)
{
  const Oracle oracle("reordered axes");
  const AxisOrder order = randomOrder(choice);
  const VolumeInput changed = reordered(input, order);
  const Mesh found = extract(changed.volume(), request);
  for (std::size_t i = 0; i < request.isovalues.size(); ++i)
  {
    oracle.requireEqual(found.firstPoint[i + 1], mesh.firstPoint[i + 1], "first point");
    oracle.requireEqual(found.firstTriangle[i + 1], mesh.firstTriangle[i + 1], "first triangle");
    const CoordinateSum before = sumOf(input, mesh, i), after = sumOf(changed, found, i);
    for (std::size_t c = 0; c < 3; ++c)
    {
      const std::size_t axis = input.hasCoordinates() ? order.axis[c] : c;
      const int sign = input.hasCoordinates() && order.isReversed[c] ? -1 : 1;
      oracle.requireNear(after.sum[c], sign * before.sum[axis], 2 * (before.error[axis] + after.error[c]),
        "sum of the coordinates along axis", c);
    }
  }
}

void checkScaled(
  const VolumeInput& input, const Request& request, const Mesh& mesh, int exponent, const ExtractOne& extract)
{
  VolumeInput scaled = input;
  Request scaledRequest = request;
  if (!scaleValues(scaled, scaledRequest.isovalues, exponent))
    return;
  const Oracle oracle("scaled values");
  const Mesh found = extract(scaled.volume(), scaledRequest);
  oracle.require(idsOf(found) == idsOf(mesh), "triangles differ");
  const PositionTolerance tolerance(input, mesh);
  for (std::size_t p = 0; p < mesh.pointCount; ++p)
    for (std::size_t c = 0; c < 3; ++c)
    {
      const long double expected = positionOf(mesh, p)[c];
      oracle.requireNear(positionOf(found, p)[c], expected, 2 * tolerance.at(c, expected), "coordinate of point", p);
    }
}

// A triangle of a piece, named by its isovalue and the cell of the whole volume.
struct PieceTriangle
{
  std::size_t isovalue;
  std::int64_t cell;
  std::array<std::array<long double, 3>, 3> corners;
};

void addTriangles(const Mesh& mesh, std::int64_t firstCell, std::vector<PieceTriangle>& triangles)
{
  const std::vector<std::int64_t> ids = idsOf(mesh), cells = valuesOf<std::int64_t>(mesh.triangleCells);
  for (std::size_t isovalue = 0; isovalue + 1 < mesh.firstTriangle.size(); ++isovalue)
    for (std::size_t t = mesh.firstTriangle[isovalue]; t < mesh.firstTriangle[isovalue + 1]; ++t)
    {
      PieceTriangle triangle{ isovalue, firstCell + cells[t], {} };
      for (std::size_t corner = 0; corner < 3; ++corner)
        triangle.corners[corner] = positionOf(mesh, static_cast<std::size_t>(ids[3 * t + corner]));
      triangles.push_back(triangle);
    }
}

// Sorts by cells: the triangles of a cell keep their order, if the cell belongs to one position of the padded grid.
void sortByCells(std::vector<PieceTriangle>& triangles)
{
  std::stable_sort(triangles.begin(), triangles.end(),
    [](const PieceTriangle& a, const PieceTriangle& b)
    { return std::tie(a.isovalue, a.cell) < std::tie(b.isovalue, b.cell); });
}

void checkPieces(const VolumeInput& input, Request request, std::uint64_t choice, const ExtractOne& extract)
{
  const Oracle oracle("pieces along z");
  request.computeCells = true;
  request.computeMeasures = false;
  const std::uint32_t layers = input.samples.size[2], first = 1 + std::uint32_t(choice % (layers - 1));
  const std::int64_t layer = std::int64_t(input.samples.size[0]) * input.samples.size[1];
  std::vector<PieceTriangle> whole, all;
  const Mesh mesh = extract(input.volume(), request);
  addTriangles(mesh, 0, whole);
  for (const auto& [begin, end] : { std::pair<std::uint32_t, std::uint32_t>(0, first), { first, layers } })
  {
    const PieceOfVolume piece = pieceOf(input, begin, end);
    addTriangles(extract(piece.input.volume(), request), layer * piece.first, all);
  }
  oracle.requireEqual(all.size(), whole.size(), "number of triangles");
  sortByCells(whole);
  sortByCells(all);
  const bool hasOneCellPerSample = input.padding.isEmpty();
  const PositionTolerance tolerance(input, mesh);
  for (std::size_t t = 0; t < all.size(); ++t)
  {
    oracle.requireNear(all[t].cell, whole[t].cell, 0, "cell of triangle", t);
    for (std::size_t corner = 0; hasOneCellPerSample && corner < 3; ++corner)
      for (std::size_t c = 0; c < 3; ++c)
      {
        const long double expected = whole[t].corners[corner][c];
        // A double that stands for an origin of a piece has an error of its own.
        const long double error = 2 * tolerance.at(c, expected) + 0x1p-51L * std::fabs(expected);
        oracle.requireNear(all[t].corners[corner][c], expected, error, "corner of triangle", t);
      }
  }
}

}

namespace
{

// Returns whether both ends of the edges of a cap have the same position. Else the point lies at the first one, which
// is another one if the axis is reversed.
bool hasFlatCaps(const VolumeInput& input)
{
  const bool isAtSamples = input.hasCoordinates() ? !input.isCellData : input.padding.border == 0;
  bool areFlat = true;
  for (std::size_t axis = 0; axis < 3; ++axis)
    areFlat = areFlat && input.padding.low[axis] != 1 && input.padding.high[axis] != 1;
  return !input.padding.closed || isAtSamples || areFlat;
}

}

void checkChangedVolumes(
  const VolumeInput& input, const Request& request, const Mesh& mesh, std::uint64_t choice, const ExtractOne& extract)
{
  Request changed = request;
  changed.relativePositions = changed.relativePositions && !changed.splitPositions;
  const std::array<std::uint32_t, 3>& size = input.samples.size;
  if (input.samples.count() == 0 || !input.mustFitDevices())
    return;
  const auto hasFlag = [](std::uint8_t flags) { return (flags & Ghost::NotOwned) != 0; };
  const bool isOwned = std::none_of(input.ghosts.begin(), input.ghosts.end(), hasFlag);
  if (choice % 3 == 0 && isOwned && hasFlatCaps(input) && request.mergePoints) // else sums depend on diagonals
    checkReordered(input, changed, mesh, choice, extract);
  const bool isFloat = input.samples.type == SampleType::Float32 || input.samples.type == SampleType::Float64;
  if (choice % 3 == 1 && isFloat)
    checkScaled(input, changed, mesh, choice / 3 % 2 == 0 ? 7 : -7, extract);
  if (choice % 3 == 2 && size[2] > 1)
    checkPieces(input, changed, choice / 3, extract);
}

}
