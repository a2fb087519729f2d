// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// A triangle mesh in device memory.
#ifndef vmcDeviceMesh_h
#define vmcDeviceMesh_h

#include "Compute/Contour/Outputs.h"
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

// The mesh of one slab and one isovalue.
struct DeviceMeshPart
{
  std::uint64_t pointCount = 0;
  std::uint64_t triangleCount = 0;
  std::uint64_t activeBricks = 0;  // that made it
  std::uint64_t firstPoint = 0;    // id of its first point in the whole mesh
  std::size_t isovalue = 0;        // index in the request
  std::int64_t firstSample = 0;    // index in the volume of the window's sample 0, which SampleIds count from
  std::vector<DeviceArray> arrays; // arrays[row of the layout's outputs]; may have no memory
};

// The properties that all parts of a mesh share.
struct MeshLayout
{
  std::vector<Output> outputs; // the rows of each part's arrays
  bool mergePoints = true;     // false: triangle t has the points 3t, 3t + 1, 3t + 2, and no array of ids
  bool wideIds = false;        // as in the request
};

// A mesh on the device. It owns its buffers: no extraction writes to them while it exists. The destructor releases
// their memory to the device's pool. It keeps the device open.
struct DeviceMesh
{
  DeviceMesh() = default;
  DeviceMesh(DeviceMesh&&) = default;
  DeviceMesh& operator=(DeviceMesh&& other) noexcept; // releases the buffers before the device
  ~DeviceMesh() = default;

  std::shared_ptr<Context> context; // outlives the parts
  MeshLayout layout;
  std::vector<DeviceMeshPart> parts;       // by isovalue, then by slab; point ids continue from part to part
  std::vector<std::size_t> firstPoint;     // firstPoint[isovalue]; the last entry is pointCount()
  std::array<double, 3> origin{ 0, 0, 0 }; // see Mesh::origin
  // float[pointCount()], exported: the isovalue of the point minus the first isovalue, as differences need fewer
  // digits. Has memory only after an export with isovalues.
  DeviceArray isovalues;

  std::uint64_t pointCount() const;
  std::uint64_t triangleCount() const;
};

// Receives the parts of a mesh in order.
class MeshSink
{
public:
  virtual ~MeshSink() = default;
  // Discards all parts received so far.
  virtual void restart() = 0;
  // isOnly: the mesh has no other part. Adds its own time to `times`.
  virtual void add(DeviceMeshPart part, bool isOnly, StageTimes& times) = 0;
  virtual void endIsovalue() = 0;
};

}

#endif
