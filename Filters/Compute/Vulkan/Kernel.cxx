// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Vulkan/Kernel.h"

#include "Compute/System/Background.h"
#include "Compute/System/Stage.h"
#include "Compute/System/Threads.h"
#include "Compute/Vulkan/Device.h"
#include "Shared/Bindings.h"

#include <algorithm>
#include <exception>

namespace vmc
{

namespace
{

// Guaranteed by Vulkan.
constexpr std::uint32_t PushBytes = 128;

// SPIR-V specification 2.3 and 3: five header words, then instructions. Their first word holds length and opcode.
constexpr std::uint32_t HeaderWords = 5, OpTypePointer = 32, OpFunction = 54, OpVariable = 59, OpDecorate = 71,
                        OpMemberDecorate = 72;
constexpr std::uint32_t NonWritable = 24, NonReadable = 25, SpecId = 1, Binding = 33;

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
    const std::uint32_t block = found.blockOf[found.pointerOf[variable]];
    const BindingMask bit = BindingMask(1) << binding;
    if (!found.isWriteonly[block] && !found.isWriteonly[variable])
      masks.read |= bit;
    const bool isUniform = descriptorTypeOf(binding) == vk::DescriptorType::eUniformBuffer;
    if (!isUniform && !found.isReadonly[block] && !found.isReadonly[variable])
      masks.written |= bit;
  }
  return masks;
}

std::uint32_t specializationMaskOf(const kernels::Words& spirv)
{
  std::uint32_t mask = 0;
  for (std::size_t at = HeaderWords; at < spirv.count; at += spirv.data[at] >> 16)
  {
    const std::uint32_t* const word = spirv.data + at;
    if ((word[0] & 0xFFFFu) == OpFunction) // decorations precede all functions
      break;
    if ((word[0] & 0xFFFFu) == OpDecorate && word[2] == SpecId)
      mask |= 1u << word[3];
  }
  return mask;
}

vk::DescriptorType descriptorTypeOf(std::uint32_t binding)
{
  return binding == BINDING_GEOMETRY ? vk::DescriptorType::eUniformBuffer : vk::DescriptorType::eStorageBuffer;
}

Kernel::Kernel(const Device& device, const vk::raii::PipelineCache& pipelines, const KernelVariant& variant)
  : Name(variant.spirv->name)
  , Masks(bindingMasksOf(*variant.spirv))
{
  const kernels::Words& spirv = *variant.spirv;
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
  for (const auto& [number, value] : variant.specialization)
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
    vk::raii::Pipeline(device.handle(), pipelines, vk::ComputePipelineCreateInfo({}, stage, *this->Layout));
  device.name(
    vk::ObjectType::ePipeline, reinterpret_cast<std::uint64_t>(static_cast<VkPipeline>(*this->Pipeline)), this->Name);
}

namespace
{

thread_local double waited = 0; // milliseconds

// More threads make kernels that a file holds slower, and others hardly faster, as one of them takes most of the time.
constexpr std::size_t MostWorkers = 4;

}

double KernelCache::waitedMilliseconds()
{
  return waited;
}

KernelCache::~KernelCache()
{
  std::unique_lock<std::mutex> lock(this->Mutex);
  this->Tasks.clear();
  this->Idle.wait(lock, [this] { return this->Workers == 0; });
}

// Variants that differ only in values which the kernel does not declare have one key.
KernelCache::Key KernelCache::keyOf(const KernelVariant& variant)
{
  const auto known = this->DeclaredNumbers.find(variant.spirv->data);
  const std::uint32_t declared = known != this->DeclaredNumbers.end()
                                   ? known->second
                                   : this->DeclaredNumbers[variant.spirv->data] = specializationMaskOf(*variant.spirv);
  Key key{ variant.spirv->name, {} };
  for (const auto& [number, value] : variant.specialization)
    if ((declared >> number & 1u) != 0)
      key.second.emplace(number, value);
  return key;
}

const Kernel& KernelCache::get(const kernels::Words& spirv, const Specialization& specialization)
{
  const KernelVariant variant{ &spirv, specialization };
  Entry* entry = nullptr;
  {
    const std::lock_guard<std::mutex> lock(this->Mutex);
    entry = &this->Kernels[this->keyOf(variant)];
  }
  if (!entry->isMade)
  {
    const HostClock clock;
    this->make(*entry, variant);
    waited += clock.milliseconds();
  }
  return *entry->kernel;
}

void KernelCache::make(Entry& entry, const KernelVariant& variant)
{
  const std::lock_guard<std::mutex> creation(entry.mutex);
  if (entry.isMade)
    return;
  entry.kernel.emplace(this->Owner, this->Pipelines.handle(), variant);
  entry.isMade = true;
  const std::lock_guard<std::mutex> lock(this->Mutex);
  this->HasUnsaved = true;
}

void KernelCache::tryToMake(const Task& task)
{
  try
  {
    this->make(*task.entry, task.variant);
  }
  catch (const std::exception&)
  {
    // get() tries again and reports the error.
  }
}

void KernelCache::makeInBackground(const std::vector<KernelVariant>& variants)
{
  const std::lock_guard<std::mutex> lock(this->Mutex);
  for (const KernelVariant& variant : variants)
  {
    Entry& entry = this->Kernels[this->keyOf(variant)];
    if (!std::exchange(entry.isRequested, true) && !entry.isMade)
      this->Tasks.push_back({ &entry, variant });
  }
  const auto isLarger = [](const Task& a, const Task& b) { return a.variant.spirv->count > b.variant.spirv->count; };
  std::stable_sort(this->Tasks.begin(), this->Tasks.end(), isLarger);
  const std::size_t most =
    std::min({ this->Workers + this->Tasks.size(), MostWorkers, std::size_t(processorThreads()) });
  while (this->Workers < most && startInBackground([this] { this->work(); }))
    ++this->Workers;
  if (this->Workers == 0)
    this->Tasks.clear(); // get() makes them
}

// Makes what was requested. The last worker saves what all have made, and what get() makes meanwhile.
void KernelCache::work()
{
  std::unique_lock<std::mutex> lock(this->Mutex);
  for (;;)
    if (!this->Tasks.empty() && !isProcessEnding())
    {
      const Task task = this->Tasks.front();
      this->Tasks.pop_front();
      lock.unlock();
      this->tryToMake(task);
      lock.lock();
    }
    else if (this->Workers == 1 && std::exchange(this->HasUnsaved, false))
    {
      lock.unlock();
      this->Pipelines.save();
      lock.lock();
    }
    else
      break;
  --this->Workers;
  this->Idle.notify_all();
}

// Without a thread, as on Windows, this one writes the file.
void KernelCache::saveInBackground()
{
  std::unique_lock<std::mutex> lock(this->Mutex);
  if (!this->HasUnsaved || this->Workers != 0)
    return;
  if (startInBackground([this] { this->work(); }))
    this->Workers = 1;
  else if (!isProcessEnding())
  {
    this->HasUnsaved = false;
    lock.unlock();
    this->Pipelines.save();
  }
}

std::size_t KernelCache::size() const
{
  const std::lock_guard<std::mutex> lock(this->Mutex);
  return this->Kernels.size();
}

}
