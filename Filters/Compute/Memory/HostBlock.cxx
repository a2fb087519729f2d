// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Memory/HostBlock.h"

#include "Compute/System/Error.h"
#include "Compute/System/Platform.h"

#include <string>

namespace vmc
{

std::size_t HostBlock::capacityFor(std::size_t sizeInBytes)
{
  std::size_t step = PageSize;
  while (16 * step < sizeInBytes)
    step *= 2;
  return (sizeInBytes + step - 1) / step * step;
}

HostBlock::HostBlock(std::size_t sizeInBytes)
  : HostBlock(
      sizeInBytes != 0 ? allocatePages(capacityFor(sizeInBytes)) : nullptr, sizeInBytes, capacityFor(sizeInBytes))
{
  if (sizeInBytes != 0 && !this->Memory)
    throw Error(Error::Kind::OutOfHostMemory,
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
