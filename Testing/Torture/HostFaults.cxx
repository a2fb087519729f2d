// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "HostFaults.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>

#include <link.h>

// The linker gives them addresses: the start of the program and the end of its code.
extern "C" const char __executable_start, etext;
// The linker sends calls of posix_memalign by this program to the function __wrap_posix_memalign (option --wrap).
extern "C" int __real_posix_memalign(void** memory, std::size_t alignment, std::size_t size);
extern "C" int __wrap_posix_memalign(void** memory, std::size_t alignment, std::size_t size);

namespace vmc::torture
{

namespace
{

struct Range
{
  std::uintptr_t begin = 0, end = 0;

  bool contains(const void* address) const
  {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    return at >= this->begin && at < this->end;
  }
};

Range program, library; // the code of the program, and of the C++ library
bool (*isInVulkanCall)() = nullptr;
std::atomic<bool> isCounting{ false };
std::atomic<std::uint64_t> count{ 0 };
std::uint64_t firstToFail = 0, endOfFailures = 0;
std::size_t smallestToFail = 0; // bytes
thread_local int pauses = 0;
thread_local bool isOwnThread = false; // code of this program has allocated memory here

int findLibrary(dl_phdr_info* info, std::size_t, void*)
{
  if (!std::strstr(info->dlpi_name, "libstdc++"))
    return 0;
  library = { ~std::uintptr_t(0), 0 };
  for (std::size_t i = 0; i < info->dlpi_phnum; ++i)
    if (info->dlpi_phdr[i].p_type == PT_LOAD)
    {
      const std::uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
      library.begin = std::min(library.begin, begin);
      library.end = std::max<std::uintptr_t>(library.end, begin + info->dlpi_phdr[i].p_memsz);
    }
  return 1;
}

// Returns whether an allocation of so many bytes for this caller fails.
bool fails(std::size_t size, const void* caller)
{
  if (!isCounting || pauses != 0)
    return false;
  const bool isOfProgram = program.contains(caller);
  isOwnThread = isOwnThread || isOfProgram;
  const bool isOfLibrary = isOwnThread && library.contains(caller) && !(isInVulkanCall && isInVulkanCall());
  if (!isOfProgram && !isOfLibrary)
    return false;
  const std::uint64_t number = ++count;
  return number >= firstToFail && number < endOfFailures && size >= smallestToFail;
}

void* allocate(std::size_t size, std::size_t alignment, const void* caller)
{
  void* memory = nullptr;
  if (fails(size, caller) ||
      __real_posix_memalign(&memory, std::max(alignment, sizeof(void*)), size != 0 ? size : 1) != 0)
    throw std::bad_alloc();
  return memory;
}

}

void HostFaults::initialize(bool (*isInVulkan)())
{
  program = { reinterpret_cast<std::uintptr_t>(&__executable_start), reinterpret_cast<std::uintptr_t>(&etext) };
  dl_iterate_phdr(findLibrary, nullptr);
  isInVulkanCall = isInVulkan;
}

void HostFaults::begin(std::uint64_t number, std::uint64_t numberOfFailures, std::size_t smallest)
{
  firstToFail = number;
  endOfFailures = number + numberOfFailures;
  smallestToFail = smallest;
  count = 0;
  isCounting = true;
}

void HostFaults::end()
{
  isCounting = false;
}

std::uint64_t HostFaults::allocations()
{
  return count;
}

HostFaults::Pause::Pause()
{
  ++pauses;
}

HostFaults::Pause::~Pause()
{
  --pauses;
}

}

int __wrap_posix_memalign(void** memory, std::size_t alignment, std::size_t size)
{
  return vmc::torture::fails(size, __builtin_return_address(0)) ? ENOMEM
                                                                : __real_posix_memalign(memory, alignment, size);
}

// The other forms of these operators, which the C++ library defines, call these.
void* operator new(std::size_t size)
{
  return vmc::torture::allocate(size, alignof(std::max_align_t), __builtin_return_address(0));
}

void* operator new[](std::size_t size)
{
  return vmc::torture::allocate(size, alignof(std::max_align_t), __builtin_return_address(0));
}

void* operator new(std::size_t size, std::align_val_t alignment)
{
  return vmc::torture::allocate(size, static_cast<std::size_t>(alignment), __builtin_return_address(0));
}

void operator delete(void* memory) noexcept
{
  std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept
{
  std::free(memory);
}

void operator delete(void* memory, std::align_val_t) noexcept
{
  std::free(memory);
}
