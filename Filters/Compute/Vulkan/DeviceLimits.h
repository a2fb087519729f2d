// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The limits and features of a device that the core uses.
#ifndef vmcDeviceLimits_h
#define vmcDeviceLimits_h

#include <cstdint>
#include <string>
#include <vector>

namespace vmc
{

// The limits that a plan depends on.
struct DeviceLimits
{
  std::uint64_t maxBindingBytes = ~0ull; // largest range of a storage buffer binding
  std::uint64_t bindingAlignment = 4;    // of a binding's offset, in bytes: a power of two; Device makes it 16 or more
  std::uint32_t maxGroups = ~0u;         // workgroups along one axis of a dispatch
  std::uint64_t memoryBytes = ~0ull;     // device memory of all buffers together; ~0: the driver's limit
  std::uint64_t maxBufferBytes = ~0ull;  // largest buffer and allocation
};

// Optional features of Vulkan, which the core uses where a device supports them.
struct DeviceFeatures
{
  bool hostImports = true;  // VK_EXT_external_memory_host
  bool memoryExport = true; // VK_KHR_external_memory_fd
  bool timestamps = true;   // of the compute queue
  bool cachedMemory = true; // memory that the host reads through its cache
};

// The extensions to enable, of those available: those of `used`, and VK_KHR_portability_subset, which Vulkan requires
// to be enabled. Devices that have it, such as Metal's by MoltenVK, lack parts of Vulkan that the core does not use.
std::vector<const char*> deviceExtensions(const std::vector<std::string>& available, const DeviceFeatures& used);

}

#endif
