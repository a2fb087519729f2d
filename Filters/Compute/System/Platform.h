// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// All system calls of the core that the C++ library does not provide.
#ifndef vmcPlatform_h
#define vmcPlatform_h

#include <cstddef>
#include <cstdint>
#include <mutex>

namespace vmc
{

// The id of this process. It differs between a process created by fork() and its parent.
std::uint64_t processId();

// The order of calls before a fork(): functions that wait for other threads precede those that lock, as these threads
// may need the locks.
enum class AtFork
{
  Wait,
  Lock
};

// Calls `before` before each fork() of this process, and `after` afterwards in both processes. Throws std::bad_alloc.
void aroundFork(AtFork kind, void (*before)(), void (*after)());

// The one mutex of `Owner`. fork() waits for it: so no thread that does not exist in the new process holds it there.
// Never destroyed.
template <class Owner>
std::mutex& forkSafeMutex()
{
  static std::mutex* const mutex = []
  {
    static std::mutex* instance = nullptr;
    instance = new std::mutex;
    aroundFork(
      AtFork::Lock, [] { instance->lock(); }, [] { instance->unlock(); });
    return instance;
  }();
  return *mutex;
}

// Returns whether this is the thread that runs main(). Its objects of thread storage are destroyed before all exit
// handlers.
bool isMainThread();

// Alignment of host memory in bytes. Devices require at most this alignment for imports.
constexpr std::size_t PageSize = 65536;

// Allocates uninitialized memory, aligned to PageSize. `sizeInBytes` must be a multiple of PageSize and not 0. The
// caller frees the memory with freePages. Returns null if the system has no memory.
std::byte* allocatePages(std::size_t sizeInBytes) noexcept;

// Frees memory that allocatePages returned; null is allowed.
void freePages(void* memory) noexcept;

// Returns whether the machine may have a GPU. Takes microseconds and loads no driver. On Linux, false if there are no
// files of drivers of GPUs in /dev, and none of NVIDIA's driver, which may make those in /dev later; on other systems
// always true.
bool mayHaveGpu();

}

#endif
