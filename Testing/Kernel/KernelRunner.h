// Runs one kernel on buffers that the host fills and reads.
#ifndef vmcKernelRunner_h
#define vmcKernelRunner_h

#include "Compute/Vulkan/Commands.h"
#include "Compute/Vulkan/Device.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <vector>

namespace vmc::test
{

// What outputs hold before a kernel runs: a kernel that writes where it should not leaves a trace.
constexpr std::uint32_t Untouched = 0xA5C3F00Du;

class KernelRunner
{
public:
  explicit KernelRunner(const Device& device)
    : Owner(device)
    , Recorder(device)
  {
  }

  // Makes a buffer of these values at the binding, in place of the one before. An empty one still takes a word.
  template <class Value>
  void write(std::uint32_t binding, const std::vector<Value>& values)
  {
    const std::uint64_t bytes = values.size() * sizeof(Value);
    Buffer& buffer = this->Buffers[binding];
    buffer = Buffer(this->Owner, this->Budget, std::max<std::uint64_t>(bytes, 4), Buffer::Memory::Upload, "test");
    if (bytes != 0)
      std::memcpy(buffer.mapped(), values.data(), bytes);
  }

  // So many values from the buffer at the binding.
  template <class Value>
  std::vector<Value> read(std::uint32_t binding, std::size_t count) const
  {
    std::vector<Value> values(count);
    if (count != 0)
      std::memcpy(values.data(), this->Buffers.at(binding).mapped(), count * sizeof(Value));
    return values;
  }

  template <class Push>
  void run(const kernels::Words& spirv, const Specialization& specialization, const Push& push, std::uint64_t groups,
    std::uint32_t arrays = 1)
  {
    const Kernel& kernel = this->Owner.kernels().get(spirv, specialization);
    for (const std::uint32_t binding : kernel.bindings()) // what the test at hand does not use takes a word
      if (this->Buffers.count(binding) == 0)
        this->write(binding, std::vector<std::uint32_t>{ Untouched });
    Bindings bindings;
    for (const auto& [binding, buffer] : this->Buffers)
      bindings[binding] = buffer;
    std::vector<StageTime> untold;
    this->Recorder.begin();
    this->Recorder.dispatch(kernel, bindings, push, groups, arrays);
    this->Recorder.submitAndWait(untold);
  }

private:
  const Device& Owner;
  MemoryBudget Budget; // outlives the buffers
  std::map<std::uint32_t, Buffer> Buffers;
  Commands Recorder;
};

}

#endif
