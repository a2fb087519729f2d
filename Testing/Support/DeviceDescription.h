// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The description of a device in documents: names of the device and of its driver.
#ifndef vmcDeviceDescription_h
#define vmcDeviceDescription_h

#include "Compute/Engine.h"
#include "Compute/Vulkan/Device.h"

#include <string>

namespace vmc::test
{

// Name and version of the driver; empty if the Vulkan loader no longer lists the device.
std::string driverOf(const Device& device);

// Name of the device, and of its driver if it is known.
std::string describe(const Device& device);

// Describes the engine's device, or returns "CPU".
std::string describe(const Engine& engine);

}

#endif
