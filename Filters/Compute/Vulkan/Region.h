// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Parts of buffers.
#ifndef vmcRegion_h
#define vmcRegion_h

#include <cstdint>

namespace vmc
{

class Buffer;

// A byte range of a buffer, for a binding or a copy. Does not own the buffer.
struct Region
{
  const Buffer* buffer = nullptr;
  std::uint64_t offset = 0; // bytes
  std::uint64_t size = 0;   // bytes
  Region() = default;
  Region(const Buffer& whole); // defined in Buffer.h
  Region(const Buffer& whole, std::uint64_t offsetInBytes, std::uint64_t sizeInBytes)
    : buffer(&whole)
    , offset(offsetInBytes)
    , size(sizeInBytes)
  {
  }
};

}

#endif
