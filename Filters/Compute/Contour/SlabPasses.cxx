// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Contour/SlabPasses.h"

#include "Embedded/Kernels.h"
#include "Shared/Bindings.h"
#include "Shared/Constants.h"

namespace vmc
{

namespace
{

std::uint64_t valueGroups(const ValueConstants& parameters)
{
  return groupsFor(std::uint64_t(parameters.count) * parameters.components, LINEAR_GROUP_SIZE);
}

// The output of a task at this binding; without a buffer if it is not requested.
Region outputOf(const SlabTask& task, const VolumeTask& volume, std::uint32_t binding)
{
  for (std::size_t row = 0; row < volume.outputs.size(); ++row)
    if (volume.outputs[row].binding == binding)
      return task.outputs[row];
  return Region();
}

// Every binding needs a buffer: outputs that are not requested get `unused`.
Bindings outputsOf(const SlabTask& task, const VolumeTask& volume, Output::Element element, const Region& unused)
{
  Bindings operands;
  for (const std::uint32_t binding : bindingsOf(element))
  {
    const Region region = outputOf(task, volume, binding);
    operands.set({ binding, region.buffer ? region : unused });
  }
  return operands;
}

}

template <class Work>
void SlabPasses::forActive(const TaskRange& range, const Work& work) const
{
  this->Recorder.beginConcurrent(); // no task reads what another one writes
  for (std::size_t i = range.begin; i < range.end; ++i)
    if (this->Tasks[i].parameters.activeCapacity != 0)
      work(this->Tasks[i], this->Volumes[this->Tasks[i].volume]);
  this->Recorder.endConcurrent();
}

const Kernel& SlabPasses::kernelOf(const VolumeTask& volume, const kernels::Words& spirv) const
{
  return this->Session.context()->kernels().get(spirv, volume.specialization);
}

Operand SlabPasses::samplesOf(const SlabTask& task, const VolumeTask& volume) const
{
  return { BINDING_SAMPLES, volume.arrays.samples(*volume.volume, volume.plan, task.slab) };
}

Operand SlabPasses::ghostsOf(const SlabTask& task, const VolumeTask& volume) const
{
  return { BINDING_GHOSTS, this->Session.ghosts(*volume.volume, volume.plan, task.slab, volume.arrays) };
}

void SlabPasses::select(const TaskRange& range) const
{
  CommandRecorder& record = this->Recorder;
  const auto forAll = [&](const auto& work)
  {
    record.beginConcurrent();
    for (std::size_t i = range.begin; i < range.end; ++i)
    {
      const SlabTask& task = this->Tasks[i];
      const VolumeTask& volume = this->Volumes[task.volume];
      work(task, volume, Operand{ BINDING_BRICK_RANGE, volume.arrays.ranges->keys.region() },
        groupsFor(task.parameters.brickCount, SCAN_BLOCK_SIZE));
    }
    record.endConcurrent();
  };
  record.stage(Stage::SelectBricks);
  forAll(
    [&](const SlabTask& task, const VolumeTask& volume, const Operand& brickRange, std::uint64_t blocks)
    {
      record.dispatch(this->kernelOf(volume, kernels::SelectBricks), { brickRange },
        { { BINDING_BLOCK_SUM, task.blockSum } }, task.parameters, blocks);
    });
  forAll(
    [&](const SlabTask& task, const VolumeTask& volume, const Operand& brickRange, std::uint64_t blocks)
    {
      record.dispatch(this->kernelOf(volume, kernels::CompactBricks),
        { brickRange, { BINDING_BLOCK_SUM, task.blockSum } },
        { { BINDING_SLOT_OF_BRICK, task.slotOfBrick }, { BINDING_ACTIVE_BRICK, task.activeBrick },
          { BINDING_DISPATCH, task.dispatch }, { BINDING_TOTALS, task.totals } },
        task.parameters, blocks);
    });
}

void SlabPasses::count(const TaskRange& range) const
{
  CommandRecorder& record = this->Recorder;
  record.stage(Stage::CountBricks);
  this->forActive(range,
    [&](const SlabTask& task, const VolumeTask& volume)
    {
      record.dispatchIndirect(this->kernelOf(volume, kernels::CountBricks),
        { { BINDING_ACTIVE_BRICK, task.activeBrick }, this->samplesOf(task, volume), this->ghostsOf(task, volume),
          { BINDING_CASE_TABLE, this->State.caseTable() }, { BINDING_BLOCK_SUM, task.blockSum },
          { BINDING_TOTALS, task.totals } },
        { { BINDING_ROW_EDGES, task.rowEdges }, { BINDING_ROW_POINT_OFFSET, task.rowPointOffset },
          { BINDING_VALID_CELLS, task.validCells }, { BINDING_BRICK_OFFSET, task.brickOffset },
          { BINDING_BLOCK_SUM, task.blockSum } },
        task.parameters, task.dispatch);
    });
  record.stage(Stage::ScanBricks);
  this->forActive(range,
    [&](const SlabTask& task, const VolumeTask& volume)
    {
      const Operand brickOffset{ BINDING_BRICK_OFFSET, task.brickOffset }, totals{ BINDING_TOTALS, task.totals };
      record.dispatch(this->kernelOf(volume, kernels::ScanBricks),
        { brickOffset, { BINDING_BLOCK_SUM, task.blockSum }, totals }, { brickOffset, totals }, task.parameters,
        groupsFor(task.parameters.activeCapacity, SCAN_BLOCK_SIZE), 2);
    });
}

void SlabPasses::emitPoints(const SlabTask& task, const VolumeTask& volume) const
{
  this->Recorder.dispatchIndirect(this->kernelOf(volume, kernels::EmitPoints),
    { { BINDING_ACTIVE_BRICK, task.activeBrick }, this->samplesOf(task, volume), this->ghostsOf(task, volume),
      { BINDING_GEOMETRY, task.geometry }, { BINDING_ROW_EDGES, task.rowEdges },
      { BINDING_ROW_POINT_OFFSET, task.rowPointOffset }, { BINDING_BRICK_OFFSET, task.brickOffset },
      { BINDING_TOTALS, task.totals } },
    outputsOf(task, volume, Output::Element::Point, task.noPoints), forPoints(task.parameters, this->InputRequest),
    task.dispatch);
}

void SlabPasses::emitTriangles(const SlabTask& task, const VolumeTask& volume) const
{
  this->Recorder.dispatchIndirect(this->kernelOf(volume, kernels::EmitTriangles),
    { { BINDING_ACTIVE_BRICK, task.activeBrick }, { BINDING_SLOT_OF_BRICK, task.slotOfBrick },
      { BINDING_CASE_TABLE, this->State.caseTable() }, { BINDING_ROW_EDGES, task.rowEdges },
      { BINDING_ROW_POINT_OFFSET, task.rowPointOffset }, { BINDING_VALID_CELLS, task.validCells },
      { BINDING_BRICK_OFFSET, task.brickOffset }, { BINDING_TOTALS, task.totals } },
    outputsOf(task, volume, Output::Element::Triangle, task.noTriangles), task.parameters, task.dispatch);
}

void SlabPasses::emit(const TaskRange& range) const
{
  for (std::size_t i = range.begin; i < range.end; ++i)
    if (this->Tasks[i].parameters.pointCapacity != 0)
    {
      this->Recorder.stage(Stage::EmitPoints);
      this->emitPoints(this->Tasks[i], this->Volumes[this->Tasks[i].volume]);
    }
  for (std::size_t i = range.begin; i < range.end; ++i)
    if (this->Tasks[i].parameters.triangleCapacity != 0)
    {
      this->Recorder.stage(Stage::EmitTriangles);
      this->emitTriangles(this->Tasks[i], this->Volumes[this->Tasks[i].volume]);
    }
}

void SlabPasses::interpolate(const SlabTask& task, const VolumeTask& volume, std::size_t row) const
{
  const Output& output = volume.outputs[row];
  const Specialization specialization = specializationOf(volume.volume->attributes[output.attribute].type);
  const ValueConstants values =
    parametersOfAttribute(*volume.volume, volume.plan, task.slab, output, task.parameters.pointStart, task.points);
  KernelCache& kernelsOfDevice = this->Session.context()->kernels();
  this->Recorder.dispatch(kernelsOfDevice.get(kernels::InterpolateAttribute, specialization),
    { { BINDING_CROSSING, outputOf(task, volume, BINDING_CROSSING) },
      { BINDING_ATTRIBUTE, volume.arrays.attribute(*volume.volume, output.attribute, volume.plan, task.slab) } },
    { { BINDING_INTERPOLATED, task.outputs[row] } }, values, valueGroups(values));
}

void SlabPasses::repeatCorners(const SlabTask& task, const VolumeTask& volume, std::size_t row) const
{
  const ValueConstants values = parametersOfCorners(volume.outputs[row], task.firstTriangle, task.triangles);
  this->Recorder.dispatch(this->Session.context()->kernels().get(kernels::RepeatCorners),
    { { BINDING_TRIANGLE, outputOf(task, volume, BINDING_TRIANGLE) }, { BINDING_SHARED_VALUES, task.outputs[row] } },
    { { BINDING_CORNER_VALUES, task.repeated[row] } }, values, valueGroups(values));
}

void SlabPasses::computeValues(const TaskRange& range) const
{
  const auto forRows = [&](Stage stage, const auto& isConcerned, const auto& work)
  {
    this->Recorder.beginConcurrent();
    for (std::size_t i = range.begin; i < range.end; ++i)
    {
      const SlabTask& task = this->Tasks[i];
      const VolumeTask& volume = this->Volumes[task.volume];
      for (std::size_t row = 0; task.points != 0 && row < volume.outputs.size(); ++row)
        if (isConcerned(volume.outputs[row]))
        {
          this->Recorder.stage(stage);
          work(task, volume, row);
        }
    }
    this->Recorder.endConcurrent();
  };
  forRows(
    Stage::InterpolateAttribute, [](const Output& row) { return row.isAttribute(); },
    [&](const SlabTask& task, const VolumeTask& volume, std::size_t row) { this->interpolate(task, volume, row); });
  if (!this->InputRequest.mergePoints)
    forRows(
      Stage::RepeatCorners, [](const Output& row) { return row.isRepeated(); },
      [&](const SlabTask& task, const VolumeTask& volume, std::size_t row) { this->repeatCorners(task, volume, row); });
}

}
