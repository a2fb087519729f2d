// Recording, submitting and timing of work on a device.
#ifndef vmcCommands_h
#define vmcCommands_h

#include "Compute/System/StageTime.h"
#include "Compute/Vulkan/Buffer.h"
#include "Compute/Vulkan/DescriptorSets.h"
#include "Compute/Vulkan/Kernel.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace vmc
{

// One command buffer, recorded and run over and over. begin, record, submitAndWait; then again.
class Commands
{
public:
  explicit Commands(const Device& device);

  // timed: with time stamps at the stages.
  void begin(bool timed = true);

  // What follows belongs to the stage of this name, until the next one or the end.
  void stage(const char* name);

  // Runs `groups` groups (folded into a second axis where one does not reach) times `arrays` groups along y; with
  // arrays > 1 no folding is possible. `available` may hold more bindings than the kernel has, and must hold all it
  // has. Later commands see what the kernel wrote.
  template <class Push>
  void dispatch(
    const Kernel& kernel, const Bindings& available, const Push& push, std::uint64_t groups, std::uint32_t arrays = 1)
  {
    static_assert(sizeof(Push) <= 128, "push constants are limited to 128 bytes");
    this->dispatchBytes(kernel, available, &push, sizeof(Push), groups, arrays);
  }

  // The same with the numbers of groups along x, y and z in a buffer, which earlier commands may have written.
  template <class Push>
  void dispatchIndirect(const Kernel& kernel, const Bindings& available, const Push& push, const Region& groups)
  {
    static_assert(sizeof(Push) <= 128, "push constants are limited to 128 bytes");
    this->bind(kernel, available, &push, sizeof(Push));
    this->dispatchIndirect(groups);
  }

  // Dispatches and copies in between do not wait for each other: none may read or write what another one writes. What
  // follows waits for all of them.
  void beginConcurrent();
  void endConcurrent();

  void copy(const Region& from, const Buffer& to, std::uint64_t toOffset = 0); // from.size bytes
  void fill(const Buffer& buffer, std::uint32_t word);
  void update(const Buffer& buffer, const void* data, std::uint64_t sizeInBytes); // multiple of 4, at most 64 KiB

  // Adds the GPU time of each stage to `times`. The host calls `meanwhile` once, while the device works. Nothing
  // recorded: nothing submitted. Throws DeviceLost, OutOfMemory, Internal, and what `meanwhile` throws, once the device
  // is done.
  void submitAndWait(std::vector<StageTime>& times, const std::function<void()>& meanwhile = {});

private:
  void dispatchBytes(const Kernel& kernel, const Bindings& available, const void* push, std::uint32_t pushBytes,
    std::uint64_t groups, std::uint32_t arrays);
  void bind(const Kernel& kernel, const Bindings& available, const void* push, std::uint32_t pushBytes);
  void dispatchIndirect(const Region& groups);
  void submit();
  void barrier();
  void letHostRead();
  void wait();
  void stamp();
  void readTimes(std::vector<StageTime>& times);

  const Device& Owner;
  DescriptorSets Sets;
  vk::raii::CommandPool Pool = nullptr;
  vk::raii::CommandBuffer CommandBuffer = nullptr;
  bool Concurrent = false;
  vk::raii::QueryPool Timestamps = nullptr;
  vk::raii::Fence Done = nullptr;
  std::vector<const char*> StageNames;
  bool IsTimed = false;
  bool IsEmpty = true; // nothing but time stamps recorded
};

// Groups of `groupSize` invocations that give each of `count` elements one.
inline std::uint64_t groupsFor(std::uint64_t count, std::uint32_t groupSize)
{
  return (count + groupSize - 1) / groupSize;
}

}

#endif
