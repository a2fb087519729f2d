#include "Compute/Memory/HostBlock.h"

#include "Compute/System/Error.h"

#include <algorithm>
#include <cstdlib>
#include <string>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace vmc
{

namespace
{

// The alignment that devices ask of imported host memory: the page size of the platforms Vulkan runs on, or more.
constexpr std::size_t PageSize = 65536;

constexpr std::size_t HugePageSize = 2 << 20;

// Memory that is not touched yet. Huge pages are worth it from a few on: the first touch of fresh memory is three times
// as fast, and importing it a quarter.
std::byte* allocate(std::size_t capacity)
{
  const bool isLarge = capacity >= 2 * HugePageSize;
  void* memory = nullptr;
  if (posix_memalign(&memory, isLarge ? HugePageSize : PageSize, capacity) != 0)
    return nullptr;
#ifdef MADV_HUGEPAGE
  if (isLarge)
    madvise(memory, capacity, MADV_HUGEPAGE); // an advice: whether it is taken does not matter here
#endif
  return static_cast<std::byte*>(memory);
}

}

std::size_t HostBlock::capacityFor(std::size_t sizeInBytes)
{
  std::size_t step = PageSize;
  while (16 * step < sizeInBytes)
    step *= 2;
  return (sizeInBytes + step - 1) / step * step;
}

HostBlock::HostBlock(std::size_t sizeInBytes)
  : HostBlock(sizeInBytes != 0 ? allocate(capacityFor(sizeInBytes)) : nullptr, sizeInBytes, capacityFor(sizeInBytes))
{
  if (sizeInBytes != 0 && !this->Memory)
    throw Error(Error::Kind::OutOfMemory,
      "The host cannot allocate " + std::to_string(capacityFor(sizeInBytes)) + " bytes for the output.");
}

HostBlock::HostBlock(std::byte* memory, std::size_t sizeInBytes, std::size_t capacity)
  : Memory(memory)
  , Size(sizeInBytes)
  , Capacity(capacity)
{
}

std::byte* HostBlock::release()
{
  this->Size = 0;
  this->Capacity = 0;
  return this->Memory.release();
}

}
