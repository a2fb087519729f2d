// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The limits of a device that a plan depends on.
#ifndef vmcDeviceLimits_h
#define vmcDeviceLimits_h

#include <cstdint>

namespace vmc
{

struct DeviceLimits
{
  std::uint64_t maxBindingBytes = ~0ull; // largest range of a storage buffer binding
  std::uint64_t bindingAlignment = 1;    // of a binding's offset, in bytes; a power of two
  std::uint32_t maxGroups = ~0u;         // workgroups along one axis of a dispatch
  std::uint64_t memoryBytes = ~0ull;     // device memory of all buffers together; ~0: the driver's limit
};

}

#endif
