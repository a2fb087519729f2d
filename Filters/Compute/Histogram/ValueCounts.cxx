// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Histogram/ValueCounts.h"

#include <cstddef>

namespace vmc
{

void ValueCounts::add(const ValueCounts& others)
{
  for (std::size_t bin = 0; bin < this->samples.size(); ++bin)
  {
    this->samples[bin] += others.samples[bin];
    this->cutCells[bin] += others.cutCells[bin];
  }
  this->below += others.below;
  this->above += others.above;
  this->nan += others.nan;
  this->ghosts += others.ghosts;
}

}
