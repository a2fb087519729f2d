// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Contour/Extraction.h"

#include "Compute/Contour/Crossings.h"
#include "Compute/Contour/JoinedMesh.h"
#include "Compute/System/Stage.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace vmc
{

namespace
{

// Bounds for divideIntoRanges: bricks, and bytes of temporary memory.
constexpr std::uint64_t MostBricks = 1 << 18;
constexpr std::uint64_t MostTemporaryBytes = 128 << 20;

// Rows of so many bricks, at most 8 MiB, or 20 MiB of levels, are allocated before it is known how many of them are
// active.
constexpr std::uint64_t FewBricks = 1 << 14;

constexpr std::uint32_t ClampedSum = 0xFFFFFFFFu;
// Shares of the time of an extraction: the upload, and the upload and the first sweep.
constexpr double UploadShare = 0.1, CountShare = 0.4;

}

Extraction::Extraction(
  DeviceSession& session, ExtractionState& state, HostMemoryPool& blocks, const Request& request, Report& report)
  : Session(session)
  , State(state)
  , DeviceContext(*session.context())
  , Recorder(session.recorder())
  , InputRequest(request)
  , OutputReport(report)
  , Expected(state.history.expected())
  , Passes(session, state, request)
  , Outputs(this->DeviceContext, blocks, request)
{
}

// The thresholds of the isovalues with a surface, with the numbers of these isovalues.
std::vector<std::pair<std::size_t, Threshold>> Extraction::thresholdsOf(SampleType type, bool isClosed) const
{
  std::vector<std::pair<std::size_t, Threshold>> thresholds;
  for (std::size_t i = 0; i < this->InputRequest.isovalues.size(); ++i)
    if (const auto threshold = thresholdOf(this->InputRequest.isovalues[i], type, isClosed))
      thresholds.emplace_back(i, *threshold);
  return thresholds;
}

// Adds a volume, whose tasks are added next.
VolumeTask& Extraction::addVolume()
{
  VolumeTask& volume = this->Volumes.emplace_back();
  volume.index = this->InputMeshes.size() - 1;
  volume.outputs = outputsOf(this->InputRequest, this->InputMeshes.back().attributes);
  volume.firstTask = volume.taskEnd = this->Tasks.size();
  return volume;
}

// Adds a task of the last volume.
SlabTask& Extraction::addTask(std::size_t isovalue)
{
  SlabTask& task = this->Tasks.emplace_back();
  task.volume = &this->Volumes.back();
  task.isovalue = isovalue;
  this->Volumes.back().taskEnd = this->Tasks.size();
  return task;
}

void Extraction::plan(const std::vector<std::shared_ptr<const LevelArrays>>& hierarchies)
{
  this->Volumes.reserve(hierarchies.size()); // tasks point to them
  for (const auto& levels : hierarchies)
  {
    const LevelBricks& bricks = *levels->bricks;
    this->InputMeshes.push_back(
      { bricks.levels.front().geometry.origin(), lengthsOf(bricks, this->InputRequest), levels->attributeViews() });
    this->OutputReport.bricks += bricks.brickCount();
    if (bricks.brickCount() == 0)
      continue;
    VolumeTask& volume = this->addVolume();
    volume.levels = levels;
    volume.arrays.ranges = levels->ranges;
    volume.specialization = specializationOf(bricks, this->InputRequest);
    for (const auto& [isovalue, threshold] : this->thresholdsOf(bricks.type, bricks.isClosed))
      this->addTask(isovalue).parameters =
        parametersOf(*levels, this->DeviceContext.device().limits(), threshold, this->InputRequest);
    ++this->OutputReport.slabs;
  }
}

std::uint32_t Extraction::plan(
  const VolumeList& volumes, const std::vector<LayerRange>& layers, const Residency& residency, bool keepsRows)
{
  const DeviceLimits& limits = this->DeviceContext.device().limits();
  std::uint32_t largestSlab = 0;
  this->KeepsRows = keepsRows;
  this->Volumes.reserve(volumes.size()); // tasks point to them
  for (const Volume& volume : volumes)
  {
    this->InputMeshes.push_back({ volume.geometry.origin(), lengthsOf(volume, this->InputRequest), volume.attributes });
    if (!volume.hasDualCell())
      continue;
    Residency own = residency;
    own.layers = layers[this->InputMeshes.size() - 1];
    own.readsHalos = !this->copiesHalos();
    const ContourPlan plan = planOf(volume, limits, own);
    VolumeTask& added = this->addVolume();
    added.volume = &volume;
    added.plan = plan;
    this->addTasks(volume, plan);
    largestSlab = std::max(largestSlab, plan.largestSlab());
    this->OutputReport.slabs += plan.slabs().size();
  }
  return largestSlab;
}

// Adds the tasks of the last volume.
void Extraction::addTasks(const Volume& volume, const ContourPlan& plan)
{
  const auto thresholds = this->thresholdsOf(volume.type, volume.padding.closed);
  for (const Slab& slab : plan.slabs())
  {
    const bool isLast = slab.firstLayer + slab.layers == plan.layers().end;
    for (const auto& [isovalue, threshold] : thresholds)
    {
      SlabTask& task = this->addTask(isovalue);
      if (!isLast)
        task.next = this->Tasks.size() - 1 + thresholds.size();
      task.slab = slab;
      task.parameters = parametersOf(volume, plan, slab, threshold, this->InputRequest);
    }
    this->OutputReport.bricks += plan.ownBricksOf(slab);
  }
}

// Brings the volume to the device, and begins to make its kernels.
void Extraction::acquireVolume(VolumeTask& volume, StageTimes& times)
{
  KernelCache& kernels = this->DeviceContext.kernels();
  if (volume.levels) // is there
  {
    kernels.makeInBackground(kernelsOf(*volume.levels, this->InputRequest));
    this->Geometries.add(geometriesOf(*volume.levels->bricks, this->InputRequest), {});
    return;
  }
  SampleGeometry geometry = volume.volume->geometry;
  if (this->InputRequest.omitsOrigin()) // the receiver adds the origin in double
    geometry.setOrigin({ 0, 0, 0 });
  this->Geometries.add({ geometryOf(geometry) }, coordinatesOf(*volume.volume, geometry.positionOfZero()));
  if (this->tasksOf(volume).size() != 0)
  {
    kernels.makeInBackground(kernelsOf(*volume.volume, this->InputRequest, /*hasNan*/ false)); // during the upload
    const auto needsArrays = [&](const BrickRanges& ranges) { return this->mayHaveSurface(volume, ranges); };
    volume.arrays = this->Session.acquire(
      *volume.volume, *volume.plan, times, this->Volumes.size() == 1 ? needsArrays : VolumeCache::NeedsArrays());
    if (volume.arrays.arrays.empty())
      this->Tasks.clear(); // which are those of this volume
    const bool hasNan = volume.arrays.ranges->hasNan;
    volume.specialization = specializationOf(*volume.volume, this->InputRequest, hasNan);
    kernels.makeInBackground(kernelsOf(*volume.volume, this->InputRequest, hasNan));
  }
}

TaskRange Extraction::tasksOf(const VolumeTask& volume)
{
  if (this->Tasks.empty())
    return { nullptr, nullptr };
  return { this->Tasks.data() + volume.firstTask, this->Tasks.data() + volume.taskEnd };
}

// Returns whether one of its bricks may have a surface for one of the isovalues.
bool Extraction::mayHaveSurface(const VolumeTask& volume, const BrickRanges& ranges)
{
  const TaskRange tasks = this->tasksOf(volume);
  return std::any_of(tasks.begin(), tasks.end(),
    [&](const SlabTask& task)
    { return ranges.smallestKey <= task.parameters.selectUpTo && ranges.largestKey >= task.parameters.thresholdKey; });
}

bool Extraction::upload(StageTimes& times, const Progress& progress)
{
  for (VolumeTask& volume : this->Volumes)
  {
    if (!progress(UploadShare * double(this->Geometries.size()) / double(this->Volumes.size())))
      return false;
    this->acquireVolume(volume, times);
  }
  this->IsUploaded = true;
  return true;
}

// Gives the tasks their places in the tables of the state.
void Extraction::reserveTables()
{
  this->State.reserve(this->DeviceContext, this->KeepsRows ? this->Tasks.size() : 1);
  for (std::size_t i = 0; i < this->Tasks.size(); ++i) // without kept rows, ranges of one task follow each other
    this->State.setRegions(this->Tasks[i], this->KeepsRows ? i : 0, this->Geometries,
      static_cast<std::size_t>(this->Tasks[i].volume - this->Volumes.data()));
}

void Extraction::begin()
{
  this->Recorder.begin(this->InputRequest.timeStages);
  this->State.recordTables(this->DeviceContext, this->Recorder, this->Geometries);
}

// Allocates the lists of bricks.
void Extraction::reserveBricks(const TaskRange& range, RowMemory& memory)
{
  RegionLayout layout;
  for (SlabTask& task : range)
  {
    const std::uint64_t bricks = task.parameters.brickCount;
    task.parameters.activeCapacity = 0;
    layout.add(task.slotOfBrick, 4 * bricks);
    const bool hasGroups = task.volume->levels != nullptr;
    layout.add(task.activeBrick, hasGroups ? 4 * (LEVEL_LIST_WORDS * bricks + LEVEL_GROUPS) : 4 * bricks);
    layout.add(task.blockSum, 4 * BLOCK_SUM_ARRAYS * groupsFor(bricks, SCAN_BLOCK_SIZE));
  }
  memory.bricks = layout.allocate(this->DeviceContext.deviceMemory(), "active bricks");
}

// Allocates the rows of the active bricks.
void Extraction::reserveRows(const TaskRange& range, RowMemory& memory)
{
  RegionLayout layout;
  for (SlabTask& task : range)
  {
    const std::uint64_t active = task.parameters.activeCapacity = task.active;
    layout.add(task.rows, 4 * active * ROW_WORDS);
    const bool isLevels = task.volume->levels != nullptr;
    const bool hasBlocks = isLevels && task.volume->levels->hasGroup[LEVEL_GROUP_STITCHED];
    layout.add(task.lowEdges, isLevels ? 4 * active * BRICK_ROWS : 0);
    layout.add(task.blockRows, hasBlocks ? 4 * active * LEVEL_BLOCK_ROWS : isLevels ? 4 : 0);
    layout.add(task.validCells, task.volume->hasBlanking() ? 4 * active * VALID_CELL_WORDS : 4);
    layout.add(task.brickOffset, 4 * 2 * active);
  }
  memory.rows.release();
  memory.rows = layout.allocate(
    this->DeviceContext.deviceMemory(), "rows of bricks", range.size() > 1 ? this->Expected.rowBytes : 0);
  this->Needs.rowBytes = std::max(this->Needs.rowBytes, layout.size());
}

// Without an active brick in the halo layer, the kernels do not write the separate totals of own bricks. Sums of points
// and triangles exist if the capacity sufficed.
void Extraction::readTotals(const TaskRange& range)
{
  for (SlabTask& task : range)
  {
    const std::uint32_t* const total = this->State.totalsOnHost(task);
    task.active = total[TOTAL_ACTIVE];
    task.ownActive = total[task.slab.haloLayers != 0 ? TOTAL_OWN_ACTIVE : TOTAL_ACTIVE];
    const bool isAllOwn = task.ownActive == task.active;
    const bool isCounted = task.ownActive != 0 && task.active <= task.parameters.activeCapacity;
    task.points = !isCounted ? 0 : total[isAllOwn || !this->InputRequest.mergePoints ? TOTAL_POINTS : TOTAL_OWN_POINTS];
    task.triangles = !isCounted ? 0 : total[isAllOwn ? TOTAL_TRIANGLES : TOTAL_OWN_TRIANGLES];
    if (isCounted && (total[TOTAL_POINTS] == ClampedSum || total[TOTAL_TRIANGLES] == ClampedSum))
      throw SlabTooLarge("One slab makes more than 4294967294 points or triangles.");
    this->Needs.growTo({ task.active, task.points, task.triangles, 0, 0 });
  }
}

// Selects and counts, in one submission if the capacity is known. Emits too, if the range is all, its kernels can reach
// the outputs, and earlier extractions have shown how much they need. Returns whether the surface is complete.
bool Extraction::selectAndCount(const TaskRange& range, RowMemory& memory)
{
  this->reserveBricks(range, memory);
  this->begin();
  this->Passes.select(range);
  const bool isCapacityKnown = this->assumeCapacity(range);
  if (isCapacityKnown)
    this->reserveRows(range, memory);
  const bool emits = isCapacityKnown && this->canEmitAtOnce() && this->reserveExpectedOutputs(range);
  if (isCapacityKnown)
    this->Passes.count(range);
  this->Recorder.beginConcurrent(); // the passes that emit only read the totals
  this->State.recordFetch(this->Recorder, range);
  if (emits)
    this->recordEmission(range);
  this->Recorder.endConcurrent();
  this->submit();
  this->readTotals(range);
  const bool isCounted = std::all_of(
    range.begin(), range.end(), [](const SlabTask& task) { return task.active <= task.parameters.activeCapacity; });
  if (isCounted)
    return emits && range.first->points <= this->Expected.points && range.first->triangles <= this->Expected.triangles;
  this->countSelected(range, memory);
  return false;
}

// Counts, with memory for the bricks that are known to be active.
void Extraction::countSelected(const TaskRange& range, RowMemory& memory)
{
  this->reserveRows(range, memory);
  this->begin();
  this->leaveOutHalos(range);
  this->Passes.count(range);
  this->State.recordFetch(this->Recorder, range);
  this->submit();
  this->readTotals(range);
}

// Makes the kernels count the own bricks of slabs alone, if the rows of the next slab, which has those of the halo
// layer, stay on the device. Then the samples of the halo layer may be outside the slab's window.
void Extraction::leaveOutHalos(const TaskRange& range)
{
  const std::uint32_t maxGroups = this->DeviceContext.device().limits().maxGroups;
  this->Recorder.beginConcurrent();
  for (SlabTask& task : range)
  {
    if (!this->copiesHalos() || task.active == task.ownActive || task.next == SlabTask::None)
      continue;
    task.copiedHalo = task.active - task.ownActive;
    const auto groupsY = static_cast<std::uint32_t>(groupsFor(task.ownActive, maxGroups)); // as CompactBricks
    const auto groupsX = groupsY == 0 ? 0 : static_cast<std::uint32_t>(groupsFor(task.ownActive, groupsY));
    const std::uint32_t groups[] = { groupsX, groupsY, 1 };
    const std::uint32_t active[] = { task.ownActive, task.ownActive }; // TOTAL_ACTIVE, TOTAL_OWN_ACTIVE
    this->Recorder.update(*task.dispatch.buffer, groups, sizeof(groups), task.dispatch.offset);
    this->Recorder.update(*task.totals.buffer, active, sizeof(active), task.totals.offset);
  }
  this->Recorder.endConcurrent();
}

// Copies the rows of halo layers that were left out.
void Extraction::recordHalos(const TaskRange& range)
{
  this->Recorder.beginConcurrent();
  for (const SlabTask& task : range)
  {
    if (task.copiedHalo == 0 || task.triangles == 0)
      continue;
    const auto copy = [&](Region SlabTask::*rows, std::uint64_t words)
    {
      const Region& from = this->Tasks[task.next].*rows;
      const Region& to = task.*rows;
      this->Recorder.copy(Region(*from.buffer, from.offset, 4 * words * task.copiedHalo), *to.buffer,
        to.offset + 4 * words * task.active);
    };
    copy(&SlabTask::rows, ROW_WORDS);
    copy(&SlabTask::brickOffset, 1);
  }
  this->Recorder.endConcurrent();
}

// Assumes as many active bricks as a single slab has had lately, or in a range of few bricks all of them. Returns false
// if nothing can be assumed, if a binding cannot hold the rows of so many active bricks, or if halo layers are to be
// left out.
bool Extraction::assumeCapacity(const TaskRange& range)
{
  const bool isOne = this->Tasks.size() == 1 && this->Expected.activeBricks != 0;
  std::uint64_t bricks = 0;
  for (SlabTask& task : range)
  {
    task.active =
      isOne ? std::min(this->Expected.activeBricks, task.parameters.brickCount) : task.parameters.brickCount;
    bricks += task.active;
    if (task.slab.haloLayers != 0 ||
        4ull * ROW_WORDS * task.active > this->DeviceContext.device().limits().maxBindingBytes)
      return false;
  }
  return this->KeepsRows && (isOne || bricks <= FewBricks);
}

bool Extraction::canEmitAtOnce() const
{
  return this->IsAlone && this->Tasks.size() == 1 && this->Volumes.size() == 1 && this->Expected.activeBricks != 0 &&
         this->InputRequest.mergePoints && this->InputMeshes[this->Volumes.front().index].attributes.empty() &&
         this->Outputs.areReachable() && idsAreNarrow(this->Expected.points, this->Expected.triangles);
}

// Allocates the outputs of the only slab, as much as earlier extractions have needed. Returns false, with the outputs
// not bound, if the device cannot import the blocks of all: then their sizes must be known before they are copied.
bool Extraction::reserveExpectedOutputs(const TaskRange& range)
{
  this->Volumes.front().size = { this->Expected.points, this->Expected.triangles };
  this->reserveOutputs();
  if (!this->Outputs.areWrittenInPlace())
    return false;
  this->setPlace(*range.first, this->Expected.points, this->Expected.triangles);
  this->bindOutputs(range);
  return true;
}

namespace
{

// Places all tasks of a volume in its mesh, by isovalue, device and slab, and sets the size of the mesh.
void placeInMesh(const std::vector<TaskRange>& tasks, const Request& request, Mesh& mesh)
{
  MeshSize size;
  mesh.firstPoint.clear();
  mesh.firstTriangle.clear();
  for (std::size_t isovalue = 0; isovalue < request.isovalues.size(); ++isovalue)
  {
    mesh.firstPoint.push_back(request.mergePoints ? size.points : 3 * size.triangles);
    mesh.firstTriangle.push_back(size.triangles);
    for (const TaskRange& range : tasks)
      for (SlabTask& task : range)
        if (task.isovalue == isovalue)
        {
          task.firstPoint = size.points;
          task.firstTriangle = size.triangles;
          size.points += task.points;
          size.triangles += task.triangles;
        }
  }
  if (!request.mergePoints)
    size.points = 3 * size.triangles;
  mesh.firstPoint.push_back(size.points);
  mesh.firstTriangle.push_back(size.triangles);
  mesh.pointCount = size.points;
  mesh.triangleCount = size.triangles;
  checkPointCount(size.points);
}

}

void Extraction::placeTasks(const std::vector<std::unique_ptr<Extraction>>& devices, Surface& surface)
{
  const Request& request = devices.front()->InputRequest;
  for (std::size_t i = 0; i < devices.front()->Volumes.size(); ++i)
  {
    std::vector<TaskRange> tasks;
    tasks.reserve(devices.size());
    for (const auto& device : devices)
      tasks.push_back(device->tasksOf(device->Volumes[i]));
    Mesh& mesh = surface.meshes[devices.front()->Volumes[i].index];
    placeInMesh(tasks, request, mesh);
    const bool isNarrow = idsAreNarrow(mesh.pointCount, mesh.triangleCount);
    const bool needsWideIds = !isNarrow && request.memory == OutputMemory::Host;
    mesh.hasWideIds = mesh.triangleCount != 0 && (request.wideIds || needsWideIds);
    const bool becomesWide = needsWideIds && !request.wideIds && request.mergePoints;
    for (const auto& device : devices)
    {
      VolumeTask& volume = device->Volumes[i];
      volume.size = { mesh.pointCount, mesh.triangleCount };
      for (Output& output : volume.outputs)
        output.words *= becomesWide && output.isPointIds() ? 2 : 1;
    }
    for (const TaskRange& range : tasks)
      for (SlabTask& task : range)
        task.parameters.settings |= becomesWide ? SETTING_WIDE_IDS : 0;
  }
}

// Sets the place of a task in the outputs.
void Extraction::setPlace(SlabTask& task, std::uint32_t points, std::uint32_t triangles) const
{
  task.parameters = withFirst(task.parameters, this->InputRequest, task.firstPoint, task.firstTriangle);
  task.parameters.pointCapacity = points;
  task.parameters.triangleCapacity = triangles;
}

void Extraction::reserveOutputs()
{
  if (this->IsEmitted)
    return;
  this->Outputs.allocate(this->Volumes);
  std::uint64_t points = 0;
  for (VolumeTask& volume : this->Volumes)
    points = (volume.firstPoint = points) + volume.size.points;
  if (this->InputRequest.pointIsovalues && this->InputRequest.memory != OutputMemory::Host)
    this->Isovalues =
      OutputArray(this->DeviceContext, points * sizeof(float), "isovalues of points", this->InputRequest.memory);
}

void Extraction::shareOutputs(const Extraction& owner)
{
  this->Outputs.share(owner.Outputs, this->Volumes);
}

void Extraction::bindOutputs(const TaskRange& range)
{
  this->Needs.temporaryBytes =
    std::max(this->Needs.temporaryBytes, this->Outputs.bind(range, this->Expected.temporaryBytes));
}

void Extraction::recordEmission(const TaskRange& range)
{
  this->Passes.emit(range);
  if (this->Isovalues.isEmpty())
    return;
  const Region& all = this->Isovalues.region();
  const std::vector<double>& isovalues = this->InputRequest.isovalues;
  for (const SlabTask& task : range)
  {
    const auto difference = static_cast<float>(isovalues[task.isovalue] - isovalues.front());
    std::uint32_t word = 0;
    std::memcpy(&word, &difference, sizeof(word));
    const std::uint64_t firstPoint = task.volume->firstPoint + task.firstPoint;
    if (task.parameters.pointCapacity != 0)
      this->Recorder.fill(Region(*all.buffer, all.offset + 4 * firstPoint, 4ull * task.parameters.pointCapacity), word);
  }
}

// Emits each slab of a range into its place.
void Extraction::emitRange(const TaskRange& range, const std::function<void()>& meanwhile)
{
  RowMemory again;
  if (!this->KeepsRows)
    this->selectAndCount(range, again);
  this->bindOutputs(range);
  this->begin();
  this->recordHalos(range);
  this->Recorder.beginConcurrent();
  this->recordEmission(range);
  this->Recorder.endConcurrent();
  this->Passes.computeValues(range);
  this->Recorder.beginConcurrent();
  this->Outputs.recordCopies(this->Recorder, range);
  this->Recorder.endConcurrent();
  this->submit(meanwhile);
  this->Outputs.finishCopies();
}

// Brings outputs that were allocated before their sizes were known to these sizes.
void Extraction::shrinkOutputs(const std::function<void()>& meanwhile)
{
  this->begin();
  this->Outputs.recordShrinking(this->Recorder, this->Volumes);
  this->submit(meanwhile);
  this->Outputs.finishCopies();
}

Surface Extraction::emptySurface() const
{
  Surface surface;
  for (const InputMesh& input : this->InputMeshes)
  {
    Mesh& mesh = surface.meshes.emplace_back();
    mesh.firstPoint.assign(this->InputRequest.isovalues.size() + 1, 0);
    mesh.firstTriangle = mesh.firstPoint;
    mesh.attributes.resize(input.attributes.size());
    if (this->InputRequest.omitsOrigin())
      mesh.origin = input.origin;
    mesh.lengths = input.lengths;
  }
  if (this->InputRequest.memory != OutputMemory::Host)
  {
    surface.context = this->Session.context();
    surface.outputs = outputsOf(this->InputRequest, this->InputMeshes.front().attributes);
    surface.arrays.resize(surface.outputs.size());
  }
  return surface;
}

namespace
{

// Brings the crossings of a task to the form of the host. The starts of a volume count from the first sample of the
// window then.
void completeCrossings(const SlabTask& task, Mesh& mesh)
{
  auto* const first = reinterpret_cast<EdgeCrossing*>(mesh.crossings.data()) + task.firstPoint;
  EdgeCrossing* const end = first + task.points;
  if (task.volume->levels)
    return setOtherLeaves(first, end);
  const std::array<std::uint32_t, 3>& size = task.volume->volume->size;
  moveStarts(first, end, std::uint64_t(task.parameters.windowLayer) * size[0] * size[1]);
}

}

bool Extraction::mayContinue(double begin, double end, const TaskRange& range, const Progress& progress) const
{
  return progress(begin + (end - begin) * double(range.first - this->Tasks.data()) / double(this->Tasks.size()));
}

bool Extraction::count(bool isAlone, const Progress& progress)
{
  this->IsAlone = isAlone;
  if (!this->IsUploaded && !this->upload(this->OutputReport.stages, progress))
    return false;
  this->reserveTables();
  const auto bricksOf = [](const SlabTask& task) { return task.parameters.brickCount; };
  for (const TaskRange& range : divideIntoRanges(this->Tasks, this->KeepsRows, MostBricks, bricksOf))
  {
    if (!this->mayContinue(UploadShare, CountShare, range, progress))
      return false;
    RowMemory memory;
    this->IsEmitted = this->selectAndCount(range, memory);
    if (this->KeepsRows)
      this->Rows.push_back(std::move(memory));
  }
  return true;
}

bool Extraction::emit(const std::function<void()>& meanwhile, const Progress& progress)
{
  if (this->IsEmitted)
  {
    this->shrinkOutputs(meanwhile);
    return true;
  }
  for (SlabTask& task : this->Tasks)
    this->setPlace(task, task.points, task.triangles);
  const auto bytesOf = [this](const SlabTask& task) { return this->Outputs.temporaryBytes(task); };
  for (const TaskRange& range : divideIntoRanges(this->Tasks, this->KeepsRows, MostTemporaryBytes, bytesOf))
  {
    if (!this->mayContinue(CountShare, 1, range, progress))
      return false;
    const bool isLast = range.last == this->Tasks.data() + this->Tasks.size();
    this->emitRange(range, isLast ? meanwhile : std::function<void()>());
  }
  return true;
}

void Extraction::moveOutputs(Surface& surface)
{
  const HostClock clock;
  this->Outputs.moveInto(surface, this->Volumes);
  surface.isovalues = std::move(this->Isovalues);
  if (this->InputRequest.memory == OutputMemory::Host)
    this->OutputReport.stages.add(Stage::Download, clock.milliseconds());
}

void Extraction::finish(Surface& surface)
{
  for (const SlabTask& task : this->Tasks)
  {
    if (this->InputRequest.nameOpenEdges && task.points != 0)
      completeCrossings(task, surface.meshes[task.volume->index]);
    this->OutputReport.activeBricks += task.ownActive;
  }
  this->State.history.add(this->Needs);
}

}
