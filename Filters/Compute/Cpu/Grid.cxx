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
    GridAxis& on = this->axis[a];
    on.size = volume.gridSize()[a];
    on.bricks = (on.size + BRICK_SIZE - 1) / BRICK_SIZE;
    on.low = padding.low[a];
    on.samples = volume.size[a];
    on.isOutside.resize(on.size);
    const std::int64_t last = std::int64_t(on.samples) - 1;
    for (std::int64_t i = -std::int64_t(on.low); i < std::int64_t(on.size) - on.low; ++i)
    {
      on.image.push_back(static_cast<std::uint32_t>(std::clamp<std::int64_t>(i, 0, last)));
      on.coordinate.push_back(std::clamp(double(i), -double(padding.border), double(last) + double(padding.border)));
    }
    if (!padding.closed || on.size == 0)
      continue;
    on.isOutside.front() = padding.low[a] > 0;
    on.isOutside.back() = padding.high[a] > 0;
    this->hasOutside = this->hasOutside || padding.low[a] > 0 || padding.high[a] > 0;
  }
}

bool Grid::touchesOutside(const std::array<std::uint32_t, 3>& corner) const
{
  for (std::size_t a = 0; this->hasOutside && a < 3; ++a)
  {
    const GridAxis& on = this->axis[a];
    if ((corner[a] == 0 && on.isOutside.front()) || (corner[a] + BRICK_SIZE + 1 >= on.size && on.isOutside.back()))
      return true;
  }
  return false;
}

}
