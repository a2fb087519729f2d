// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Volume/Report.h"

#include <algorithm>

namespace vmc
{

void Report::add(const Report& next)
{
  this->stages.add(next.stages);
  this->totalMilliseconds += next.totalMilliseconds;
  this->slabs += next.slabs;
  this->bricks += next.bricks;
  this->activeBricks += next.activeBricks;
  this->deviceBytes = std::max(this->deviceBytes, next.deviceBytes);
}

}
