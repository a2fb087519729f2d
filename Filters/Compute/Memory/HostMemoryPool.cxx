#include "Compute/Memory/HostMemoryPool.h"

#include "Compute/Devices.h"
#include "Compute/System/Error.h"
#include "Compute/Vulkan/Buffer.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <mutex>

namespace vmc
{

namespace
{

// The pools that exist: one for each device. One lock guards them all.
struct Pools
{
  std::mutex mutex;
  std::vector<HostMemoryPool*> all;
};

// Never destroyed: receivers end their memory until the very end of the process.
Pools& pools()
{
  static Pools* const state = new Pools;
  return *state;
}

using Lock = std::lock_guard<std::mutex>;

}

void recycle(void* memory) noexcept
{
  if (!mayUseVulkan()) // the memory may be imported; nor may the lock be waited for after a fork()
    return;
  {
    const Lock lock(pools().mutex);
    for (HostMemoryPool* pool : pools().all)
      if (pool->giveBack(static_cast<std::byte*>(memory)))
        return;
  }
  std::free(memory);
}

HostMemoryPool::HostMemoryPool(const Device* device)
  : Owner(device)
{
  const Lock lock(pools().mutex);
  pools().all.push_back(this);
}

HostMemoryPool::~HostMemoryPool()
{
  const Lock lock(pools().mutex);
  std::vector<HostMemoryPool*>& all = pools().all;
  all.erase(std::find(all.begin(), all.end(), this));
  this->Users = 0;
  this->releaseSurplus();
  this->Places.clear(); // the imports, while no block can be freed
}

HostBlock HostMemoryPool::take(std::size_t sizeInBytes)
{
  if (sizeInBytes == 0)
    return HostBlock();
  const Lock lock(pools().mutex);
  HostBlock block = this->takeFree(sizeInBytes);
  return block.size() != 0 ? std::move(block) : this->makeFresh(sizeInBytes);
}

// The free block that came back last, as the caches may still hold some of it; empty if none fits.
HostBlock HostMemoryPool::takeFree(std::size_t sizeInBytes)
{
  const std::size_t least = HostBlock::capacityFor(sizeInBytes);
  const auto fits = [&](std::byte* memory)
  {
    const std::size_t capacity = this->Places.at(memory).capacity;
    return capacity >= least && capacity <= least + least / 4;
  };
  const auto found = std::find_if(this->Free.rbegin(), this->Free.rend(), fits);
  if (found == this->Free.rend())
    return HostBlock();
  std::byte* const memory = *found;
  const std::size_t capacity = this->Places.at(memory).capacity;
  this->Free.erase(std::next(found).base());
  this->FreeBytes -= capacity;
  this->TakenBytes += capacity;
  this->MostTaken[0] = std::max(this->MostTaken[0], this->TakenBytes);
  return HostBlock(memory, sizeInBytes, capacity);
}

HostBlock HostMemoryPool::makeFresh(std::size_t sizeInBytes)
{
  const std::size_t capacity = HostBlock::capacityFor(sizeInBytes);
  this->TakenBytes += capacity;
  this->MostTaken[0] = std::max(this->MostTaken[0], this->TakenBytes);
  this->releaseSurplus(); // before the new one takes its place
  try
  {
    std::byte* const memory = HostBlock(sizeInBytes).release();
    this->Places[memory].capacity = capacity;
    this->Free.reserve(this->Places.size()); // coming back needs no memory
    return HostBlock(memory, sizeInBytes, capacity);
  }
  catch (...)
  {
    this->TakenBytes -= capacity;
    throw;
  }
}

// False if the memory is none of this pool's.
bool HostMemoryPool::giveBack(std::byte* memory)
{
  const auto place = this->Places.find(memory);
  if (place == this->Places.end())
    return false;
  this->TakenBytes -= place->second.capacity;
  this->FreeBytes += place->second.capacity;
  this->Free.push_back(memory);
  this->releaseSurplus();
  return true;
}

std::size_t HostMemoryPool::bytesToKeep() const
{
  return this->Users == 0 ? 0 : *std::max_element(this->MostTaken.begin(), this->MostTaken.end());
}

void HostMemoryPool::releaseSurplus()
{
  const std::size_t keep = this->bytesToKeep();
  auto first = this->Free.begin();
  for (; first != this->Free.end() && this->TakenBytes + this->FreeBytes > keep; ++first)
  {
    const auto place = this->Places.find(*first);
    this->FreeBytes -= place->second.capacity;
    this->Places.erase(place); // the import ends before the memory does
    std::free(*first);
  }
  this->Free.erase(this->Free.begin(), first);
}

const Buffer* HostMemoryPool::importOf(const HostBlock& block)
{
  if (block.size() == 0 || !this->Owner)
    return nullptr;
  Place* place = nullptr;
  {
    const Lock lock(pools().mutex);
    place = &this->Places.at(block.data()); // stays there: the block is the caller's
  }
  if (!place->wasImported)
    this->importInto(*place, block);
  return place->import.get();
}

void HostMemoryPool::importInto(Place& place, const HostBlock& block) const
{
  place.wasImported = true;
  const std::uint64_t alignment = this->Owner->hostImportAlignment();
  if (alignment == 0 || block.capacity() % alignment != 0 ||
      reinterpret_cast<std::uintptr_t>(block.data()) % alignment != 0)
    return;
  try
  {
    place.import = std::make_unique<Buffer>(*this->Owner, block, "output");
  }
  catch (const Error&)
  {
    // There is another way to the host.
  }
}

void HostMemoryPool::beginRun()
{
  const Lock lock(pools().mutex);
  std::copy_backward(this->MostTaken.begin(), this->MostTaken.end() - 1, this->MostTaken.end());
  this->MostTaken[0] = this->TakenBytes;
  this->releaseSurplus();
}

std::size_t HostMemoryPool::takenBytes() const
{
  const Lock lock(pools().mutex);
  return this->TakenBytes;
}

std::size_t HostMemoryPool::freeBytes() const
{
  const Lock lock(pools().mutex);
  return this->FreeBytes;
}

HostMemoryPool::Use::Use(HostMemoryPool& blocks)
  : Blocks(blocks)
{
  const Lock lock(pools().mutex);
  ++this->Blocks.Users;
}

HostMemoryPool::Use::~Use()
{
  const Lock lock(pools().mutex);
  --this->Blocks.Users;
  this->Blocks.releaseSurplus();
}

}
