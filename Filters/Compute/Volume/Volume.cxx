// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Volume/Volume.h"

#include "Compute/System/Error.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace vmc
{

Vector3 SampleGeometry::position(const Vector3& index) const
{
  Vector3 world = this->Origin;
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t c = 0; c < 3; ++c)
      world[c] += this->Steps[axis][c] * index[axis];
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

bool Volume::hasDualCell() const
{
  const std::array<std::uint32_t, 3> grid = this->gridSize();
  return this->sampleCount() != 0 && *std::min_element(grid.begin(), grid.end()) >= 2;
}

}
