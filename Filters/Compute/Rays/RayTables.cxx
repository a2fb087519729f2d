// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Rays/RayTables.h"

#include "Compute/Contour/Parameters.h"
#include "Compute/System/Error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace vmc
{

namespace
{

using Vector4 = std::array<double, 4>;

// Distance of the planes from the volume, as a share of its depth: a face of the volume does not lie in a plane.
constexpr double PlaneMargin = 1.0 / 1024;

Vector4 product(const Matrix4& matrix, const Vector4& vector)
{
  Vector4 result{};
  for (std::size_t row = 0; row < 4; ++row)
    for (std::size_t column = 0; column < 4; ++column)
      result[row] += matrix[row][column] * vector[column];
  return result;
}

Matrix4 product(const Matrix4& a, const Matrix4& b)
{
  Matrix4 result{};
  for (std::size_t row = 0; row < 4; ++row)
    for (std::size_t column = 0; column < 4; ++column)
      for (std::size_t i = 0; i < 4; ++i)
        result[row][column] += a[row][i] * b[i][column];
  return result;
}

Matrix4 matrixOf(const SampleGeometry& map)
{
  Matrix4 matrix{ { {}, {}, {}, { 0, 0, 0, 1 } } };
  for (std::size_t c = 0; c < 3; ++c)
    matrix[c] = { map.step(0)[c], map.step(1)[c], map.step(2)[c], map.origin()[c] };
  return matrix;
}

// Smallest and largest depth of the corners of the grid, in normalized device coordinates. Corners behind the eye of a
// perspective projection have the depth of the near plane.
std::array<double, 2> depthsOf(const Matrix4& indexToClip, const Volume& volume)
{
  constexpr double Infinity = std::numeric_limits<double>::infinity();
  std::array<double, 2> depths = { Infinity, -Infinity };
  for (unsigned corner = 0; corner < 8; ++corner)
  {
    Vector4 at = { 0, 0, 0, 1 };
    for (std::size_t a = 0; a < 3; ++a)
    {
      const double border = volume.padding.border;
      at[a] = (corner >> a & 1u) != 0 ? volume.size[a] - 1 + (volume.padding.high[a] != 0 ? border : 0)
                                      : (volume.padding.low[a] != 0 ? -border : 0);
    }
    const Vector4 clip = product(indexToClip, at);
    const double depth = clip[3] > 0 ? clip[2] / clip[3] : -1;
    depths = { std::min(depths[0], depth), std::max(depths[1], depth) };
  }
  return depths;
}

struct Plane
{
  std::array<std::array<double, 3>, 3> point; // origin, step along x, step along y
  double clipW;                               // of its points
};

// The points of the plane at this depth through the centres of the pixels.
Plane planeAt(double depth, const RayCamera& camera, const Matrix4& clipToIndex)
{
  const double stepX = 2.0 / camera.width, stepY = 2.0 / camera.height;
  const auto at = [&](double x, double y) {
    return product(clipToIndex, Vector4{ (x + 0.5) * stepX - 1, (y + 0.5) * stepY - 1, depth, 1 });
  };
  const Vector4 origin = at(0, 0), nextX = at(1, 0), nextY = at(0, 1);
  const double tolerance = 1e-9 * std::abs(origin[3]); // rounding of the products of two matrices
  if (!(origin[3] > 0) || std::abs(nextX[3] - origin[3]) > tolerance || std::abs(nextY[3] - origin[3]) > tolerance)
    throw Error(Error::Kind::Unsupported, "The planes of equal depth of the camera are not perpendicular to its "
                                          "direction of view: the last coordinate of the inverse projection differs.");
  Plane plane{};
  plane.clipW = 1 / origin[3];
  for (std::size_t a = 0; a < 3; ++a)
  {
    plane.point[0][a] = origin[a] / origin[3];
    plane.point[1][a] = nextX[a] / origin[3] - plane.point[0][a];
    plane.point[2][a] = nextY[a] / origin[3] - plane.point[0][a];
  }
  return plane;
}

// The linear function that is 0 on the first plane and 1 on the second one.
vec4 distanceBetween(double nearest, double farthest, double clipWFar, const Matrix4& indexToClip)
{
  vec4 row{};
  for (std::size_t i = 0; i < 4; ++i)
    row[i] = static_cast<float>((indexToClip[2][i] - nearest * indexToClip[3][i]) / ((farthest - nearest) * clipWFar));
  return row;
}

// The pixel along an axis of the picture times clip w, divided by that of the first plane.
vec4 scaledPixel(std::size_t axis, std::uint32_t pixels, double clipWNear, const Matrix4& indexToClip)
{
  vec4 row{};
  for (std::size_t i = 0; i < 4; ++i)
    row[i] = static_cast<float>(
      ((indexToClip[axis][i] + indexToClip[3][i]) * pixels / 2 - 0.5 * indexToClip[3][i]) / clipWNear);
  return row;
}

}

Matrix4 inverseOf(const Matrix4& matrix)
{
  Matrix4 left = matrix, right{};
  for (std::size_t i = 0; i < 4; ++i)
    right[i][i] = 1;
  for (std::size_t column = 0; column < 4; ++column)
  {
    std::size_t pivot = column;
    for (std::size_t row = column; row < 4; ++row)
      if (std::abs(left[row][column]) > std::abs(left[pivot][column]))
        pivot = row;
    std::swap(left[pivot], left[column]);
    std::swap(right[pivot], right[column]);
    const double scale = 1 / left[column][column];
    if (!std::isfinite(scale))
      throw Error(Error::Kind::Unsupported, "The matrix of the camera, with that of the volume, has no inverse.");
    for (std::size_t i = 0; i < 4; ++i)
    {
      left[column][i] *= scale;
      right[column][i] *= scale;
    }
    for (std::size_t row = 0; row < 4; ++row)
    {
      const double factor = row == column ? 0 : left[row][column];
      for (std::size_t i = 0; i < 4; ++i)
      {
        left[row][i] -= factor * left[column][i];
        right[row][i] -= factor * right[column][i];
      }
    }
  }
  return right;
}

std::optional<RayTable> rayTableOf(const RayCamera& camera, const Volume& volume)
{
  if (volume.geometry.hasCoordinates())
    throw Error(Error::Kind::Unsupported, "Rays need samples at equal distances along each axis; these samples have "
                                          "coordinates of their own.");
  const Matrix4 indexToClip = product(camera.worldToClip, matrixOf(volume.geometry));
  const Matrix4 clipToIndex = inverseOf(indexToClip);
  const auto [smallest, largest] = depthsOf(indexToClip, volume);
  const double margin = PlaneMargin * (largest - smallest);
  const double nearest = std::max(smallest - margin, -1.0), farthest = std::min(largest + margin, 1.0);
  if (!(nearest < farthest))
    return std::nullopt;
  const std::array<Plane, 2> planes = { planeAt(nearest, camera, clipToIndex), planeAt(farthest, camera, clipToIndex) };
  RayTable table{};
  for (std::size_t plane = 0; plane < 2; ++plane)
    for (std::size_t a = 0; a < 3; ++a)
    {
      splitInTwo(planes[plane].point[0][a], table.originHigh[plane][a], table.originLow[plane][a]);
      splitInTwo(planes[plane].point[1][a], table.stepXHigh[plane][a], table.stepXLow[plane][a]);
      splitInTwo(planes[plane].point[2][a], table.stepYHigh[plane][a], table.stepYLow[plane][a]);
    }
  table.toPixelX = scaledPixel(0, camera.width, planes[0].clipW, indexToClip);
  table.toPixelY = scaledPixel(1, camera.height, planes[0].clipW, indexToClip);
  table.toDistance = distanceBetween(nearest, farthest, planes[1].clipW, indexToClip);
  table.width = camera.width;
  table.height = camera.height;
  table.ratio = static_cast<float>(planes[1].clipW / planes[0].clipW);
  table.nearDepth = static_cast<float>((nearest + 1) / 2);
  table.farDepth = static_cast<float>((farthest + 1) / 2);
  return table;
}

std::vector<Slab> nearestFirst(std::vector<Slab> slabs, const RayTable& table)
{
  double along = 0;
  for (std::size_t plane = 0; plane < 2; ++plane)
  {
    const double z = double(table.originHigh[plane][2]) + table.width / 2.0 * table.stepXHigh[plane][2] +
                     table.height / 2.0 * table.stepYHigh[plane][2];
    along += plane == 0 ? -z : z;
  }
  if (along < 0)
    std::reverse(slabs.begin(), slabs.end());
  return slabs;
}

}
