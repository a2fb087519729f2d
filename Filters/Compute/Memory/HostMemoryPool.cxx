// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Memory/HostMemoryPool.h"

#include "Compute/System/Error.h"
#include "Compute/System/Platform.h"
#include "Compute/Vulkan/Buffer.h"
#include "Compute/Vulkan/Instance.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>

namespace vmc
{

std::size_t HostBlock::capacityFor(std::size_t sizeInBytes)
{
  std::size_t step = PageSize;
  while (16 * step < sizeInBytes)
    step *= 2;
  return (sizeInBytes + step - 1) / step * step;
}

HostBlock::HostBlock(std::size_t sizeInBytes)
  : HostBlock(
      sizeInBytes != 0 ? allocatePages(capacityFor(sizeInBytes)) : nullptr, sizeInBytes, capacityFor(sizeInBytes))
{
  if (sizeInBytes != 0 && !this->Memory)
    throw Error(Error::Kind::OutOfHostMemory,
      "The host cannot allocate " + std::to_string(capacityFor(sizeInBytes)) + " bytes for the output.");
}

std::byte* HostBlock::release()
{
  this->Size = 0;
  this->Capacity = 0;
  return this->Memory.release();
}

namespace
{

// All existing pools, one per engine. Never destroyed, as memory is released until the process has ended.
std::vector<HostMemoryPool*>& pools()
{
  static auto* const all = new std::vector<HostMemoryPool*>;
  return *all;
}

// The blocks of all slices, by the addresses of these. Never destroyed, as the pools.
std::unordered_map<std::byte*, std::shared_ptr<std::byte>>& cutBlocks()
{
  static auto* const all = new std::unordered_map<std::byte*, std::shared_ptr<std::byte>>;
  return *all;
}

// Guards the lists of pools and of cut blocks, and the members of every pool.
class Lock
{
  std::lock_guard<std::mutex> Guard{ forkSafeMutex<HostMemoryPool>() };
};

}

void releaseHostMemory(void* memory) noexcept
{
  std::shared_ptr<std::byte> whole; // releases the block of the last slice, after the lock
  {
    const Lock lock;
    if (const auto slice = cutBlocks().find(static_cast<std::byte*>(memory)); slice != cutBlocks().end())
    {
      whole = std::move(slice->second);
      cutBlocks().erase(slice);
      return;
    }
    for (HostMemoryPool* pool : pools())
      if (pool->release(static_cast<std::byte*>(memory)))
        return;
  }
  freePages(memory);
}

HostMemoryPool::HostMemoryPool(bool isForDevices)
  : IsForDevices(isForDevices)
{
  const Lock lock;
  pools().push_back(this);
}

HostMemoryPool::~HostMemoryPool()
{
  const Lock lock;
  std::vector<HostMemoryPool*>& all = pools();
  all.erase(std::find(all.begin(), all.end(), this));
  if (this->mustLeak())
  {
    static_cast<void>(new auto(std::move(this->Blocks)));
    return;
  }
  this->freeSurplus(0);
  this->Blocks.clear(); // destroys the imports while the lock keeps blocks from being freed
}

HostBlock HostMemoryPool::acquire(std::size_t sizeInBytes)
{
  if (sizeInBytes == 0)
    return HostBlock();
  const Lock lock;
  HostBlock block = this->takeFree(sizeInBytes);
  return block.size() != 0 ? std::move(block) : this->makeFresh(sizeInBytes);
}

void HostMemoryPool::cut(HostBlock block, const std::vector<Part>& parts)
{
  if (parts.size() == 1 && parts.front().offset == 0)
  {
    block.resize(parts.front().size);
    *parts.front().block = std::move(block);
    return;
  }
  const std::shared_ptr<std::byte> whole(block.release(), releaseHostMemory);
  for (const Part& part : parts)
  {
    std::byte* const memory = whole.get() + part.offset;
    if (part.size != 0)
    {
      const Lock lock;
      cutBlocks().emplace(memory, whole);
    }
    *part.block = part.size != 0 ? HostBlock(memory, part.size, part.size) : HostBlock();
  }
}

void HostMemoryPool::acquire(std::vector<Part>& parts)
{
  constexpr std::size_t Alignment = 64;
  std::size_t size = 0;
  for (Part& part : parts)
  {
    part.offset = size;
    size += (part.size + Alignment - 1) / Alignment * Alignment;
  }
  if (size != 0)
    cut(this->acquire(parts.size() == 1 ? parts.front().size : size), parts);
}

// Takes the fitting free block that was released last, as caches may still hold parts of it. Imported blocks are
// preferred. Empty if none fits.
HostBlock HostMemoryPool::takeFree(std::size_t sizeInBytes)
{
  const std::size_t least = HostBlock::capacityFor(sizeInBytes);
  auto found = this->FreeBlocks.rend(); // an imported block, or else the smallest one, the last of those
  for (auto at = this->FreeBlocks.rbegin(); at != this->FreeBlocks.rend(); ++at)
  {
    const Block& entry = this->Blocks.at(*at);
    if (entry.capacity < least || entry.capacity > least + least / 4)
      continue;
    const Block* const best = found != this->FreeBlocks.rend() ? &this->Blocks.at(*found) : nullptr;
    if (!best || (entry.isImported && !best->isImported) ||
        (entry.isImported == best->isImported && entry.capacity < best->capacity))
      found = at;
  }
  if (found == this->FreeBlocks.rend())
    return HostBlock();
  std::byte* const memory = *found;
  const std::size_t capacity = this->Blocks.at(memory).capacity;
  this->FreeBlocks.erase(std::next(found).base());
  this->FreeBytes -= capacity;
  this->HeldBytes += capacity;
  this->History.note(this->HeldBytes);
  return HostBlock(memory, sizeInBytes, capacity);
}

HostBlock HostMemoryPool::makeFresh(std::size_t sizeInBytes)
{
  const std::size_t capacity = HostBlock::capacityFor(sizeInBytes);
  this->HeldBytes += capacity;
  this->History.note(this->HeldBytes);
  this->freeSurplus(this->bytesToKeep()); // before the allocation
  try
  {
    std::byte* const memory = this->allocate(sizeInBytes);
    this->Blocks[memory].capacity = capacity;
    this->FreeBlocks.reserve(this->Blocks.size()); // so that release() allocates nothing
    return HostBlock(memory, sizeInBytes, capacity);
  }
  catch (...)
  {
    this->HeldBytes -= capacity;
    throw;
  }
}

// If memory is exhausted, tries again without the free blocks.
std::byte* HostMemoryPool::allocate(std::size_t sizeInBytes)
{
  try
  {
    return HostBlock(sizeInBytes).release();
  }
  catch (const Error&)
  {
    if (this->FreeBlocks.empty())
      throw;
    this->freeSurplus(0);
    return HostBlock(sizeInBytes).release();
  }
}

// Returns false if the memory belongs to another pool or to none. Where Vulkan must not be used, memory that may be
// imported is left to the operating system.
bool HostMemoryPool::release(std::byte* memory)
{
  const auto entry = this->Blocks.find(memory);
  if (entry == this->Blocks.end())
    return false;
  if (this->mustLeak())
    return true;
  this->HeldBytes -= entry->second.capacity;
  this->FreeBytes += entry->second.capacity;
  this->FreeBlocks.push_back(memory);
  this->freeSurplus(this->bytesToKeep());
  return true;
}

// Steps of a run need blocks of different sizes: more than the peak of the held ones, so that they find theirs again.
std::size_t HostMemoryPool::bytesToKeep() const
{
  return this->History.bytesToKeep() / 4 * 5;
}

// Returns whether imports must be left to the operating system.
bool HostMemoryPool::mustLeak() const
{
  return this->IsForDevices && !mayUseVulkan();
}

void HostMemoryPool::freeSurplus(std::size_t bytesToKeep)
{
  if (this->mustLeak())
    return;
  auto first = this->FreeBlocks.begin();
  for (; first != this->FreeBlocks.end() && this->HeldBytes + this->FreeBytes > bytesToKeep; ++first)
  {
    const auto entry = this->Blocks.find(*first);
    this->FreeBytes -= entry->second.capacity;
    this->Blocks.erase(entry); // destroys the imports before the memory
    freePages(*first);
  }
  this->FreeBlocks.erase(this->FreeBlocks.begin(), first);
}

const Buffer* HostMemoryPool::importOf(const HostBlock& block, Device& importer)
{
  if (block.size() == 0)
    return nullptr;
  std::unique_ptr<Buffer>* import = nullptr; // stays valid: the caller holds the block
  {
    const Lock lock;
    const auto [found, isNew] = this->Blocks.at(block.data()).imports.try_emplace(&importer);
    import = &found->second;
    if (!isNew)
      return import->get();
  }
  *import = imported(block, importer); // without the lock, as it takes long
  const Lock lock;
  this->Blocks.at(block.data()).isImported |= *import != nullptr;
  return import->get();
}

// Null if the device cannot import the block: then the caller copies through staging memory.
std::unique_ptr<Buffer> HostMemoryPool::imported(const HostBlock& block, Device& importer)
{
  const std::uint64_t alignment = importer.hostImportAlignment();
  if (alignment == 0 || block.capacity() % alignment != 0 ||
      reinterpret_cast<std::uintptr_t>(block.data()) % alignment != 0)
    return nullptr;
  try
  {
    return std::make_unique<Buffer>(importer, block.data(), block.capacity(), "output");
  }
  catch (const Error&)
  {
    return nullptr;
  }
}

void HostMemoryPool::addUsers(int more)
{
  const Lock lock;
  this->History.addUsers(more);
  if (more < 0)
    this->freeSurplus(this->bytesToKeep());
}

void HostMemoryPool::beginRun()
{
  const Lock lock;
  this->History.beginRun(this->HeldBytes);
  this->freeSurplus(this->bytesToKeep());
}

std::size_t HostMemoryPool::heldBytes() const
{
  const Lock lock;
  return this->HeldBytes;
}

std::size_t HostMemoryPool::freeBytes() const
{
  const Lock lock;
  return this->FreeBytes;
}

}
