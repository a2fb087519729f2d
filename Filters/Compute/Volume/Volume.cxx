// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Volume/Volume.h"

#include <algorithm>

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

}
