// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Records the passes of an extraction.
#ifndef vmcSlabPasses_h
#define vmcSlabPasses_h

#include "Compute/Contour/ExtractionState.h"
#include "Compute/Contour/SlabTask.h"
#include "Compute/Volume/DeviceSession.h"

#include <cstddef>
#include <vector>

namespace vmc
{

// Consecutive tasks, whose passes run together: one kernel after the other, each for all tasks.
struct TaskRange
{
  std::size_t begin, end;
  std::size_t size() const { return this->end - this->begin; }
};

// Each function records dispatches for the tasks of a range. A dispatch names the kernel, the buffers that it reads and
// those that it writes, as in the table of Shaders/README.md. Borrows everything.
class SlabPasses
{
public:
  SlabPasses(DeviceSession& session, const ExtractionState& state, const std::vector<VolumeTask>& volumes,
    const std::vector<SlabTask>& tasks, const Request& request)
    : Session(session)
    , Recorder(session.recorder())
    , State(state)
    , Volumes(volumes)
    , Tasks(tasks)
    , InputRequest(request)
  {
  }

  void select(const TaskRange& range) const; // SelectBricks, CompactBricks
  void count(const TaskRange& range) const;  // CountBricks, ScanBricks
  void emit(const TaskRange& range) const;   // EmitPoints, EmitTriangles; they need no output of each other
  // InterpolateAttribute and, if triangles share no points, RepeatCorners.
  void computeValues(const TaskRange& range) const;

private:
  // Calls work(task, volume) for the tasks of the range that have active bricks.
  template <class Work>
  void forActive(const TaskRange& range, const Work& work) const;
  const Kernel& kernelOf(const VolumeTask& volume, const kernels::Words& spirv) const;
  void emitPoints(const SlabTask& task, const VolumeTask& volume) const;
  void emitTriangles(const SlabTask& task, const VolumeTask& volume) const;
  void interpolate(const SlabTask& task, const VolumeTask& volume, std::size_t row) const;
  void repeatCorners(const SlabTask& task, const VolumeTask& volume, std::size_t row) const;
  Operand samplesOf(const SlabTask& task, const VolumeTask& volume) const;
  Operand ghostsOf(const SlabTask& task, const VolumeTask& volume) const;

  const DeviceSession& Session;
  CommandRecorder& Recorder;
  const ExtractionState& State;
  const std::vector<VolumeTask>& Volumes;
  const std::vector<SlabTask>& Tasks;
  const Request& InputRequest;
};

}

#endif
