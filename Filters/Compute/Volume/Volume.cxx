// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Volume/Volume.h"

#include "Compute/System/Error.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <utility>

namespace vmc
{

namespace
{

constexpr char AxisNames[] = "xyz";

void checkCoordinates(const std::vector<double>& coordinates, std::size_t axis, std::size_t least)
{
  std::ostringstream message;
  message << "The coordinates along " << AxisNames[axis];
  if (coordinates.size() < least)
  {
    message << " are " << coordinates.size() << "; at least " << least << " are needed.";
    throw Error(Error::Kind::Unsupported, message.str());
  }
  for (std::size_t i = 0; i < coordinates.size(); ++i)
  {
    const bool follows = i == 0 || coordinates[i - 1] < coordinates[i];
    if (std::isfinite(coordinates[i]) && follows)
      continue;
    message << " must be finite and increase; number " << i << " is " << coordinates[i];
    if (!follows)
      message << " after " << coordinates[i - 1];
    throw Error(Error::Kind::Unsupported, message.str() + ".");
  }
}

// See SampleGeometry::width.
std::vector<double> widthsOfPoints(const std::vector<double>& points)
{
  const std::size_t last = points.size() - 1;
  std::vector<double> widths(points.size(), 1);
  for (std::size_t i = 0; last > 0 && i <= last; ++i)
  {
    const std::size_t below = i == 0 ? 0 : i - 1, above = std::min(i + 1, last);
    widths[i] = (points[above] - points[below]) / double(above - below);
  }
  return widths;
}

}

SampleGeometry::SampleGeometry(Coordinates table, Coordinates widths)
  : Table(std::make_shared<const Coordinates>(std::move(table)))
  , Widths(std::make_shared<const Coordinates>(std::move(widths)))
{
}

SampleGeometry SampleGeometry::ofPoints(const Coordinates& points)
{
  Coordinates table = points, widths;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    checkCoordinates(points[axis], axis, 1);
    table[axis].insert(table[axis].begin(), points[axis].front());
    table[axis].push_back(points[axis].back());
    widths[axis] = widthsOfPoints(points[axis]);
  }
  return SampleGeometry(std::move(table), std::move(widths));
}

SampleGeometry SampleGeometry::ofCells(const Coordinates& sides)
{
  Coordinates table, widths;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const std::vector<double>& side = sides[axis];
    checkCoordinates(side, axis, 2);
    table[axis].push_back(side.front());
    for (std::size_t i = 0; i + 1 < side.size(); ++i)
    {
      table[axis].push_back(side[i] / 2 + side[i + 1] / 2); // the sum may exceed the largest double
      widths[axis].push_back(side[i + 1] - side[i]);
    }
    table[axis].push_back(side.back());
    checkCoordinates(table[axis], axis, 3); // the centres of cells of one unit in the last place may be equal
  }
  return SampleGeometry(std::move(table), std::move(widths));
}

void SampleGeometry::setOrigin(const Vector3& origin)
{
  this->PositionOfZero = origin;
  for (std::size_t axis = 0; this->hasCoordinates() && axis < 3; ++axis)
    this->PositionOfZero[axis] -= this->coordinate(axis, 0);
}

Vector3 SampleGeometry::origin() const
{
  Vector3 world = this->PositionOfZero;
  for (std::size_t axis = 0; this->hasCoordinates() && axis < 3; ++axis)
    world[axis] += this->coordinate(axis, 0);
  return world;
}

bool SampleGeometry::fits(const std::array<std::uint32_t, 3>& size) const
{
  bool fits = true;
  for (std::size_t axis = 0; this->hasCoordinates() && axis < 3; ++axis)
    fits = fits && (*this->Table)[axis].size() == size[axis] + 2ull;
  return fits;
}

Vector3 SampleGeometry::position(const Vector3& index) const
{
  Vector3 world = this->PositionOfZero;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    double along = index[axis];
    if (this->hasCoordinates())
    {
      const double highest = double((*this->Table)[axis].size()) - 3;
      const auto lower = static_cast<std::int64_t>(std::clamp(std::floor(along), 0.0, highest));
      const double start = this->coordinate(axis, lower);
      along = start + (along - double(lower)) * (this->coordinate(axis, lower + 1) - start);
    }
    for (std::size_t c = 0; c < 3; ++c)
      world[c] += this->Steps[axis][c] * along;
  }
  return world;
}

double SampleGeometry::determinant() const
{
  const auto& a = this->Steps;
  return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) - a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
         a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
}

std::array<Vector3, 3> SampleGeometry::gradientToWorld() const
{
  const double determinant = this->determinant();
  if (determinant == 0 || !std::isfinite(determinant))
    throw Error(Error::Kind::Unsupported, "The image's spacing and direction have determinant " +
                                            std::to_string(determinant) + "; it must be finite and not 0.");
  std::array<Vector3, 3> columns{}; // the cross products of the other two axes
  for (std::size_t a = 0; a < 3; ++a)
  {
    const auto& u = this->Steps[(a + 1) % 3];
    const auto& v = this->Steps[(a + 2) % 3];
    for (std::size_t c = 0; c < 3; ++c)
    {
      const std::size_t d = (c + 1) % 3, e = (c + 2) % 3;
      columns[a][c] = (u[d] * v[e] - u[e] * v[d]) / determinant;
    }
  }
  return columns;
}

std::size_t bytesOf(SampleType type)
{
  constexpr std::size_t Bytes[] = { 1, 1, 2, 2, 4, 4, 4, 8, 8, 8 }; // [type]
  return Bytes[static_cast<std::size_t>(type)];
}

std::array<std::uint32_t, 3> Volume::gridSize() const
{
  std::array<std::uint32_t, 3> grid = this->size;
  for (int axis = 0; axis < 3; ++axis)
    grid[axis] += this->padding.low[axis] + this->padding.high[axis];
  return grid;
}

void Volume::checkCoordinates() const
{
  if (!this->geometry.fits(this->size))
    throw Error(Error::Kind::Unsupported,
      "The numbers of coordinates differ from the numbers of samples along the axes, which are " +
        std::to_string(this->size[0]) + ", " + std::to_string(this->size[1]) + " and " + std::to_string(this->size[2]) +
        ".");
}

std::vector<double> Volume::gridCoordinates(std::size_t axis) const
{
  this->checkCoordinates();
  const double last = double(this->size[axis]) - 1, border = this->padding.border;
  const std::int64_t first = -std::int64_t(this->padding.low[axis]);
  std::vector<double> coordinates;
  for (std::int64_t i = first; i < first + this->gridSize()[axis]; ++i)
    coordinates.push_back(this->geometry.hasCoordinates()
                            ? this->geometry.coordinate(axis, std::clamp<std::int64_t>(i, -1, this->size[axis]))
                            : std::clamp(double(i), -border, last + border));
  return coordinates;
}

bool Volume::hasDualCell() const
{
  const std::array<std::uint32_t, 3> grid = this->gridSize();
  return this->sampleCount() != 0 && *std::min_element(grid.begin(), grid.end()) >= 2;
}

}
