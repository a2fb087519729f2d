// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// A triangle mesh in device memory.
#ifndef vmcDeviceMesh_h
#define vmcDeviceMesh_h

#include "Compute/Memory/DeviceMemoryPool.h"
#include "Compute/Memory/HostBlock.h"
#include "Compute/System/Stage.h"
#include "Compute/Vulkan/CommandRecorder.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace vmc
{

class Context;

// An array that kernels write and that can be downloaded. If host and device share memory, kernels write into an
// imported host block; else they write into device memory, and the download copies it into a host block. An exported
// array is in device memory that other APIs can import.
class DeviceArray
{
public:
  DeviceArray() = default; // no memory

  // Size 0: no memory. `name` appears in messages. isExported needs Device::exportsMemory(). Throws OutOfMemory.
  DeviceArray(Context& context, std::uint64_t sizeInBytes, const char* name, bool isExported = false);

  // The region that kernels write to; without a buffer if there is no memory.
  Region region() const;

  // Records the copy of the first `sizeInBytes` bytes to the host, unless kernels write into a host block.
  void recordDownload(Context& context, CommandRecorder& commands, std::uint64_t sizeInBytes, const char* name);

  // The downloaded bytes, after the recorded copy has finished.
  const std::byte* downloaded() const { return this->Staging.mapped() ? this->Staging.mapped() : this->Block.data(); }

  // Returns the downloaded bytes after the recorded commands have finished. The array must not be read afterwards.
  HostBlock takeDownloaded(Context& context, std::uint64_t sizeInBytes);

private:
  PooledBuffer Memory;            // empty if kernels write into the block
  HostBlock Block;                // written by kernels or by the download
  const Buffer* Import = nullptr; // the block as a buffer; null: not imported
  Buffer Staging;                 // for the download into a block that is not imported
};

}

#endif
