// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Blocks of host memory, and a pool that reuses them together with their imports.
#ifndef vmcHostMemoryPool_h
#define vmcHostMemoryPool_h

#include "Compute/Memory/PoolHistory.h"

#include <cstddef>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace vmc
{

class Buffer;
class Device;

// Releases memory that HostBlock::release() returned: to its pool if that still exists, else to the system. If
// mayUseVulkan() (Vulkan/Instance.h) is false, does nothing with memory that a device may have imported. Null is
// allowed. Any thread may call it.
void releaseHostMemory(void* memory) noexcept;

// Owns a page-aligned block of ordinary host memory that a device can write to directly. It stays valid after the
// device is closed.
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
  // Bytes: at least size(), a multiple of PageSize unless it is a slice.
  std::size_t capacity() const { return this->Capacity; }

  // Sets size() to `sizeInBytes`, at most the capacity, which stays. The contents stay, too.
  void resize(std::size_t sizeInBytes) { this->Size = sizeInBytes; }

  // Transfers the memory to the caller, who releases it with releaseHostMemory. Null if empty.
  std::byte* release();

  // The capacity in bytes of a block of this size: a multiple of PageSize and, beyond the first page, at most an eighth
  // larger than the size. There are few different capacities, so that blocks can be reused.
  static std::size_t capacityFor(std::size_t sizeInBytes);

private:
  friend class HostMemoryPool;
  HostBlock(std::byte* memory, std::size_t sizeInBytes, std::size_t capacity)
    : Memory(memory)
    , Size(sizeInBytes)
    , Capacity(capacity)
  {
  }

  struct Release
  {
    void operator()(std::byte* memory) const { releaseHostMemory(memory); }
  };
  std::unique_ptr<std::byte, Release> Memory;
  std::size_t Size = 0;
  std::size_t Capacity = 0;
};

// Supplies the blocks of an engine's output, which a device or threads of the CPU write. A new block takes several
// times as long as the transfer into it: the system clears its pages at the first access, and a device pins them at the
// import. Therefore released blocks and their imports are kept for reuse. PoolHistory limits the kept memory; the block
// that has been free for longest is freed first. The destructor ends all imports; blocks that are still held stay
// valid. Any thread may use it.
class HostMemoryPool
{
public:
  // isForDevices: devices may import the blocks, which the CPU does not.
  explicit HostMemoryPool(bool isForDevices);
  ~HostMemoryPool();
  HostMemoryPool(const HostMemoryPool&) = delete;
  HostMemoryPool& operator=(const HostMemoryPool&) = delete;

  // Returns a block of at least `sizeInBytes` bytes with undefined contents. Free blocks up to 5/4 of the needed
  // capacity are reused. Size 0 is an empty block. Throws OutOfHostMemory.
  HostBlock acquire(std::size_t sizeInBytes);

  // A part of a block: where it becomes a block of its own, its first byte and its size in bytes.
  struct Part
  {
    HostBlock* block;
    std::size_t offset, size;
  };

  // Makes parts of a block, which do not overlap, blocks of their own. Each one is released by itself; the memory is
  // free when all are. A single part is the block itself. Size 0 is an empty block.
  static void cut(HostBlock block, const std::vector<Part>& parts);

  // Acquires one block and cuts it into the parts, which begin at multiples of 64 bytes. Their offsets are set.
  void acquire(std::vector<Part>& parts);

  // Returns the block as a buffer of its capacity on this device, created at the first call. The block must come from
  // this pool, own its memory and be no slice; the device must outlive the pool. The buffer is valid as long as the
  // block. Null if the block is empty or the device cannot import it. One thread at a time per device.
  const Buffer* importOf(const HostBlock& block, Device& importer);

  void addUsers(int more); // may be negative
  void beginRun();

  std::size_t heldBytes() const;
  std::size_t freeBytes() const;

private:
  friend void releaseHostMemory(void*) noexcept;

  struct Block
  {
    std::size_t capacity = 0;
    std::map<Device*, std::unique_ptr<Buffer>> imports; // that were requested; null: failed
    bool isImported = false;                            // on a device
  };

  HostBlock takeFree(std::size_t sizeInBytes);
  HostBlock makeFresh(std::size_t sizeInBytes);
  bool release(std::byte* memory);
  static std::unique_ptr<Buffer> imported(const HostBlock& block, Device& importer);
  std::byte* allocate(std::size_t sizeInBytes);
  std::size_t bytesToKeep() const;
  bool mustLeak() const;
  void freeSurplus(std::size_t bytesToKeep);

  const bool IsForDevices;
  std::map<std::byte*, Block> Blocks; // by address of all blocks, held and free
  std::vector<std::byte*> FreeBlocks; // by time of release, oldest first
  std::size_t HeldBytes = 0;
  std::size_t FreeBytes = 0;
  PoolHistory History;
};

}

#endif
