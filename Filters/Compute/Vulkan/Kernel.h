// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Creates and caches compute pipelines.
#ifndef vmcKernel_h
#define vmcKernel_h

#include "Compute/Vulkan/Words.h"
#include "Shared/Constants.h"

#include <vulkan/vulkan_raii.hpp>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace vmc
{

class Device;

// Values of specialization constants by their number (SPECIALIZE_... in Shaders/Shared/Constants.h). A kernel ignores
// numbers that it does not declare.
class Specialization
{
public:
  struct Value
  {
    std::uint32_t number, value;
  };

  Specialization() = default;
  Specialization(std::initializer_list<Value> values)
  {
    for (const Value& value : values)
      (*this)[value.number] = value.value;
  }

  std::uint32_t& operator[](std::uint32_t number)
  {
    this->ValueMask |= 1u << number;
    return this->Values[number];
  }
  // Adds the values of others. Existing values stay.
  void merge(const Specialization& others);
  std::vector<Value> values() const; // by ascending number

  bool operator<(const Specialization& other) const
  {
    return this->ValueMask != other.ValueMask ? this->ValueMask < other.ValueMask : this->Values < other.Values;
  }

private:
  std::uint32_t ValueMask = 0; // one bit per number that has a value
  std::array<std::uint32_t, SPECIALIZE_COUNT> Values{};
};

// The buffers that a SPIR-V module declares, one bit per binding number.
struct BindingMasks
{
  std::uint32_t read = 0;    // not declared writeonly
  std::uint32_t written = 0; // not declared readonly
};
BindingMasks bindingMasksOf(const kernels::Words& spirv);

// Uniform buffer for BINDING_GEOMETRY, storage buffer for all others.
vk::DescriptorType descriptorTypeOf(std::uint32_t binding);

// One specialized kernel. Its bindings are read from the SPIR-V; no C++ code repeats the shader's list.
class Kernel
{
public:
  Kernel(const Device& device, const kernels::Words& spirv, const Specialization& specialization);

  const char* name() const { return this->Name; }
  const BindingMasks& masks() const { return this->Masks; }
  const std::vector<std::uint32_t>& bindings() const { return this->Bindings; } // ascending
  const vk::raii::DescriptorSetLayout& setLayout() const { return this->SetLayout; }
  vk::PipelineLayout layout() const { return *this->Layout; }
  vk::Pipeline pipeline() const { return *this->Pipeline; }

private:
  const char* Name;
  BindingMasks Masks;
  std::vector<std::uint32_t> Bindings;
  vk::raii::DescriptorSetLayout SetLayout = nullptr;
  vk::raii::PipelineLayout Layout = nullptr;
  vk::raii::Pipeline Pipeline = nullptr;
};

// The kernels of a device. Each is created at its first use and kept. Any thread may use the cache.
class KernelCache
{
public:
  explicit KernelCache(const Device& device)
    : Owner(device)
  {
  }

  const Kernel& get(const kernels::Words& spirv, const Specialization& specialization = {});

  // The time that the host has spent on creating kernels so far.
  double milliseconds() const;

private:
  const Device& Owner;
  std::mutex mutable Mutex;
  double Milliseconds = 0;
  std::map<std::pair<const char*, Specialization>, Kernel> Kernels;
};

}

#endif
