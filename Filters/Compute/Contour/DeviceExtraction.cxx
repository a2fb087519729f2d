// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Contour/DeviceExtraction.h"

#include "Compute/Contour/SlabPasses.h"
#include "Compute/Contour/SurfaceOutputs.h"
#include "Compute/Contour/TriangleIds.h"
#include "Compute/System/HostClock.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace vmc
{

namespace
{

// A range of tasks ends when the passes of its tasks may handle so many bricks, or write so much temporary memory: then
// the caller can stop the extraction.
constexpr std::size_t MostTasks = 2048;
constexpr std::uint64_t MostBricks = 1 << 18;
constexpr std::uint64_t MostTemporaryBytes = 4 << 20;

constexpr std::uint32_t LargestId = 0xFFFFFFFFu;
// Shares of the time of an extraction: the upload, and the upload and the first sweep.
constexpr double UploadShare = 0.1, CountShare = 0.4;

// One attempt to extract the surfaces of a list of volumes, in one step of the ladder.
class Extraction
{
public:
  Extraction(DeviceSession& session, ExtractionState& state, const Request& request, Report& report)
    : Session(session)
    , State(state)
    , DeviceContext(*session.context())
    , Recorder(session.recorder())
    , InputRequest(request)
    , OutputReport(report)
    , Expected(state.history.expected())
    , Passes(this->Recorder, this->DeviceContext.kernels(), state, this->Volumes, this->Tasks, request)
    , Outputs(this->DeviceContext, request)
  {
  }

  // Plans the slabs. Without keepsRows, nothing of a slab is kept between the sweeps: the second one counts it again.
  // Returns the layers of the largest slab.
  std::uint32_t plan(const std::vector<Volume>& volumes, const Residency& residency, bool keepsRows);

  // Extracts the surface of the planned volumes. Returns false if `progress` stopped it.
  bool run(const Progress& progress, Surface& surface);

private:
  // The memory of the arrays between the passes over a range.
  struct RowMemory
  {
    PooledBuffer bricks, rows;
  };

  void acquireVolumes();
  std::vector<TaskRange> rangesOf(const std::function<bool(const TaskRange&)>& isFull) const;

  bool firstSweep(const Progress& progress, bool& isComplete);
  void select(const TaskRange& range, RowMemory& memory);
  void count(const TaskRange& range, RowMemory& memory);
  void countAgain(const TaskRange& range, RowMemory& memory);
  bool countAtOnce(RowMemory& memory);
  void reserveRows(const TaskRange& range, std::uint32_t capacity, RowMemory& memory);
  void uploadSlab(const SlabTask& task);
  void recordFetch(const TaskRange& range)
  {
    const std::size_t begin = this->KeepsRows ? range.begin : 0;
    this->State.recordFetch(this->Recorder, begin, begin + range.size());
  }
  void readTotals(const TaskRange& range);

  void placeTasks(Surface& surface);
  void widenIds(std::size_t volume);
  void reserveOutputs(const std::vector<MeshSize>& sizes);
  void setPlace(SlabTask& task, std::uint32_t points, std::uint32_t triangles) const;

  bool secondSweep(const Progress& progress, Surface& surface);
  void emit(const TaskRange& range, const std::function<void()>& meanwhile);
  void bindOutputs(const TaskRange& range);
  void recordEmission(const TaskRange& range);
  void makeIds(Surface& surface);

  void begin();
  void submit(const std::function<void()>& meanwhile = {})
  {
    this->Recorder.submitAndWait(this->OutputReport.stages, meanwhile);
  }

  DeviceSession& Session;
  ExtractionState& State;
  Context& DeviceContext;
  CommandRecorder& Recorder;
  const Request& InputRequest;
  Report& OutputReport;
  const CapacityHistory::Needs Expected;
  CapacityHistory::Needs Needs;
  bool KeepsRows = true;
  std::vector<VolumeTask> Volumes;  // that have a dual cell
  std::vector<Geometry> Geometries; // of these
  std::vector<SlabTask> Tasks;      // by volume, slab, isovalue
  const SlabPasses Passes;
  SurfaceOutputs Outputs;
  OutputArray Isovalues;       // of the points; without memory unless requested on the device
  std::vector<RowMemory> Rows; // of the ranges of the first sweep
  std::vector<MeshSize> Sizes; // of the volumes' meshes
};

std::uint32_t Extraction::plan(const std::vector<Volume>& volumes, const Residency& residency, bool keepsRows)
{
  const DeviceLimits& limits = this->DeviceContext.device().limits();
  std::uint32_t layers = 0;
  this->KeepsRows = keepsRows;
  for (std::size_t index = 0; index < volumes.size(); ++index)
  {
    const Volume& volume = volumes[index];
    if (!volume.hasDualCell())
      continue;
    const ContourPlan plan = planOf(volume, limits, residency);
    for (const Slab& slab : plan.slabs())
      for (std::size_t i = 0; i < this->InputRequest.isovalues.size(); ++i)
        if (const auto threshold = thresholdOf(this->InputRequest.isovalues[i], volume.type, volume.padding.closed))
        {
          SlabTask& task = this->Tasks.emplace_back();
          task.volume = this->Volumes.size();
          task.isovalue = i;
          task.slab = slab;
          task.parameters = parametersOf(volume, plan, slab, *threshold, this->InputRequest);
        }
    layers = std::max(layers, plan.largestSlab());
    this->OutputReport.bricks += plan.brickCount();
    this->OutputReport.slabs += plan.slabs().size();
    this->Volumes.push_back({ &volume, index, plan, outputsOf(this->InputRequest, volume.attributes), {}, {}, {} });
  }
  return layers;
}

void Extraction::acquireVolumes()
{
  KernelCache& kernels = this->DeviceContext.kernels();
  std::vector<Geometry> geometries;
  for (VolumeTask& volume : this->Volumes)
  {
    kernels.makeInBackground(kernelsOf(*volume.volume, this->InputRequest, /*hasNan*/ false)); // during the upload
    volume.arrays = this->Session.acquire(*volume.volume, volume.plan, this->OutputReport.stages);
    volume.kernels = kernelsOf(*volume.volume, this->InputRequest, volume.arrays.ranges->hasNan);
    kernels.makeInBackground(volume.kernels);
    IndexToWorld indexToWorld = volume.volume->geometry;
    if (this->InputRequest.omitsOrigin()) // the receiver adds the origin in double
      indexToWorld.origin = { 0, 0, 0 };
    this->Geometries.push_back(geometryOf(indexToWorld));
  }
  this->State.reserve(this->DeviceContext, this->KeepsRows ? this->Tasks.size() : 1);
  for (std::size_t i = 0; i < this->Tasks.size(); ++i)
  {
    SlabTask& task = this->Tasks[i];
    const std::size_t place = this->KeepsRows ? i : 0; // else ranges of one task follow each other
    task.geometry = this->State.geometry(task.volume);
    task.totals = this->State.totals(place);
    task.dispatch = this->State.dispatch(place);
    task.noPoints = this->State.noOutput(place, Output::Element::Point);
    task.noTriangles = this->State.noOutput(place, Output::Element::Triangle);
  }
}

std::vector<TaskRange> Extraction::rangesOf(const std::function<bool(const TaskRange&)>& isFull) const
{
  std::vector<TaskRange> ranges;
  for (std::size_t i = 0; i < this->Tasks.size(); ++i)
    if (ranges.empty() || !this->KeepsRows || ranges.back().size() == MostTasks || isFull(ranges.back()))
      ranges.push_back({ i, i + 1 });
    else
      ++ranges.back().end;
  return ranges;
}

void Extraction::begin()
{
  this->Recorder.begin(this->InputRequest.timeStages);
  this->State.recordTables(this->DeviceContext, this->Recorder, this->Geometries);
}

// Records the selection of bricks.
void Extraction::select(const TaskRange& range, RowMemory& memory)
{
  RegionLayout layout;
  for (std::size_t i = range.begin; i < range.end; ++i)
  {
    SlabTask& task = this->Tasks[i];
    const std::uint64_t bricks = task.parameters.brickCount;
    layout.add(task.slotOfBrick, 4 * bricks);
    layout.add(task.activeBrick, 4 * bricks);
    layout.add(task.blockSum, 4 * BLOCK_SUM_ARRAYS * groupsFor(bricks, SCAN_BLOCK_SIZE));
  }
  memory.bricks = layout.allocate(this->DeviceContext.deviceMemory(), "active bricks");
  this->begin();
  this->Passes.select(range);
}

// Allocates the rows of the active bricks. capacity: of each task at least, in active bricks.
void Extraction::reserveRows(const TaskRange& range, std::uint32_t capacity, RowMemory& memory)
{
  RegionLayout layout;
  for (std::size_t i = range.begin; i < range.end; ++i)
  {
    SlabTask& task = this->Tasks[i];
    const std::uint64_t active = task.parameters.activeCapacity =
      task.active == 0 ? 0 : std::max(task.active, capacity);
    layout.add(task.rowEdges, 4 * active * ROW_WORDS);
    layout.add(task.rowPointOffset, 4 * active * ROW_OFFSET_WORDS);
    layout.add(task.validCells, this->Volumes[task.volume].hasBlanking() ? 4 * active * VALID_CELL_WORDS : 4);
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
  for (std::size_t i = range.begin; i < range.end; ++i)
  {
    SlabTask& task = this->Tasks[i];
    const std::uint32_t* const total = this->State.totalsOnHost(this->KeepsRows ? i : 0);
    task.active = total[TOTAL_ACTIVE];
    task.ownActive = total[task.slab.haloLayers != 0 ? TOTAL_OWN_ACTIVE : TOTAL_ACTIVE];
    const bool isAllOwn = task.ownActive == task.active;
    const bool isCounted = task.ownActive != 0 && task.active <= task.parameters.activeCapacity;
    task.points = !isCounted ? 0 : total[isAllOwn || !this->InputRequest.mergePoints ? TOTAL_POINTS : TOTAL_OWN_POINTS];
    task.triangles = !isCounted ? 0 : total[isAllOwn ? TOTAL_TRIANGLES : TOTAL_OWN_TRIANGLES];
    if (isCounted && (total[TOTAL_POINTS] == LargestId || total[TOTAL_TRIANGLES] == LargestId)) // clamped sums
      throw SlabTooLarge("One slab makes more than 4294967294 points or triangles.");
    this->Needs.largest.growTo({ task.active, task.points, task.triangles });
  }
}

// Submits the recorded selection; then counts.
void Extraction::count(const TaskRange& range, RowMemory& memory)
{
  this->recordFetch(range);
  for (std::size_t i = range.begin; i < range.end; ++i)
    this->Tasks[i].parameters.activeCapacity = 0;
  this->submit();
  this->readTotals(range);
  this->countAgain(range, memory);
}

// Counts, with memory for the bricks that are known to be active.
void Extraction::countAgain(const TaskRange& range, RowMemory& memory)
{
  this->reserveRows(range, 0, memory);
  if (memory.rows.size() == 0)
    return;
  for (std::size_t i = range.begin; i < range.end; ++i)
    this->uploadSlab(this->Tasks[i]);
  this->begin();
  this->Passes.count(range);
  this->recordFetch(range);
  this->submit();
  this->readTotals(range);
}

void Extraction::uploadSlab(const SlabTask& task)
{
  VolumeTask& volume = this->Volumes[task.volume];
  if (task.active != 0)
    this->Session.uploadSlab(*volume.volume, volume.plan, task.slab, volume.arrays, this->OutputReport);
}

// Selects and counts the only slab in one submission, as earlier extractions have shown how much capacity it needs. If
// its kernels can reach the outputs, it is emitted, too. Returns whether the surface is complete.
bool Extraction::countAtOnce(RowMemory& memory)
{
  const TaskRange only{ 0, 1 };
  SlabTask& task = this->Tasks.front();
  const Capacity& expected = this->Expected.largest;
  const bool emits = this->InputRequest.mergePoints && this->Volumes.front().volume->attributes.empty() &&
                     this->Outputs.areReachable() && idsAreNarrow(expected.points, expected.triangles);
  this->select(only, memory);
  task.active = expected.activeBricks;
  this->reserveRows(only, 0, memory);
  if (emits)
  {
    this->reserveOutputs({ { expected.points, expected.triangles } });
    this->setPlace(task, expected.points, expected.triangles);
    this->bindOutputs(only);
  }
  this->Passes.count(only);
  this->Recorder.beginConcurrent(); // the passes that emit only read the totals
  this->recordFetch(only);
  if (emits)
    this->recordEmission(only);
  this->Recorder.endConcurrent();
  this->submit();
  this->readTotals(only);
  if (task.active > expected.activeBricks)
    this->countAgain(only, memory);
  return emits && task.active <= expected.activeBricks && task.points <= expected.points &&
         task.triangles <= expected.triangles;
}

// Writes ids of 64 bits for a volume whose ids need them.
void Extraction::widenIds(std::size_t volume)
{
  for (Output& output : this->Volumes[volume].outputs)
    output.words *= output.isPointIds() ? 2 : 1;
  for (SlabTask& task : this->Tasks)
    task.parameters.settings |= task.volume == volume ? SETTING_WIDE_IDS : 0;
}

// The host's prefix sum: from here on, all ids are known. Tasks follow each other in a mesh by isovalue, then by slab.
void Extraction::placeTasks(Surface& surface)
{
  this->Sizes.assign(this->Volumes.size(), {});
  for (std::size_t begin = 0, end = 0; begin < this->Tasks.size(); begin = end)
  {
    const std::size_t volume = this->Tasks[begin].volume;
    MeshSize& size = this->Sizes[volume];
    Mesh& mesh = surface.meshes[this->Volumes[volume].index];
    mesh.firstPoint.clear();
    for (end = begin; end < this->Tasks.size() && this->Tasks[end].volume == volume;)
      ++end;
    for (std::size_t isovalue = 0; isovalue < this->InputRequest.isovalues.size(); ++isovalue)
    {
      mesh.firstPoint.push_back(this->InputRequest.mergePoints ? size.points : 3 * size.triangles);
      for (std::size_t i = begin; i < end; ++i)
        if (this->Tasks[i].isovalue == isovalue)
        {
          SlabTask& task = this->Tasks[i];
          task.firstPoint = size.points;
          task.firstTriangle = size.triangles;
          size.points += task.points;
          size.triangles += task.triangles;
        }
    }
    if (!this->InputRequest.mergePoints)
      size.points = 3 * size.triangles;
    mesh.firstPoint.push_back(size.points);
    mesh.pointCount = size.points;
    mesh.triangleCount = size.triangles;
    if (size.points > LargestId)
      throw Error(Error::Kind::Unsupported,
        "The isosurfaces have " + std::to_string(size.points) + " points or more; ids are limited to 4294967295.");
    const bool isNarrow = idsAreNarrow(size.points, size.triangles);
    const bool needsWideIds = !isNarrow && this->InputRequest.memory == OutputMemory::Host;
    mesh.hasWideIds = size.triangles != 0 && (this->InputRequest.wideIds || needsWideIds);
    if (needsWideIds && !this->InputRequest.wideIds && this->InputRequest.mergePoints)
      this->widenIds(volume);
  }
}

// Sets the place of a task in the outputs.
void Extraction::setPlace(SlabTask& task, std::uint32_t points, std::uint32_t triangles) const
{
  task.parameters = withFirst(task.parameters, this->InputRequest, task.firstPoint, task.firstTriangle);
  task.parameters.pointCapacity = points;
  task.parameters.triangleCapacity = triangles;
}

void Extraction::reserveOutputs(const std::vector<MeshSize>& sizes)
{
  this->Outputs.allocate(this->Volumes, sizes);
  if (this->InputRequest.pointIsovalues && this->InputRequest.memory != OutputMemory::Host)
    this->Isovalues = OutputArray(
      this->DeviceContext, sizes.front().points * sizeof(float), "isovalues of points", this->InputRequest.memory);
}

void Extraction::bindOutputs(const TaskRange& range)
{
  SlabTask* const tasks = this->Tasks.data();
  const std::uint64_t bytes =
    this->Outputs.bind(this->Volumes, tasks + range.begin, tasks + range.end, this->Expected.temporaryBytes);
  this->Needs.temporaryBytes = std::max(this->Needs.temporaryBytes, bytes);
}

void Extraction::recordEmission(const TaskRange& range)
{
  this->Passes.emit(range);
  for (std::size_t i = range.begin; i < range.end && !this->Isovalues.isEmpty(); ++i)
  {
    const SlabTask& task = this->Tasks[i];
    const std::vector<double>& isovalues = this->InputRequest.isovalues;
    const auto difference = static_cast<float>(isovalues[task.isovalue] - isovalues.front());
    std::uint32_t word = 0;
    std::memcpy(&word, &difference, sizeof(word));
    const Region& all = this->Isovalues.region();
    if (task.parameters.pointCapacity != 0)
      this->Recorder.fill(
        Region(*all.buffer, all.offset + 4 * task.firstPoint, 4ull * task.parameters.pointCapacity), word);
  }
}

// The second sweep over a range: emits each slab into its place. Calls `meanwhile` while the device works.
void Extraction::emit(const TaskRange& range, const std::function<void()>& meanwhile)
{
  RowMemory again;
  if (!this->KeepsRows)
  {
    this->select(range, again);
    this->count(range, again);
  }
  for (std::size_t i = range.begin; i < range.end; ++i)
    this->uploadSlab(this->Tasks[i]);
  for (std::size_t i = range.begin; i < range.end; ++i)
    this->setPlace(this->Tasks[i], this->Tasks[i].points, this->Tasks[i].triangles);
  this->bindOutputs(range);
  this->begin();
  this->Recorder.beginConcurrent();
  this->recordEmission(range);
  this->Recorder.endConcurrent();
  this->Passes.computeValues(range);
  this->Recorder.beginConcurrent();
  this->Outputs.recordCopies(
    this->Recorder, this->Volumes, this->Tasks.data() + range.begin, this->Tasks.data() + range.end);
  this->Recorder.endConcurrent();
  this->submit(meanwhile);
  this->Outputs.finishCopies();
}

// The numbers that the host writes while the device works.
void Extraction::makeIds(Surface& surface)
{
  if (this->InputRequest.memory != OutputMemory::Host)
    return;
  HostMemoryPool& memory = this->DeviceContext.hostMemory();
  for (Mesh& mesh : surface.meshes)
  {
    addIds(mesh, this->InputRequest.mergePoints, memory);
    if (this->InputRequest.pointIsovalues)
      mesh.isovalues = isovaluesOfPoints(mesh, this->InputRequest, memory);
  }
}

bool Extraction::firstSweep(const Progress& progress, bool& isComplete)
{
  this->acquireVolumes();
  std::uint64_t bricks = 0;
  const std::vector<TaskRange> ranges = this->rangesOf(
    [&](const TaskRange& range)
    {
      bricks = range.size() == 1 ? 0 : bricks;
      return (bricks += this->Tasks[range.end - 1].parameters.brickCount) > MostBricks;
    });
  for (const TaskRange& range : ranges)
  {
    if (!progress(UploadShare + (CountShare - UploadShare) * double(range.begin) / double(this->Tasks.size())))
      return false;
    RowMemory memory;
    const VolumeTask& volume = this->Volumes[this->Tasks[range.begin].volume];
    if (this->Tasks.size() == 1 && this->Expected.largest.activeBricks != 0 && volume.plan.holdsWholeArrays())
      isComplete = this->countAtOnce(memory);
    else
    {
      this->select(range, memory);
      this->count(range, memory);
    }
    if (this->KeepsRows)
      this->Rows.push_back(std::move(memory));
  }
  return true;
}

bool Extraction::secondSweep(const Progress& progress, Surface& surface)
{
  this->reserveOutputs(this->Sizes);
  std::uint64_t bytes = 0;
  const std::vector<TaskRange> ranges = this->rangesOf(
    [&](const TaskRange& range)
    {
      const SlabTask& task = this->Tasks[range.end - 1];
      bytes = range.size() == 1 ? 0 : bytes;
      return (bytes += this->Outputs.temporaryBytes(task, this->Volumes[task.volume])) > MostTemporaryBytes;
    });
  for (const TaskRange& range : ranges)
  {
    if (!progress(CountShare + (1 - CountShare) * double(range.begin) / double(this->Tasks.size())))
      return false;
    const bool isLast = range.end == this->Tasks.size();
    this->emit(range,
      [&]
      {
        if (isLast)
          this->makeIds(surface);
      });
  }
  return true;
}

bool Extraction::run(const Progress& progress, Surface& surface)
{
  if (this->Tasks.empty())
    return true;
  bool isComplete = false;
  if (!progress(0) || !this->firstSweep(progress, isComplete))
    return false;
  this->placeTasks(surface);
  if (!progress(CountShare))
    return false;
  if (isComplete)
  {
    this->begin();
    this->Outputs.recordShrinking(this->Recorder, this->Volumes, this->Sizes);
    this->submit([&] { this->makeIds(surface); });
    this->Outputs.finishCopies();
  }
  else if (!this->secondSweep(progress, surface))
    return false;
  const HostClock clock;
  this->Outputs.moveInto(surface, this->Volumes);
  if (this->InputRequest.memory == OutputMemory::Host)
    this->OutputReport.stages.add(Stage::Download, clock.milliseconds());
  surface.isovalues = std::move(this->Isovalues);
  for (const SlabTask& task : this->Tasks)
    this->OutputReport.activeBricks += task.ownActive;
  this->State.history.add(this->Needs);
  return true;
}

// Extracts all volumes together, and if they do not fit in memory, one after the other.
class Extractor
{
public:
  Extractor(DeviceSession& session, ExtractionState& state, const Request& request, Report& report)
    : Session(session)
    , State(state)
    , InputRequest(request)
    , OutputReport(report)
    , Memory(session.limitMemory(request.memoryLimit))
  {
  }

  // Returns nothing if it was stopped.
  std::optional<Surface> extract(const std::vector<Volume>& volumes, const Progress& progress);

private:
  std::optional<Surface> extractEach(const std::vector<Volume>& volumes, const Progress& progress);
  std::optional<Surface> attempt(const std::vector<Volume>& volumes, const MemoryLadder& ladder,
    const Progress& progress, Report& report, std::uint32_t& layers);

  DeviceSession& Session;
  ExtractionState& State;
  const Request& InputRequest;
  Report& OutputReport;
  LimitedMemory Memory;
};

std::optional<Surface> Extractor::extract(const std::vector<Volume>& volumes, const Progress& progress)
{
  if (volumes.size() > 1 && this->InputRequest.memory == OutputMemory::Host)
    return this->extractEach(volumes, progress);
  const DeviceLimits& limits = this->Session.context()->device().limits();
  MemoryLadder ladder = this->Session.startLadder();
  for (;;)
  {
    Report report; // of an attempt that fails, only if it is the last one
    std::uint32_t layers = 0;
    try
    {
      std::optional<Surface> surface = this->attempt(volumes, ladder, progress, report, layers);
      this->OutputReport.add(report);
      return surface;
    }
    catch (const Error& error)
    {
      this->State.forgetTables(); // the submission that updates them may have failed
      if (error.kind() != Error::Kind::OutOfMemory)
        throw;
      this->State.history.clear();
      if (volumes.size() > 1)
        return this->extractEach(volumes, progress);
      const bool isSlabTooLarge = dynamic_cast<const SlabTooLarge*>(&error) != nullptr;
      if (!ladder.next(layers, isSlabTooLarge, sizesOf(volumes.front(), limits, this->InputRequest.memoryLimit)))
      {
        this->OutputReport.add(report);
        throw;
      }
      if (!isSlabTooLarge)
        this->Memory.freeUnused(ladder.step() != MemoryLadder::Step::Windows);
    }
  }
}

std::optional<Surface> Extractor::attempt(const std::vector<Volume>& volumes, const MemoryLadder& ladder,
  const Progress& progress, Report& report, std::uint32_t& layers)
{
  Surface surface;
  surface.meshes.resize(volumes.size());
  for (std::size_t i = 0; i < volumes.size(); ++i)
  {
    surface.meshes[i].firstPoint.assign(this->InputRequest.isovalues.size() + 1, 0);
    surface.meshes[i].attributes.resize(volumes[i].attributes.size());
    if (this->InputRequest.omitsOrigin())
      surface.meshes[i].origin = volumes[i].geometry.origin;
  }
  Extraction extraction(this->Session, this->State, this->InputRequest, report);
  layers = extraction.plan(volumes, ladder.residency(), ladder.step() < MemoryLadder::Step::OneSlabAtATime);
  if (!extraction.run(progress, surface))
    return std::nullopt;
  if (this->InputRequest.memory != OutputMemory::Host)
  {
    surface.context = this->Session.context();
    surface.outputs = outputsOf(this->InputRequest, volumes.front().attributes);
    surface.arrays.resize(surface.outputs.size());
    surface.mergePoints = this->InputRequest.mergePoints;
  }
  report.deviceBytes = this->Memory.largest();
  return surface;
}

std::optional<Surface> Extractor::extractEach(const std::vector<Volume>& volumes, const Progress& progress)
{
  if (this->InputRequest.memory != OutputMemory::Host)
    throw Error(Error::Kind::OutOfMemory,
      "The surfaces of " + std::to_string(volumes.size()) + " volumes do not fit in the memory of the device.");
  Surface all;
  for (const Volume& volume : volumes)
  {
    const auto part = [&](double done)
    { return progress((double(all.meshes.size()) + done) / double(volumes.size())); };
    std::optional<Surface> surface = this->extract({ volume }, part);
    if (!surface)
      return std::nullopt;
    all.meshes.push_back(std::move(surface->meshes.front()));
  }
  return all;
}

// Returns a function that passes only increasing values on to `progress`, as an extraction that begins again begins at
// 0.
Progress growing(const Progress& progress)
{
  return [&progress, last = -1.0](double done) mutable
  {
    if (!progress || done <= last)
      return true;
    last = done;
    return progress(done);
  };
}

}

std::optional<Surface> extractOnDevice(DeviceSession& session, ExtractionState& state,
  const std::vector<Volume>& volumes, const Request& request, Report& report, const Progress& progress)
{
  const DeviceSession::Call call(session);
  const double waitedBefore = KernelCache::waitedMilliseconds();
  std::optional<Surface> surface = Extractor(session, state, request, report).extract(volumes, growing(progress));
  if (const double waited = KernelCache::waitedMilliseconds() - waitedBefore; waited > 0)
    report.stages.add(Stage::MakeKernels, waited);
  return surface;
}

Surface downloaded(DeviceSession& session, Surface surface, Report& report)
{
  Context& context = *session.context();
  if (surface.context != session.context())
    throw Error(Error::Kind::Unsupported,
      "The surface is on another device than " + context.device().traits().name + " as opened here.");
  Mesh& mesh = surface.meshes.front();
  CommandRecorder& recorder = session.recorder();
  std::vector<OutputArray> arrays(surface.arrays.size());
  std::vector<Buffer> staging(surface.arrays.size()); // where the device cannot import the block
  recorder.begin();
  recorder.stage(Stage::Download);
  for (std::size_t row = 0; row < arrays.size(); ++row)
  {
    const std::uint64_t bytes = surface.outputs[row].bytes(mesh.pointCount, mesh.triangleCount);
    OutputArray& array = surface.arrays[row];
    if (array.isEmpty() || bytes == 0 || array.onHost())
      continue;
    arrays[row] = OutputArray(context, bytes, surface.outputs[row].name, OutputMemory::Host);
    if (!arrays[row].region().buffer)
      staging[row] = Buffer(context.allocator(), bytes, Buffer::Memory::Readback, "output on the host");
    const Region target = arrays[row].region().buffer ? arrays[row].region() : Region(staging[row]);
    recorder.copy(Region(*array.region().buffer, 0, bytes), *target.buffer);
  }
  recorder.submitAndWait(report.stages);
  const HostClock clock;
  for (std::size_t row = 0; row < arrays.size(); ++row)
  {
    const std::uint64_t bytes = surface.outputs[row].bytes(mesh.pointCount, mesh.triangleCount);
    if (staging[row].mapped())
      std::memcpy(arrays[row].onHost(), staging[row].mapped(), bytes);
    OutputArray& array = arrays[row].isEmpty() ? surface.arrays[row] : arrays[row];
    if (!array.isEmpty())
      *blockOf(mesh, surface.outputs[row]) = array.takeBlock(bytes);
  }
  addIds(mesh, surface.mergePoints, context.hostMemory());
  report.stages.add(Stage::Download, clock.milliseconds());
  Surface onHost;
  onHost.meshes = std::move(surface.meshes);
  return onHost;
}

}
