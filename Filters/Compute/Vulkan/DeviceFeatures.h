// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Optional features of Vulkan, which the core uses where a device supports them.
#ifndef vmcDeviceFeatures_h
#define vmcDeviceFeatures_h

#include <string>
#include <vector>

namespace vmc
{

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
