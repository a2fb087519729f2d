// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// A Vulkan device with one compute queue.
#ifndef vmcDevice_h
#define vmcDevice_h

#include "Compute/System/Error.h"
#include "Compute/Vulkan/DeviceChoice.h"
#include "Compute/Vulkan/DeviceLimits.h"
#include "Compute/Vulkan/MemoryBudget.h"
#include "Compute/Vulkan/PipelineCache.h"

#include <vulkan/vulkan_raii.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <new>
#include <string>
#include <vector>

namespace vmc
{

// Converts Vulkan's exception to an Error of kind DeviceLost, OutOfMemory or Internal. `text` begins the message.
Error errorFrom(const vk::SystemError& error, const std::string& text);

// The options with which a device is opened.
struct DeviceOptions
{
  std::string name;              // see chooseDevice
  DeviceLimits limits;           // the smaller of these limits and the device's own apply
  DeviceFeatures features;       // those that are false are not used
  std::vector<std::string> gpus; // for tests: the devices of AllGpusName, of which some may be listed twice
  bool isDiscrete = false;       // use a device with unified memory as if it had its own
  // For tests of failures: called before each submission, in the submitting thread. The submission fails with any
  // result other than eSuccess. May be empty.
  std::function<vk::Result()> beforeSubmission;
};

// Counts the work of a device, and of the host for it.
struct WorkCounters
{
  std::atomic<std::uint64_t> submissions{ 0 }, dispatches{ 0 }, barriers{ 0 };
  std::atomic<std::uint64_t> sizeBarriers{ 0 };    // barriers that the reading of dispatches' sizes waits for
  std::atomic<std::uint64_t> buffersMade{ 0 };     // including imports
  std::atomic<std::uint64_t> copiedBytes{ 0 };     // by commands of the device
  std::atomic<std::uint64_t> hostCopiedBytes{ 0 }; // by the host, of outputs that the device cannot write in place
};

// An open device. The Vulkan loader is opened at run time, not linked. Any thread may use a device.
class Device
{
public:
  // Opens the device that chooseDevice selects, in about a second on a machine with a GPU. Throws NoDevice.
  explicit Device(const DeviceOptions& options = {});
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const DeviceTraits& traits() const { return this->Traits; }
  const DeviceLimits& limits() const { return this->Limits; }
  const PipelineCacheKey& pipelineCacheKey() const { return this->CacheKey; } // without the kernels
  const vk::raii::Device& handle() const { return this->Handle; }
  std::uint32_t queueFamily() const { return this->QueueFamily; }

  // Submits to the queue. `done` is signalled when the work is finished. Throws vk::SystemError.
  void submit(const vk::SubmitInfo& work, vk::Fence done = {});

  // Waits for the fence of a submission; for so many milliseconds by polling, as waking up takes longer than a short
  // submission. If the fence cannot be waited for, as memory is exhausted, waits for the whole device. Throws
  // vk::DeviceLostError if the device is lost or cannot be waited for.
  void wait(vk::Fence done, double pollMilliseconds = 0);

  WorkCounters& work() { return this->Work; }
  MemoryBudget& budget() { return this->Budget; } // of all buffers; starts with the memory limit in the options

  std::uint64_t memoryBytes() const; // of the largest heap of its own, at most its limit

  // Returns whether host and device share one memory, so that the host reads a kernel's output without a copy.
  bool hasUnifiedMemory() const { return this->UnifiedMemory; }
  // Alignment in bytes of the address and size of host memory that the device imports; 0: imports are not supported.
  std::uint64_t hostImportAlignment() const { return this->HostImportAlignment; }
  // Returns whether the device supports Buffer::Memory::Exported. False if the environment variable VMC_MEMORY_EXPORT
  // is 0 when the device is opened.
  bool exportsMemory() const { return this->ExportsMemory; }
  // Milliseconds per timestamp tick; 0 if the queue has no timestamps.
  double timestampMilliseconds() const { return this->TimestampMilliseconds; }
  std::uint64_t timestampMask() const { return this->TimestampMask; }

  // Returns the first memory type among `allowed` (one bit per type) that has all properties of an element of
  // `choices`. Earlier elements are preferred. Throws Unsupported if there is none.
  std::uint32_t memoryType(std::uint32_t allowed, const std::vector<vk::MemoryPropertyFlags>& choices) const;
  bool isMappable(std::uint32_t memoryType) const;

  // Names a Vulkan object for validation messages. Does nothing without validation.
  void name(vk::ObjectType type, std::uint64_t handle, const std::string& name) const;

private:
  void readLimits(const DeviceLimits& allowed);
  void readFeatures(const DeviceFeatures& allowed, const std::vector<std::string>& extensions);
  void readCacheKey();
  void createDevice(const std::vector<std::string>& available);

  std::function<vk::Result()> BeforeSubmission;
  WorkCounters Work;
  MemoryBudget Budget;
  std::mutex QueueMutex; // held during a submission
  vk::raii::PhysicalDevice Physical = nullptr;
  DeviceTraits Traits;
  DeviceLimits Limits;
  PipelineCacheKey CacheKey;
  vk::PhysicalDeviceMemoryProperties Memory;
  std::uint32_t QueueFamily = 0;
  bool UnifiedMemory = false;
  std::uint64_t HostImportAlignment = 0;
  bool ExportsMemory = false;
  double TimestampMilliseconds = 0;
  std::uint64_t TimestampMask = 0;
  vk::raii::Device Handle = nullptr;
  vk::raii::Queue Queue = nullptr;
};

// Calls `work` and converts exceptions of Vulkan and of the host's memory to Error.
template <class Work>
auto translated(const Device& device, const Work& work) -> decltype(work())
{
  try
  {
    return work();
  }
  catch (const vk::SystemError& error)
  {
    throw errorFrom(error, device.traits().name + " failed");
  }
  catch (const std::bad_alloc&)
  {
    throw Error(Error::Kind::OutOfHostMemory, "The host has no memory for the work of " + device.traits().name + ".");
  }
}

}

#endif
