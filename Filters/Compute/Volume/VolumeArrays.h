// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The arrays of a volume on the device, and what the passes over a slab read of them.
#ifndef vmcVolumeArrays_h
#define vmcVolumeArrays_h

#include "Compute/Memory/DeviceMemoryPool.h"
#include "Compute/Volume/ContourPlan.h"
#include "Compute/Volume/MemoryLadder.h"
#include "Compute/Volume/Volume.h"
#include "Compute/Vulkan/DeviceLimits.h"
#include "Compute/Vulkan/KernelVariant.h"
#include "Shared/Structs.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace vmc
{

class CommandRecorder;
class Context;

// Holds windows of a host array on the device, in a buffer each: one window, or the segments of the array. The values
// never change.
class ResidentArray
{
public:
  // Windows of the same array that are on the device, and the recorder of copies from them.
  struct Neighbour
  {
    std::shared_ptr<const ResidentArray> array; // null: none
    CommandRecorder* recorder;
  };

  // Uploads the windows. If the device has memory of its own, copies there what the neighbour has of their beginnings.
  // `values`: the whole array of `sizeInBytes` bytes; not used after the call. Throws OutOfMemory, DeviceLost,
  // Internal.
  ResidentArray(Context& context, const void* values, std::uint64_t sizeInBytes, const std::vector<Window>& windows,
    const char* name, Reuse reuse = Reuse::InThisRun, const Neighbour& neighbour = {});

  // Returns whether a window on the device contains this window.
  bool holds(const Window& window) const { return this->find(window) != nullptr; }

  // The buffer region of a window; holds(window) must be true.
  Region region(const Window& window) const
  {
    const Part& part = *this->find(window);
    return Region(part.values.buffer(), window.offset - part.offset, window.size);
  }

private:
  struct Part
  {
    PooledBuffer values;
    std::uint64_t offset, size; // bytes, in the array
  };
  const Part* find(const Window& window) const;
  Region regionFrom(std::uint64_t offset, std::uint64_t most) const;

  std::vector<Part> Parts;
};

// An array of a volume in host memory. Borrows the values.
struct HostArray
{
  const void* values;
  std::uint64_t identity; // 0: unknown
  std::uint64_t bytesPerSample;
  std::uint32_t valuesPerSample;
  const char* name;
};

// All arrays of the volume in this order: samples, ghost flags (if any), attributes.
std::vector<HostArray> hostArraysOf(const Volume& volume);
HostArray samplesOf(const Volume& volume);

// The smallest and the largest key per brick of a plan's layers, in the layout of BINDING_BRICK_RANGE, and those of all
// their samples on the host. They never change.
struct BrickRanges
{
  PooledBuffer keys;
  bool hasNan = false; // a sample that decides about the surface may be NaN
  // The keys of these layers; high words of 64-bit keys. If all samples are NaN, the smallest is above the largest.
  std::uint32_t smallestKey = 0xFFFFFFFFu, largestKey = 0;
};

// The arrays of a volume in the order of hostArraysOf. Several users may share them.
struct VolumeArrays
{
  std::shared_ptr<const BrickRanges> ranges;
  std::vector<std::shared_ptr<const ResidentArray>> arrays; // null: not on the device yet

  Region samples(const Volume& volume, const ContourPlan& plan, const Slab& slab) const;
  Region ghosts(const ContourPlan& plan, const Slab& slab) const; // the volume must have ghost flags
  Region attribute(const Volume& volume, std::size_t index, const ContourPlan& plan, const Slab& slab) const;
};

// The plan of the volume on a device with these limits.
ContourPlan planOf(const Volume& volume, const DeviceLimits& limits, const Residency& residency = {});

// Returns the sizes from which a MemoryLadder chooses its steps, whatever the limits of a device are. memoryLimit: in
// bytes; 0: none.
MemoryLadder::Sizes sizesOf(const Volume& volume, std::uint64_t memoryLimit);

// Uploads the slab's windows that `arrays` does not hold; each replaces the previous window of its array. Returns
// whether anything was uploaded. Throws OutOfMemory, DeviceLost, Internal.
bool uploadWindows(
  Context& context, const Volume& volume, const ContourPlan& plan, const Slab& slab, VolumeArrays& arrays);

// The push constants of a slab. Members that depend on an isovalue or on the capacity of buffers are 0.
SlabConstants parametersOf(const Volume& volume, const ContourPlan& plan, const Slab& slab);

// The specialization of kernels that read values of this type.
Specialization specializationOf(SampleType type);

// The specialization of kernels that read the samples of this volume.
Specialization specializationOf(const Volume& volume);

}

#endif
