// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The Vulkan device that filters use in tests.
#ifndef vmcSharedDevice_h
#define vmcSharedDevice_h

#include "Compute/Engine/DeviceEngine.h"

#include <memory>
#include <string>

namespace vmc::test
{

// The reason for which tests of a Vulkan device are skipped.
constexpr const char* NoVulkanDevice = "No usable Vulkan device.";

// Returns whether the machine has a usable Vulkan device.
inline bool hasVulkanDevice()
{
  return Engine::deviceNames().size() > 1; // the last one is the CPU
}

// The engine of this name. It must be that of a Vulkan device.
inline std::shared_ptr<DeviceEngine> sharedDevice(const std::string& name = {})
{
  return std::dynamic_pointer_cast<DeviceEngine>(Engine::shared(name));
}

}

#endif
