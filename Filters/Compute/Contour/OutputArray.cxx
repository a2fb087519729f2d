// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Contour/OutputArray.h"

#include "Compute/Context.h"

#include <utility>

namespace vmc
{

OutputArray::OutputArray(Context& context, std::uint64_t sizeInBytes, const char* name, OutputMemory memory)
{
  if (sizeInBytes == 0)
    return;
  if (memory == OutputMemory::Exported)
  {
    this->Memory = context.deviceMemory().acquireExported(sizeInBytes, name);
    return;
  }
  if (memory == OutputMemory::Host || context.device().hasUnifiedMemory())
  {
    this->Block = context.hostMemory().acquire(sizeInBytes);
    this->Import = context.hostMemory().importOf(this->Block);
    if (this->Import || memory == OutputMemory::Host)
      return;
    this->Block = HostBlock();
  }
  this->Memory = context.deviceMemory().acquire(sizeInBytes, name);
}

Region OutputArray::region() const
{
  if (this->Memory.size() != 0)
    return this->Memory.region();
  return this->Import ? Region(*this->Import, 0, this->Block.size()) : Region();
}

HostBlock OutputArray::takeBlock()
{
  this->Import = nullptr;
  return std::move(this->Block);
}

}
