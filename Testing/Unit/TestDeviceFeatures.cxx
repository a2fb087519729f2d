// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Vulkan/DeviceLimits.h"

#include <gtest/gtest.h>

namespace vmc::test
{

namespace
{

using Names = std::vector<std::string>;

constexpr const char* Import = "VK_EXT_external_memory_host";
constexpr const char* Export = "VK_KHR_external_memory_fd";
constexpr const char* Subset = "VK_KHR_portability_subset";

Names enabled(const Names& available, const DeviceFeatures& used)
{
  const std::vector<const char*> names = deviceExtensions(available, used);
  return Names(names.begin(), names.end());
}

}

TEST(DeviceExtensions, AreThoseAvailable)
{
  EXPECT_EQ(enabled({ Export, "VK_KHR_swapchain", Import }, {}), (Names{ Import, Export }));
  EXPECT_EQ(enabled({ Export }, {}), Names{ Export });
  EXPECT_EQ(enabled({}, {}), Names{});
}

TEST(DeviceExtensions, AreThoseUsed)
{
  DeviceFeatures used;
  used.hostImports = false;
  EXPECT_EQ(enabled({ Import, Export }, used), Names{ Export });
  used.memoryExport = false;
  EXPECT_EQ(enabled({ Import, Export }, used), Names{});
}

TEST(DeviceExtensions, APortabilitySubsetIsAlwaysEnabled)
{
  DeviceFeatures none;
  none.hostImports = none.memoryExport = none.timestamps = none.cachedMemory = false;
  EXPECT_EQ(enabled({ Import, Subset }, none), Names{ Subset });
  EXPECT_EQ(enabled({ Import, Subset }, {}), (Names{ Import, Subset }));
}

}
