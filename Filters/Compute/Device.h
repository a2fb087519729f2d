// A Vulkan device with one compute queue.
#ifndef vmcDevice_h
#define vmcDevice_h

#include "ContourPlan.h"
#include "DeviceChoice.h"

#include <vulkan/vulkan_raii.hpp>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace vmc
{

class Kernels;

// Opens the Vulkan loader at run time; nothing links to it. Not tied to a thread: lock mutex() around the queue.
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
  const vk::raii::Queue& queue() const { return this->Queue; }
  std::uint32_t queueFamily() const { return this->QueueFamily; }
  std::mutex& mutex() const { return this->Mutex; }

  // Host and device share one memory: what a kernel writes needs no copy to be read.
  bool hasUnifiedMemory() const { return this->UnifiedMemory; }
  // Ordinary host memory can be imported at addresses and sizes that are multiples of this; 0: cannot be.
  std::uint64_t hostImportAlignment() const { return this->HostImportAlignment; }
  // Milliseconds a timestamp tick; 0 if the queue has no timestamps.
  double timestampMilliseconds() const { return this->TimestampMilliseconds; }
  std::uint64_t timestampMask() const { return this->TimestampMask; }

  // A memory type among `allowed` (bit mask) with all of `wanted`. Throws Unsupported if there is none.
  std::uint32_t memoryType(std::uint32_t allowed, vk::MemoryPropertyFlags wanted) const;

  // The pipelines of this device, made when first asked for.
  Kernels& kernels() const { return *this->KernelSet; }

  // Gives a Vulkan object a name that validation messages and capture tools show. Costs nothing without them.
  void name(vk::ObjectType type, std::uint64_t handle, const std::string& name) const;

private:
  void readLimits(const DeviceLimits& within);
  void createDevice();

  std::mutex mutable Mutex;
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
};

}

#endif
