// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Runs one kernel with buffers that the host writes and reads.
#ifndef vmcKernelRunner_h
#define vmcKernelRunner_h

#include "Compute/Context.h"
#include "Compute/Vulkan/CommandRecorder.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <vector>

namespace vmc::test
{

// Outputs are filled with this word before a kernel runs, so that a test finds words that the kernel must not write.
constexpr std::uint32_t CanaryWord = 0xA5C3F00Du;

class KernelRunner
{
public:
  explicit KernelRunner(Context& context)
    : Shared(context)
    , Recorder(context.device())
  {
  }

  // Makes a buffer of these values at the binding and frees the earlier one. A buffer without values has one word.
  template <class Value>
  void write(std::uint32_t binding, const std::vector<Value>& values)
  {
    const std::uint64_t bytes = values.size() * sizeof(Value);
    Buffer& buffer = this->Buffers[binding];
    buffer = Buffer(this->Shared.device(), std::max<std::uint64_t>(bytes, 4), Buffer::Memory::Upload, "test");
    if (bytes != 0)
      std::memcpy(buffer.mapped(), values.data(), bytes);
  }

  // Reads the first `count` values of the buffer at the binding.
  template <class Value>
  std::vector<Value> read(std::uint32_t binding, std::size_t count) const
  {
    std::vector<Value> values(count);
    if (count != 0)
      std::memcpy(values.data(), this->Buffers.at(binding).mapped(), count * sizeof(Value));
    return values;
  }

  template <class Push>
  void run(const kernels::Words& spirv, const Specialization& specialization, const Push& push,
    std::uint64_t workgroups, std::uint32_t arrays = 1)
  {
    const Kernel& kernel = this->Shared.kernels().get(spirv, specialization);
    for (const std::uint32_t binding : kernel.bindings()) // bindings that the test does not use have one word
      if (this->Buffers.count(binding) == 0)
        this->write(binding, std::vector<std::uint32_t>{ CanaryWord });
    Bindings operands;
    for (const auto& [binding, buffer] : this->Buffers)
      operands.set({ binding, buffer });
    const BindingMasks& masks = kernel.masks();
    StageTimes times;
    this->Recorder.begin();
    this->Recorder.dispatch(kernel, operands.only(masks.read), operands.only(masks.written), push, workgroups, arrays);
    this->Recorder.submitAndWait(times);
  }

private:
  Context& Shared;
  std::map<std::uint32_t, Buffer> Buffers;
  CommandRecorder Recorder;
};

}

#endif
