// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Vulkan/Device.h"

#include "Compute/System/Background.h"
#include "Compute/System/Stage.h"
#include "Compute/Vulkan/Buffer.h"
#include "Compute/Vulkan/Instance.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace vmc
{

namespace
{

std::vector<std::string> extensionsOf(const vk::raii::PhysicalDevice& device)
{
  std::vector<std::string> names;
  for (const vk::ExtensionProperties& extension : device.enumerateDeviceExtensionProperties())
    names.emplace_back(extension.extensionName.data());
  return names;
}

bool isAmong(const std::vector<std::string>& extensions, const char* name)
{
  return std::find(extensions.begin(), extensions.end(), name) != extensions.end();
}

bool isExportWanted()
{
  const char* const variable = std::getenv("VMC_MEMORY_EXPORT");
  return !variable || std::strcmp(variable, "0") != 0;
}

}

std::vector<const char*> deviceExtensions(const std::vector<std::string>& available, const DeviceFeatures& used)
{
  std::vector<const char*> enabled;
  const auto enable = [&](bool isUsed, const char* name)
  {
    if (isUsed && isAmong(available, name))
      enabled.push_back(name);
  };
  enable(used.hostImports, VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME);
  enable(used.memoryExport, VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME);
  enable(true, "VK_KHR_portability_subset"); // the headers name it only with VK_ENABLE_BETA_EXTENSIONS
  return enabled;
}

Device::Device(const DeviceOptions& options)
  : BeforeSubmission(options.beforeSubmission)
  , Budget(options.limits.memoryBytes)
{
  const ForkWithoutWaiting drivers;
  auto devices = Instance::get().devices();
  const std::vector<DeviceTraits> traits = Instance::traitsOf(devices);
  const std::size_t chosen = chooseDevice(traits, options.name);
  this->Physical = std::move(devices[chosen]);
  this->Traits = traits[chosen];
  this->readLimits(options.limits);
  const std::vector<std::string> extensions = extensionsOf(this->Physical); // once: takes a driver up to a millisecond
  this->readFeatures(options.features, extensions);
  this->readCacheKey();
  this->UnifiedMemory = this->UnifiedMemory && !options.isDiscrete;
  this->createDevice(extensions);
  noticeEndOfProcess();
}

namespace
{

// Returns the bytes of the largest buffer whose memory is one allocation, which may be somewhat larger than the buffer.
// The limits of older versions of Vulkan do not contain that of a buffer.
std::uint64_t largestBuffer(const vk::raii::PhysicalDevice& device)
{
  const auto allocations =
    device.getProperties2<vk::PhysicalDeviceProperties2, vk::PhysicalDeviceMaintenance3Properties>();
  const std::uint64_t most = allocations.get<vk::PhysicalDeviceMaintenance3Properties>().maxMemoryAllocationSize;
  constexpr std::uint64_t Spare = 64 << 10;
  if (device.getProperties().apiVersion < VK_API_VERSION_1_3)
    return most - Spare;
  const auto buffers = device.getProperties2<vk::PhysicalDeviceProperties2, vk::PhysicalDeviceMaintenance4Properties>();
  const std::uint64_t largest = buffers.get<vk::PhysicalDeviceMaintenance4Properties>().maxBufferSize;
  return (largest != 0 ? std::min(most, largest) : most) - Spare; // 0: the driver ignores the structure
}

}

void Device::readLimits(const DeviceLimits& allowed)
{
  const vk::PhysicalDeviceLimits limits = this->Physical.getProperties().limits;
  this->Limits.maxBufferBytes = std::min(largestBuffer(this->Physical), allowed.maxBufferBytes);
  this->Limits.maxBindingBytes =
    std::min({ std::uint64_t(limits.maxStorageBufferRange), allowed.maxBindingBytes, this->Limits.maxBufferBytes });
  // CountBricks loads vectors of 16 bytes.
  this->Limits.bindingAlignment =
    std::max({ std::uint64_t(limits.minStorageBufferOffsetAlignment), allowed.bindingAlignment, std::uint64_t(16) });
  this->Limits.maxGroups = std::min(limits.maxComputeWorkGroupCount[0], allowed.maxGroups);
  this->Limits.memoryBytes = allowed.memoryBytes;
  this->Memory = this->Physical.getMemoryProperties();
  this->UnifiedMemory =
    this->Traits.type == DeviceTraits::Type::Software || this->Traits.type == DeviceTraits::Type::Integrated;
  this->QueueFamily = computeQueueFamily(this->Physical.getQueueFamilyProperties());
}

std::uint64_t Device::memoryBytes() const
{
  std::uint64_t bytes = 0;
  for (std::uint32_t heap = 0; heap < this->Memory.memoryHeapCount; ++heap)
    if (this->Memory.memoryHeaps[heap].flags & vk::MemoryHeapFlagBits::eDeviceLocal)
      bytes = std::max<std::uint64_t>(bytes, this->Memory.memoryHeaps[heap].size);
  return std::min(bytes, this->Limits.memoryBytes);
}

void Device::readFeatures(const DeviceFeatures& allowed, const std::vector<std::string>& extensions)
{
  const std::uint32_t bits =
    allowed.timestamps ? this->Physical.getQueueFamilyProperties()[this->QueueFamily].timestampValidBits : 0;
  this->TimestampMask = bits >= 64 ? ~0ull : (1ull << bits) - 1;
  this->TimestampMilliseconds = bits == 0 ? 0 : double(this->Physical.getProperties().limits.timestampPeriod) * 1e-6;
  if (allowed.hostImports && isAmong(extensions, VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME))
    this->HostImportAlignment =
      this->Physical.getProperties2<vk::PhysicalDeviceProperties2, vk::PhysicalDeviceExternalMemoryHostPropertiesEXT>()
        .get<vk::PhysicalDeviceExternalMemoryHostPropertiesEXT>()
        .minImportedHostPointerAlignment;
  this->ExportsMemory = allowed.memoryExport && isExportWanted() &&
                        isAmong(extensions, VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME) &&
                        Buffer::isExportable(this->Physical);
  for (vk::MemoryType& type : this->Memory.memoryTypes)
    if (!allowed.cachedMemory)
      type.propertyFlags &= ~vk::MemoryPropertyFlags(vk::MemoryPropertyFlagBits::eHostCached);
}

void Device::readCacheKey()
{
  const auto chain = this->Physical.getProperties2<vk::PhysicalDeviceProperties2, vk::PhysicalDeviceDriverProperties>();
  const vk::PhysicalDeviceProperties& properties = chain.get<vk::PhysicalDeviceProperties2>().properties;
  this->CacheKey.vendorId = properties.vendorID;
  this->CacheKey.deviceId = properties.deviceID;
  this->CacheKey.driverId = static_cast<std::uint32_t>(chain.get<vk::PhysicalDeviceDriverProperties>().driverID);
  this->CacheKey.driverVersion = properties.driverVersion;
  std::copy(properties.pipelineCacheUUID.begin(), properties.pipelineCacheUUID.end(), this->CacheKey.uuid.begin());
}

void Device::createDevice(const std::vector<std::string>& available)
{
  const float priority = 1;
  const vk::DeviceQueueCreateInfo queue({}, this->QueueFamily, 1, &priority);
  DeviceFeatures used;
  used.hostImports = this->HostImportAlignment != 0;
  used.memoryExport = this->ExportsMemory;
  const std::vector<const char*> extensions = deviceExtensions(available, used);
  try
  {
    this->Handle = vk::raii::Device(this->Physical, vk::DeviceCreateInfo({}, queue, {}, extensions));
  }
  catch (const vk::SystemError& error)
  {
    throw Error(
      Error::Kind::NoDevice, this->Traits.name + " cannot be opened: " + error.what() + ".", error.code().value());
  }
  this->Queue = vk::raii::Queue(this->Handle, this->QueueFamily, 0);
}

std::uint32_t Device::memoryType(std::uint32_t allowed, const std::vector<vk::MemoryPropertyFlags>& choices) const
{
  for (const vk::MemoryPropertyFlags properties : choices)
    for (std::uint32_t type = 0; type < this->Memory.memoryTypeCount; ++type)
      if ((allowed >> type & 1u) != 0 && (this->Memory.memoryTypes[type].propertyFlags & properties) == properties)
        return type;
  throw Error(
    Error::Kind::Unsupported, this->Traits.name + " has no memory that is " + vk::to_string(choices.back()) + ".");
}

bool Device::isMappable(std::uint32_t memoryType) const
{
  const vk::MemoryPropertyFlags needed =
    vk::MemoryPropertyFlagBits::eHostVisible | vk::MemoryPropertyFlagBits::eHostCoherent;
  return (this->Memory.memoryTypes[memoryType].propertyFlags & needed) == needed;
}

void Device::name(vk::ObjectType type, std::uint64_t handle, const std::string& name) const
{
  if (Instance::get().isValidating())
    this->Handle.setDebugUtilsObjectNameEXT({ type, handle, name.c_str() });
}

void Device::submit(const vk::SubmitInfo& work, vk::Fence done)
{
  const std::lock_guard<std::mutex> lock(this->QueueMutex);
  const vk::Result before = this->BeforeSubmission ? this->BeforeSubmission() : vk::Result::eSuccess;
  if (before != vk::Result::eSuccess)
    throw vk::SystemError(vk::make_error_code(before), "submission");
  ++this->Work.submissions;
  this->Queue.submit(work, done);
}

void Device::wait(vk::Fence done, double pollMilliseconds)
{
  try
  {
    const HostClock clock;
    while (clock.milliseconds() < pollMilliseconds)
      if ((*this->Handle).getFenceStatus(done, *this->Handle.getDispatcher()) == vk::Result::eSuccess)
        return;
    if (this->Handle.waitForFences(done, VK_TRUE, ~0ull) == vk::Result::eSuccess)
      return;
  }
  catch (const vk::DeviceLostError&)
  {
    throw;
  }
  catch (...) // without memory, also std::bad_alloc for the message of an exception
  {
    // The submission goes on: its buffers must not be released.
  }
  const std::lock_guard<std::mutex> lock(this->QueueMutex);
  try
  {
    this->Handle.waitIdle();
  }
  catch (...)
  {
    throw vk::DeviceLostError("The device cannot be waited for");
  }
}

Error errorFrom(const vk::SystemError& error, const std::string& text)
{
  const auto result = static_cast<vk::Result>(error.code().value());
  const bool memory = result == vk::Result::eErrorOutOfDeviceMemory || result == vk::Result::eErrorOutOfHostMemory ||
                      result == vk::Result::eErrorOutOfPoolMemory || result == vk::Result::eErrorFragmentedPool ||
                      result == vk::Result::eErrorFragmentation;
  const Error::Kind kind = result == vk::Result::eErrorDeviceLost ? Error::Kind::DeviceLost
                           : memory                               ? Error::Kind::OutOfMemory
                                                                  : Error::Kind::Internal;
  return Error(kind, text + ": " + error.what() + ".", error.code().value());
}

}
