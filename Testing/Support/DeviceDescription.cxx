// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Support/DeviceDescription.h"

#include "Compute/Context.h"
#include "Compute/Engine/DeviceEngine.h"
#include "Compute/Vulkan/Instance.h"

namespace vmc::test
{

std::string driverOf(const Device& device)
{
  const std::vector<vk::raii::PhysicalDevice> physical = Instance::get().devices();
  const std::vector<DeviceTraits> traits = Instance::traitsOf(physical);
  for (std::size_t i = 0; i < traits.size(); ++i)
    if (traits[i].name == device.traits().name)
    {
      const auto driver = physical[i]
                            .getProperties2<vk::PhysicalDeviceProperties2, vk::PhysicalDeviceDriverProperties>()
                            .get<vk::PhysicalDeviceDriverProperties>();
      return std::string(driver.driverName.data()) + " " + driver.driverInfo.data();
    }
  return {};
}

std::string describe(const Device& device)
{
  const std::string driver = driverOf(device);
  return driver.empty() ? device.traits().name : device.traits().name + ", driver " + driver;
}

std::string describe(const Engine& engine)
{
  const auto* const onDevice = dynamic_cast<const DeviceEngine*>(&engine);
  return onDevice ? describe(onDevice->context()->device()) : engine.deviceName();
}

}
