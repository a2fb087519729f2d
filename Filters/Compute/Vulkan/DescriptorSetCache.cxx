// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Vulkan/DescriptorSetCache.h"

#include "Compute/System/Error.h"

#include <string>

namespace vmc
{

namespace
{

constexpr std::size_t SetsInPool = 64;
constexpr std::uint32_t DescriptorsInPool = 16 * SetsInPool;
// About ten times the number of sets that repeated extractions of one volume need.
constexpr std::size_t MaxKeptSets = 2 * SetsInPool;

}

void Bindings::set(const Bindings& others)
{
  for (std::uint32_t binding = 0; binding < BINDING_COUNT; ++binding)
    if ((others.Mask >> binding & 1u) != 0)
      this->set({ binding, others[binding] });
}

Bindings Bindings::only(BindingMask mask) const
{
  Bindings selected;
  for (std::uint32_t binding = 0; binding < BINDING_COUNT; ++binding)
    if ((mask & this->Mask) >> binding & 1u)
      selected.set({ binding, this->Regions[binding] });
  return selected;
}

vk::DescriptorSet DescriptorSetCache::get(const Kernel& kernel, const Bindings& operands)
{
  this->RequestedKey.first = &kernel;
  this->RequestedKey.second.clear();
  for (const std::uint32_t binding : kernel.bindings())
  {
    const Region& region = this->regionAt(kernel, operands, binding);
    this->RequestedKey.second.push_back({ region.buffer->identity(), region.offset, region.size });
  }
  const auto found = this->Entries.find(this->RequestedKey);
  if (found != this->Entries.end())
    return found->second;
  const vk::DescriptorSet set = this->make(kernel, operands);
  this->Entries.emplace(this->RequestedKey, set);
  return set;
}

void DescriptorSetCache::trim()
{
  if (this->Entries.size() <= MaxKeptSets)
    return;
  this->Entries.clear();
  for (vk::raii::DescriptorPool& pool : this->Pools)
    pool.reset();
}

const Region& DescriptorSetCache::regionAt(const Kernel& kernel, const Bindings& operands, std::uint32_t binding) const
{
  const Region& region = operands[binding];
  if (!region.buffer || region.buffer->size() == 0)
    throw Error(
      Error::Kind::Internal, std::string(kernel.name()) + " has no buffer at binding " + std::to_string(binding) + ".");
  const std::uint64_t most = this->Owner.limits().maxBindingBytes;
  if (region.size > most)
    throw SlabTooLarge(std::string(kernel.name()) + " needs " + std::to_string(region.size) + " bytes at binding " +
                       std::to_string(binding) + "; this device allows " + std::to_string(most) + ".");
  return region;
}

vk::DescriptorSet DescriptorSetCache::make(const Kernel& kernel, const Bindings& operands)
{
  const vk::DescriptorSet set = this->allocate(kernel);
  std::vector<vk::DescriptorBufferInfo> buffers;
  std::vector<vk::WriteDescriptorSet> writes;
  buffers.reserve(kernel.bindings().size());
  for (const std::uint32_t binding : kernel.bindings())
  {
    const Region& region = operands[binding];
    buffers.emplace_back(region.buffer->handle(), region.offset, region.size);
    writes.emplace_back(set, binding, 0, 1, descriptorTypeOf(binding), nullptr, &buffers.back());
  }
  this->Owner.handle().updateDescriptorSets(writes, {});
  return set;
}

// Single sets are never freed: trim() resets whole pools.
vk::DescriptorSet DescriptorSetCache::allocate(const Kernel& kernel)
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
