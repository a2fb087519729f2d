// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The memory limit of one call that uses volumes on a device.
#ifndef vmcLimitedMemory_h
#define vmcLimitedMemory_h

#include "Compute/Context.h"
#include "Compute/Volume/VolumeCache.h"
#include "Compute/Vulkan/MemoryBudget.h"

#include <cstdint>
#include <optional>

namespace vmc
{

// While this object exists, the limit applies to the calling thread. Frees unused memory if more is in use.
class LimitedMemory
{
public:
  // limit: bytes of device memory of all users; 0: none but the device's. All arguments must outlive this object.
  LimitedMemory(Context& context, VolumeCache& cache, const VolumeCache::User& user, std::uint64_t limitInBytes)
    : DeviceContext(context)
    , Cache(cache)
    , User(user)
    , Limit(limitInBytes != 0 ? limitInBytes : ~0ull)
    , ThreadLimit(std::in_place, context.budget(), Limit)
  {
    const MemoryBudget& budget = context.budget();
    if (budget.used() <= budget.limit())
      return;
    this->freeUnused(true);
    if (budget.used() > budget.limit())
      this->freeUnused(false);
    this->ThreadLimit.emplace(context.budget(), this->Limit); // what was freed is not part of its peak
  }

  // keepArrays: those of the volume that the user acquired last.
  void freeUnused(bool keepArrays)
  {
    this->Cache.freeUnused(this->User, keepArrays);
    this->DeviceContext.deviceMemory().freeUnused();
  }

  std::uint64_t largest() const { return this->ThreadLimit->largest(); } // most bytes in use by all users

private:
  Context& DeviceContext;
  VolumeCache& Cache;
  const VolumeCache::User& User;
  const std::uint64_t Limit;
  std::optional<MemoryBudget::ThreadLimit> ThreadLimit;
};

}

#endif
