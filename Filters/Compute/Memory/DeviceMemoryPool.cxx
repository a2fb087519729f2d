// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Memory/DeviceMemoryPool.h"

#include "Compute/System/Error.h"
#include "Compute/Vulkan/Buffer.h"
#include "Compute/Vulkan/Instance.h"

#include <algorithm>
#include <utility>

namespace vmc
{

using Lock = std::lock_guard<std::mutex>;

namespace
{

// A new exported buffer has a quarter more bytes than requested, and is reused for sizes down to a quarter of its own.
constexpr std::uint64_t SpareShare = 4;
constexpr std::uint64_t LargestExportedFactor = 4;

// A run may use buffers of other sizes in its second part, such as the measures of a surface. The next run finds all of
// them, up to this multiple of the bytes that the run has held at once.
constexpr std::uint64_t LargestShareOfRun = 2;

}

PooledBuffer::PooledBuffer() = default;

PooledBuffer::PooledBuffer(
  DeviceMemoryPool& pool, std::unique_ptr<Buffer> memory, std::uint64_t sizeInBytes, Reuse reuse)
  : Pool(&pool)
  , Memory(std::move(memory))
  , Size(sizeInBytes)
  , ReuseOfMemory(reuse)
{
}

PooledBuffer::PooledBuffer(PooledBuffer&& other) noexcept
{
  *this = std::move(other);
}

PooledBuffer::~PooledBuffer()
{
  this->release();
}

PooledBuffer& PooledBuffer::operator=(PooledBuffer&& other) noexcept
{
  if (this == &other)
    return *this;
  this->release();
  this->Pool = std::exchange(other.Pool, nullptr);
  this->Memory = std::move(other.Memory);
  this->Size = std::exchange(other.Size, 0);
  this->ReuseOfMemory = other.ReuseOfMemory;
  return *this;
}

void PooledBuffer::release()
{
  if (this->Memory)
    this->Pool->release(std::move(this->Memory), this->ReuseOfMemory);
  this->Size = 0;
}

DeviceMemoryPool::DeviceMemoryPool(Device& device)
  : Owner(device)
{
}

DeviceMemoryPool::~DeviceMemoryPool() = default;

PooledBuffer DeviceMemoryPool::acquire(std::uint64_t sizeInBytes, const std::string& name, Reuse reuse)
{
  return this->acquire(sizeInBytes, name, reuse, false);
}

PooledBuffer DeviceMemoryPool::acquireExported(std::uint64_t sizeInBytes, const std::string& name)
{
  return this->acquire(sizeInBytes, name, Reuse::InLaterRuns, true);
}

PooledBuffer DeviceMemoryPool::acquire(std::uint64_t sizeInBytes, const std::string& name, Reuse reuse, bool isExported)
{
  const Lock lock(this->Mutex);
  std::unique_ptr<Buffer> memory = this->takeFree(sizeInBytes, isExported);
  if (!memory)
  {
    memory = this->make(sizeInBytes, name, isExported);
    this->RunBytes += memory->size();
  }
  ++this->HeldCount;
  this->FreeBuffers.reserve(this->FreeBuffers.size() + this->HeldCount); // so that release() allocates nothing
  this->HeldBytes += memory->size();
  this->History.note(std::min(this->RunBytes, LargestShareOfRun * this->HeldBytes));
  return PooledBuffer(*this, std::move(memory), sizeInBytes, reuse);
}

// If memory is exhausted, tries again without the free buffers.
std::unique_ptr<Buffer> DeviceMemoryPool::make(std::uint64_t sizeInBytes, const std::string& name, bool isExported)
{
  const Buffer::Memory kind = isExported ? Buffer::Memory::Exported : Buffer::Memory::Device;
  const std::uint64_t bytesWithSpare = isExported ? sizeInBytes + sizeInBytes / SpareShare : sizeInBytes;
  try
  {
    return std::make_unique<Buffer>(this->Owner, bytesWithSpare, kind, name);
  }
  catch (const Error& error)
  {
    if (error.kind() != Error::Kind::OutOfMemory || (this->FreeBytes == 0 && bytesWithSpare == sizeInBytes))
      throw;
    this->freeSurplus(0);
    return std::make_unique<Buffer>(this->Owner, sizeInBytes, kind, name);
  }
}

// Takes the smallest free buffer of this kind that is large enough and not too large; of equal sizes, the one created
// first. Null if there is none.
std::unique_ptr<Buffer> DeviceMemoryPool::takeFree(std::uint64_t sizeInBytes, bool isExported)
{
  const std::uint64_t largest = isExported ? LargestExportedFactor * sizeInBytes : sizeInBytes + sizeInBytes / 4;
  auto best = this->FreeBuffers.end();
  for (auto at = this->FreeBuffers.begin(); at != this->FreeBuffers.end(); ++at)
  {
    const std::uint64_t size = at->memory->size();
    if ((at->memory->kind() == Buffer::Memory::Exported) != isExported || size < sizeInBytes || size > largest)
      continue;
    if (best == this->FreeBuffers.end() ||
        std::make_pair(size, at->memory->identity()) < std::make_pair(best->memory->size(), best->memory->identity()))
      best = at;
  }
  if (best == this->FreeBuffers.end())
    return nullptr;
  std::unique_ptr<Buffer> memory = std::move(best->memory);
  this->FreeBytes -= memory->size();
  this->RunBytes += best->run != this->Run ? memory->size() : 0;
  this->FreeBuffers.erase(best);
  return memory;
}

void DeviceMemoryPool::release(std::unique_ptr<Buffer> memory, Reuse reuse) noexcept
{
  if (!mayUseVulkan()) // after fork() the lock may be held forever
  {
    static_cast<void>(memory.release());
    return;
  }
  const Lock lock(this->Mutex);
  --this->HeldCount;
  this->HeldBytes -= memory->size();
  this->FreeBytes += memory->size();
  this->FreeBuffers.push_back({ std::move(memory), reuse, this->Run });
  this->freeSurplus(this->History.bytesToKeep());
}

void DeviceMemoryPool::freeSurplus(std::uint64_t bytesToKeep)
{
  auto first = this->FreeBuffers.begin();
  for (; first != this->FreeBuffers.end() && this->HeldBytes + this->FreeBytes > bytesToKeep; ++first)
    this->uncount(*first);
  this->FreeBuffers.erase(this->FreeBuffers.begin(), first);
}

void DeviceMemoryPool::uncount(const FreeBuffer& buffer)
{
  const std::uint64_t size = buffer.memory->size();
  this->FreeBytes -= size;
  this->RunBytes -= buffer.run == this->Run ? size : 0;
}

void DeviceMemoryPool::freeUnused()
{
  if (!mayUseVulkan()) // see release()
    return;
  const Lock lock(this->Mutex);
  this->freeSurplus(0);
}

std::uint64_t DeviceMemoryPool::heldBytes() const
{
  const Lock lock(this->Mutex);
  return this->HeldBytes;
}

std::uint64_t DeviceMemoryPool::bytes() const
{
  const Lock lock(this->Mutex);
  return this->HeldBytes + this->FreeBytes;
}

void DeviceMemoryPool::addUsers(int more)
{
  const Lock lock(this->Mutex);
  this->History.addUsers(more);
  if (more < 0)
    this->freeSurplus(this->History.bytesToKeep());
}

void DeviceMemoryPool::endRun(bool hasNext)
{
  const Lock lock(this->Mutex);
  const auto isDone = [&](const FreeBuffer& buffer)
  {
    return buffer.reuse == Reuse::InThisRun ||
           (buffer.reuse == Reuse::InNextRun && !(hasNext && buffer.run == this->Run));
  };
  for (const FreeBuffer& buffer : this->FreeBuffers)
    if (isDone(buffer))
      this->uncount(buffer);
  this->FreeBuffers.erase(
    std::remove_if(this->FreeBuffers.begin(), this->FreeBuffers.end(), isDone), this->FreeBuffers.end());
}

void DeviceMemoryPool::beginRun()
{
  const Lock lock(this->Mutex);
  ++this->Run;
  this->RunBytes = this->HeldBytes;
  this->History.beginRun(this->RunBytes);
  this->freeSurplus(this->History.bytesToKeep());
}

}
