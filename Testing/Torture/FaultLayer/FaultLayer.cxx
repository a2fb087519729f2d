// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "FaultLayer.h"

#include <vulkan/vk_layer.h>

#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <type_traits>
#include <utility>

#define VMC_EXPORT extern "C" __attribute__((visibility("default")))

namespace vmc::torture
{

namespace
{

constexpr int PoisonByte = 0xA5;

template <VulkanCall Call>
using Tag = std::integral_constant<VulkanCall, Call>;

thread_local int depthOfCalls = 0;

// Marks this thread as being inside a call of Vulkan.
struct InVulkan
{
  InVulkan() { ++depthOfCalls; }
  ~InVulkan() { --depthOfCalls; }
};

// The memory of one allocation.
struct Memory
{
  std::uint64_t bytes = 0;
  void* onHost = nullptr; // where the host reads it; null: nowhere
  bool isImported = false;
};

// An open device.
struct Device
{
  VkDevice handle = VK_NULL_HANDLE;
  std::uint32_t number = 0;
  bool isLost = false;
  std::array<PFN_vkVoidFunction, VulkanCallCount> next{}; // the functions of the next layer; null: not supported
  PFN_vkGetDeviceProcAddr nextAddress = nullptr;
  PFN_vkDestroyDevice nextDestroy = nullptr;
  PFN_vkDeviceWaitIdle waitIdle = nullptr;
  std::map<VkDeviceMemory, Memory> memory;
  std::set<VkBuffer> importedBuffers;
  std::map<VkFence, std::vector<VkCommandBuffer>> pending; // submissions whose end nobody has seen

  bool isPending(VkCommandBuffer buffer) const
  {
    for (const auto& [fence, buffers] : this->pending)
      for (const VkCommandBuffer submitted : buffers)
        if (submitted == buffer)
          return true;
    return false;
  }
};

// The instance of the process. The product makes only one.
struct NextOfInstance
{
  PFN_vkGetInstanceProcAddr nextAddress = nullptr;
  PFN_vkEnumeratePhysicalDevices nextEnumerate = nullptr;
  VkInstance handle = VK_NULL_HANDLE;
};

class Layer : public FaultLayer
{
public:
  void begin(const VulkanFault& fault, bool hidesFences, std::uint64_t largestHeap) override
  {
    const std::lock_guard<std::mutex> lock(this->Mutex);
    this->Fault = fault;
    this->HidesFences = hidesFences;
    this->LargestHeap = largestHeap;
    this->Calls = {};
    this->Failed = 0;
  }

  void end() override { this->begin({}, false, ~0ull); }

  Counts counts() const override
  {
    const std::lock_guard<std::mutex> lock(this->Mutex);
    return this->Calls;
  }

  std::uint64_t failedCalls() const override
  {
    const std::lock_guard<std::mutex> lock(this->Mutex);
    return this->Failed;
  }

  Objects objects() const override
  {
    const std::lock_guard<std::mutex> lock(this->Mutex);
    Objects live = this->Live;
    live.back() = std::int64_t(this->Devices.size());
    return live;
  }

  std::vector<std::string> takeMisuses() override
  {
    const std::lock_guard<std::mutex> lock(this->Mutex);
    return std::exchange(this->Misuses, {});
  }

  bool isInVulkan() const override { return depthOfCalls != 0; }

  // Counts a call. Returns the result with which it fails, or VK_SUCCESS.
  VkResult count(VulkanCall call, std::uint32_t device)
  {
    const std::uint64_t number = ++this->Calls[device][static_cast<std::size_t>(call)];
    const VulkanFault& fault = this->Fault;
    const bool fails =
      fault.call == call && fault.device == device && number >= fault.number && number - fault.number < fault.count;
    this->Failed += fails ? 1 : 0;
    return fails ? fault.result : VK_SUCCESS;
  }

  void lose(Device& device)
  {
    if (device.isLost)
      return;
    device.isLost = true;
    device.waitIdle(device.handle);
    device.pending.clear();
    for (const auto& [handle, memory] : device.memory)
      if (memory.onHost)
        std::memset(memory.onHost, PoisonByte, memory.bytes);
  }

  void note(const Device& device, const std::string& misuse)
  {
    if (!device.isLost && this->Misuses.size() < 10)
      this->Misuses.push_back(misuse);
  }

  Device& deviceOf(const void* handle)
  {
    const std::lock_guard<std::mutex> lock(this->Mutex);
    return *this->Devices.at(keyOf(handle));
  }

  // The loader's table of functions, which all objects of a device share.
  static const void* keyOf(const void* handle) { return *static_cast<const void* const*>(handle); }

  std::mutex mutable Mutex; // guards the members below and those of the devices
  VulkanFault Fault;
  bool HidesFences = false;
  std::uint64_t LargestHeap = ~0ull;
  Counts Calls{};
  std::uint64_t Failed = 0;
  Objects Live{};
  std::vector<std::string> Misuses;
  std::map<const void*, std::unique_ptr<Device>> Devices; // by keyOf
  NextOfInstance Next;
};

// Never destroyed, as devices may be closed at the end of the process.
Layer& layer()
{
  static Layer* const only = new Layer;
  return *only;
}

// Before a call: the result of one that the layer does not pass on, or VK_SUCCESS. The lock is held.
template <class AnyTag, class... Arguments>
VkResult before(AnyTag, Device&, Arguments...)
{
  return VK_SUCCESS;
}

VkResult before(Tag<VulkanCall::AllocateMemory>, Device& device, VkDevice, const VkMemoryAllocateInfo* info,
  const VkAllocationCallbacks*, VkDeviceMemory*)
{
  std::uint64_t bytes = info->allocationSize;
  for (const auto& [handle, memory] : device.memory)
    bytes += memory.bytes;
  return bytes > layer().LargestHeap ? VK_ERROR_OUT_OF_DEVICE_MEMORY : VK_SUCCESS;
}

VkResult before(Tag<VulkanCall::GetFenceStatus>, Device&, VkDevice, VkFence)
{
  return layer().HidesFences ? VK_NOT_READY : VK_SUCCESS;
}

VkResult before(
  Tag<VulkanCall::BeginCommandBuffer>, Device& device, VkCommandBuffer buffer, const VkCommandBufferBeginInfo*)
{
  if (device.isPending(buffer))
    layer().note(device, "A command buffer is recorded while the device may read it.");
  return VK_SUCCESS;
}

VkResult before(Tag<VulkanCall::ResetCommandBuffer>, Device& device, VkCommandBuffer buffer, VkCommandBufferResetFlags)
{
  if (device.isPending(buffer))
    layer().note(device, "A command buffer is reset while the device may read it.");
  return VK_SUCCESS;
}

VkResult before(Tag<VulkanCall::ResetFences>, Device& device, VkDevice, std::uint32_t count, const VkFence* fences)
{
  for (std::uint32_t i = 0; i < count; ++i)
    if (device.pending.count(fences[i]) != 0)
      layer().note(device, "A fence is reset while a submission may signal it.");
  return VK_SUCCESS;
}

// After a call that has succeeded. The lock is held.
template <class AnyTag, class... Arguments>
void after(AnyTag, Device&, Arguments...)
{
}

void after(Tag<VulkanCall::AllocateMemory>, Device& device, VkDevice, const VkMemoryAllocateInfo* info,
  const VkAllocationCallbacks*, VkDeviceMemory* handle)
{
  Memory& memory = device.memory[*handle] = { info->allocationSize, nullptr, false };
  for (auto next = static_cast<const VkBaseInStructure*>(info->pNext); next; next = next->pNext)
    if (next->sType == VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT)
      memory = { memory.bytes, reinterpret_cast<const VkImportMemoryHostPointerInfoEXT*>(next)->pHostPointer, true };
}

void after(
  Tag<VulkanCall::BindBufferMemory>, Device& device, VkDevice, VkBuffer buffer, VkDeviceMemory memory, VkDeviceSize)
{
  if (device.memory[memory].isImported)
    device.importedBuffers.insert(buffer);
}

void after(Tag<VulkanCall::MapMemory>, Device& device, VkDevice, VkDeviceMemory handle, VkDeviceSize, VkDeviceSize,
  VkMemoryMapFlags, void** data)
{
  Memory& memory = device.memory[handle];
  memory.onHost = *data;
  if (device.isLost)
    std::memset(memory.onHost, PoisonByte, memory.bytes);
}

void after(Tag<VulkanCall::QueueSubmit>, Device& device, VkQueue, std::uint32_t count, const VkSubmitInfo* submits,
  VkFence fence)
{
  std::vector<VkCommandBuffer>& pending = device.pending[fence];
  for (std::uint32_t i = 0; i < count; ++i)
    pending.insert(
      pending.end(), submits[i].pCommandBuffers, submits[i].pCommandBuffers + submits[i].commandBufferCount);
}

void after(Tag<VulkanCall::WaitForFences>, Device& device, VkDevice, std::uint32_t count, const VkFence* fences,
  VkBool32 all, std::uint64_t)
{
  for (std::uint32_t i = 0; (all || count == 1) && i < count; ++i)
    device.pending.erase(fences[i]);
}

void after(Tag<VulkanCall::GetFenceStatus>, Device& device, VkDevice, VkFence fence)
{
  device.pending.erase(fence);
}

void after(Tag<VulkanCall::DeviceWaitIdle>, Device& device, VkDevice)
{
  device.pending.clear();
}

// Forgets an object that is being destroyed. Returns whether the device may use it while it works. The product frees
// imported memory that no submission uses meanwhile; the layer does not see which one a submission uses.
template <VulkanCall Call, class Handle>
bool forget(Tag<Call>, Device&, Handle)
{
  return Call != VulkanCall::DestroyShaderModule && Call != VulkanCall::DestroyPipelineCache;
}

bool forget(Tag<VulkanCall::DestroyBuffer>, Device& device, VkBuffer buffer)
{
  return device.importedBuffers.erase(buffer) == 0;
}

bool forget(Tag<VulkanCall::FreeMemory>, Device& device, VkDeviceMemory handle)
{
  const bool isImported = device.memory[handle].isImported;
  device.memory.erase(handle);
  return !isImported;
}

// Returns whether a call of a lost device reports the loss.
constexpr bool reportsLoss(VulkanCall call)
{
  return call == VulkanCall::QueueSubmit || call == VulkanCall::WaitForFences || call == VulkanCall::GetFenceStatus ||
         call == VulkanCall::DeviceWaitIdle || call == VulkanCall::GetQueryPoolResults;
}

// The layer's function for one of Vulkan's.
template <VulkanCall Call, class Function>
struct Intercepted;

template <VulkanCall Call, class Handle, class... Rest>
struct Intercepted<Call, VkResult(VKAPI_PTR*)(Handle, Rest...)>
{
  static VKAPI_ATTR VkResult VKAPI_CALL call(Handle handle, Rest... rest)
  {
    const InVulkan scope;
    Device& device = layer().deviceOf(handle);
    if (const VkResult failure = failureOf(device, handle, rest...); failure != VK_SUCCESS)
      return failure;
    using Function = VkResult(VKAPI_PTR*)(Handle, Rest...);
    const VkResult result = reinterpret_cast<Function>(device.next[static_cast<std::size_t>(Call)])(handle, rest...);
    if (result != VK_SUCCESS)
      return result;
    const std::lock_guard<std::mutex> lock(layer().Mutex);
    if constexpr (Call < VulkanCall::CreationEnd)
      ++layer().Live[static_cast<std::size_t>(Call)];
    after(Tag<Call>(), device, handle, rest...);
    return VK_SUCCESS;
  }

private:
  static VkResult failureOf(Device& device, Handle handle, Rest... rest)
  {
    const std::lock_guard<std::mutex> lock(layer().Mutex);
    const VkResult fault = layer().count(Call, device.number);
    if (fault == VK_ERROR_DEVICE_LOST)
      layer().lose(device);
    if (device.isLost && reportsLoss(Call))
      return VK_ERROR_DEVICE_LOST;
    return fault != VK_SUCCESS ? fault : before(Tag<Call>(), device, handle, rest...);
  }
};

template <VulkanCall Call, class Object>
struct Intercepted<Call, void(VKAPI_PTR*)(VkDevice, Object, const VkAllocationCallbacks*)>
{
  static VKAPI_ATTR void VKAPI_CALL call(VkDevice handle, Object object, const VkAllocationCallbacks* allocator)
  {
    const InVulkan scope;
    Device& device = layer().deviceOf(handle);
    if (object != VK_NULL_HANDLE)
    {
      const std::lock_guard<std::mutex> lock(layer().Mutex);
      if (forget(Tag<Call>(), device, object) && !device.pending.empty())
        layer().note(device, std::string(nameOf(Call)) + " is called while the device may use the object.");
      --layer().Live[static_cast<std::size_t>(Call) - static_cast<std::size_t>(VulkanCall::FreeMemory)];
    }
    using Function = void(VKAPI_PTR*)(VkDevice, Object, const VkAllocationCallbacks*);
    reinterpret_cast<Function>(device.next[static_cast<std::size_t>(Call)])(handle, object, allocator);
  }
};

// The layer's functions of a device, by VulkanCall; null: one of another kind.
PFN_vkVoidFunction interceptedFunction(VulkanCall call)
{
#define VMC_FUNCTION(name) reinterpret_cast<PFN_vkVoidFunction>(&Intercepted<VulkanCall::name, PFN_vk##name>::call),
  static const PFN_vkVoidFunction functions[] = {
    VMC_CREATING_CALLS(VMC_FUNCTION) VMC_OTHER_CALLS(VMC_FUNCTION) nullptr, nullptr, VMC_DESTROYING_CALLS(VMC_FUNCTION)
  };
#undef VMC_FUNCTION
  return functions[static_cast<std::size_t>(call)];
}

// The intercepted call of this name; End: there is none.
VulkanCall callOf(const char* name)
{
  std::size_t call = 0;
  while (call < VulkanCallCount && std::strcmp(nameOf(VulkanCall(call)), name) != 0)
    ++call;
  return VulkanCall(call);
}

// Returns the information by which the loader tells the layers of the next one. Null if there is none.
template <class Info>
Info* linkIn(const void* next, VkStructureType type)
{
  for (auto at = static_cast<const Info*>(next); at; at = static_cast<const Info*>(at->pNext))
    if (at->sType == type && at->function == VK_LAYER_LINK_INFO)
      return const_cast<Info*>(at);
  return nullptr;
}

// The loader answers for the next layer only while the instance is being created.
VKAPI_ATTR VkResult VKAPI_CALL createInstance(
  const VkInstanceCreateInfo* info, const VkAllocationCallbacks* allocator, VkInstance* instance)
{
  auto* const link = linkIn<VkLayerInstanceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
  if (!link)
    return VK_ERROR_INITIALIZATION_FAILED;
  const PFN_vkGetInstanceProcAddr next = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  const auto create = reinterpret_cast<PFN_vkCreateInstance>(next(VK_NULL_HANDLE, "vkCreateInstance"));
  const VkResult result = create(info, allocator, instance);
  if (result == VK_SUCCESS)
    layer().Next = { next,
      reinterpret_cast<PFN_vkEnumeratePhysicalDevices>(next(*instance, "vkEnumeratePhysicalDevices")), *instance };
  return result;
}

VkResult countOfInstance(VulkanCall call)
{
  const std::lock_guard<std::mutex> lock(layer().Mutex);
  return layer().count(call, 0);
}

VKAPI_ATTR VkResult VKAPI_CALL enumeratePhysicalDevices(
  VkInstance instance, std::uint32_t* count, VkPhysicalDevice* devices)
{
  const InVulkan scope;
  if (const VkResult failure = countOfInstance(VulkanCall::EnumeratePhysicalDevices); failure != VK_SUCCESS)
    return failure;
  return layer().Next.nextEnumerate(instance, count, devices);
}

// Adds a device with the functions of the next layer.
void addDevice(VkDevice handle, PFN_vkGetDeviceProcAddr nextAddress)
{
  auto device = std::make_unique<Device>();
  device->handle = handle;
  device->nextAddress = nextAddress;
  device->nextDestroy = reinterpret_cast<PFN_vkDestroyDevice>(nextAddress(handle, "vkDestroyDevice"));
  device->waitIdle = reinterpret_cast<PFN_vkDeviceWaitIdle>(nextAddress(handle, "vkDeviceWaitIdle"));
  for (std::size_t call = 0; call < VulkanCallCount; ++call)
    if (interceptedFunction(VulkanCall(call)))
      device->next[call] = nextAddress(handle, nameOf(VulkanCall(call)));
  const std::lock_guard<std::mutex> lock(layer().Mutex);
  std::set<std::uint32_t> numbers;
  for (const auto& [key, other] : layer().Devices)
    numbers.insert(other->number);
  while (numbers.count(device->number) != 0 && device->number + 1 < MostFaultDevices)
    ++device->number;
  layer().Devices[Layer::keyOf(handle)] = std::move(device);
}

VKAPI_ATTR VkResult VKAPI_CALL createDevice(
  VkPhysicalDevice physical, const VkDeviceCreateInfo* info, const VkAllocationCallbacks* allocator, VkDevice* device)
{
  const InVulkan scope;
  if (const VkResult failure = countOfInstance(VulkanCall::CreateDevice); failure != VK_SUCCESS)
    return failure;
  auto* const link = linkIn<VkLayerDeviceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
  if (!link)
    return VK_ERROR_INITIALIZATION_FAILED;
  const VkLayerDeviceLink next = *link->u.pLayerInfo;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  const auto create =
    reinterpret_cast<PFN_vkCreateDevice>(next.pfnNextGetInstanceProcAddr(layer().Next.handle, "vkCreateDevice"));
  const VkResult result = create(physical, info, allocator, device);
  if (result == VK_SUCCESS)
    addDevice(*device, next.pfnNextGetDeviceProcAddr);
  return result;
}

VKAPI_ATTR void VKAPI_CALL destroyDevice(VkDevice handle, const VkAllocationCallbacks* allocator)
{
  if (handle == VK_NULL_HANDLE)
    return;
  const InVulkan scope;
  std::unique_ptr<Device> device;
  {
    const std::lock_guard<std::mutex> lock(layer().Mutex);
    const auto found = layer().Devices.find(Layer::keyOf(handle));
    device = std::move(found->second);
    layer().Devices.erase(found);
    if (!device->pending.empty())
      layer().note(*device, "A device is closed while it may work.");
  }
  device->nextDestroy(handle, allocator);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL addressOfDevice(VkDevice handle, const char* name)
{
  if (std::strcmp(name, "vkGetDeviceProcAddr") == 0)
    return reinterpret_cast<PFN_vkVoidFunction>(&addressOfDevice);
  if (std::strcmp(name, "vkDestroyDevice") == 0)
    return reinterpret_cast<PFN_vkVoidFunction>(&destroyDevice);
  Device& device = layer().deviceOf(handle);
  const VulkanCall call = callOf(name);
  if (call == VulkanCall::End || !interceptedFunction(call))
    return device.nextAddress(handle, name);
  return device.next[static_cast<std::size_t>(call)] ? interceptedFunction(call) : nullptr;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL addressOfInstance(VkInstance instance, const char* name)
{
  static const std::map<std::string, PFN_vkVoidFunction> own = {
    { "vkGetInstanceProcAddr", reinterpret_cast<PFN_vkVoidFunction>(&addressOfInstance) },
    { "vkGetDeviceProcAddr", reinterpret_cast<PFN_vkVoidFunction>(&addressOfDevice) },
    { "vkCreateInstance", reinterpret_cast<PFN_vkVoidFunction>(&createInstance) },
    { "vkEnumeratePhysicalDevices", reinterpret_cast<PFN_vkVoidFunction>(&enumeratePhysicalDevices) },
    { "vkCreateDevice", reinterpret_cast<PFN_vkVoidFunction>(&createDevice) },
    { "vkDestroyDevice", reinterpret_cast<PFN_vkVoidFunction>(&destroyDevice) }
  };
  if (const auto found = own.find(name); found != own.end())
    return found->second;
  if (const VulkanCall call = callOf(name); call != VulkanCall::End)
    return interceptedFunction(call);
  return layer().Next.nextAddress ? layer().Next.nextAddress(instance, name) : nullptr;
}

}

}

VMC_EXPORT VKAPI_ATTR VkResult VKAPI_CALL vmcNegotiate(VkNegotiateLayerInterface* version)
{
  if (version->loaderLayerInterfaceVersion < 2)
    return VK_ERROR_INITIALIZATION_FAILED;
  version->loaderLayerInterfaceVersion = 2;
  version->pfnGetInstanceProcAddr = vmc::torture::addressOfInstance;
  version->pfnGetDeviceProcAddr = vmc::torture::addressOfDevice;
  version->pfnGetPhysicalDeviceProcAddr = nullptr;
  return VK_SUCCESS;
}

VMC_EXPORT vmc::torture::FaultLayer* vmcFaultLayer()
{
  return &vmc::torture::layer();
}
