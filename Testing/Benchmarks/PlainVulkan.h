// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The least that any Vulkan program does, to compare with.
#ifndef vmcPlainVulkan_h
#define vmcPlainVulkan_h

#include <cstdint>
#include <string>

namespace vmc::benchmarks
{

// Opens the device with this name, copies bytes to it and back, and waits for them. It uses nothing of the core.
void copyByPlainVulkan(const std::string& device, std::uint64_t bytes);

}

#endif
