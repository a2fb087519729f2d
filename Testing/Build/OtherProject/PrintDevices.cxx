// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Prints the names of this machine's usable Vulkan devices, one per line.
#include "Compute/Engine.h"

#include <iostream>

int main()
{
  for (const std::string& name : vmc::Engine::deviceNames())
    std::cout << name << "\n";
}
