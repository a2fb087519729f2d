#include "OutputArray.h"

#include "Error.h"

#include <cstring>

namespace vmc
{

OutputArray::OutputArray(const Device& device, MemoryBudget& budget, std::uint64_t sizeInBytes, const std::string& name)
  : Block(sizeInBytes)
{
  if (sizeInBytes == 0)
    return;
  if (device.hasUnifiedMemory() && this->importInto(this->Target, device, name))
    return;
  this->Target = Buffer(device, budget, sizeInBytes, Buffer::Memory::Device, name);
  if (!this->importInto(this->Landing, device, name + " on the host"))
    this->Landing = Buffer(device, budget, sizeInBytes, Buffer::Memory::Readback, name + " on the host");
}

// Makes the buffer a view of the block; false if the device cannot or will not import it.
bool OutputArray::importInto(Buffer& buffer, const Device& device, const std::string& name) const
{
  const std::uint64_t alignment = device.hostImportAlignment();
  if (alignment == 0 || this->Block.capacity() % alignment != 0 ||
      reinterpret_cast<std::uintptr_t>(this->Block.data()) % alignment != 0)
    return false;
  try
  {
    buffer = Buffer(device, this->Block, name);
    return true;
  }
  catch (const Error&)
  {
    return false; // there is another way
  }
}

void OutputArray::recordDownload(Commands& commands) const
{
  if (this->Landing.size() != 0)
    commands.copy(this->Target, this->Landing);
}

HostBlock OutputArray::take()
{
  if (this->Landing.mapped())
    std::memcpy(this->Block.data(), this->Landing.mapped(), this->Block.size());
  this->Target = Buffer();
  this->Landing = Buffer();
  return std::move(this->Block);
}

}
