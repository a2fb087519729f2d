// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Runs the passes over one slab for one isovalue.
#ifndef vmcSlabExtractor_h
#define vmcSlabExtractor_h

#include "Compute/Contour/DeviceMesh.h"
#include "Compute/Contour/Isovalue.h"
#include "Compute/Contour/Parameters.h"
#include "Compute/Volume/Totals.h"
#include "Compute/Volume/VolumeArrays.h"
#include "Compute/Vulkan/CommandRecorder.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace vmc
{

class Context;

// All passes over a slab are one submission, as kernels compute the sizes of the dispatches. The host then reads
// whether the capacity of the buffers sufficed. If not, it grows them and submits again from the first pass without
// capacity. Buffers that grow with the slab come from the device's pool and are reused for the next slabs until
// release(). Small buffers of fixed size and the capacity that sufficed so far stay in the object. One thread at a
// time.
class SlabExtractor
{
public:
  explicit SlabExtractor(Context& context);

  // The input of run(). Borrows everything.
  struct Task
  {
    const Volume& volume;
    const ContourPlan& plan;
    const Request& request;
    const std::vector<Output>& outputs;
    Slab slab;
    Threshold threshold;
    std::uint64_t firstPoint; // id of the slab's first point
  };

  // Returns the slab's part of the mesh; empty if no brick is active. Uploads the windows of the slab that `arrays`
  // does not hold. Adds to `times`. Throws OutOfMemory (SlabTooLarge if an output exceeds the largest binding),
  // Unsupported if ids exceed 32 bits, DeviceLost, Internal.
  std::optional<DeviceMeshPart> run(const Task& task, VolumeArrays& arrays, StageTimes& times);

  // Releases the buffers that grow with the slab to the pool.
  void release();

  // Ends an extraction: as release(). The next one starts with the capacity that the last few extractions needed.
  void endExtraction();

  // Resets the capacity that sufficed so far to 0.
  void forgetCapacity();

  CommandRecorder& commands() { return this->Recorder; }

private:
  // The first pass of a submission.
  enum class Pass
  {
    Select,
    Count,
    Emit,
    Done
  };
  struct SlabRun;

  // The counts of the last submission.
  struct Counts
  {
    std::uint32_t active = 0, ownActive = 0, points = 0, triangles = 0; // points, triangles: of the slab itself
  };

  void submitFrom(Pass first, SlabRun& run, StageTimes& times);
  void record(Pass first, const SlabRun& run);
  void recordValues(const SlabRun& run);
  const Kernel& kernelOf(
    const SlabRun& run, const kernels::Words& spirv, std::optional<SampleType> type = std::nullopt) const;
  Geometry recordTables(const Task& task);
  void reserve(SlabRun& run);
  void bind(SlabRun& run) const;
  bool uploadIfActive(SlabRun& run, VolumeArrays& arrays, StageTimes& times);
  void finish(SlabRun& run, const Counts& counts, StageTimes& times);
  Pass growCapacity(const Counts& counts);
  Counts countsOf(const Task& task) const;
  void checkIds(const Task& task, const Counts& counts) const;

  Context& DeviceContext;
  CommandRecorder Recorder;
  Totals SlabTotals;
  Buffer Dispatch, CaseTable, GeometryOnDevice, UnusedOfPoints, UnusedOfTriangles;
  PooledBuffer SlotOfBrick, ActiveBrick, BlockSum, RowEdges, RowPointOffset, ValidCells, BrickOffset;
  std::optional<Geometry> CurrentGeometry; // on the device with the case table; empty: neither is
  Capacity ExpectedCapacity;               // of the next submission
  std::array<Capacity, 8> NeededCapacity;  // per extraction, the current one first
};

}

#endif
