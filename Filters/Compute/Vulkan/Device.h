// A Vulkan device with one compute queue.
#ifndef vmcDevice_h
#define vmcDevice_h

#include "Compute/Volume/ContourPlan.h"
#include "Compute/Vulkan/DeviceChoice.h"

#include <vulkan/vulkan_raii.hpp>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace vmc
{

class Error;
class HostMemoryPool;
class Kernels;
class UploadRing;

// What Vulkan's exception means, `what` being the thing that failed. DeviceLost, OutOfMemory or Internal.
Error errorFrom(const vk::SystemError& error, const std::string& what);

// Opens the Vulkan loader at run time; nothing links to it. May be used by several threads at once.
class Device
{
public:
  // The device that chooseDevice picks. Costs about a second on a machine with a GPU. Throws NoDevice.
  // `within`: limits to keep to beside the device's own, as if it were a smaller one; the default allows all it has.
  explicit Device(const std::string& wantedName = {}, const DeviceLimits& within = { ~0ull, 1, ~0u });
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const DeviceTraits& traits() const { return this->Traits; }
  const DeviceLimits& limits() const { return this->Limits; }
  const vk::raii::Device& handle() const { return this->Handle; }
  std::uint32_t queueFamily() const { return this->QueueFamily; }

  // To the queue; from any thread. Throws vk::SystemError.
  void submit(const vk::SubmitInfo& work, vk::Fence done = {}) const;

  // Host and device share one memory: what a kernel writes needs no copy to be read.
  bool hasUnifiedMemory() const { return this->UnifiedMemory; }
  // Ordinary host memory can be imported at addresses and sizes that are multiples of this; 0: cannot be.
  std::uint64_t hostImportAlignment() const { return this->HostImportAlignment; }
  // Milliseconds a timestamp tick; 0 if the queue has no timestamps.
  double timestampMilliseconds() const { return this->TimestampMilliseconds; }
  std::uint64_t timestampMask() const { return this->TimestampMask; }

  // The first memory type among `allowed` (bit mask) with all properties of one of `wanted`, the first of these that
  // has any. Throws Unsupported if none has.
  std::uint32_t memoryType(std::uint32_t allowed, const std::vector<vk::MemoryPropertyFlags>& wanted) const;
  bool isMappable(std::uint32_t memoryType) const;

  // The next submission, or the one that follows it after so many, fails with this result instead of running: how tests
  // see what follows a failure.
  void failNextSubmission(vk::Result result, std::size_t after = 0) const;

  // The pipelines of this device, made when first asked for.
  Kernels& kernels() const { return *this->KernelSet; }
  // The memory of its output.
  HostMemoryPool& hostMemory() const { return *this->OutputBlocks; }
  // The way of arrays to a device with its own memory, made when first asked for: it holds pinned memory.
  UploadRing& uploadRing() const;

  // A number that no other caller gets.
  std::uint64_t newIdentity() const { return ++this->LastIdentity; }

  // Gives a Vulkan object a name that validation messages and capture tools show. Costs nothing without them.
  void name(vk::ObjectType type, std::uint64_t handle, const std::string& name) const;

private:
  void readLimits(const DeviceLimits& within);
  void createDevice();

  std::atomic<std::uint64_t> mutable LastIdentity = 0;
  std::mutex mutable Mutex; // held while something is submitted to the queue
  vk::Result mutable NextFailure = vk::Result::eSuccess;
  std::size_t mutable SubmissionsToFailure = 0;
  vk::raii::PhysicalDevice Physical = nullptr;
  DeviceTraits Traits;
  DeviceLimits Limits;
  vk::PhysicalDeviceMemoryProperties Memory;
  std::uint32_t QueueFamily = 0;
  bool UnifiedMemory = false;
  std::uint64_t HostImportAlignment = 0;
  double TimestampMilliseconds = 0;
  std::uint64_t TimestampMask = 0;
  vk::raii::Device Handle = nullptr;
  vk::raii::Queue Queue = nullptr;
  std::unique_ptr<Kernels> KernelSet;
  std::unique_ptr<HostMemoryPool> OutputBlocks;
  std::once_flag mutable RingIsMade;
  std::unique_ptr<UploadRing> mutable Ring;
};

}

#endif
