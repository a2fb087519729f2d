// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The limits of a histogram.
#ifndef vmcCountLimits_h
#define vmcCountLimits_h

#include <cstdint>

namespace vmc
{

// See the members of Request with these names.
struct CountLimits
{
  std::uint64_t memoryLimit = 0;
  unsigned threads = 0;
};

}

#endif
