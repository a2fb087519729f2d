#include "Compute/Contour/OutputArray.h"

#include "Compute/Memory/HostMemoryPool.h"

#include <cstring>
#include <utility>

namespace vmc
{

OutputArray::OutputArray(const Device& device, MemoryBudget& budget, std::string name)
  : Owner(&device)
  , Budget(&budget)
  , Name(std::move(name))
{
}

void OutputArray::reserve(std::uint64_t sizeInBytes)
{
  if (this->target().size >= sizeInBytes)
    return;
  this->release();
  if (this->Owner->hasUnifiedMemory())
  {
    this->Block = this->Owner->hostMemory().take(sizeInBytes);
    this->Import = this->Owner->hostMemory().importOf(this->Block);
    if (this->Import)
      return;
    this->Block = HostBlock();
  }
  this->Target = Buffer(*this->Owner, *this->Budget, sizeInBytes, Buffer::Memory::Device, this->Name);
}

void OutputArray::release()
{
  this->Target = Buffer();
  this->Landing = Buffer();
  this->Import = nullptr;
  this->Block = HostBlock();
}

Region OutputArray::target() const
{
  if (this->Target.size() != 0)
    return this->Target;
  return this->Import ? Region(*this->Import, 0, this->Block.size()) : Region();
}

void OutputArray::recordDownload(Commands& commands, std::uint64_t sizeInBytes)
{
  if (this->Target.size() == 0 || sizeInBytes == 0)
    return;
  this->Block = this->Owner->hostMemory().take(sizeInBytes);
  this->Import = this->Owner->hostMemory().importOf(this->Block);
  if (!this->Import)
    this->Landing =
      Buffer(*this->Owner, *this->Budget, sizeInBytes, Buffer::Memory::Readback, this->Name + " on the host");
  commands.copy(Region(this->Target, 0, sizeInBytes), this->Import ? *this->Import : this->Landing);
}

HostBlock OutputArray::take(std::uint64_t sizeInBytes)
{
  if (sizeInBytes == 0)
    return HostBlock();
  if (this->Target.size() == 0)
    return this->takeShared(sizeInBytes);
  if (this->Landing.mapped())
    std::memcpy(this->Block.data(), this->Landing.mapped(), sizeInBytes);
  this->Landing = Buffer();
  this->Import = nullptr;
  return std::move(this->Block);
}

// The block itself, unless most of it would lie idle: then a copy of what is in it.
HostBlock OutputArray::takeShared(std::uint64_t sizeInBytes)
{
  if (sizeInBytes < this->Block.size() / 4 * 3)
  {
    HostBlock copy = this->Owner->hostMemory().take(sizeInBytes);
    std::memcpy(copy.data(), this->Block.data(), sizeInBytes);
    return copy;
  }
  this->Import = nullptr;
  this->Block.shorten(sizeInBytes);
  return std::move(this->Block);
}

}
