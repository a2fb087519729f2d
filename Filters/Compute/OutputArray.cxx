#include "OutputArray.h"

#include <cstring>

namespace vmc
{

OutputArray::OutputArray(const Device& device, MemoryBudget& budget, std::uint64_t sizeInBytes, const std::string& name)
  : Block(sizeInBytes)
{
  if (sizeInBytes == 0)
    return;
  const std::uint64_t alignment = device.hostImportAlignment();
  const bool importable = alignment != 0 && this->Block.capacity() % alignment == 0 &&
                          reinterpret_cast<std::uintptr_t>(this->Block.data()) % alignment == 0;
  if (importable && device.hasUnifiedMemory())
  {
    this->Target = Buffer(device, this->Block, name);
    return;
  }
  this->Target = Buffer(device, budget, sizeInBytes, Buffer::Memory::Device, name);
  if (importable)
    this->Landing = Buffer(device, this->Block, name + " on the host");
  else
    this->Landing = Buffer(device, budget, sizeInBytes, Buffer::Memory::Readback, name + " on the host");
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
