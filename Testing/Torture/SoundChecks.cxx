// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "SoundChecks.h"

#include "Mismatch.h"
#include "ReferenceCheck.h"
#include "Support/BlockValues.h"
#include "Support/MeshProperties.h"

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <vector>

namespace vmc::torture
{

using test::valuesOf;

namespace
{

// The largest error of the area: cross products of two edges are computed with floats (Accuracy.md). The square of one
// may be below the smallest float, relative to the diagonal of the surface.
double areaTolerance(const test::MeshView& view, double diagonal)
{
  double products = 0;
  for (std::size_t t = 0; t < view.triangleCount; ++t)
  {
    std::array<double, 2> length{};
    for (std::size_t c = 0; c < 3; ++c)
      for (const std::size_t edge : { 0, 1 })
        length[edge] +=
          std::pow(view.position(view.triangles[3 * t + 1 + edge])[c] - view.position(view.triangles[3 * t])[c], 2);
    products += std::sqrt(length[0] * length[1]);
  }
  return 1e-6 * test::areaOf(view) + 0x1p-22 * products +
         (FLT_MIN + std::sqrt(FLT_MIN) * diagonal * diagonal) * double(view.triangleCount);
}

// Returns whether nothing opens a surface that is closed at the border.
bool isClosed(const VolumeInput& input)
{
  bool isClosed = input.padding.closed && input.ghosts.empty() && input.samples.count() > 0;
  for (std::size_t axis = 0; axis < 3; ++axis)
    isClosed = isClosed && input.padding.low[axis] > 0 && input.padding.high[axis] > 0;
  for (std::uint64_t i = 0; isClosed && i < input.samples.count(); ++i)
    isClosed = !std::isnan(input.samples.value(i));
  return isClosed;
}

void checkSizes(const Request& request, const Mesh& mesh)
{
  const Oracle sizes("sizes");
  const std::size_t points = 3 * mesh.pointCount, isovalues = request.isovalues.size();
  const auto requireSize = [&](const HostBlock& block, bool isRequested, std::size_t bytes, const char* name)
  { sizes.requireEqual(block.size(), isRequested ? bytes : 0, name); };
  requireSize(mesh.positions, true, 4 * points, "bytes of positions");
  requireSize(mesh.positionsLow, request.splitPositions, 4 * points, "bytes of low positions");
  requireSize(mesh.normals, request.computeNormals, 4 * points, "bytes of normals");
  requireSize(mesh.gradients, request.computeGradients, 4 * points, "bytes of gradients");
  requireSize(mesh.triangleCells, request.computeCells, 8 * mesh.triangleCount, "bytes of cells");
  requireSize(mesh.triangles, true, (mesh.hasWideIds ? 24 : 12) * mesh.triangleCount, "bytes of ids");
  requireSize(mesh.offsets, mesh.triangleCount > 0, (mesh.hasWideIds ? 8 : 4) * (mesh.triangleCount + 1), "offsets");
  requireSize(mesh.isovalues, request.pointIsovalues, 4 * mesh.pointCount, "bytes of isovalues");
  sizes.require(mesh.triangleCount == 0 || mesh.hasWideIds == request.wideIds, "the width of the ids differs");
  sizes.requireEqual(mesh.firstPoint.size(), isovalues + 1, "number of first points");
  sizes.requireEqual(mesh.firstTriangle.size(), isovalues + 1, "number of first triangles");
  sizes.requireEqual(mesh.firstPoint.back(), mesh.pointCount, "last first point");
  sizes.requireEqual(mesh.firstTriangle.back(), mesh.triangleCount, "last first triangle");
  for (std::size_t t = 0; mesh.triangleCount > 0 && t <= mesh.triangleCount; ++t)
  {
    const std::int64_t offset = mesh.hasWideIds ? reinterpret_cast<const std::int64_t*>(mesh.offsets.data())[t]
                                                : reinterpret_cast<const std::int32_t*>(mesh.offsets.data())[t];
    sizes.requireEqual(offset, std::int64_t(3 * t), "offset");
  }
}

void checkNumbers(const VolumeInput& input, const Mesh& mesh)
{
  const Oracle numbers("finite positions and unit normals");
  for (const float position : valuesOf<float>(mesh.positions))
    numbers.require(std::isfinite(position) || std::fabs(input.geometry.step(0)[0]) > 1e30 || input.hasCoordinates(),
      "a position is not finite");
  const std::vector<float> normals = valuesOf<float>(mesh.normals);
  for (std::size_t i = 0; i < normals.size(); i += 3) // a square root and a division of rounded squares
    numbers.requireNear(std::hypot(normals[i], normals[i + 1], normals[i + 2]), 1, 0x1p-21L, "length of normal", i / 3);
}

// The triangles of one isovalue, with the ids of the mesh.
test::MeshView viewOf(const Mesh& mesh, const std::vector<std::uint32_t>& ids, std::size_t isovalue)
{
  const std::size_t first = mesh.firstTriangle[isovalue];
  return { reinterpret_cast<const float*>(mesh.positions.data()), mesh.pointCount, ids.data() + 3 * first,
    mesh.firstTriangle[isovalue + 1] - first };
}

}

void checkSound(const VolumeInput& input, const Request& request, const Mesh& mesh)
{
  checkSizes(request, mesh);
  checkNumbers(input, mesh);
  const std::vector<std::int64_t> wide = idsOf(mesh);
  const std::vector<std::uint32_t> ids(wide.begin(), wide.end());
  const test::MeshView view{ reinterpret_cast<const float*>(mesh.positions.data()), mesh.pointCount, ids.data(),
    mesh.triangleCount };
  const Oracle sound("sound triangles");
  sound.requireEqual(test::badIds(view), std::size_t(0), "ids beyond the points");
  sound.requireEqual(test::degenerateTriangles(view), std::size_t(0), "triangles that use a point twice");
  sound.requireEqual(test::unreferencedPoints(view), std::size_t(0), "points without a triangle");
  if (!request.mergePoints)
    return;
  const test::EdgeUse edges = test::edgeUseOf(view);
  sound.requireEqual(edges.overused, std::size_t(0), "edges of more than two triangles");
  sound.requireEqual(edges.doubled, std::size_t(0), "edges with two windings");
  if (isClosed(input))
    Oracle("closed surface").requireEqual(edges.border, std::size_t(0), "open edges");
}

void checkMeasures(const Request& request, const Mesh& mesh)
{
  if (!request.computeMeasures)
    return;
  const Oracle measures("measures");
  measures.requireEqual(mesh.measures.size(), request.isovalues.size(), "number of measures");
  const std::vector<std::int64_t> wide = idsOf(mesh);
  const std::vector<std::uint32_t> ids(wide.begin(), wide.end());
  for (std::size_t i = 0; i < mesh.measures.size(); ++i)
  {
    const SurfaceMeasures& found = mesh.measures[i];
    const test::MeshView view = viewOf(mesh, ids, i);
    measures.requireEqual(found.triangles, view.triangleCount, "triangles of measures");
    measures.requireEqual(found.openEdges, test::edgeUseOf(view).border, "open edges of measures");
    if (request.splitPositions || !std::isfinite(test::areaOf(view)))
      continue;
    double squared = 0;
    for (std::size_t axis = 0; axis < 3 && view.triangleCount > 0; ++axis)
      squared += std::pow(found.bounds.high[axis] - found.bounds.low[axis], 2);
    const double diagonal = std::sqrt(squared), tolerance = areaTolerance(view, diagonal);
    measures.requireNear(found.area, test::areaOf(view), tolerance, "area of isovalue", i);
    if (const double volume = test::signedVolumeOf(view); found.isClosed() && view.triangleCount > 0)
      measures.requireNear(
        found.volume, volume, 1e-6 * std::fabs(volume) + tolerance * diagonal, "volume of isovalue", i);
  }
}

}
