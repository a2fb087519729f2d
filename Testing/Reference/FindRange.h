// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Reference implementation of the kernel FindRange.
#ifndef vmcReferenceFindRange_h
#define vmcReferenceFindRange_h

#include "Reference/BuildBrickRanges.h"

#include <algorithm>
#include <vector>

namespace vmc::reference
{

// The smallest and the largest key of all bricks.
inline BrickRange findRange(const std::vector<BrickRange>& range)
{
  BrickRange found = { 0xFFFFFFFFu, 0 };
  for (const BrickRange& brick : range)
    found = { std::min(found[0], brick[0]), std::max(found[1], brick[1]) };
  return found;
}

}

#endif
