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
Region outputOf(const SlabTask& task, std::uint32_t binding)
{
  for (std::size_t row = 0; row < task.outputs.size(); ++row)
    if (task.volume->outputs[row].binding == binding)
      return task.outputs[row];
  return Region();
}

// Every binding needs a buffer: outputs that are not requested get `unused`.
Bindings outputsOf(const SlabTask& task, Output::Element element, const Region& unused)
{
  Bindings operands;
  for (const std::uint32_t binding : bindingsOf(element))
  {
    const Region region = outputOf(task, binding);
    operands.set({ binding, region.buffer ? region : unused });
  }
  return operands;
}

constexpr std::uint64_t DispatchBytes = 3 * 4; // of an indirect dispatch

// The region without its first bytes.
Region partOf(const Region& region, std::uint64_t bytes)
{
  return Region(*region.buffer, region.offset + bytes, region.size - bytes);
}

Operand rangesOf(const SlabTask& task)
{
  return { BINDING_BRICK_RANGE, task.volume->arrays.ranges->keys.region() };
}

}

const Kernel& SlabPasses::kernelOf(const SlabTask& task, const kernels::Words& spirv) const
{
  return this->Session.context()->kernels().get(spirv, task.volume->specialization);
}

Operand SlabPasses::samplesOf(const SlabTask& task) const
{
  const VolumeTask& volume = *task.volume;
  return { BINDING_SAMPLES, volume.arrays.samples(*volume.volume, *volume.plan, task.slab) };
}

Operand SlabPasses::ghostsOf(const SlabTask& task) const
{
  const VolumeTask& volume = *task.volume;
  return { BINDING_GHOSTS, this->Session.ghosts(*volume.volume, *volume.plan, task.slab, volume.arrays) };
}

template <class Work>
void SlabPasses::forActive(Stage stage, const TaskRange& range, const Work& work) const
{
  this->Recorder.stage(stage);
  this->Recorder.beginConcurrent(); // no task reads what another one writes
  for (const SlabTask& task : range)
    if (task.parameters.activeCapacity != 0)
      work(task);
  this->Recorder.endConcurrent();
}

void SlabPasses::select(const TaskRange& range) const
{
  CommandRecorder& record = this->Recorder;
  record.stage(Stage::SelectBricks);
  record.beginConcurrent();
  for (const SlabTask& task : range)
    record.dispatch(this->kernelOf(task, kernels::SelectBricks), { rangesOf(task) },
      { { BINDING_BLOCK_SUM, task.blockSum } }, task.parameters,
      groupsFor(task.parameters.brickCount, SCAN_BLOCK_SIZE));
  record.endConcurrent();
  record.beginConcurrent();
  for (const SlabTask& task : range)
    record.dispatch(this->kernelOf(task, kernels::CompactBricks),
      { rangesOf(task), { BINDING_BLOCK_SUM, task.blockSum } },
      { { BINDING_SLOT_OF_BRICK, task.slotOfBrick }, { BINDING_ACTIVE_BRICK, task.activeBrick },
        { BINDING_DISPATCH, task.dispatch }, { BINDING_TOTALS, task.totals } },
      task.parameters, groupsFor(task.parameters.brickCount, SCAN_BLOCK_SIZE));
  record.endConcurrent();
  if (range.first->volume->levels)
    this->groupLevels(range);
}

// Clears the sizes of the groups, then lists the active bricks of each.
void SlabPasses::groupLevels(const TaskRange& range) const
{
  this->Recorder.beginConcurrent();
  for (const SlabTask& task : range)
  {
    this->Recorder.fill(partOf(task.activeBrick, 4 * std::uint64_t(LEVEL_LIST_WORDS) * task.parameters.brickCount), 0);
    this->Recorder.fill(partOf(task.dispatch, DispatchBytes), 0);
  }
  this->Recorder.endConcurrent();
  this->Recorder.beginConcurrent();
  for (const SlabTask& task : range)
  {
    const Operand activeBrick{ BINDING_ACTIVE_BRICK, task.activeBrick }, dispatch{ BINDING_DISPATCH, task.dispatch };
    this->Recorder.dispatch(this->kernelOf(task, kernels::GroupLevelBricks),
      { rangesOf(task), { BINDING_LEVELS, task.volume->levels->table.region() }, { BINDING_TOTALS, task.totals },
        activeBrick, dispatch },
      { activeBrick, dispatch }, task.parameters, groupsFor(task.parameters.brickCount, SCAN_GROUP_SIZE));
  }
  this->Recorder.endConcurrent();
}

void SlabPasses::dispatchGroups(
  const SlabTask& task, const kernels::Words& spirv, const Bindings& reads, const Bindings& writes) const
{
  for (std::uint32_t group = 0; group < LEVEL_GROUPS; ++group)
  {
    if (!task.volume->levels->hasGroup[group])
      continue;
    const KernelVariant variant = levelVariantOf(spirv, task.volume->specialization, group);
    SlabConstants parameters = task.parameters;
    parameters.levelGroup = group;
    this->Recorder.dispatchIndirect(this->Session.context()->kernels().get(spirv, variant.specialization), reads,
      writes, parameters, partOf(task.dispatch, DispatchBytes * (1 + group)));
  }
}

void SlabPasses::countImages(const TaskRange& range) const
{
  this->forActive(Stage::CountBricks, range,
    [&](const SlabTask& task)
    {
      this->Recorder.dispatchIndirect(this->kernelOf(task, kernels::CountBricks),
        { { BINDING_ACTIVE_BRICK, task.activeBrick }, this->samplesOf(task), this->ghostsOf(task),
          { BINDING_BLOCK_SUM, task.blockSum }, { BINDING_TOTALS, task.totals } },
        { { BINDING_ROWS, task.rows }, { BINDING_VALID_CELLS, task.validCells },
          { BINDING_BRICK_OFFSET, task.brickOffset }, { BINDING_BLOCK_SUM, task.blockSum } },
        task.parameters, task.dispatch);
    });
}

// Marks in cleared rows, as bricks mark edges in the rows of others.
void SlabPasses::countLevels(const TaskRange& range) const
{
  this->forActive(Stage::CountBricks, range,
    [&](const SlabTask& task)
    {
      this->Recorder.fill(task.rows, 0);
      this->Recorder.fill(task.lowEdges, 0);
    });
  this->forActive(Stage::CountBricks, range,
    [&](const SlabTask& task)
    {
      const Operand rows{ BINDING_ROWS, task.rows }, lowEdges{ BINDING_LOW_EDGES, task.lowEdges },
        blockSum{ BINDING_BLOCK_SUM, task.blockSum };
      this->dispatchGroups(task, kernels::CountLevelBricks,
        { { BINDING_ACTIVE_BRICK, task.activeBrick }, { BINDING_SLOT_OF_BRICK, task.slotOfBrick },
          { BINDING_SAMPLES, task.volume->levels->samples.region() },
          { BINDING_LEVELS, task.volume->levels->table.region() }, { BINDING_CASE_TABLE, this->State.caseTable() },
          { BINDING_TOTALS, task.totals }, rows, lowEdges, blockSum },
        { rows, lowEdges, blockSum, { BINDING_LEVEL_BLOCK_ROWS, task.blockRows },
          { BINDING_VALID_CELLS, task.validCells }, { BINDING_BRICK_OFFSET, task.brickOffset } });
    });
  this->forActive(Stage::CountBricks, range,
    [&](const SlabTask& task)
    {
      const Operand rows{ BINDING_ROWS, task.rows }, blockSum{ BINDING_BLOCK_SUM, task.blockSum };
      this->Recorder.dispatchIndirect(this->kernelOf(task, kernels::NumberLevelPoints),
        { rows, { BINDING_LOW_EDGES, task.lowEdges }, { BINDING_TOTALS, task.totals }, blockSum },
        { rows, blockSum, { BINDING_BRICK_OFFSET, task.brickOffset } }, task.parameters, task.dispatch);
    });
}

void SlabPasses::count(const TaskRange& range) const
{
  if (range.first->volume->levels)
    this->countLevels(range);
  else
    this->countImages(range);
  this->forActive(Stage::ScanBricks, range,
    [&](const SlabTask& task)
    {
      const Operand brickOffset{ BINDING_BRICK_OFFSET, task.brickOffset }, totals{ BINDING_TOTALS, task.totals };
      this->Recorder.dispatch(this->kernelOf(task, kernels::ScanBricks),
        { brickOffset, { BINDING_BLOCK_SUM, task.blockSum }, totals }, { brickOffset, totals }, task.parameters,
        groupsFor(task.parameters.activeCapacity, SCAN_BLOCK_SIZE), 2);
    });
}

void SlabPasses::emitPoints(const SlabTask& task) const
{
  if (const auto& levels = task.volume->levels)
    return this->dispatchGroups(task, kernels::EmitLevelPoints,
      { { BINDING_ACTIVE_BRICK, task.activeBrick }, { BINDING_SAMPLES, levels->samples.region() },
        { BINDING_LEVELS, levels->table.region() }, { BINDING_LEVEL_SLOPES, levels->slopesOrTable() },
        { BINDING_GEOMETRY, task.geometry }, { BINDING_ROWS, task.rows }, { BINDING_LOW_EDGES, task.lowEdges },
        { BINDING_BRICK_OFFSET, task.brickOffset }, { BINDING_TOTALS, task.totals } },
      outputsOf(task, Output::Element::Point, task.noPoints));
  this->Recorder.dispatchIndirect(this->kernelOf(task, emitPointsKernelOf(*task.volume->volume)),
    { { BINDING_ACTIVE_BRICK, task.activeBrick }, this->samplesOf(task), this->ghostsOf(task),
      { BINDING_GEOMETRY, task.geometry }, { BINDING_COORDINATES, task.coordinates }, { BINDING_ROWS, task.rows },
      { BINDING_BRICK_OFFSET, task.brickOffset }, { BINDING_TOTALS, task.totals } },
    outputsOf(task, Output::Element::Point, task.noPoints), forPoints(task.parameters, this->InputRequest),
    task.dispatch);
}

void SlabPasses::emitTriangles(const SlabTask& task) const
{
  if (const auto& levels = task.volume->levels)
    return this->dispatchGroups(task, kernels::EmitLevelTriangles,
      { { BINDING_ACTIVE_BRICK, task.activeBrick }, { BINDING_SLOT_OF_BRICK, task.slotOfBrick },
        { BINDING_LEVELS, levels->table.region() }, { BINDING_CASE_TABLE, this->State.caseTable() },
        { BINDING_ROWS, task.rows }, { BINDING_LOW_EDGES, task.lowEdges }, { BINDING_LEVEL_BLOCK_ROWS, task.blockRows },
        { BINDING_VALID_CELLS, task.validCells }, { BINDING_BRICK_OFFSET, task.brickOffset },
        { BINDING_TOTALS, task.totals } },
      outputsOf(task, Output::Element::Triangle, task.noTriangles));
  this->Recorder.dispatchIndirect(this->kernelOf(task, kernels::EmitTriangles),
    { { BINDING_ACTIVE_BRICK, task.activeBrick }, { BINDING_SLOT_OF_BRICK, task.slotOfBrick },
      { BINDING_CASE_TABLE, this->State.caseTable() }, { BINDING_ROWS, task.rows },
      { BINDING_VALID_CELLS, task.validCells }, { BINDING_BRICK_OFFSET, task.brickOffset },
      { BINDING_TOTALS, task.totals } },
    outputsOf(task, Output::Element::Triangle, task.noTriangles), task.parameters, task.dispatch);
}

void SlabPasses::emit(const TaskRange& range) const
{
  this->Recorder.stage(Stage::EmitSurface);
  // Triangles first: their workgroups take longer, and short ones at the end leave less of the device idle.
  for (const SlabTask& task : range)
    if (task.parameters.triangleCapacity != 0)
      this->emitTriangles(task);
  for (const SlabTask& task : range)
    if (task.parameters.pointCapacity != 0)
      this->emitPoints(task);
}

void SlabPasses::interpolate(const SlabTask& task, std::size_t row) const
{
  const VolumeTask& volume = *task.volume;
  const std::size_t number = volume.outputs[row].attribute;
  const Attribute attribute = volume.attribute(number);
  const std::uint64_t bytes = bytesOf(attribute.type) * attribute.components;
  const Window window = volume.levels ? Window() : volume.plan->windowOf(task.slab, bytes, attribute.components);
  const Region from = volume.levels ? volume.levels->attributes[number].values.region()
                                    : volume.arrays.attribute(*volume.volume, number, *volume.plan, task.slab);
  const ValueConstants values = parametersOfAttribute(attribute, window, task.parameters.pointStart, task.points);
  this->Recorder.stage(Stage::InterpolateAttribute);
  this->Recorder.dispatch(
    this->Session.context()->kernels().get(kernels::InterpolateAttribute, specializationOf(attribute.type)),
    { { BINDING_CROSSING, outputOf(task, BINDING_CROSSING) }, { BINDING_ATTRIBUTE, from } },
    { { BINDING_INTERPOLATED, task.outputs[row] } }, values, valueGroups(values));
}

void SlabPasses::repeatCorners(const SlabTask& task, std::size_t row) const
{
  const ValueConstants values = parametersOfCorners(task.volume->outputs[row], task.firstTriangle, task.triangles);
  this->Recorder.stage(Stage::RepeatCorners);
  this->Recorder.dispatch(this->Session.context()->kernels().get(kernels::RepeatCorners),
    { { BINDING_TRIANGLE, outputOf(task, BINDING_TRIANGLE) }, { BINDING_SHARED_VALUES, task.outputs[row] } },
    { { BINDING_CORNER_VALUES, task.repeated[row] } }, values, valueGroups(values));
}

void SlabPasses::computeValues(const TaskRange& range) const
{
  const auto forRows =
    [&](bool (Output::*isConcerned)() const, void (SlabPasses::*pass)(const SlabTask&, std::size_t) const)
  {
    this->Recorder.beginConcurrent();
    for (const SlabTask& task : range)
    {
      // The last layer of samples can have crossed edges, but no cells, in a slab of its own.
      const bool hasValues = task.points != 0 && (this->InputRequest.mergePoints || task.triangles != 0);
      for (std::size_t row = 0; hasValues && row < task.volume->outputs.size(); ++row)
        if ((task.volume->outputs[row].*isConcerned)())
          (this->*pass)(task, row);
    }
    this->Recorder.endConcurrent();
  };
  forRows(&Output::isAttribute, &SlabPasses::interpolate);
  if (!this->InputRequest.mergePoints)
    forRows(&Output::isRepeated, &SlabPasses::repeatCorners);
}

}
