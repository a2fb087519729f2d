#include "OutputArray.h"

#include "Error.h"

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
  if (this->Target.size() >= sizeInBytes)
    return;
  this->release();
  if (this->Owner->hasUnifiedMemory())
  {
    this->Block = HostBlock(sizeInBytes);
    this->IsShared = this->importInto(this->Target, this->Name);
    if (this->IsShared)
      return;
    this->Block = HostBlock();
  }
  this->Target = Buffer(*this->Owner, *this->Budget, sizeInBytes, Buffer::Memory::Device, this->Name);
}

void OutputArray::release()
{
  this->Target = Buffer();
  this->Landing = Buffer();
  this->Block = HostBlock();
  this->IsShared = false;
}

// Makes the buffer a view of the block; false if the device cannot or will not import it.
bool OutputArray::importInto(Buffer& buffer, const std::string& name) const
{
  const std::uint64_t alignment = this->Owner->hostImportAlignment();
  if (alignment == 0 || this->Block.capacity() % alignment != 0 ||
      reinterpret_cast<std::uintptr_t>(this->Block.data()) % alignment != 0)
    return false;
  try
  {
    buffer = Buffer(*this->Owner, this->Block, name);
    return true;
  }
  catch (const Error&)
  {
    return false; // there is another way
  }
}

void OutputArray::recordDownload(Commands& commands, std::uint64_t sizeInBytes)
{
  if (this->IsShared || sizeInBytes == 0)
    return;
  const std::string name = this->Name + " on the host";
  this->Block = HostBlock(sizeInBytes);
  if (!this->importInto(this->Landing, name))
    this->Landing = Buffer(*this->Owner, *this->Budget, sizeInBytes, Buffer::Memory::Readback, name);
  commands.copy(Region(this->Target, 0, sizeInBytes), this->Landing);
}

HostBlock OutputArray::take(std::uint64_t sizeInBytes)
{
  if (sizeInBytes == 0)
    return HostBlock();
  if (this->IsShared)
    return this->takeShared(sizeInBytes);
  if (this->Landing.mapped())
    std::memcpy(this->Block.data(), this->Landing.mapped(), sizeInBytes);
  this->Landing = Buffer();
  return std::move(this->Block);
}

// The block itself, unless most of it would lie idle: then a copy of what is in it.
HostBlock OutputArray::takeShared(std::uint64_t sizeInBytes)
{
  if (sizeInBytes < this->Block.size() / 4 * 3)
  {
    HostBlock copy(sizeInBytes);
    std::memcpy(copy.data(), this->Block.data(), sizeInBytes);
    return copy;
  }
  this->Target = Buffer();
  this->IsShared = false;
  this->Block.shorten(sizeInBytes);
  return std::move(this->Block);
}

}
