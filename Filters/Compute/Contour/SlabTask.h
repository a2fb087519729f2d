// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The unit of work of an extraction on a device, and the layout of its regions in a buffer.
#ifndef vmcSlabTask_h
#define vmcSlabTask_h

#include "Compute/Contour/Outputs.h"
#include "Compute/Contour/Parameters.h"
#include "Compute/Memory/DeviceMemoryPool.h"
#include "Compute/Volume/ContourPlan.h"
#include "Compute/Volume/LevelArrays.h"
#include "Compute/Volume/VolumeArrays.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace vmc
{

// Collects regions, then places them one after the other.
class RegionLayout
{
public:
  // Regions begin at multiples of this, which every device can bind.
  static constexpr std::uint64_t Alignment = 256;

  static constexpr std::uint64_t aligned(std::uint64_t bytes)
  {
    return (bytes + Alignment - 1) / Alignment * Alignment;
  }

  // Adds a region, which is set when all are placed. It must exist until then. Size 0: a region without a buffer.
  void add(Region& region, std::uint64_t sizeInBytes)
  {
    region = Region();
    region.size = sizeInBytes;
    this->Regions.push_back(&region);
    this->Size += aligned(sizeInBytes);
  }

  std::uint64_t size() const { return this->Size; } // bytes

  // Sets the regions to parts of the buffer, which has at least size() bytes.
  void place(const Buffer& buffer) const
  {
    std::uint64_t offset = 0;
    for (Region* const region : this->Regions)
      if (region->size != 0)
      {
        *region = Region(buffer, offset, region->size);
        offset += aligned(region->size);
      }
  }

  // Places the regions in a buffer of at least `least` bytes. It has no memory if all regions are empty. Throws
  // OutOfMemory.
  PooledBuffer allocate(DeviceMemoryPool& pool, const char* name, std::uint64_t least = 0) const
  {
    if (this->Size == 0)
      return {};
    PooledBuffer memory = pool.acquire(std::max(this->Size, least), name);
    this->place(memory.buffer());
    return memory;
  }

private:
  std::vector<Region*> Regions;
  std::uint64_t Size = 0;
};

// Numbers of points and triangles.
struct MeshSize
{
  std::uint64_t points = 0, triangles = 0;
};

// A volume of an extraction, its slabs, and its arrays on the device; or a hierarchy of levels, which is one slab.
struct VolumeTask
{
  const Volume* volume = nullptr;  // null: levels
  std::size_t index = 0;           // among the volumes or hierarchies of the caller
  std::optional<ContourPlan> plan; // of the volume
  std::vector<Output> outputs;
  VolumeArrays arrays;                       // of levels, only the ranges
  std::shared_ptr<const LevelArrays> levels; // null: a volume
  Specialization specialization;             // of the kernels that read its samples
  std::vector<std::uint64_t> offset;         // offset[row of outputs]: bytes in the array of the surface
  std::uint64_t firstPoint = 0;              // sum over the volumes before it
  MeshSize size;                             // of its mesh; before it is counted, the expected one
  std::size_t firstTask = 0, taskEnd = 0;    // its tasks: [firstTask, taskEnd)

  Attribute attribute(std::size_t number) const
  {
    return this->levels ? this->levels->attributes[number].bricks->view() : this->volume->attributes[number];
  }

  bool hasBlanking() const { return this->levels || this->arrays.ranges->hasNan || this->volume->ghosts; }
};

// One slab of a volume for one isovalue, with the regions that its passes read and write.
struct SlabTask
{
  VolumeTask* volume;   // in a vector that does not grow any more
  std::size_t isovalue; // index in the request
  Slab slab;
  static constexpr std::size_t None = ~std::size_t(0);
  std::size_t next = None; // task of the next slab of this device for the same isovalue
  SlabConstants parameters;

  Region geometry, coordinates;                              // in a buffer of the session; an affine map has no latter
  Region totals, dispatch, noPoints, noTriangles;            // in buffers of the session
  Region slotOfBrick, activeBrick, blockSum;                 // per brick
  Region rows, lowEdges, blockRows, validCells, brickOffset; // per active brick
  std::vector<Region> outputs;                               // [row]: where the emitting kernels write
  std::vector<Region> repeated;                              // [row]: where RepeatCorners writes

  // The result of the first sweep. ownActive, points, triangles: without the halo layer. Without shared points, the
  // points include those of the halo layer.
  std::uint32_t active = 0, ownActive = 0, points = 0, triangles = 0;
  // Active bricks of the halo layer whose rows are copied from the next slab. `active` is without them.
  std::uint32_t copiedHalo = 0;

  // The place in the mesh of the volume: sums over all tasks before this one.
  std::uint64_t firstPoint = 0, firstTriangle = 0;
};

// Consecutive tasks, whose passes run together: one kernel after the other, each for all tasks.
struct TaskRange
{
  SlabTask *first, *last; // [first, last)

  SlabTask* begin() const { return this->first; }
  SlabTask* end() const { return this->last; }
  std::size_t size() const { return static_cast<std::size_t>(this->last - this->first); }
};

// Divides tasks into ranges, between which the caller can stop the extraction. The sizes of the tasks of a range add up
// to at most `largest` or, if the first one is larger, to nine eighths of it: so a small last slab shares the
// submission of a large one. A range has at most MostTasks tasks; without mayJoin, it has one.
template <class SizeOf>
std::vector<TaskRange> divideIntoRanges(
  std::vector<SlabTask>& tasks, bool mayJoin, std::uint64_t largest, const SizeOf& sizeOf)
{
  constexpr std::size_t MostTasks = 2048;
  std::vector<TaskRange> ranges;
  std::uint64_t size = 0, most = 0;
  for (SlabTask& task : tasks)
  {
    const std::uint64_t own = sizeOf(task);
    if (ranges.empty() || !mayJoin || ranges.back().size() == MostTasks || size + own > most)
    {
      ranges.push_back({ &task, &task });
      size = 0;
      most = own > largest ? own + own / 8 : largest;
    }
    ++ranges.back().last;
    size += own;
  }
  return ranges;
}

}

#endif
