// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Whether this process has loaded Vulkan. POSIX only.
#ifndef vmcVulkanLoader_h
#define vmcVulkanLoader_h

#include <dlfcn.h>

namespace vmc::test
{

inline bool isVulkanLoaded()
{
  void* const loader = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_NOLOAD);
  if (loader)
    dlclose(loader);
  return loader != nullptr;
}

}

#endif
