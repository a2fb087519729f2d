// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The arrays that an extraction on a device writes.
#ifndef vmcSurfaceOutputs_h
#define vmcSurfaceOutputs_h

#include "Compute/Contour/SlabTask.h"
#include "Compute/Contour/Surface.h"
#include "Compute/Vulkan/CommandRecorder.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace vmc
{

// Each output is one array for all volumes, in the memory of the request, allocated once. Kernels write their slab's
// part in place where they can reach that memory. Else they write into temporary memory, from which a copy brings it to
// its place.
class SurfaceOutputs
{
public:
  // blocks: the pool of host memory. All arguments must outlive this object.
  SurfaceOutputs(Context& context, HostMemoryPool& blocks, const Request& request)
    : DeviceContext(context)
    , Blocks(blocks)
    , InputRequest(request)
  {
  }

  // Returns whether kernels can write into the memory of the request.
  bool areReachable() const;
  // Returns whether kernels write all allocated outputs where they stay, without copies.
  bool areWrittenInPlace() const;

  // Allocates the outputs for meshes of the volumes' sizes and sets the offsets of the volumes. Throws OutOfMemory.
  void allocate(std::vector<VolumeTask>& volumes);

  // The same with the memory of another device, whose volumes are these too. Only host memory can be shared; `owner`
  // must outlive this object.
  void share(const SurfaceOutputs& owner, std::vector<VolumeTask>& volumes);

  // The bytes of temporary memory that the task needs.
  std::uint64_t temporaryBytes(const SlabTask& task) const;

  // Sets the regions of the tasks that have points, for their capacities. Allocates temporary memory, in place of that
  // of the last call, of at least `least` bytes if there is any. Returns the needed bytes. Throws OutOfMemory.
  std::uint64_t bind(const TaskRange& range, std::uint64_t least);

  // Records the copies of these tasks from temporary memory. Throws OutOfMemory.
  void recordCopies(CommandRecorder& recorder, const TaskRange& range);

  // After the copies have finished: brings them to blocks that the device cannot import.
  void finishCopies();

  // Replaces outputs in host memory that are much larger than the mesh of the only volume by ones that are not. Records
  // the copies.
  void recordShrinking(CommandRecorder& recorder, std::vector<VolumeTask>& volumes);

  // Writes to the host blocks of the surface, or makes its arrays on the device.
  void moveInto(Surface& surface, const std::vector<VolumeTask>& volumes);

private:
  // The part of an output that one task writes, in elements.
  struct Part
  {
    std::uint64_t first;  // in the array of the volume
    std::uint64_t before; // elements from the bound offset to the first one
    std::uint64_t count;
  };
  // The rows of the arrays. Sets the offsets of the volumes.
  struct Row
  {
    const char* name;
    std::uint64_t bytes;
  };
  std::vector<Row> rowsOf(std::vector<VolumeTask>& volumes) const;
  Part partOf(const Output& output, const SlabTask& task) const;
  bool isKept(const Output& output) const { return output.isDownloaded(this->InputRequest.mergePoints); }
  bool isRepeated(const Output& output) const { return !this->InputRequest.mergePoints && output.isRepeated(); }
  bool isWrittenInPlace(std::size_t row) const;
  Region placeOf(const SlabTask& task, std::size_t row) const;
  void recordStaging(CommandRecorder& recorder);

  // A copy to a block that the device cannot import: from a staging buffer that holds `source`, or from another block.
  struct HostCopy
  {
    Region source;
    const std::byte* from;
    std::byte* to;
    std::uint64_t bytes;
  };

  Context& DeviceContext;
  HostMemoryPool& Blocks;
  const Request& InputRequest;
  std::vector<OutputArray> Arrays; // [row]; without memory where the row is not kept
  OutputArray Temporary;
  std::vector<OutputArray> Replaced; // until the copies from them have finished
  Buffer Staging;
  std::vector<HostCopy> HostCopies;
};

}

#endif
