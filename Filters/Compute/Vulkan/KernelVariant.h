// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// A kernel with values of its constants.
#ifndef vmcKernelVariant_h
#define vmcKernelVariant_h

#include "Compute/Vulkan/Words.h"

#include <cstdint>
#include <map>

namespace vmc
{

// Values of specialization constants by their number (SPECIALIZE_... in Shaders/Shared/Constants.h). A kernel ignores
// numbers that it does not declare.
using Specialization = std::map<std::uint32_t, std::uint32_t>;

// A kernel and the values of its constants. Values that the kernel does not declare have no meaning.
struct KernelVariant
{
  const kernels::Words* spirv;
  Specialization specialization;
};

}

#endif
