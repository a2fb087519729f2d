#include "Compute/Vulkan/Buffer.h"

#include "Compute/System/Error.h"

#include <algorithm>
#include <utility>

namespace vmc
{

namespace
{

constexpr vk::BufferUsageFlags Usage = vk::BufferUsageFlagBits::eStorageBuffer |
                                       vk::BufferUsageFlagBits::eUniformBuffer | vk::BufferUsageFlagBits::eTransferSrc |
                                       vk::BufferUsageFlagBits::eTransferDst | vk::BufferUsageFlagBits::eIndirectBuffer;

using Property = vk::MemoryPropertyFlagBits;

// What is best for the use first. Vulkan guarantees memory that is device-local, and memory that is host-visible and
// coherent, but not both at once, nor cached.
std::vector<vk::MemoryPropertyFlags> propertiesOf(Buffer::Memory memory, bool unified)
{
  const vk::MemoryPropertyFlags mapped = Property::eHostVisible | Property::eHostCoherent;
  const vk::MemoryPropertyFlags local = Property::eDeviceLocal;
  switch (memory)
  {
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

void MemoryBudget::take(std::uint64_t sizeInBytes, const std::string& name)
{
  if (this->Used + sizeInBytes > this->Limit)
    throw Error(Error::Kind::OutOfMemory, "The buffer of " + name + " needs " + std::to_string(sizeInBytes) +
                                            " bytes beside " + std::to_string(this->Used) + " in use; the limit is " +
                                            std::to_string(this->Limit) + ".");
  this->Used += sizeInBytes;
  this->Largest = std::max(this->Largest, this->Used);
}

Buffer::Buffer(
  const Device& device, MemoryBudget& budget, std::uint64_t sizeInBytes, Memory memory, const std::string& name)
  : Buffer() // complete from here on: whatever is thrown, the destructor gives everything back
{
  if (sizeInBytes == 0)
    return;
  if (memory == Memory::Device) // what else there is lies in the memory of the host
  {
    budget.take(sizeInBytes, name);
    this->Budget = &budget;
  }
  this->Size = sizeInBytes;
  try
  {
    this->create(device, sizeInBytes, nullptr, name);
    const vk::MemoryRequirements needs = this->Handle.getMemoryRequirements();
    const std::uint32_t type = device.memoryType(needs.memoryTypeBits, propertiesOf(memory, device.hasUnifiedMemory()));
    this->Allocation = vk::raii::DeviceMemory(device.handle(), vk::MemoryAllocateInfo(needs.size, type));
    this->Handle.bindMemory(*this->Allocation, 0);
    if (device.isMappable(type) && (memory != Memory::Device || device.hasUnifiedMemory()))
      this->Pointer = static_cast<std::byte*>(this->Allocation.mapMemory(0, VK_WHOLE_SIZE));
  }
  catch (const vk::SystemError& error)
  {
    throw Error(Error::Kind::OutOfMemory,
      device.traits().name + " cannot allocate " + std::to_string(sizeInBytes) + " bytes for " + name + ".",
      error.code().value());
  }
}

Buffer::Buffer(const Device& device, const HostBlock& block, const std::string& name)
  : Size(block.capacity())
{
  const auto handleType = vk::ExternalMemoryHandleTypeFlagBits::eHostAllocationEXT;
  const vk::ExternalMemoryBufferCreateInfo external(handleType);
  try
  {
    this->create(device, block.capacity(), &external, name);
    const std::uint32_t types =
      this->Handle.getMemoryRequirements().memoryTypeBits &
      device.handle().getMemoryHostPointerPropertiesEXT(handleType, block.data()).memoryTypeBits;
    const vk::ImportMemoryHostPointerInfoEXT import(handleType, block.data());
    const std::uint32_t type = device.memoryType(types, { Property::eHostVisible | Property::eHostCoherent });
    this->Allocation = vk::raii::DeviceMemory(device.handle(), vk::MemoryAllocateInfo(block.capacity(), type, &import));
    this->Handle.bindMemory(*this->Allocation, 0);
  }
  catch (const vk::SystemError& error)
  {
    throw Error(Error::Kind::OutOfMemory,
      device.traits().name + " cannot import " + std::to_string(block.capacity()) + " bytes of host memory for " +
        name + ".",
      error.code().value());
  }
}

void Buffer::create(const Device& device, std::uint64_t sizeInBytes, const void* next, const std::string& name)
{
  vk::BufferCreateInfo info({}, sizeInBytes, Usage);
  info.pNext = next;
  this->Handle = vk::raii::Buffer(device.handle(), info);
  this->Identity = device.newIdentity();
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
    this->Budget->giveBack(this->Size);
  this->Budget = nullptr;
  this->Identity = 0;
  this->Size = 0;
}

}
