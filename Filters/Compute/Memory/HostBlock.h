// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// A page-aligned block of ordinary host memory that a device can write to directly.
#ifndef vmcHostBlock_h
#define vmcHostBlock_h

#include <cstddef>
#include <memory>
#include <utility>

namespace vmc
{

// Releases memory that HostBlock::release() returned: to its pool if that still exists, else to the system. If
// mayUseVulkan() (Vulkan/Instance.h) is false, does nothing with memory that a device may have imported. Null is
// allowed. Any thread may call it.
void releaseHostMemory(void* memory) noexcept;

// Owns the memory, which stays valid after the device is closed.
class HostBlock
{
public:
  HostBlock() = default;

  // Allocates an uninitialized block that belongs to no pool. Its address and capacity are multiples of PageSize. Size
  // 0 is an empty block. Throws OutOfHostMemory.
  explicit HostBlock(std::size_t sizeInBytes);

  // `other` is empty afterwards.
  HostBlock(HostBlock&& other) noexcept { *this = std::move(other); }
  HostBlock& operator=(HostBlock&& other) noexcept
  {
    this->Memory = std::move(other.Memory);
    this->Size = std::exchange(other.Size, 0);
    this->Capacity = std::exchange(other.Capacity, 0);
    return *this;
  }

  std::byte* data() const { return this->Memory.get(); } // null if empty
  std::size_t size() const { return this->Size; }
  std::size_t capacity() const
  {
    return this->Capacity;
  } // bytes; at least size(), a multiple of PageSize unless it is a slice

  // Reduces size() to `sizeInBytes`, at most the current size. The capacity stays.
  void shorten(std::size_t sizeInBytes) { this->Size = sizeInBytes; }

  // Transfers the memory to the caller, who releases it with releaseHostMemory. Null if empty.
  std::byte* release();

  // The capacity in bytes of a block of this size: a multiple of PageSize and, beyond the first page, at most an eighth
  // larger than the size. There are few different capacities, so that blocks can be reused.
  static std::size_t capacityFor(std::size_t sizeInBytes);

private:
  friend class HostMemoryPool;
  HostBlock(std::byte* memory, std::size_t sizeInBytes, std::size_t capacity);

  struct Release
  {
    void operator()(std::byte* memory) const { releaseHostMemory(memory); }
  };
  std::unique_ptr<std::byte, Release> Memory;
  std::size_t Size = 0;
  std::size_t Capacity = 0;
};

}

#endif
