// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Contour/SlabExtractor.h"

#include "Compute/Context.h"
#include "Compute/Contour/CaseTable.h"
#include "Compute/Contour/ExtractionKernels.h"
#include "Compute/System/Error.h"
#include "Compute/System/HostClock.h"
#include "Embedded/Kernels.h"
#include "Shared/Bindings.h"
#include "Shared/Constants.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace vmc
{

// The state of one call of run(), without the buffers that stay for the next call.
struct SlabExtractor::SlabRun
{
  SlabRun(const Task& slabTask, const VolumeArrays& volumeArrays)
    : task(slabTask)
    , arrays(volumeArrays)
  {
  }

  const Task& task;
  const VolumeArrays& arrays;
  SlabConstants parameters;
  std::vector<KernelVariant> kernels;

  std::vector<DeviceArray> outputs, repeated; // outputs[row of task.outputs]
  std::uint64_t points = 0, triangles = 0;    // emitted

  // The operands of the kernels.
  Operand samples, ghosts, brickRange, totals, blockSum, slotOfBrick, activeBrick, dispatch, caseTable, geometry;
  Operand rowEdges, rowPointOffset, validCells, brickOffset;
  Bindings pointOutputs, triangleOutputs;

  bool hasBlanking() const { return this->arrays.ranges->hasNan || this->task.volume.ghosts; }
  Region output(std::uint32_t binding) const;
};

namespace
{

bool isRepeated(const Output& output)
{
  return output.element == Output::Element::Point && output.isDownloaded(false);
}

std::uint64_t valueGroups(const ValueConstants& parameters)
{
  return groupsFor(std::uint64_t(parameters.count) * parameters.components, LINEAR_GROUP_SIZE);
}

}

// Records the passes from `first` on, as far as the buffers have capacity for their outputs. Each dispatch names the
// kernel, the buffers that it reads and those that it writes, as in Documentation/Architecture.md, "The passes".
void SlabExtractor::record(Pass first, const SlabRun& on)
{
  const auto kernel = [&](const kernels::Words& spirv) -> const Kernel& { return this->kernelOf(on, spirv); };
  const SlabConstants& slab = on.parameters;
  const std::uint64_t blocks = groupsFor(slab.brickCount, SCAN_BLOCK_SIZE);
  CommandRecorder& record = this->Recorder;
  if (first == Pass::Select)
  {
    record.stage(Stage::SelectBricks);
    record.dispatch(kernel(kernels::SelectBricks), { on.brickRange }, { on.blockSum }, slab, blocks);
    record.dispatch(kernel(kernels::CompactBricks), { on.brickRange, on.blockSum },
      { on.slotOfBrick, on.activeBrick, on.dispatch, on.totals }, slab, blocks);
  }
  if (first <= Pass::Count && slab.activeCapacity != 0)
  {
    record.stage(Stage::CountBricks);
    record.dispatchIndirect(kernel(kernels::CountBricks),
      { on.activeBrick, on.samples, on.ghosts, on.caseTable, on.blockSum, on.totals },
      { on.rowEdges, on.rowPointOffset, on.validCells, on.brickOffset, on.blockSum }, slab, this->Dispatch);
    record.stage(Stage::ScanBricks);
    record.dispatch(kernel(kernels::ScanBricks), { on.brickOffset, on.blockSum, on.totals },
      { on.brickOffset, on.totals }, slab, groupsFor(slab.activeCapacity, SCAN_BLOCK_SIZE), 2);
  }
  record.beginConcurrent(); // the next commands only read totals; EmitTriangles needs no output of EmitPoints
  this->SlabTotals.recordFetch(record);
  if (slab.pointCapacity != 0)
  {
    record.stage(Stage::EmitPoints);
    record.dispatchIndirect(kernel(kernels::EmitPoints),
      { on.activeBrick, on.samples, on.ghosts, on.geometry, on.rowEdges, on.rowPointOffset, on.brickOffset, on.totals },
      on.pointOutputs, forPoints(slab, on.task.request), this->Dispatch);
    record.stage(Stage::EmitTriangles);
    record.dispatchIndirect(kernel(kernels::EmitTriangles),
      { on.activeBrick, on.slotOfBrick, on.caseTable, on.rowEdges, on.rowPointOffset, on.validCells, on.brickOffset,
        on.totals },
      on.triangleOutputs, slab, this->Dispatch);
  }
  record.endConcurrent();
}

// Records the passes over the emitted points: attributes at the points and, if triangles share no points, the
// repetition of values per corner.
void SlabExtractor::recordValues(const SlabRun& on)
{
  const Task& task = on.task;
  const Operand crossing{ BINDING_CROSSING, on.output(BINDING_CROSSING) };
  const Operand triangle{ BINDING_TRIANGLE, on.output(BINDING_TRIANGLE) };
  CommandRecorder& record = this->Recorder;
  for (std::size_t i = 0; i < task.outputs.size(); ++i)
  {
    const Output& output = task.outputs[i];
    if (!output.isAttribute())
      continue;
    const SampleType type = task.volume.attributes[output.attribute].type;
    const Operand attribute{ BINDING_ATTRIBUTE,
      on.arrays.attribute(task.volume, output.attribute, task.plan, task.slab) };
    const Operand interpolated{ BINDING_INTERPOLATED, on.outputs[i].region() };
    const ValueConstants values = parametersOfAttribute(task.volume, task.plan, task.slab, output, on.points);
    record.stage(Stage::InterpolateAttribute);
    record.dispatch(this->kernelOf(on, kernels::InterpolateAttribute, type), { crossing, attribute }, { interpolated },
      values, valueGroups(values));
  }
  for (std::size_t i = 0; i < on.repeated.size(); ++i)
  {
    if (!isRepeated(task.outputs[i]))
      continue;
    const Operand sharedValues{ BINDING_SHARED_VALUES, on.outputs[i].region() };
    const Operand cornerValues{ BINDING_CORNER_VALUES, on.repeated[i].region() };
    const ValueConstants values = parametersOfCorners(task.outputs[i], on.triangles);
    record.stage(Stage::RepeatCorners);
    record.dispatch(this->kernelOf(on, kernels::RepeatCorners), { triangle, sharedValues }, { cornerValues }, values,
      valueGroups(values));
  }
}

// The kernel for values of this type, if there are several.
const Kernel& SlabExtractor::kernelOf(
  const SlabRun& run, const kernels::Words& spirv, std::optional<SampleType> type) const
{
  const KernelVariant& variant = type ? variantOf(run.kernels, spirv, *type) : variantOf(run.kernels, spirv);
  return this->DeviceContext.kernels().get(spirv, variant.specialization);
}

SlabExtractor::SlabExtractor(Context& context)
  : DeviceContext(context)
  , Recorder(context.device())
  , SlabTotals(context.allocator())
  , Dispatch(context.allocator(), 3 * 4, Buffer::Memory::Device, "a dispatch")
  , CaseTable(context.allocator(), CASE_TABLE_WORDS * 4, Buffer::Memory::Device, "the case table")
  , GeometryOnDevice(context.allocator(), sizeof(Geometry), Buffer::Memory::Device, "the geometry")
  , UnusedOfPoints(context.allocator(), 4, Buffer::Memory::Device, "no output of points")
  , UnusedOfTriangles(context.allocator(), 4, Buffer::Memory::Device, "no output of triangles")
{
}

std::optional<DeviceMeshPart> SlabExtractor::run(const Task& task, VolumeArrays& arrays, StageTimes& times)
{
  SlabRun run(task, arrays);
  const SlabConstants parameters = parametersOf(task.volume, task.plan, task.slab, task.threshold, task.request);
  run.parameters = withFirstPoint(parameters, task.request, task.firstPoint);
  run.kernels = kernelsOf(task.volume, task.request, arrays.ranges->hasNan);
  this->DeviceContext.kernels().makeInBackground(run.kernels);
  Pass first = Pass::Select;
  if (!task.plan.holdsWholeArrays())
  {
    if (!this->uploadIfActive(run, arrays, times))
      return std::nullopt;
    first = Pass::Count;
  }
  Counts counts;
  for (; first != Pass::Done; first = this->growCapacity(counts))
  {
    this->submitFrom(first, run, times);
    counts = this->countsOf(task);
    this->checkIds(task, counts);
  }
  if (counts.ownActive == 0)
    return std::nullopt;
  this->finish(run, counts, times);
  DeviceMeshPart part;
  part.activeBricks = counts.ownActive;
  part.pointCount = run.points;
  part.triangleCount = run.triangles;
  part.firstSample = std::int64_t(run.parameters.windowLayer) * task.volume.size[0] * task.volume.size[1];
  part.arrays = std::move(run.outputs);
  for (std::size_t i = 0; i < part.arrays.size(); ++i)
    if (!task.outputs[i].isDownloaded(true))
      part.arrays[i] = DeviceArray(); // only other passes read it
  return part;
}

// Uploads the windows of the slab if it has active bricks. Returns false if it has none.
bool SlabExtractor::uploadIfActive(SlabRun& run, VolumeArrays& arrays, StageTimes& times)
{
  const Capacity expected = std::exchange(this->ExpectedCapacity, Capacity());
  this->submitFrom(Pass::Select, run, times);
  this->ExpectedCapacity = expected;
  const std::uint32_t active = this->countsOf(run.task).active;
  if (active == 0)
    return false;
  this->ExpectedCapacity.activeBricks = std::max(this->ExpectedCapacity.activeBricks, active);
  const HostClock clock;
  if (uploadWindows(this->DeviceContext, run.task.volume, run.task.plan, run.task.slab, arrays))
    times.add(Stage::Upload, clock.milliseconds());
  return true;
}

void SlabExtractor::release()
{
  for (PooledBuffer* buffer : { &this->SlotOfBrick, &this->ActiveBrick, &this->BlockSum, &this->RowEdges,
         &this->RowPointOffset, &this->ValidCells, &this->BrickOffset })
    buffer->release();
}

void SlabExtractor::endExtraction()
{
  this->release();
  this->ExpectedCapacity = Capacity();
  for (const Capacity& needed : this->NeededCapacity)
    this->ExpectedCapacity.growTo(needed);
  std::copy_backward(this->NeededCapacity.begin(), this->NeededCapacity.end() - 1, this->NeededCapacity.end());
  this->NeededCapacity[0] = Capacity();
}

void SlabExtractor::forgetCapacity()
{
  this->ExpectedCapacity = Capacity();
  this->NeededCapacity.fill(Capacity());
}

void SlabExtractor::submitFrom(Pass first, SlabRun& run, StageTimes& times)
{
  run.parameters = withCapacity(run.parameters, this->ExpectedCapacity);
  this->reserve(run);
  this->bind(run);
  this->Recorder.begin(run.task.request.timeStages);
  const Geometry geometry = this->recordTables(run.task);
  this->record(first, run);
  this->Recorder.submitAndWait(times);
  this->CurrentGeometry = geometry;
}

// Computes the attributes at the points and, if triangles share no points, the values per corner.
void SlabExtractor::finish(SlabRun& run, const Counts& counts, StageTimes& times)
{
  const std::vector<Output>& rows = run.task.outputs;
  const bool merge = run.task.request.mergePoints;
  run.points = counts.points;
  run.triangles = counts.triangles;
  const bool hasAttributes = std::any_of(rows.begin(), rows.end(), [](const Output& row) { return row.isAttribute(); });
  if (run.points == 0 || (merge && !hasAttributes))
    return;
  for (std::size_t i = 0; !merge && i < rows.size(); ++i)
    run.repeated.push_back(isRepeated(rows[i])
                             ? DeviceArray(this->DeviceContext, rows[i].bytes(3 * run.triangles, 0), rows[i].name)
                             : DeviceArray());
  this->Recorder.begin(run.task.request.timeStages);
  this->recordValues(run);
  this->Recorder.submitAndWait(times);
  for (std::size_t i = 0; i < run.repeated.size(); ++i)
    if (isRepeated(rows[i]) || rows[i].binding == BINDING_TRIANGLE)
      run.outputs[i] = std::move(run.repeated[i]);
  run.points = merge ? run.points : 3 * run.triangles;
}

// Records the update of the case table and the geometry, unless the device has them. Returns the geometry.
Geometry SlabExtractor::recordTables(const Task& task)
{
  IndexToWorld indexToWorld = task.volume.geometry;
  if (task.request.omitsOrigin()) // the receiver adds the origin in double
    indexToWorld.origin = { 0, 0, 0 };
  const Geometry geometry = geometryOf(indexToWorld);
  if (this->CurrentGeometry && std::memcmp(&geometry, &*this->CurrentGeometry, sizeof(geometry)) == 0)
    return geometry;
  this->CurrentGeometry.reset(); // invalid until the submission has finished
  this->Recorder.update(this->CaseTable, packedCaseTable().data(), sizeof(packedCaseTable()));
  this->Recorder.update(this->GeometryOnDevice, &geometry, sizeof(geometry));
  return geometry;
}

namespace
{

// Reallocates the buffer if it has fewer than `words` words; its contents are lost then.
void reserveWords(PooledBuffer& buffer, DeviceMemoryPool& pool, std::uint64_t words, const char* name)
{
  if (words * 4 <= buffer.size())
    return;
  buffer.release();
  buffer = pool.acquire(words * 4, name);
}

}

void SlabExtractor::reserve(SlabRun& run)
{
  const std::uint64_t bricks = run.parameters.brickCount, active = run.parameters.activeCapacity;
  const std::vector<Output>& rows = run.task.outputs;
  DeviceMemoryPool& pool = this->DeviceContext.deviceMemory();
  reserveWords(this->SlotOfBrick, pool, bricks, "slots of bricks");
  reserveWords(this->ActiveBrick, pool, bricks, "active bricks");
  reserveWords(this->BlockSum, pool, BLOCK_SUM_ARRAYS * groupsFor(bricks, SCAN_BLOCK_SIZE), "block sums");
  reserveWords(this->RowEdges, pool, active * ROW_WORDS, "row edges");
  reserveWords(this->RowPointOffset, pool, active * ROW_OFFSET_WORDS, "row point offsets");
  reserveWords(this->ValidCells, pool, run.hasBlanking() ? active * VALID_CELL_WORDS : 1, "valid cells");
  reserveWords(this->BrickOffset, pool, 2 * active, "brick offsets");
  run.outputs.resize(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
  {
    const std::uint64_t bytes = rows[i].bytes(run.parameters.pointCapacity, run.parameters.triangleCapacity);
    if (run.outputs[i].region().size >= bytes)
      continue;
    const bool isExported = run.task.request.exportArrays && rows[i].isDownloaded(true);
    run.outputs[i] = DeviceArray();
    run.outputs[i] = DeviceArray(this->DeviceContext, bytes, rows[i].name, isExported);
  }
}

Region SlabExtractor::SlabRun::output(std::uint32_t binding) const
{
  for (std::size_t i = 0; i < this->outputs.size(); ++i)
    if (this->task.outputs[i].binding == binding)
      return this->outputs[i].region();
  return Region();
}

// Every binding needs a buffer: outputs that are not requested get an unused one. Concurrent kernels get different
// ones.
void SlabExtractor::bind(SlabRun& run) const
{
  const Task& task = run.task;
  const bool hasArrays = !run.arrays.arrays.empty();
  run.samples = { BINDING_SAMPLES, hasArrays ? run.arrays.samples(task.volume, task.plan, task.slab) : Region() };
  run.ghosts = { BINDING_GHOSTS,
    hasArrays && task.volume.ghosts ? run.arrays.ghosts(task.plan, task.slab) : Region(this->UnusedOfPoints) };
  run.brickRange = { BINDING_BRICK_RANGE, run.arrays.ranges->keys.region() };
  run.totals = { BINDING_TOTALS, this->SlabTotals.onDevice() };
  run.dispatch = { BINDING_DISPATCH, this->Dispatch };
  run.caseTable = { BINDING_CASE_TABLE, this->CaseTable };
  run.geometry = { BINDING_GEOMETRY, this->GeometryOnDevice };
  run.slotOfBrick = { BINDING_SLOT_OF_BRICK, this->SlotOfBrick.region() };
  run.activeBrick = { BINDING_ACTIVE_BRICK, this->ActiveBrick.region() };
  run.blockSum = { BINDING_BLOCK_SUM, this->BlockSum.region() };
  run.rowEdges = { BINDING_ROW_EDGES, this->RowEdges.region() };
  run.rowPointOffset = { BINDING_ROW_POINT_OFFSET, this->RowPointOffset.region() };
  run.validCells = { BINDING_VALID_CELLS, this->ValidCells.region() };
  run.brickOffset = { BINDING_BRICK_OFFSET, this->BrickOffset.region() };
  const auto outputOr = [&](std::uint32_t binding, const Buffer& unused) -> Operand
  {
    const Region region = run.output(binding);
    return { binding, region.size != 0 ? region : Region(unused) };
  };
  for (const std::uint32_t binding : bindingsOf(Output::Element::Point))
    run.pointOutputs.set(outputOr(binding, this->UnusedOfPoints));
  for (const std::uint32_t binding : bindingsOf(Output::Element::Triangle))
    run.triangleOutputs.set(outputOr(binding, this->UnusedOfTriangles));
}

// Grows the expected capacity to the counts. Returns the first pass to submit again; Done if the capacity sufficed.
SlabExtractor::Pass SlabExtractor::growCapacity(const Counts& counts)
{
  if (counts.active > this->ExpectedCapacity.activeBricks)
  {
    this->ExpectedCapacity.activeBricks = counts.active;
    return Pass::Count;
  }
  if (counts.active == 0)
    return Pass::Done;
  const Capacity needed{ counts.active, counts.points, counts.triangles };
  this->NeededCapacity[0].growTo(needed);
  if (counts.points <= this->ExpectedCapacity.points && counts.triangles <= this->ExpectedCapacity.triangles)
    return Pass::Done;
  this->ExpectedCapacity.growTo(needed);
  return Pass::Emit;
}

// Without an active brick in the halo layer, the kernels do not write the separate totals of own bricks.
SlabExtractor::Counts SlabExtractor::countsOf(const Task& task) const
{
  const Totals& total = this->SlabTotals;
  Counts counts;
  counts.active = total[TOTAL_ACTIVE];
  counts.ownActive = total[task.slab.haloLayers != 0 ? TOTAL_OWN_ACTIVE : TOTAL_ACTIVE];
  const bool isAllOwn = counts.ownActive == counts.active;
  counts.points = total[isAllOwn || !task.request.mergePoints ? TOTAL_POINTS : TOTAL_OWN_POINTS];
  counts.triangles = total[isAllOwn ? TOTAL_TRIANGLES : TOTAL_OWN_TRIANGLES];
  return counts;
}

void SlabExtractor::checkIds(const Task& task, const Counts& counts) const
{
  if (counts.active == 0 || counts.active > this->ExpectedCapacity.activeBricks) // nothing was counted
    return;
  constexpr std::uint32_t Largest = 0xFFFFFFFFu; // kernels clamp sums to it
  if (this->SlabTotals[TOTAL_POINTS] == Largest || this->SlabTotals[TOTAL_TRIANGLES] == Largest)
    throw SlabTooLarge("One slab makes more than 4294967294 points or triangles.");
  const std::uint64_t corners = task.request.mergePoints ? 0 : 3 * std::uint64_t(counts.triangles);
  const std::uint64_t points = task.firstPoint + std::max<std::uint64_t>(counts.points, corners);
  if (points > Largest)
    throw Error(Error::Kind::Unsupported,
      "The isosurfaces have " + std::to_string(points) + " points or more; ids are limited to 4294967295.");
}

}
