// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One open device and the objects that all of its users share.
#ifndef vmcContext_h
#define vmcContext_h

#include "Compute/Memory/DeviceMemoryPool.h"
#include "Compute/Memory/HostMemoryPool.h"
#include "Compute/Memory/UploadRing.h"
#include "Compute/Vulkan/Device.h"
#include "Compute/Vulkan/Kernel.h"
#include "Compute/Vulkan/PipelineCache.h"
#include "Embedded/Kernels.h"

#include <cstdint>
#include <iterator>
#include <memory>
#include <mutex>

namespace vmc
{

// Owns the device, its kernels and the file that keeps them, its memory pools and its upload ring. It must outlive
// every object that uses the device. Any thread may use it.
class Context
{
public:
  // Throws NoDevice.
  explicit Context(const DeviceOptions& options = {})
    : OpenDevice(options)
    , Pipelines(OpenDevice, pipelineCacheFolder(), hashOfKernels())
    , CompiledKernels(OpenDevice, Pipelines)
    , DevicePool(OpenDevice)
    , HostPool(/*isForDevices*/ true)
  {
  }

  // Returns the hash of the SPIR-V of all kernels.
  static std::uint64_t hashOfKernels()
  {
    static const std::uint64_t hash = hashOf({ std::begin(kernels::allKernels), std::end(kernels::allKernels) });
    return hash;
  }

  Device& device() { return this->OpenDevice; }
  MemoryBudget& budget() { return this->OpenDevice.budget(); }
  KernelCache& kernels() { return this->CompiledKernels; }
  DeviceMemoryPool& deviceMemory() { return this->DevicePool; }
  HostMemoryPool& hostMemory() { return this->HostPool; }

  // Created at the first call, as it allocates pinned memory.
  UploadRing& uploadRing()
  {
    std::call_once(this->RingIsMade, [this] { this->Ring = std::make_unique<UploadRing>(this->OpenDevice); });
    return *this->Ring;
  }

  // While a user exists, the pools keep released memory for reuse.
  class User
  {
  public:
    explicit User(Context& context)
      : DevicePoolUser(context.deviceMemory())
      , HostPoolUser(context.hostMemory())
    {
    }

  private:
    PoolUser<DeviceMemoryPool> DevicePoolUser;
    PoolUser<HostMemoryPool> HostPoolUser;
  };

  // Marks the beginning of a run of any user: the pools drop the oldest run from their history.
  void beginRun()
  {
    this->DevicePool.beginRun();
    this->HostPool.beginRun();
  }
  void endRun(bool hasNext = true) // see DeviceMemoryPool
  {
    this->DevicePool.endRun(hasNext);
    this->CompiledKernels.saveInBackground();
  }

private:
  Device OpenDevice;
  PipelineCache Pipelines;
  KernelCache CompiledKernels;
  DeviceMemoryPool DevicePool;
  HostMemoryPool HostPool;
  std::once_flag RingIsMade;
  std::unique_ptr<UploadRing> Ring;
};

}

#endif
