// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Records the passes of an extraction.
#ifndef vmcSlabPasses_h
#define vmcSlabPasses_h

#include "Compute/Contour/ExtractionState.h"
#include "Compute/Volume/DeviceSession.h"

#include <cstddef>

namespace vmc
{

// Each function records dispatches for the tasks of a range. A dispatch names the kernel, the buffers that it reads and
// those that it writes, as in the table of Shaders/README.md. Borrows everything.
class SlabPasses
{
public:
  SlabPasses(DeviceSession& session, const ExtractionState& state, const Request& request)
    : Session(session)
    , Recorder(session.recorder())
    , State(state)
    , InputRequest(request)
  {
  }

  void select(const TaskRange& range) const; // SelectBricks, CompactBricks; GroupLevelBricks
  // CountBricks, or CountLevelBricks and NumberLevelPoints; ScanBricks. The tasks are all of volumes or all of levels.
  void count(const TaskRange& range) const;
  // EmitTriangles and EmitPoints, which need no output of each other: to be called within beginConcurrent().
  void emit(const TaskRange& range) const;
  // InterpolateAttribute and, if triangles share no points, RepeatCorners.
  void computeValues(const TaskRange& range) const;

private:
  const Kernel& kernelOf(const SlabTask& task, const kernels::Words& spirv) const;
  Operand samplesOf(const SlabTask& task) const;
  Operand ghostsOf(const SlabTask& task) const;
  void countImages(const TaskRange& range) const;
  void groupLevels(const TaskRange& range) const;
  void countLevels(const TaskRange& range) const;
  // Dispatches a kernel for each group of active bricks of levels.
  void dispatchGroups(
    const SlabTask& task, const kernels::Words& spirv, const Bindings& reads, const Bindings& writes) const;
  void emitPoints(const SlabTask& task) const;
  void emitTriangles(const SlabTask& task) const;
  void interpolate(const SlabTask& task, std::size_t row) const;
  void repeatCorners(const SlabTask& task, std::size_t row) const;
  // Records work(task) as this stage for each task of the range that has active bricks.
  template <class Work>
  void forActive(Stage stage, const TaskRange& range, const Work& work) const;

  const DeviceSession& Session;
  CommandRecorder& Recorder;
  const ExtractionState& State;
  const Request& InputRequest;
};

}

#endif
