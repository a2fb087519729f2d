// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// A program with this file uses the first Vulkan device for the name "automatic", if there is one, and not the CPU
// where there is only software Vulkan. The environment variable VMC_DEVICE can name another.
#include <cstdlib>

namespace
{

#ifdef _WIN32
[[maybe_unused]] const int isSet = std::getenv("VMC_DEVICE") ? 0 : _putenv("VMC_DEVICE=0");
#else
[[maybe_unused]] const int isSet = setenv("VMC_DEVICE", "0", /*overwrite*/ 0);
#endif

}
