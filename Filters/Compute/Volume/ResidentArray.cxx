// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Volume/ResidentArray.h"

#include "Compute/Context.h"
#include "Compute/System/Parallel.h"

#include <algorithm>

namespace vmc
{

ResidentArray::ResidentArray(
  Context& context, const void* values, std::uint64_t sizeInBytes, const Window& window, const char* name)
  : Values(context.deviceMemory().acquire(window.size, name, Reuse::InThisRun))
  , Offset(window.offset)
  , Size(window.size)
{
  // The padding of a window at the end of the array lies outside the array.
  const std::uint64_t bytes = std::min(window.size, sizeInBytes - window.offset);
  const std::byte* const from = static_cast<const std::byte*>(values) + window.offset;
  const Buffer& to = this->Values.buffer();
  if (to.mapped())
    copyInParallel(to.mapped(), from, bytes);
  else
    context.uploadRing().copy(from, bytes, to);
}

}
