// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Uploads host arrays to a device that has its own memory.
#ifndef vmcUploadRing_h
#define vmcUploadRing_h

#include "Compute/Vulkan/Buffer.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

namespace vmc
{

// A ring of slots in pinned host memory. Several threads copy parts of an array into free slots while the device copies
// filled slots into the buffer; one thread alone cannot saturate the link. The ring has as many slots as the largest
// array so far has parts, up to a limit, and keeps them as long as its device, as pinning memory takes longer than an
// upload. No budget counts it. Any thread may use it; uploads run one by one.
class UploadRing
{
public:
  struct Shape
  {
    std::size_t slotBytes = 2 << 20;
    std::size_t slots = 32; // at most
    unsigned threads = 0;   // 0: copyThreads()
  };

  // Throws OutOfMemory. Allocates no slot.
  explicit UploadRing(Device& device)
    : UploadRing(device, Shape())
  {
  }
  UploadRing(Device& device, const Shape& shape);

  // Copies the array to the buffer, from this offset in bytes on. No command may use the buffer meanwhile. Commands
  // submitted after the return see the copy. Neither array nor buffer is in use after the return or an error. Throws
  // DeviceLost, OutOfMemory, Internal.
  void copy(const std::byte* from, std::uint64_t sizeInBytes, const Buffer& to, std::uint64_t toOffset = 0);

private:
  friend class Upload;

  struct Slot
  {
    vk::raii::CommandBuffer commands = nullptr;
    Region staging;
    std::uint64_t batch = 0; // the last one that reads it; the host may write when it is drained; 0: none
  };

  void growTo(std::size_t slots);

  Device& Owner;
  const Shape MostSlots;
  const unsigned Threads;
  std::mutex Mutex;           // held during a copy
  std::deque<Buffer> Staging; // of the slots, one per growth
  vk::raii::CommandPool Pool;
  std::uint64_t SubmittedBatches = 0; // batches are numbered from 1
  std::mutex DrainedMutex;            // guards DrainedBatches; held while a thread waits for the device
  std::uint64_t DrainedBatches = 0;   // known to be finished
  std::vector<Slot> Slots;
  // Fences[b % slots] is that of batch b; at most one batch per slot is pending, and none while slots are added.
  std::vector<vk::raii::Fence> Fences;
};

}

#endif
