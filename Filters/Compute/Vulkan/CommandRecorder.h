// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Records, submits and times work on a device.
#ifndef vmcCommandRecorder_h
#define vmcCommandRecorder_h

#include "Compute/System/Stage.h"
#include "Compute/Vulkan/Buffer.h"
#include "Compute/Vulkan/DescriptorSetCache.h"
#include "Compute/Vulkan/Kernel.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace vmc
{

// Reuses one command buffer: call begin(), record commands, call submitAndWait(), then repeat. One thread at a time.
class CommandRecorder
{
public:
  explicit CommandRecorder(Device& device);

  // Begins a recording and drops an unfinished one. timed: timestamps are recorded at the stages.
  void begin(bool timed = true);

  // Times the following commands as this stage, up to the next call or the end of the recording.
  void stage(Stage stage);

  // Runs `groups` workgroups along x for each of `arrays` workgroups along y. If arrays is 1, groups beyond the
  // device's limit continue along y. `reads` and `writes` are exactly the buffers that the kernel reads and writes; a
  // buffer may be in both. Later commands wait for the kernel's writes. Throws Internal if a list differs from the
  // kernel's declarations, Unsupported if there are too many workgroups, OutOfMemory if a region exceeds the largest
  // binding of the device.
  template <class Push>
  void dispatch(const Kernel& kernel, const Bindings& reads, const Bindings& writes, const Push& push,
    std::uint64_t groups, std::uint32_t arrays = 1)
  {
    static_assert(sizeof(Push) <= 128, "push constants are limited to 128 bytes");
    this->dispatchBytes(kernel, reads, writes, { &push, sizeof(Push) }, groups, arrays);
  }

  // Like dispatch, with the numbers of workgroups along x, y and z read from `groups` on the device: three words, which
  // a kernel wrote at BINDING_DISPATCH, or update().
  template <class Push>
  void dispatchIndirect(
    const Kernel& kernel, const Bindings& reads, const Bindings& writes, const Push& push, const Region& groups)
  {
    static_assert(sizeof(Push) <= 128, "push constants are limited to 128 bytes");
    this->bind(kernel, reads, writes, { &push, sizeof(Push) });
    this->dispatchIndirect(groups);
  }

  // Commands between these calls do not wait for each other: none may read or write a buffer that another one writes.
  // Commands after endConcurrent() wait for all of them.
  void beginConcurrent();
  void endConcurrent();

  void copy(const Region& from, const Buffer& to, std::uint64_t toOffset = 0); // from.size bytes
  void fill(const Region& region, std::uint32_t word);                         // offset and size: multiples of 4 bytes
  // sizeInBytes, toOffset: multiples of 4 bytes; at most 64 KiB.
  void update(const Buffer& buffer, const void* data, std::uint64_t sizeInBytes, std::uint64_t toOffset = 0);

  // Submits the recording and waits for the device. Adds the GPU time of each timed stage to `times`. Calls `meanwhile`
  // once on the host while the device works. An empty recording is not submitted. Throws DeviceLost, OutOfMemory,
  // Internal; rethrows the exception of `meanwhile` after the device has finished.
  void submitAndWait(StageTimes& times, const std::function<void()>& meanwhile = {});

private:
  struct Push
  {
    const void* data;
    std::uint32_t bytes;
  };

  void dispatchBytes(const Kernel& kernel, const Bindings& reads, const Bindings& writes, const Push& push,
    std::uint64_t groups, std::uint32_t arrays);
  void bind(const Kernel& kernel, const Bindings& reads, const Bindings& writes, const Push& push);
  void dispatchIndirect(const Region& groups);
  void submit();
  void barrier();
  void letHostRead();
  void stamp();
  void readTimes(StageTimes& times);

  Device& Owner;
  DescriptorSetCache Sets;
  vk::raii::CommandPool Pool = nullptr;
  vk::raii::CommandBuffer CommandBuffer = nullptr;
  bool IsConcurrent = false;
  bool HasConcurrentWork = false; // since beginConcurrent()
  bool MayHaveNewSizes = false;   // of indirect dispatches: they may have been written since the last barrier
  vk::raii::QueryPool Timestamps = nullptr;
  vk::raii::Fence DoneFence = nullptr;
  std::vector<Stage> Stages;
  bool IsTimed = false;
  bool IsEmpty = true; // no command but timestamps is recorded
};

// The number of workgroups of `groupSize` invocations for one invocation per element.
inline std::uint64_t groupsFor(std::uint64_t count, std::uint32_t groupSize)
{
  return (count + groupSize - 1) / groupSize;
}

}

#endif
