// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Contour/DeviceMesh.h"

#include "Compute/Context.h"

#include <cstring>
#include <string>
#include <utility>

namespace vmc
{

DeviceArray::DeviceArray(Context& context, std::uint64_t sizeInBytes, const char* name, bool isExported)
{
  if (sizeInBytes == 0)
    return;
  if (isExported)
  {
    this->Memory = context.deviceMemory().acquireExported(sizeInBytes, name);
    return;
  }
  if (context.device().hasUnifiedMemory())
  {
    this->Block = context.hostMemory().acquire(sizeInBytes);
    this->Import = context.hostMemory().importOf(this->Block);
    if (this->Import)
      return;
    this->Block = HostBlock();
  }
  this->Memory = context.deviceMemory().acquire(sizeInBytes, name);
}

Region DeviceArray::region() const
{
  if (this->Memory.size() != 0)
    return this->Memory.region();
  return this->Import ? Region(*this->Import, 0, this->Block.size()) : Region();
}

void DeviceArray::recordDownload(
  Context& context, CommandRecorder& commands, std::uint64_t sizeInBytes, const char* name)
{
  if (this->Memory.size() == 0 || sizeInBytes == 0)
    return;
  this->Block = context.hostMemory().acquire(sizeInBytes);
  this->Import = context.hostMemory().importOf(this->Block);
  if (!this->Import)
    this->Staging =
      Buffer(context.allocator(), sizeInBytes, Buffer::Memory::Readback, std::string(name) + " on the host");
  commands.copy(Region(this->Memory.buffer(), 0, sizeInBytes), this->Import ? *this->Import : this->Staging);
}

HostBlock DeviceArray::takeDownloaded(Context& context, std::uint64_t sizeInBytes)
{
  if (sizeInBytes == 0)
    return HostBlock();
  if (this->Staging.mapped())
    std::memcpy(this->Block.data(), this->Staging.mapped(), sizeInBytes);
  if (sizeInBytes < this->Block.size() / 4 * 3) // copy into a smaller block rather than hold unused memory
  {
    HostBlock copy = context.hostMemory().acquire(sizeInBytes);
    std::memcpy(copy.data(), this->Block.data(), sizeInBytes);
    return copy;
  }
  this->Import = nullptr;
  this->Staging = Buffer();
  this->Block.shorten(sizeInBytes);
  return std::move(this->Block);
}

}
