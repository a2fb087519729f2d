#include "Compute/Vulkan/DescriptorSets.h"

#include "Compute/System/Error.h"

#include <algorithm>
#include <string>

namespace vmc
{

namespace
{

constexpr std::size_t SetsInPool = 64;
constexpr std::uint32_t DescriptorsInPool = 16 * SetsInPool;
// What one volume needs again and again is a tenth of this.
constexpr std::size_t MaxKeptSets = 2 * SetsInPool;

}

vk::DescriptorSet DescriptorSets::get(const Kernel& kernel, const Bindings& available)
{
  this->Wanted.clear();
  for (const std::uint32_t binding : kernel.bindings())
  {
    const Region& region = this->regionAt(kernel, available, binding);
    this->Wanted.push_back({ region.buffer->identity(), region.offset, region.size });
  }
  const auto found = std::find_if(this->Entries.begin(), this->Entries.end(),
    [&](const Entry& entry) { return entry.kernel == &kernel && entry.parts == this->Wanted; });
  if (found != this->Entries.end())
    return found->set;
  const vk::DescriptorSet set = this->make(kernel, available);
  this->Entries.push_back({ &kernel, this->Wanted, set });
  return set;
}

void DescriptorSets::trim()
{
  if (this->Entries.size() <= MaxKeptSets)
    return;
  this->Entries.clear();
  for (vk::raii::DescriptorPool& pool : this->Pools)
    pool.reset();
}

const Region& DescriptorSets::regionAt(const Kernel& kernel, const Bindings& available, std::uint32_t binding) const
{
  const Region& region = available[binding];
  if (!region.buffer || region.buffer->size() == 0)
    throw Error(Error::Kind::Internal,
      std::string(kernel.name()) + " lacks a buffer at binding " + std::to_string(binding) + ".");
  const std::uint64_t most = this->Owner.limits().maxBindingBytes;
  if (region.size > most)
    throw Error(Error::Kind::OutOfMemory, std::string(kernel.name()) + " needs " + std::to_string(region.size) +
                                            " bytes at binding " + std::to_string(binding) + "; this device allows " +
                                            std::to_string(most) + ".");
  return region;
}

vk::DescriptorSet DescriptorSets::make(const Kernel& kernel, const Bindings& available)
{
  const vk::DescriptorSet set = this->allocate(kernel);
  std::vector<vk::DescriptorBufferInfo> buffers;
  std::vector<vk::WriteDescriptorSet> writes;
  buffers.reserve(kernel.bindings().size());
  for (const std::uint32_t binding : kernel.bindings())
  {
    const Region& region = available[binding];
    buffers.emplace_back(region.buffer->handle(), region.offset, region.size);
    writes.emplace_back(set, binding, 0, 1, descriptorTypeOf(binding), nullptr, &buffers.back());
  }
  this->Owner.handle().updateDescriptorSets(writes, {});
  return set;
}

// Sets are not freed one by one: trim() resets their pools whole.
vk::DescriptorSet DescriptorSets::allocate(const Kernel& kernel)
{
  const std::size_t pool = this->Entries.size() / SetsInPool;
  if (pool == this->Pools.size())
  {
    const std::array<vk::DescriptorPoolSize, 2> sizes = { { { vk::DescriptorType::eStorageBuffer, DescriptorsInPool },
      { vk::DescriptorType::eUniformBuffer, SetsInPool } } };
    this->Pools.emplace_back(this->Owner.handle(), vk::DescriptorPoolCreateInfo({}, SetsInPool, sizes));
  }
  const vk::DescriptorSetAllocateInfo info(*this->Pools[pool], *kernel.setLayout());
  const vk::raii::Device& device = this->Owner.handle();
  return (*device).allocateDescriptorSets(info, *device.getDispatcher()).front();
}

}
