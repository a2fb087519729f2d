// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Creates and caches compute pipelines.
#ifndef vmcKernel_h
#define vmcKernel_h

#include "Compute/Vulkan/KernelVariant.h"
#include "Compute/Vulkan/PipelineCache.h"

#include <vulkan/vulkan_raii.hpp>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace vmc
{

class Device;

// One bit per binding number.
using BindingMask = std::uint64_t;

// The buffers that a SPIR-V module declares.
struct BindingMasks
{
  BindingMask read = 0;    // not declared writeonly
  BindingMask written = 0; // not declared readonly
};
BindingMasks bindingMasksOf(const kernels::Words& spirv);

// The specialization constants that a SPIR-V module declares, one bit per number.
std::uint32_t specializationMaskOf(const kernels::Words& spirv);

// Uniform buffer for BINDING_GEOMETRY, storage buffer for all others.
vk::DescriptorType descriptorTypeOf(std::uint32_t binding);

// One specialized kernel. Its bindings are read from the SPIR-V; no C++ code repeats the shader's list.
class Kernel
{
public:
  // pipelines: a cache of the device. Throws vk::SystemError.
  Kernel(const Device& device, const vk::raii::PipelineCache& pipelines, const KernelVariant& variant);

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

// The kernels of a device. Each is created once and kept. Any thread may use the cache.
class KernelCache
{
public:
  // pipelines: kept by earlier processes; must outlive the cache.
  KernelCache(const Device& device, PipelineCache& pipelines)
    : Owner(device)
    , Pipelines(pipelines)
  {
  }
  // Waits for the kernels that are being made in the background.
  ~KernelCache();

  // Creates the kernel at the first call. Waits if another thread is creating it. Throws vk::SystemError; the next call
  // tries again.
  const Kernel& get(const kernels::Words& spirv, const Specialization& specialization = {});

  // Begins to create on other threads those of the variants that do not exist, the largest first. get() reports errors.
  void makeInBackground(const std::vector<KernelVariant>& variants);

  // Writes the compiled kernels for later processes, in the background, if there are new ones. Call it after a run.
  void saveInBackground();

  std::size_t size() const; // of the kernels that get() has returned, or that will be made

  // The time that this thread has spent in get() on creating kernels or on waiting for them.
  static double waitedMilliseconds();

private:
  using Key = std::pair<const char*, Specialization>;
  struct Entry
  {
    std::mutex mutex; // held during the creation
    std::atomic<bool> isMade{ false };
    std::optional<Kernel> kernel;
    bool isRequested = false; // from the workers
  };
  struct Task
  {
    Entry* entry;
    KernelVariant variant;
  };

  Key keyOf(const KernelVariant& variant);
  void make(Entry& entry, const KernelVariant& variant);
  void tryToMake(const Task& task);
  void work();

  const Device& Owner;
  PipelineCache& Pipelines;
  std::mutex mutable Mutex; // guards the members below
  std::condition_variable Idle;
  std::map<const std::uint32_t*, std::uint32_t> DeclaredNumbers; // of each module
  std::map<Key, Entry> Kernels;
  std::deque<Task> Tasks;  // for the workers
  unsigned Workers = 0;    // threads in work()
  bool HasUnsaved = false; // kernels
};

}

#endif
