#include "HostBlock.h"

#include "Error.h"

#include <string>

namespace vmc
{

namespace
{
// The alignment that devices ask of imported host memory: the page size of the platforms Vulkan runs on, or more.
constexpr std::size_t PageSize = 65536;
}

HostBlock::HostBlock(std::size_t sizeInBytes)
  : Size(sizeInBytes)
{
  if (sizeInBytes == 0)
    return;
  this->Memory.reset(static_cast<std::byte*>(std::aligned_alloc(PageSize, this->capacity())));
  if (!this->Memory)
    throw Error(Error::Kind::OutOfMemory,
      "The host cannot allocate " + std::to_string(this->capacity()) + " bytes for the output.");
}

std::size_t HostBlock::capacity() const
{
  return (this->Size + PageSize - 1) / PageSize * PageSize;
}

std::byte* HostBlock::release()
{
  this->Size = 0;
  return this->Memory.release();
}

}
