// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Reuses host blocks together with their imports.
#ifndef vmcHostMemoryPool_h
#define vmcHostMemoryPool_h

#include "Compute/Memory/HostBlock.h"
#include "Compute/Memory/PoolHistory.h"

#include <cstddef>
#include <map>
#include <memory>
#include <vector>

namespace vmc
{

class Buffer;
class Device;

// Supplies the blocks of an engine's output, which a device or threads of the CPU write. A new block takes several
// times as long as the transfer into it: the system clears its pages at the first access, and a device pins them at the
// import. Therefore released blocks and their imports are kept for reuse. PoolHistory limits the kept memory; the block
// that has been free for longest is freed first. The destructor ends all imports; blocks that are still held stay
// valid. Any thread may use it.
class HostMemoryPool
{
public:
  // importer: imports the blocks; must outlive the pool. Null: blocks are not imported, as those of the CPU.
  explicit HostMemoryPool(Device* importer);
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

  // Returns the block as a buffer of its capacity, created at the first call. The block must come from this pool, own
  // its memory and be no slice. The buffer is valid as long as the block. Null if the block is empty or the device
  // cannot import it.
  const Buffer* importOf(const HostBlock& block);

  void addUser();
  void removeUser();
  void beginRun();

  std::size_t heldBytes() const;
  std::size_t freeBytes() const;

private:
  friend void releaseHostMemory(void*) noexcept;

  struct Block
  {
    std::size_t capacity = 0;
    bool wasImported = false;       // or the import failed
    std::unique_ptr<Buffer> import; // null: failed, or not requested yet
  };

  HostBlock takeFree(std::size_t sizeInBytes);
  HostBlock makeFresh(std::size_t sizeInBytes);
  bool release(std::byte* memory);
  void importInto(Block& entry, const HostBlock& block);
  std::byte* allocate(std::size_t sizeInBytes);
  void freeSurplus(std::size_t bytesToKeep);

  Device* Importer;
  std::map<std::byte*, Block> Blocks; // by address of all blocks, held and free
  std::vector<std::byte*> FreeBlocks; // by time of release, oldest first
  std::size_t HeldBytes = 0;
  std::size_t FreeBytes = 0;
  PoolHistory History;
};

}

#endif
