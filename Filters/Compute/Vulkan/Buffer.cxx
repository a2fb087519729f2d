// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Vulkan/Buffer.h"

#include "Compute/System/Error.h"

#include <atomic>
#include <utility>

namespace vmc
{

namespace
{

constexpr vk::BufferUsageFlags Usage = vk::BufferUsageFlagBits::eStorageBuffer |
                                       vk::BufferUsageFlagBits::eUniformBuffer | vk::BufferUsageFlagBits::eTransferSrc |
                                       vk::BufferUsageFlagBits::eTransferDst | vk::BufferUsageFlagBits::eIndirectBuffer;

using Property = vk::MemoryPropertyFlagBits;

constexpr auto ExportHandle = vk::ExternalMemoryHandleTypeFlagBits::eOpaqueFd;

// An exported allocation is larger than its buffer: Mesa's llvmpipe refuses to import one that fits exactly. It needs
// 48 bytes more.
constexpr std::uint64_t ExportSlack = 65536;

// The memory properties for a use, best first. Vulkan guarantees one device-local type and one host-visible, coherent
// type; it guarantees neither both in one type nor cached memory.
std::vector<vk::MemoryPropertyFlags> propertiesOf(Buffer::Memory memory, bool unified)
{
  const vk::MemoryPropertyFlags mapped = Property::eHostVisible | Property::eHostCoherent;
  const vk::MemoryPropertyFlags local = Property::eDeviceLocal;
  switch (memory)
  {
    case Buffer::Memory::Exported:
      return { local };
    case Buffer::Memory::Device:
      return unified ? std::vector<vk::MemoryPropertyFlags>{ local | mapped, local } : std::vector{ local };
    case Buffer::Memory::Upload:
      return { mapped };
    case Buffer::Memory::Readback:
      return { mapped | Property::eHostCached, mapped };
  }
  return {};
}

}

Buffer::Buffer(Device& device, std::uint64_t sizeInBytes, Memory memory, const std::string& name)
  : Buffer() // delegation: the destructor also runs after an exception in this body
{
  if (sizeInBytes == 0)
    return;
  const bool isExported = memory == Memory::Exported;
  if (memory == Memory::Device || isExported)
  {
    device.budget().acquire(sizeInBytes, name);
    this->Budget = &device.budget();
  }
  this->Size = sizeInBytes;
  this->Kind = memory;
  try
  {
    const vk::ExternalMemoryBufferCreateInfo external(ExportHandle);
    const vk::ExportMemoryAllocateInfo exportInfo(ExportHandle);
    this->create(device, isExported ? &external : nullptr, name);
    const vk::MemoryRequirements needs = this->Handle.getMemoryRequirements();
    const std::uint32_t type = device.memoryType(needs.memoryTypeBits, propertiesOf(memory, device.hasUnifiedMemory()));
    this->AllocationSize = needs.size + (isExported ? ExportSlack : 0);
    vk::MemoryAllocateInfo allocation(this->AllocationSize, type);
    allocation.pNext = isExported ? &exportInfo : nullptr;
    this->Allocation = vk::raii::DeviceMemory(device.handle(), allocation);
    this->Handle.bindMemory(*this->Allocation, 0);
    if (device.isMappable(type) && !isExported && (memory != Memory::Device || device.hasUnifiedMemory()))
      this->Pointer = static_cast<std::byte*>(this->Allocation.mapMemory(0, VK_WHOLE_SIZE));
  }
  catch (const vk::SystemError& error)
  {
    throw Error(Error::Kind::OutOfMemory,
      device.traits().name + " cannot allocate " + std::to_string(sizeInBytes) + " bytes for " + name + ".",
      error.code().value());
  }
}

Buffer::Buffer(Device& device, void* hostMemory, std::uint64_t sizeInBytes, const std::string& name)
  : Buffer()
{
  const auto handleType = vk::ExternalMemoryHandleTypeFlagBits::eHostAllocationEXT;
  const vk::ExternalMemoryBufferCreateInfo external(handleType);
  this->Size = sizeInBytes;
  try
  {
    this->create(device, &external, name);
    const std::uint32_t types =
      this->Handle.getMemoryRequirements().memoryTypeBits &
      device.handle().getMemoryHostPointerPropertiesEXT(handleType, hostMemory).memoryTypeBits;
    const vk::ImportMemoryHostPointerInfoEXT import(handleType, hostMemory);
    const std::uint32_t type = device.memoryType(types, { Property::eHostVisible | Property::eHostCoherent });
    this->Allocation = vk::raii::DeviceMemory(device.handle(), vk::MemoryAllocateInfo(sizeInBytes, type, &import));
    this->Handle.bindMemory(*this->Allocation, 0);
  }
  catch (const vk::SystemError& error)
  {
    throw Error(Error::Kind::OutOfMemory,
      device.traits().name + " cannot import " + std::to_string(sizeInBytes) + " bytes of host memory for " + name +
        ".",
      error.code().value());
  }
}

int Buffer::exportMemory(const Device& device) const
{
  return device.handle().getMemoryFdKHR({ *this->Allocation, ExportHandle });
}

// Memory that can be exported only if it is dedicated to its buffer is not supported: it has no slack.
bool Buffer::isExportable(const vk::raii::PhysicalDevice& device)
{
  using Feature = vk::ExternalMemoryFeatureFlagBits;
  const vk::PhysicalDeviceExternalBufferInfo buffer({}, Usage, ExportHandle);
  const vk::ExternalMemoryFeatureFlags features =
    device.getExternalBufferProperties(buffer).externalMemoryProperties.externalMemoryFeatures;
  return (features & Feature::eExportable) && !(features & Feature::eDedicatedOnly);
}

void Buffer::create(Device& device, const void* next, const std::string& name)
{
  static std::atomic<std::uint64_t> lastIdentity{ 0 };
  vk::BufferCreateInfo info({}, this->Size, Usage);
  info.pNext = next;
  this->Handle = vk::raii::Buffer(device.handle(), info);
  this->Identity = ++lastIdentity;
  ++device.work().buffersMade;
  device.name(vk::ObjectType::eBuffer, reinterpret_cast<std::uint64_t>(static_cast<VkBuffer>(*this->Handle)), name);
}

Buffer& Buffer::operator=(Buffer&& other) noexcept
{
  if (this == &other)
    return *this;
  this->clear();
  this->Budget = std::exchange(other.Budget, nullptr);
  this->Identity = std::exchange(other.Identity, 0);
  this->Size = std::exchange(other.Size, 0);
  this->AllocationSize = std::exchange(other.AllocationSize, 0);
  this->Kind = other.Kind;
  this->Allocation = std::move(other.Allocation);
  this->Handle = std::move(other.Handle);
  this->Pointer = std::exchange(other.Pointer, nullptr);
  return *this;
}

void Buffer::clear()
{
  this->Handle = nullptr;
  this->Allocation = nullptr; // unmaps
  this->Pointer = nullptr;
  if (this->Budget)
    this->Budget->release(this->Size);
  this->Budget = nullptr;
  this->Identity = 0;
  this->Size = 0;
}

}
