// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The interface of the Vulkan layer VK_LAYER_VMC_faults, which makes calls of Vulkan fail and finds their misuse. For
// tests only.
#ifndef vmcFaultLayer_h
#define vmcFaultLayer_h

#include <vulkan/vulkan.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// The functions that return a VkResult and that the layer can let fail. Those of the first list create an object.
#define VMC_CREATING_CALLS(X)                                                                                          \
  X(AllocateMemory)                                                                                                    \
  X(CreateBuffer)                                                                                                      \
  X(CreateFence)                                                                                                       \
  X(CreateCommandPool)                                                                                                 \
  X(CreateDescriptorPool)                                                                                              \
  X(CreateDescriptorSetLayout)                                                                                         \
  X(CreateShaderModule)                                                                                                \
  X(CreateComputePipelines)                                                                                            \
  X(CreatePipelineLayout)                                                                                              \
  X(CreatePipelineCache)                                                                                               \
  X(CreateQueryPool)
#define VMC_OTHER_CALLS(X)                                                                                             \
  X(BindBufferMemory)                                                                                                  \
  X(MapMemory)                                                                                                         \
  X(QueueSubmit)                                                                                                       \
  X(WaitForFences)                                                                                                     \
  X(DeviceWaitIdle)                                                                                                    \
  X(GetFenceStatus)                                                                                                    \
  X(ResetFences)                                                                                                       \
  X(AllocateCommandBuffers)                                                                                            \
  X(BeginCommandBuffer)                                                                                                \
  X(EndCommandBuffer)                                                                                                  \
  X(ResetCommandBuffer)                                                                                                \
  X(AllocateDescriptorSets)                                                                                            \
  X(ResetDescriptorPool)                                                                                               \
  X(GetPipelineCacheData)                                                                                              \
  X(MergePipelineCaches)                                                                                               \
  X(GetQueryPoolResults)                                                                                               \
  X(GetMemoryHostPointerPropertiesEXT)                                                                                 \
  X(GetMemoryFdKHR)
// The functions that destroy these objects, in the order of the first list.
#define VMC_DESTROYING_CALLS(X)                                                                                        \
  X(FreeMemory)                                                                                                        \
  X(DestroyBuffer)                                                                                                     \
  X(DestroyFence)                                                                                                      \
  X(DestroyCommandPool)                                                                                                \
  X(DestroyDescriptorPool)                                                                                             \
  X(DestroyDescriptorSetLayout)                                                                                        \
  X(DestroyShaderModule)                                                                                               \
  X(DestroyPipeline)                                                                                                   \
  X(DestroyPipelineLayout)                                                                                             \
  X(DestroyPipelineCache)                                                                                              \
  X(DestroyQueryPool)

namespace vmc::torture
{

// The functions of Vulkan that the layer sees, without "vk". Those before FaultyEnd can fail.
enum class VulkanCall
{
#define VMC_NAME(name) name,
  VMC_CREATING_CALLS(VMC_NAME) CreationEnd,
  BeforeOthers = CreationEnd - 1,
  VMC_OTHER_CALLS(VMC_NAME) CreateDevice,
  EnumeratePhysicalDevices,
  FaultyEnd,
  BeforeDestruction = FaultyEnd - 1,
  VMC_DESTROYING_CALLS(VMC_NAME) End
#undef VMC_NAME
};
constexpr std::size_t VulkanCallCount = static_cast<std::size_t>(VulkanCall::End);
constexpr std::size_t FaultyCallCount = static_cast<std::size_t>(VulkanCall::FaultyEnd);

inline const char* nameOf(VulkanCall call)
{
  constexpr const char* Names[] = {
#define VMC_NAME(name) "vk" #name,
    VMC_CREATING_CALLS(VMC_NAME) VMC_OTHER_CALLS(VMC_NAME) "vkCreateDevice", "vkEnumeratePhysicalDevices",
    VMC_DESTROYING_CALLS(VMC_NAME)
#undef VMC_NAME
  };
  return Names[static_cast<std::size_t>(call)];
}

// The calls that shall fail. Calls are counted per device and function, from 1 on.
struct VulkanFault
{
  VulkanCall call = VulkanCall::End; // End: none
  std::uint32_t device = 0;          // the number of the device among the open ones; see FaultLayer
  std::uint64_t number = 1;          // of the first call that fails
  std::uint64_t count = 1;           // of the calls that fail
  VkResult result = VK_SUCCESS;
};

constexpr std::uint32_t MostFaultDevices = 4;

// The layer in this process. A new device has the smallest number, from 0 on, that no open device has. A fault
// VK_ERROR_DEVICE_LOST waits until the device is idle, overwrites all its memory that the host can read with the byte
// 0xA5, and makes all later calls of this device that can report a loss do so. Any thread may call the functions.
class FaultLayer
{
public:
  // Calls by device and function.
  using Counts = std::array<std::array<std::uint64_t, FaultyCallCount>, MostFaultDevices>;
  // Objects by the function that creates them, and last the devices.
  using Objects = std::array<std::int64_t, static_cast<std::size_t>(VulkanCall::CreationEnd) + 1>;

  // Begins to count calls from 0. hidesFences: no fence is seen as signalled before it is waited for. largestHeap: the
  // bytes of device memory beyond which allocations fail.
  virtual void begin(const VulkanFault& fault, bool hidesFences = false, std::uint64_t largestHeap = ~0ull) = 0;
  virtual void end() = 0; // nothing fails any more; lost devices stay lost
  virtual Counts counts() const = 0;
  virtual std::uint64_t failedCalls() const = 0; // since begin()
  virtual Objects objects() const = 0;           // that exist
  // Returns the uses that Vulkan does not allow and clears the list: objects that are changed or destroyed while the
  // device may use them.
  virtual std::vector<std::string> takeMisuses() = 0;
  virtual bool isInVulkan() const = 0; // whether this thread is inside a call

protected:
  ~FaultLayer() = default;
};

}

// The function of the library that returns the layer.
extern "C" vmc::torture::FaultLayer* vmcFaultLayer();

#endif
