// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// A mutex that a process created by fork() can lock.
#ifndef vmcForkSafeMutex_h
#define vmcForkSafeMutex_h

#include "Compute/System/Platform.h"

#include <mutex>

namespace vmc
{

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

}

#endif
