#include "Compute/Vulkan/Kernel.h"

#include "Compute/Vulkan/Device.h"
#include "Shared/Bindings.h"

#include <algorithm>

namespace vmc
{

namespace
{

// Vulkan guarantees this many bytes of push constants.
constexpr std::uint32_t PushBytes = 128;

}

std::vector<std::uint32_t> bindingsOf(const kernels::Words& spirv)
{
  // SPIR-V specification 2.3 and 3.42: five header words, then instructions whose first word holds length and opcode.
  constexpr std::uint32_t HeaderWords = 5, OpDecorate = 71, DecorationBinding = 33;
  std::vector<std::uint32_t> bindings;
  for (std::size_t at = HeaderWords; at < spirv.count; at += spirv.data[at] >> 16)
    if ((spirv.data[at] & 0xFFFFu) == OpDecorate && spirv.data[at + 2] == DecorationBinding)
      bindings.push_back(spirv.data[at + 3]);
  std::sort(bindings.begin(), bindings.end());
  bindings.erase(std::unique(bindings.begin(), bindings.end()), bindings.end()); // several views of one buffer
  return bindings;
}

vk::DescriptorType descriptorTypeOf(std::uint32_t binding)
{
  return binding == BINDING_GEOMETRY ? vk::DescriptorType::eUniformBuffer : vk::DescriptorType::eStorageBuffer;
}

Kernel::Kernel(const Device& device, const kernels::Words& spirv, const Specialization& specialization)
  : Name(spirv.name)
  , Bindings(bindingsOf(spirv))
{
  std::vector<vk::DescriptorSetLayoutBinding> layoutBindings;
  for (const std::uint32_t binding : this->Bindings)
    layoutBindings.emplace_back(binding, descriptorTypeOf(binding), 1, vk::ShaderStageFlagBits::eCompute);
  this->SetLayout =
    vk::raii::DescriptorSetLayout(device.handle(), vk::DescriptorSetLayoutCreateInfo({}, layoutBindings));
  const vk::PushConstantRange push(vk::ShaderStageFlagBits::eCompute, 0, PushBytes);
  this->Layout = vk::raii::PipelineLayout(device.handle(), vk::PipelineLayoutCreateInfo({}, *this->SetLayout, push));

  std::vector<vk::SpecializationMapEntry> entries;
  std::vector<std::uint32_t> values;
  for (const auto& [number, value] : specialization)
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

const Kernel& Kernels::get(const kernels::Words& spirv, const Specialization& specialization)
{
  const std::lock_guard<std::mutex> lock(this->Mutex);
  const auto key = std::make_pair(spirv.name, specialization);
  auto found = this->Made.find(key);
  if (found == this->Made.end())
    found = this->Made
              .emplace(std::piecewise_construct, std::forward_as_tuple(key),
                std::forward_as_tuple(this->Owner, spirv, specialization))
              .first;
  return found->second;
}

}
