// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Volume/Volume.h"

#include "Compute/System/Error.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace vmc
{

std::size_t bytesOf(SampleType type)
{
  switch (type)
  {
    case SampleType::Int8:
    case SampleType::UInt8:
      return 1;
    case SampleType::Int16:
    case SampleType::UInt16:
      return 2;
    case SampleType::Int64:
    case SampleType::UInt64:
    case SampleType::Float64:
      return 8;
    default:
      return 4;
  }
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

double IndexToWorld::determinant() const
{
  const auto& a = this->axis;
  return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) - a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
         a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
}

std::array<std::array<double, 3>, 3> IndexToWorld::gradientToWorld() const
{
  const double determinant = this->determinant();
  if (determinant == 0 || !std::isfinite(determinant))
    throw Error(Error::Kind::Unsupported, "The image's spacing and direction have determinant " +
                                            std::to_string(determinant) + "; it must be finite and not 0.");
  std::array<std::array<double, 3>, 3> columns{}; // the cross products of the other two axes
  for (std::size_t a = 0; a < 3; ++a)
  {
    const auto& u = this->axis[(a + 1) % 3];
    const auto& v = this->axis[(a + 2) % 3];
    for (std::size_t c = 0; c < 3; ++c)
    {
      const std::size_t d = (c + 1) % 3, e = (c + 2) % 3;
      columns[a][c] = (u[d] * v[e] - u[e] * v[d]) / determinant;
    }
  }
  return columns;
}

}
