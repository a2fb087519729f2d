// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The numbers that kernels report to the host.
#ifndef vmcTotals_h
#define vmcTotals_h

#include "Compute/Vulkan/CommandRecorder.h"
#include "Shared/Constants.h"

#include <cstdint>

namespace vmc
{

// The words of BINDING_TOTALS (TOTAL_... in Shaders/Shared/Constants.h) on the device, and a copy on the host.
class Totals
{
public:
  // Throws OutOfMemory.
  explicit Totals(Allocator& allocator)
    : OnDevice(allocator, 4 * TOTAL_WORDS, Buffer::Memory::Device, "totals")
    , OnHost(allocator, 4 * TOTAL_WORDS, Buffer::Memory::Readback, "totals on the host")
  {
  }

  void recordClear(CommandRecorder& commands) const { commands.fill(this->OnDevice, 0); }
  void recordFetch(CommandRecorder& commands) const { commands.copy(this->OnDevice, this->OnHost); }

  const Buffer& onDevice() const { return this->OnDevice; }
  // The host's copy, as of the last recordFetch() that has been executed.
  std::uint32_t operator[](std::size_t word) const
  {
    return reinterpret_cast<const std::uint32_t*>(this->OnHost.mapped())[word];
  }

private:
  Buffer OnDevice, OnHost;
};

}

#endif
