// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The memory of an output.
#ifndef vmcOutputArray_h
#define vmcOutputArray_h

#include "Compute/Contour/Request.h"
#include "Compute/Memory/DeviceMemoryPool.h"
#include "Compute/Memory/HostMemoryPool.h"
#include "Compute/System/Stage.h"
#include "Compute/Vulkan/Region.h"

#include <cstdint>

namespace vmc
{

class CommandRecorder;
class Context;

// An array that kernels or copies write, in the memory that a request names. In host memory, it is a block that the
// device imports if it can. If host and device share memory, device memory is such a block, too.
class OutputArray
{
public:
  OutputArray() = default; // no memory

  // Size 0: no memory. `name` appears in messages. blocks: the pool of host memory. Throws OutOfMemory.
  OutputArray(
    Context& context, HostMemoryPool& blocks, std::uint64_t sizeInBytes, const char* name, OutputMemory memory);
  OutputArray(Context& context, std::uint64_t sizeInBytes, const char* name, OutputMemory memory); // of the device

  // The same host memory for another device. `other` owns it, and must outlive this object.
  OutputArray(Context& context, HostMemoryPool& blocks, const OutputArray& other);

  bool isEmpty() const { return this->size() == 0; }
  std::uint64_t size() const { return this->Memory.size() != 0 ? this->Memory.size() : this->block().size(); } // bytes

  // The array as a target of copies. Without a buffer if there is no memory, or if the device cannot import it.
  Region region() const;

  // The bytes on the host; null if the array is in device memory.
  std::byte* onHost() const { return this->block().data(); }

  // Returns the array as a block of host memory, and is empty afterwards. It must not be in device memory.
  HostBlock takeBlock();

private:
  const HostBlock& block() const { return this->Other ? this->Other->Block : this->Block; }

  PooledBuffer Memory;
  HostBlock Block;
  const OutputArray* Other = nullptr; // owns the block; null: this array does
  const Buffer* Import = nullptr;     // the block as a buffer; null: not imported
};

// Submits the recording, which writes the array. Returns the array's first `sizeInBytes` bytes in host memory, which
// are copied unless they are there. `name` appears in messages. Throws as CommandRecorder::submitAndWait.
HostBlock submitAndDownload(Context& context, CommandRecorder& recorder, OutputArray array, std::uint64_t sizeInBytes,
  const char* name, StageTimes& times);

}

#endif
