#include "ResidentArray.h"

#include <algorithm>
#include <cstring>

namespace vmc
{

namespace
{
// Devices with their own memory are filled through a staging buffer of this size.
constexpr std::uint64_t StagingBytes = 64ull << 20;
}

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

bool ResidentArray::load(
  const void* values, std::uint64_t sizeInBytes, std::uint64_t identity, const Window& window, Commands& commands)
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
  this->copyIn(static_cast<const std::byte*>(values) + window.offset, bytes, commands);
  this->IsCurrent = true;
  return true;
}

Region ResidentArray::region(const Window& window) const
{
  return Region(this->Values, window.offset - this->Offset, window.size);
}

void ResidentArray::copyIn(const std::byte* from, std::uint64_t sizeInBytes, Commands& commands)
{
  if (this->Values.mapped())
  {
    std::memcpy(this->Values.mapped(), from, sizeInBytes);
    return;
  }
  const Buffer staging(
    *this->Owner, *this->Budget, std::min(sizeInBytes, StagingBytes), Buffer::Memory::Upload, "upload staging");
  std::vector<StageTime> untold; // the host's clock sees the copies
  for (std::uint64_t done = 0; done < sizeInBytes; done += staging.size())
  {
    const std::uint64_t part = std::min(staging.size(), sizeInBytes - done);
    std::memcpy(staging.mapped(), from + done, part);
    commands.begin();
    commands.copy(Region(staging, 0, part), this->Values, done);
    commands.submitAndWait(untold);
  }
}

}
