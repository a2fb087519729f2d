#include "Compute/Volume/ResidentArray.h"

#include "Compute/Memory/UploadRing.h"
#include "Compute/System/Parallel.h"

#include <algorithm>

namespace vmc
{

ResidentArray::ResidentArray(const Device& device, MemoryBudget& budget, const char* name)
  : Owner(&device)
  , Budget(&budget)
  , Name(name)
{
}

void ResidentArray::release()
{
  this->Values = Buffer();
  this->IsCurrent = false;
}

bool ResidentArray::load(const void* values, std::uint64_t sizeInBytes, std::uint64_t identity, const Window& window)
{
  const bool within =
    window.offset >= this->Offset && window.offset + window.size <= this->Offset + this->Values.size();
  if (this->IsCurrent && within && identity == this->Identity)
    return false;
  this->IsCurrent = false;
  if (this->Values.size() != window.size)
  {
    this->Values = Buffer(); // before the new one takes its place
    this->Values = Buffer(*this->Owner, *this->Budget, window.size, Buffer::Memory::Device, this->Name);
  }
  this->Offset = window.offset;
  this->Identity = identity;
  // The window's padding lies beyond the end of the array where it ends there.
  const std::uint64_t bytes = std::min(window.size, sizeInBytes - window.offset);
  this->copyIn(static_cast<const std::byte*>(values) + window.offset, bytes);
  this->IsCurrent = true;
  return true;
}

Region ResidentArray::region(const Window& window) const
{
  return Region(this->Values, window.offset - this->Offset, window.size);
}

void ResidentArray::copyIn(const std::byte* from, std::uint64_t sizeInBytes)
{
  if (this->Values.mapped())
    copyInParallel(this->Values.mapped(), from, sizeInBytes);
  else
    this->Owner->uploadRing().copy(from, sizeInBytes, this->Values);
}

}
