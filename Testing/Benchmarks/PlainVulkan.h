// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Does the least that any Vulkan program does, for comparisons.
#ifndef vmcPlainVulkan_h
#define vmcPlainVulkan_h

#include <cstdint>
#include <functional>
#include <string>

namespace vmc::benchmarks
{

// Opens the device with this name, copies bytes to it and back, waits for them, and calls done(). It uses nothing of
// the core. Throws if other bytes come back.
void copyByPlainVulkan(const std::string& device, std::uint64_t bytes, const std::function<void()>& done);

}

#endif
