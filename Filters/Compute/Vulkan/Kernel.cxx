// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Vulkan/Kernel.h"

#include "Compute/System/HostClock.h"
#include "Compute/Vulkan/Device.h"
#include "Shared/Bindings.h"

namespace vmc
{

namespace
{

// Guaranteed by Vulkan.
constexpr std::uint32_t PushBytes = 128;

}

namespace
{

// SPIR-V specification 2.3 and 3: five header words, then instructions. Their first word holds length and opcode.
constexpr std::uint32_t HeaderWords = 5, OpTypePointer = 32, OpVariable = 59, OpDecorate = 71, OpMemberDecorate = 72;
constexpr std::uint32_t NonWritable = 24, NonReadable = 25, Binding = 33;

// The declarations of a module's buffers, by result id.
struct Declarations
{
  std::map<std::uint32_t, std::uint32_t> bindingOf;      // binding number of a variable
  std::map<std::uint32_t, std::uint32_t> pointerOf;      // pointer type of a variable
  std::map<std::uint32_t, std::uint32_t> blockOf;        // block type of a pointer type
  std::map<std::uint32_t, bool> isReadonly, isWriteonly; // some member of a block, or a variable
};

Declarations declarationsOf(const kernels::Words& spirv)
{
  Declarations found;
  for (std::size_t at = HeaderWords; at < spirv.count; at += spirv.data[at] >> 16)
  {
    const std::uint32_t* const word = spirv.data + at;
    const std::uint32_t code = word[0] & 0xFFFFu;
    if (code == OpTypePointer)
      found.blockOf[word[1]] = word[3];
    else if (code == OpVariable)
      found.pointerOf[word[2]] = word[1];
    else if (code == OpDecorate && word[2] == Binding)
      found.bindingOf[word[1]] = word[3];
    const std::uint32_t decoration = code == OpDecorate ? word[2] : code == OpMemberDecorate ? word[3] : 0;
    if (decoration == NonWritable)
      found.isReadonly[word[1]] = true;
    if (decoration == NonReadable)
      found.isWriteonly[word[1]] = true;
  }
  return found;
}

}

BindingMasks bindingMasksOf(const kernels::Words& spirv)
{
  Declarations found = declarationsOf(spirv);
  BindingMasks masks;
  for (const auto& [variable, binding] : found.bindingOf)
  {
    const std::uint32_t block = found.blockOf[found.pointerOf[variable]], bit = 1u << binding;
    if (!found.isWriteonly[block] && !found.isWriteonly[variable])
      masks.read |= bit;
    const bool isUniform = descriptorTypeOf(binding) == vk::DescriptorType::eUniformBuffer;
    if (!isUniform && !found.isReadonly[block] && !found.isReadonly[variable])
      masks.written |= bit;
  }
  return masks;
}

void Specialization::merge(const Specialization& others)
{
  for (const Value& value : others.values())
    if ((this->ValueMask >> value.number & 1u) == 0)
      (*this)[value.number] = value.value;
}

std::vector<Specialization::Value> Specialization::values() const
{
  std::vector<Value> list;
  for (std::uint32_t number = 0; number < SPECIALIZE_COUNT; ++number)
    if ((this->ValueMask >> number & 1u) != 0)
      list.push_back({ number, this->Values[number] });
  return list;
}

vk::DescriptorType descriptorTypeOf(std::uint32_t binding)
{
  return binding == BINDING_GEOMETRY ? vk::DescriptorType::eUniformBuffer : vk::DescriptorType::eStorageBuffer;
}

Kernel::Kernel(const Device& device, const kernels::Words& spirv, const Specialization& specialization)
  : Name(spirv.name)
  , Masks(bindingMasksOf(spirv))
{
  for (std::uint32_t binding = 0; binding < BINDING_COUNT; ++binding)
    if (((this->Masks.read | this->Masks.written) >> binding & 1u) != 0)
      this->Bindings.push_back(binding);
  std::vector<vk::DescriptorSetLayoutBinding> layoutBindings;
  for (const std::uint32_t binding : this->Bindings)
    layoutBindings.emplace_back(binding, descriptorTypeOf(binding), 1, vk::ShaderStageFlagBits::eCompute);
  this->SetLayout =
    vk::raii::DescriptorSetLayout(device.handle(), vk::DescriptorSetLayoutCreateInfo({}, layoutBindings));
  const vk::PushConstantRange push(vk::ShaderStageFlagBits::eCompute, 0, PushBytes);
  this->Layout = vk::raii::PipelineLayout(device.handle(), vk::PipelineLayoutCreateInfo({}, *this->SetLayout, push));

  std::vector<vk::SpecializationMapEntry> entries;
  std::vector<std::uint32_t> values;
  for (const auto& [number, value] : specialization.values())
  {
    entries.emplace_back(number, static_cast<std::uint32_t>(values.size() * sizeof(value)), sizeof(value));
    values.push_back(value);
  }
  const vk::SpecializationInfo info(
    static_cast<std::uint32_t>(entries.size()), entries.data(), values.size() * sizeof(std::uint32_t), values.data());
  const vk::raii::ShaderModule module(
    device.handle(), vk::ShaderModuleCreateInfo({}, spirv.count * sizeof(std::uint32_t), spirv.data));
  const vk::PipelineShaderStageCreateInfo stage({}, vk::ShaderStageFlagBits::eCompute, *module, "main", &info);
  this->Pipeline =
    vk::raii::Pipeline(device.handle(), nullptr, vk::ComputePipelineCreateInfo({}, stage, *this->Layout));
  device.name(
    vk::ObjectType::ePipeline, reinterpret_cast<std::uint64_t>(static_cast<VkPipeline>(*this->Pipeline)), this->Name);
}

const Kernel& KernelCache::get(const kernels::Words& spirv, const Specialization& specialization)
{
  const std::lock_guard<std::mutex> lock(this->Mutex);
  const auto key = std::make_pair(spirv.name, specialization);
  auto found = this->Kernels.find(key);
  if (found != this->Kernels.end())
    return found->second;
  const HostClock clock;
  found = this->Kernels
            .emplace(std::piecewise_construct, std::forward_as_tuple(key),
              std::forward_as_tuple(this->Owner, spirv, specialization))
            .first;
  this->Milliseconds += clock.milliseconds();
  return found->second;
}

double KernelCache::milliseconds() const
{
  const std::lock_guard<std::mutex> lock(this->Mutex);
  return this->Milliseconds;
}

}
