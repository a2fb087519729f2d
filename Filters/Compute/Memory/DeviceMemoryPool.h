// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Reuses buffers of device memory.
#ifndef vmcDeviceMemoryPool_h
#define vmcDeviceMemoryPool_h

#include "Compute/Memory/PoolHistory.h"
#include "Compute/Vulkan/Region.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace vmc
{

class Device;
class DeviceMemoryPool;

// The time for which a pool keeps a buffer that was released.
enum class Reuse
{
  InLaterRuns, // see PoolHistory
  InNextRun,   // until the end of the next run: for windows of a volume
  InThisRun    // until endRun(): for volumes, which are large and rarely equal in size
};

// Owns a buffer acquired from a pool; the destructor releases it to the pool. The pool must outlive it.
class PooledBuffer
{
public:
  PooledBuffer(); // no memory
  PooledBuffer(PooledBuffer&& other) noexcept;
  PooledBuffer& operator=(PooledBuffer&& other) noexcept;
  ~PooledBuffer();

  std::uint64_t size() const { return this->Size; }      // requested bytes; 0: no memory
  const Buffer& buffer() const { return *this->Memory; } // at least size() bytes; size() must not be 0
  Region region() const { return this->Memory ? Region(*this->Memory, 0, this->Size) : Region(); }
  void release();

private:
  friend class DeviceMemoryPool;
  PooledBuffer(DeviceMemoryPool& pool, std::unique_ptr<Buffer> memory, std::uint64_t sizeInBytes, Reuse reuse);

  DeviceMemoryPool* Pool = nullptr;
  std::unique_ptr<Buffer> Memory;
  std::uint64_t Size = 0;
  Reuse ReuseOfMemory = Reuse::InLaterRuns;
};

// Supplies all device memory whose size depends on a volume or a surface. The pool keeps released buffers for reuse;
// the device's budget counts them too. If memory is exhausted, the pool frees them before it throws. Any thread may
// use it.
class DeviceMemoryPool
{
public:
  explicit DeviceMemoryPool(Device& device);
  ~DeviceMemoryPool();

  // Returns a buffer of at least `sizeInBytes` bytes, which must not be 0, with undefined contents. The same sequence
  // of calls returns the same buffers again. Throws OutOfMemory with `name` in the message.
  PooledBuffer acquire(std::uint64_t sizeInBytes, const std::string& name, Reuse reuse = Reuse::InLaterRuns);

  // The same in Buffer::Memory::Exported. An import into another API takes longer than an extraction, so these buffers
  // are larger than requested if there is enough memory, and are reused for sizes down to a quarter of theirs.
  // Before one is released, the caller must have waited for the other API.
  PooledBuffer acquireExported(std::uint64_t sizeInBytes, const std::string& name);

  std::uint64_t heldBytes() const;
  std::uint64_t bytes() const; // of acquired and free buffers

  // Frees all released buffers.
  void freeUnused();

  void addUsers(int more); // may be negative
  void beginRun();
  // hasNext: false frees the buffers for the next run, too.
  void endRun(bool hasNext = true);

private:
  friend class PooledBuffer;
  struct FreeBuffer
  {
    std::unique_ptr<Buffer> memory;
    Reuse reuse;
    std::uint64_t run; // the run in which it was released
  };

  PooledBuffer acquire(std::uint64_t sizeInBytes, const std::string& name, Reuse reuse, bool isExported);
  std::unique_ptr<Buffer> takeFree(std::uint64_t sizeInBytes, bool isExported);
  std::unique_ptr<Buffer> make(std::uint64_t sizeInBytes, const std::string& name, bool isExported);
  void release(std::unique_ptr<Buffer> memory, Reuse reuse) noexcept;
  void freeSurplus(std::uint64_t bytesToKeep);
  void uncount(const FreeBuffer& buffer);

  Device& Owner;
  std::mutex mutable Mutex;            // guards the members below
  std::vector<FreeBuffer> FreeBuffers; // by time of release, oldest first
  std::size_t HeldCount = 0;
  std::uint64_t HeldBytes = 0;
  std::uint64_t FreeBytes = 0;
  std::uint64_t Run = 0;      // the number of the current run
  std::uint64_t RunBytes = 0; // the bytes of the buffers that it has used and that exist
  PoolHistory History;
};

}

#endif
