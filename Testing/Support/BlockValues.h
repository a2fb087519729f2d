// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The values of host blocks.
#ifndef vmcBlockValues_h
#define vmcBlockValues_h

#include "Compute/Memory/HostMemoryPool.h"

#include <vector>

namespace vmc::test
{

template <class Value>
std::vector<Value> valuesOf(const HostBlock& block)
{
  const Value* begin = reinterpret_cast<const Value*>(block.data());
  return std::vector<Value>(begin, begin + block.size() / sizeof(Value));
}

}

#endif
