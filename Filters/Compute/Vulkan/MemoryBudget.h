// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Counts bytes of device memory against a limit.
#ifndef vmcMemoryBudget_h
#define vmcMemoryBudget_h

#include <cstdint>
#include <list>
#include <mutex>
#include <string>
#include <thread>

namespace vmc
{

// The bytes in use on a device, and the limits on them. Any thread may use it.
class MemoryBudget
{
public:
  explicit MemoryBudget(std::uint64_t limitInBytes = ~0ull) // ~0: no limit
    : DeviceLimit(limitInBytes)
  {
  }

private:
  struct LimitState
  {
    std::thread::id thread;
    std::uint64_t limit;
    std::uint64_t peak;
  };

public:
  // The limit of the calling thread while this object exists. It applies to what this thread acquires: the sum of all
  // users may not exceed it. If limits of one thread are nested, the innermost one applies.
  class ThreadLimit
  {
  public:
    ThreadLimit(MemoryBudget& budget, std::uint64_t limitInBytes); // ~0: no limit but the device's
    ~ThreadLimit();
    ThreadLimit(const ThreadLimit&) = delete;
    ThreadLimit& operator=(const ThreadLimit&) = delete;

    std::uint64_t largest() const; // most bytes in use by all users since this object exists

  private:
    MemoryBudget& Budget;
    std::list<LimitState>::iterator State;
  };

  // Throws OutOfMemory if the sum exceeds the limit. `name` is that of the buffer, for the message.
  void acquire(std::uint64_t sizeInBytes, const std::string& name);
  void release(std::uint64_t sizeInBytes);

  std::uint64_t used() const;
  std::uint64_t limit() const; // for the calling thread; ~0: none

private:
  std::uint64_t limitOfThread() const;

  const std::uint64_t DeviceLimit;
  std::mutex mutable Mutex; // guards the members below
  std::list<LimitState> ThreadLimits;
  std::uint64_t UsedBytes = 0;
};

}

#endif
