// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Cpu/Grid.h"

#include <algorithm>

namespace vmc
{

Grid::Grid(const Volume& volume)
{
  const Padding& padding = volume.padding;
  for (std::size_t a = 0; a < 3; ++a)
  {
    GridAxis& gridAxis = this->axis[a];
    gridAxis.size = volume.gridSize()[a];
    gridAxis.bricks = BRICKS_ALONG(gridAxis.size);
    gridAxis.low = padding.low[a];
    gridAxis.samples = volume.size[a];
    gridAxis.isOutside.resize(gridAxis.size);
    gridAxis.coordinate = volume.gridCoordinates(a);
    const std::int64_t last = std::int64_t(gridAxis.samples) - 1;
    for (std::int64_t i = -std::int64_t(gridAxis.low); i < std::int64_t(gridAxis.size) - gridAxis.low; ++i)
      gridAxis.image.push_back(static_cast<std::uint32_t>(std::clamp<std::int64_t>(i, 0, last)));
    if (!padding.closed || gridAxis.size == 0)
      continue;
    gridAxis.isOutside.front() = padding.low[a] > 0;
    gridAxis.isOutside.back() = padding.high[a] > 0;
    this->hasOutside = this->hasOutside || padding.low[a] > 0 || padding.high[a] > 0;
  }
}

bool Grid::touchesOutside(const std::array<std::uint32_t, 3>& corner) const
{
  for (std::size_t a = 0; this->hasOutside && a < 3; ++a)
  {
    const GridAxis& gridAxis = this->axis[a];
    if ((corner[a] == 0 && gridAxis.isOutside.front()) ||
        (corner[a] + BRICK_SIZE + 1 >= gridAxis.size && gridAxis.isOutside.back()))
      return true;
  }
  return false;
}

}
