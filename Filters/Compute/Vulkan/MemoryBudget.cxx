// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

#include "Compute/Vulkan/MemoryBudget.h"

#include "Compute/System/Error.h"

#include <algorithm>

namespace vmc
{

using Lock = std::lock_guard<std::mutex>;

MemoryBudget::ThreadLimit::ThreadLimit(MemoryBudget& budget, std::uint64_t limitInBytes)
  : Budget(budget)
{
  const Lock lock(budget.Mutex);
  budget.ThreadLimits.push_back({ std::this_thread::get_id(), limitInBytes, budget.UsedBytes });
  this->State = std::prev(budget.ThreadLimits.end());
}

MemoryBudget::ThreadLimit::~ThreadLimit()
{
  const Lock lock(this->Budget.Mutex);
  this->Budget.ThreadLimits.erase(this->State);
}

std::uint64_t MemoryBudget::ThreadLimit::largest() const
{
  const Lock lock(this->Budget.Mutex);
  return this->State->peak;
}

std::uint64_t MemoryBudget::limitOfThread() const
{
  const auto isOfThread = [thread = std::this_thread::get_id()](const LimitState& limit)
  { return limit.thread == thread; };
  const auto found = std::find_if(this->ThreadLimits.rbegin(), this->ThreadLimits.rend(), isOfThread);
  return found == this->ThreadLimits.rend() ? this->DeviceLimit : std::min(this->DeviceLimit, found->limit);
}

void MemoryBudget::acquire(std::uint64_t sizeInBytes, const std::string& name)
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

void MemoryBudget::release(std::uint64_t sizeInBytes)
{
  const Lock lock(this->Mutex);
  this->UsedBytes -= sizeInBytes;
}

std::uint64_t MemoryBudget::used() const
{
  const Lock lock(this->Mutex);
  return this->UsedBytes;
}

std::uint64_t MemoryBudget::limit() const
{
  const Lock lock(this->Mutex);
  return this->limitOfThread();
}

}
