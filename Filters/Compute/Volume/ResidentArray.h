// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Holds an array of a volume on the device.
#ifndef vmcResidentArray_h
#define vmcResidentArray_h

#include "Compute/Memory/DeviceMemoryPool.h"
#include "Compute/Volume/ContourPlan.h"

#include <cstdint>

namespace vmc
{

class Context;

// A window of a host array on the device. Its values never change.
class ResidentArray
{
public:
  // Uploads the window. `values`: the whole array of `sizeInBytes` bytes; not used after the call. Throws OutOfMemory,
  // DeviceLost, Internal.
  ResidentArray(
    Context& context, const void* values, std::uint64_t sizeInBytes, const Window& window, const char* name);

  // Returns whether the window on the device contains this window.
  bool holds(const Window& window) const
  {
    return window.offset >= this->Offset && window.offset + window.size <= this->Offset + this->Size;
  }

  // The buffer region of a window; holds(window) must be true.
  Region region(const Window& window) const
  {
    return Region(this->Values.buffer(), window.offset - this->Offset, window.size);
  }

private:
  PooledBuffer Values;
  std::uint64_t Offset; // bytes, in the array
  std::uint64_t Size;   // bytes
};

}

#endif
