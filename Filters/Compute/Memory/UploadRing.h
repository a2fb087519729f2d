// The way of host arrays to a device with its own memory.
#ifndef vmcUploadRing_h
#define vmcUploadRing_h

#include "Compute/Vulkan/Buffer.h"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace vmc
{

// Pinned memory in slots: threads copy parts of the array into free slots while the device drains filled ones, so that
// all of the host's memory bandwidth feeds the link and not one thread's share. Pinning memory takes longer than any
// upload, so the ring is kept as long as its device; being the device's and on the host, it counts against no
// extraction's budget. May be used by several threads at once: one array follows the other.
class UploadRing
{
public:
  struct Shape
  {
    std::size_t slotBytes = 2 << 20;
    std::size_t slots = 32;
    unsigned threads = 0; // 0: copyThreads()
  };

  // Throws OutOfMemory.
  explicit UploadRing(const Device& device)
    : UploadRing(device, Shape())
  {
  }
  UploadRing(const Device& device, const Shape& shape);

  // Copies the array to the beginning of the buffer. Returns once all of it is there, for commands that are submitted
  // from then on; nothing on the device may use the buffer meanwhile. After an error, too, neither array nor buffer is
  // in use any more. Throws DeviceLost, OutOfMemory or Internal.
  void copy(const std::byte* from, std::uint64_t sizeInBytes, const Buffer& to);

private:
  friend class Upload;

  struct Slot
  {
    vk::raii::CommandBuffer commands = nullptr;
    Region staging;
    std::uint64_t batch = 0; // that reads from it: the host may write once that is drained; 0: none yet
  };

  const Device& Owner;
  const unsigned Threads;
  std::mutex Mutex; // held during a copy
  MemoryBudget Unlimited;
  Buffer Staging;
  vk::raii::CommandPool Pool;
  std::uint64_t Submitted = 0; // batches; they are numbered from 1
  std::mutex DrainedMutex;     // of Drained, and of waiting for the device
  std::uint64_t Drained = 0;   // batches that the device is known to have copied
  std::vector<Slot> Slots;
  std::vector<vk::raii::Fence> Fences; // of batch b: b % slots. No more batches than slots are under way.
};

}

#endif
