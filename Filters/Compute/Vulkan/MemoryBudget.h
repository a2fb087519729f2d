// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Counts bytes of device memory against a limit.
#ifndef vmcMemoryBudget_h
#define vmcMemoryBudget_h

#include "Compute/System/Error.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
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
  using Lock = std::lock_guard<std::mutex>;
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
    // ~0: no limit but the device's.
    ThreadLimit(MemoryBudget& budget, std::uint64_t limitInBytes)
      : Budget(budget)
    {
      const Lock lock(budget.Mutex);
      budget.ThreadLimits.push_back({ std::this_thread::get_id(), limitInBytes, budget.UsedBytes });
      this->State = std::prev(budget.ThreadLimits.end());
    }
    ~ThreadLimit()
    {
      const Lock lock(this->Budget.Mutex);
      this->Budget.ThreadLimits.erase(this->State);
    }
    ThreadLimit(const ThreadLimit&) = delete;
    ThreadLimit& operator=(const ThreadLimit&) = delete;

    // The most bytes in use by all users since this object exists.
    std::uint64_t largest() const
    {
      const Lock lock(this->Budget.Mutex);
      return this->State->peak;
    }

  private:
    MemoryBudget& Budget;
    std::list<LimitState>::iterator State;
  };

  // Throws OutOfMemory if the sum exceeds the limit. `name` is that of the buffer, for the message.
  void acquire(std::uint64_t sizeInBytes, const std::string& name)
  {
    const Lock lock(this->Mutex);
    const std::uint64_t limit = this->limitOfThread();
    if (this->UsedBytes + sizeInBytes > limit)
      throw Error(Error::Kind::OutOfMemory, "The buffer of " + name + " needs " + std::to_string(sizeInBytes) +
                                              " bytes in addition to " + std::to_string(this->UsedBytes) +
                                              " in use; the limit is " + std::to_string(limit) + ".");
    this->UsedBytes += sizeInBytes;
    for (LimitState& state : this->ThreadLimits)
      state.peak = std::max(state.peak, this->UsedBytes);
  }
  void release(std::uint64_t sizeInBytes)
  {
    const Lock lock(this->Mutex);
    this->UsedBytes -= sizeInBytes;
  }

  std::uint64_t used() const
  {
    const Lock lock(this->Mutex);
    return this->UsedBytes;
  }
  // For the calling thread; ~0: none.
  std::uint64_t limit() const
  {
    const Lock lock(this->Mutex);
    return this->limitOfThread();
  }

private:
  std::uint64_t limitOfThread() const
  {
    const auto isOfThread = [thread = std::this_thread::get_id()](const LimitState& limit)
    { return limit.thread == thread; };
    const auto found = std::find_if(this->ThreadLimits.rbegin(), this->ThreadLimits.rend(), isOfThread);
    return found == this->ThreadLimits.rend() ? this->DeviceLimit : std::min(this->DeviceLimit, found->limit);
  }

  const std::uint64_t DeviceLimit;
  std::mutex mutable Mutex; // guards the members below
  std::list<LimitState> ThreadLimits;
  std::uint64_t UsedBytes = 0;
};

}

#endif
