// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Vulkan/DeviceFeatures.h"

#include <vulkan/vulkan.h>

#include <algorithm>

namespace vmc
{

std::vector<const char*> deviceExtensions(const std::vector<std::string>& available, const DeviceFeatures& used)
{
  std::vector<const char*> enabled;
  const auto enable = [&](bool isUsed, const char* name)
  {
    if (isUsed && std::find(available.begin(), available.end(), name) != available.end())
      enabled.push_back(name);
  };
  enable(used.hostImports, VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME);
  enable(used.memoryExport, VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME);
  enable(true, "VK_KHR_portability_subset"); // the headers name it only with VK_ENABLE_BETA_EXTENSIONS
  return enabled;
}

}
