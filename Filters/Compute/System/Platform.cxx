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
#include <algorithm>
#include <cstdlib>
#include <glob.h>
#include <iterator>
#include <mutex>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>
#include <vector>
#endif
#ifdef __linux__
#include <sys/syscall.h>
#endif

namespace vmc
{

#ifdef _WIN32

std::uint64_t processId()
{
  return GetCurrentProcessId();
}

void aroundFork(AtFork, void (*)(), void (*)()) {} // Windows has no fork()

bool isMainThread()
{
  return false; // unknown
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

namespace
{

struct ForkHandler
{
  AtFork kind;
  void (*before)();
  void (*after)();
};

// Never destroyed. fork() holds the mutex after the waits.
struct ForkHandlers
{
  std::mutex mutex;
  std::vector<ForkHandler> all;
  std::vector<ForkHandler> waits; // of the fork() that is being made
};

ForkHandlers& forkHandlers()
{
  static auto* const handlers = new ForkHandlers;
  return *handlers;
}

std::vector<ForkHandler> waitsOf(ForkHandlers& handlers)
{
  const std::lock_guard<std::mutex> lock(handlers.mutex);
  std::vector<ForkHandler> waits;
  std::copy_if(handlers.all.begin(), handlers.all.end(), std::back_inserter(waits),
    [](const ForkHandler& handler) { return handler.kind == AtFork::Wait; });
  return waits;
}

void beforeFork()
{
  ForkHandlers& handlers = forkHandlers();
  std::vector<ForkHandler> waits = waitsOf(handlers);
  for (const ForkHandler& handler : waits)
    handler.before();
  handlers.mutex.lock();
  handlers.waits = std::move(waits);
  for (const ForkHandler& handler : handlers.all)
    if (handler.kind == AtFork::Lock)
      handler.before();
}

void afterFork()
{
  ForkHandlers& handlers = forkHandlers();
  for (const ForkHandler& handler : handlers.all)
    if (handler.kind == AtFork::Lock)
      handler.after();
  const std::vector<ForkHandler> waits = std::move(handlers.waits);
  handlers.mutex.unlock();
  for (const ForkHandler& handler : waits)
    handler.after();
}

}

void aroundFork(AtFork kind, void (*before)(), void (*after)())
{
  ForkHandlers& handlers = forkHandlers();
  const std::lock_guard<std::mutex> lock(handlers.mutex);
  if (handlers.all.empty())
    pthread_atfork(beforeFork, afterFork, afterFork); // fails only without memory
  handlers.all.push_back({ kind, before, after });
}

#ifdef __APPLE__

bool isMainThread()
{
  return pthread_main_np() != 0;
}

#else

bool isMainThread()
{
  return syscall(SYS_gettid) == getpid();
}

#endif

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

#ifdef __linux__

namespace
{

bool existsAny(const char* pattern)
{
  glob_t found{};
  const bool exists = glob(pattern, GLOB_NOSORT, nullptr, &found) == 0;
  globfree(&found);
  return exists;
}

}

// Mesa's drivers and AMD's, NVIDIA's, Windows' for its Linux, AMD's for computing, ARM's, Qualcomm's. NVIDIA's Vulkan
// driver makes its files in /dev, by nvidia-modprobe, when it is loaded and no display has done so before.
bool mayHaveGpu()
{
  constexpr const char* Patterns[] = { "/dev/dri/renderD*", "/dev/nvidia*", "/proc/driver/nvidia",
    "/usr/bin/nvidia-modprobe", "/dev/dxg", "/dev/kfd", "/dev/mali*", "/dev/kgsl-3d0" };
  return std::any_of(std::begin(Patterns), std::end(Patterns), existsAny);
}

#else

bool mayHaveGpu()
{
  return true;
}

#endif

}
