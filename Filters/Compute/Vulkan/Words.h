// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The SPIR-V that the build embeds.
#ifndef vmcWords_h
#define vmcWords_h

#include <cstddef>
#include <cstdint>

namespace vmc::kernels
{

// SPIR-V of one kernel. The pointers stay valid while the program runs.
struct Words
{
  const char* name;
  const std::uint32_t* data;
  std::size_t count; // of words
};

}

#endif
