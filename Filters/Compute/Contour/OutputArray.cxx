// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Contour/OutputArray.h"

#include "Compute/Context.h"
#include "Compute/Vulkan/CommandRecorder.h"

#include <cstring>
#include <string>
#include <utility>

namespace vmc
{

OutputArray::OutputArray(Context& context, std::uint64_t sizeInBytes, const char* name, OutputMemory memory)
  : OutputArray(context, context.hostMemory(), sizeInBytes, name, memory)
{
}

OutputArray::OutputArray(
  Context& context, HostMemoryPool& blocks, std::uint64_t sizeInBytes, const char* name, OutputMemory memory)
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
    this->Block = blocks.acquire(sizeInBytes);
    this->Import = blocks.importOf(this->Block, context.device());
    if (this->Import || memory == OutputMemory::Host)
      return;
    this->Block = HostBlock();
  }
  this->Memory = context.deviceMemory().acquire(sizeInBytes, name);
}

OutputArray::OutputArray(Context& context, HostMemoryPool& blocks, const OutputArray& other)
  : Other(&other)
{
  if (!other.isEmpty())
    this->Import = blocks.importOf(other.Block, context.device());
}

Region OutputArray::region() const
{
  if (this->Memory.size() != 0)
    return this->Memory.region();
  return this->Import ? Region(*this->Import, 0, this->size()) : Region();
}

HostBlock OutputArray::takeBlock()
{
  this->Import = nullptr;
  return std::move(this->Block);
}

HostBlock submitAndDownload(Context& context, CommandRecorder& recorder, OutputArray array, std::uint64_t sizeInBytes,
  const char* name, StageTimes& times)
{
  if (array.onHost())
  {
    recorder.submitAndWait(times);
    HostBlock block = array.takeBlock();
    block.resize(sizeInBytes);
    return block;
  }
  OutputArray onHost(context, sizeInBytes, name, OutputMemory::Host);
  Buffer staging; // where the device cannot import the block
  if (!onHost.region().buffer)
    staging = Buffer(context.device(), sizeInBytes, Buffer::Memory::Readback, std::string(name) + " on the host");
  const Region target = staging.mapped() ? Region(staging) : onHost.region();
  recorder.copy(Region(*array.region().buffer, 0, sizeInBytes), *target.buffer);
  recorder.submitAndWait(times);
  if (staging.mapped())
    std::memcpy(onHost.onHost(), staging.mapped(), sizeInBytes);
  return onHost.takeBlock();
}

}
