// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Shared state for the allocation of buffers on one device.
#ifndef vmcAllocator_h
#define vmcAllocator_h

#include "Compute/Vulkan/Device.h"
#include "Compute/Vulkan/MemoryBudget.h"

#include <atomic>
#include <cstdint>

namespace vmc
{

// Holds the device, its memory budget and the counter of buffer identities. Must outlive all buffers. Any thread may
// use it.
class Allocator
{
public:
  // The budget starts with the memory limit in the device's options.
  explicit Allocator(Device& device)
    : Owner(device)
    , Budget(device.limits().memoryBytes)
  {
  }

  Device& device() { return this->Owner; }
  MemoryBudget& budget() { return this->Budget; }

  // Returns a new number other than 0, unique among the buffers of the process.
  std::uint64_t newIdentity()
  {
    static std::atomic<std::uint64_t> last{ 0 };
    ++this->Made;
    return ++last;
  }
  // The number of buffers created so far, including imports.
  std::uint64_t buffersMade() const { return this->Made; }

private:
  Device& Owner;
  MemoryBudget Budget;
  std::atomic<std::uint64_t> Made{ 0 };
};

}

#endif
