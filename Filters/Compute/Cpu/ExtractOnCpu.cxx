// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Cpu/ExtractOnCpu.h"

#include "Compute/Contour/Isovalue.h"
#include "Compute/Contour/Outputs.h"
#include "Compute/Contour/PatchCells.h"
#include "Compute/Contour/RepeatedCorners.h"
#include "Compute/Cpu/BrickKernels.h"
#include "Compute/Cpu/FindShareOnCpu.h"
#include "Compute/Cpu/LevelKernels.h"
#include "Compute/Measure/FindOpenEdges.h"
#include "Compute/Measure/MeasureMesh.h"
#include "Compute/System/Error.h"
#include "Compute/System/Parallel.h"
#include "Compute/System/Stage.h"
#include "Compute/Volume/WithType.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <new>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>

namespace vmc
{

namespace
{

// Bricks that a thread handles at a time: so many that a part takes some microseconds or more.
constexpr std::size_t BricksAtOnce = 4096;    // their ranges are read
constexpr std::size_t ClassifiedAtOnce = 256; // the samples of active ones are compared
constexpr std::size_t SlotsAtOnce = 32;       // active ones, which take some microseconds each

// Shares of the time of an extraction: the first sweep, and each pass of the second one.
constexpr double CountShare = 0.2, EmitShare = 0.4;

// Replaces each count by `first` plus the counts before it. Returns `first` plus all counts; callers check it, as
// larger sums are cut off in Counts.
template <class Counts>
std::uint64_t scan(Counts* counts, std::size_t count, std::uint64_t first)
{
  for (std::size_t i = 0; i < count; ++i)
    first += std::exchange(counts[i], static_cast<Counts>(first));
  return first;
}

// A volume that has a dual cell, or a hierarchy of levels.
struct ExtractedVolume
{
  const Volume* volume;      // null: levels
  const LevelBricks* levels; // null: a volume
  Mesh& mesh;
  std::vector<Attribute> attributes;
  std::vector<Output> outputs;
  std::optional<Grid> grid; // of the volume

  // The block of a row of the outputs; null if there is none.
  HostBlock* blockOfRow(std::size_t row) const
  {
    return row < this->outputs.size() ? blockOf(this->mesh, this->outputs[row]) : nullptr;
  }
};

// The measures of the triangles of a part of a task.
struct PartMeasures
{
  TriangleSums sums;
  Bounds bounds;
  std::vector<std::uint32_t> openEnds; // of a volume
};

// One isosurface of one volume, or of one level of a hierarchy.
struct SurfaceTask
{
  const ExtractedVolume& volume;
  std::size_t isovalue; // index
  std::size_t level;    // 0 for a volume
  std::size_t bricks;
  LevelKernels kernels;                        // of a volume, without classify and numberPoints
  SurfacePass& pass;                           // a BrickPass or a LevelPass
  SharedRanges ranges{};                       // of a volume
  std::vector<std::uint32_t> activeBefore{};   // [part of BricksAtOnce bricks]: active bricks before it
  std::size_t lastPoint = 0, lastTriangle = 0; // of its points and triangles in the mesh: one beyond the last
  std::vector<PartMeasures> measures{};        // [part of SlotsAtOnce slots], if requested
};

std::size_t activeBricksOf(const SurfaceTask& task)
{
  return task.pass.active.count;
}

// One extraction of a list of volumes.
class CpuExtraction
{
public:
  CpuExtraction(CpuState& state, const Request& request, unsigned threads, Report& report, const Progress& progress)
    : State(state)
    , InputRequest(request)
    , Threads(threads)
    , OutputReport(report)
    , OnProgress(progress)
  {
  }

  // meshes: one per volume, which it prepares.
  void plan(const std::vector<Volume>& volumes, std::vector<Mesh>& meshes);

  // The same for hierarchies of levels.
  void plan(const std::vector<Levels>& hierarchies, std::vector<Mesh>& meshes);

  const std::vector<SharedLevels>& hierarchies() const { return this->Hierarchies; } // that are planned

  // Fills the meshes of the planned volumes. Returns false if it was stopped.
  bool run();

private:
  void prepare(Mesh& mesh, std::size_t attributes, const Vector3& origin) const;
  void addTasks();
  void addTask(const ExtractedVolume& volume, std::size_t isovalue, SharedRanges ranges);
  void addLevels(const ExtractedVolume& extracted);
  void select();
  template <class Value, class CountOf>
  void reserve(Value* ActiveBricks::*array, const CountOf& countOf);
  void reserveRows();
  void placeTasks();
  void allocate();
  template <class CountOf>
  bool runOverBricks(BrickKernel LevelKernels::*kernel, Stage stage, double share, const CountOf& countOf);
  bool countBricks();
  void countSamples();
  void measurePart(SurfaceTask& task, std::size_t begin, std::size_t end);
  void measure();
  void repeatCorners();
  bool mayContinue();

  template <class Work>
  void timed(Stage stage, const Work& work)
  {
    const HostClock clock;
    work();
    this->OutputReport.stages.add(stage, clock.milliseconds());
  }

  CpuState& State;
  const Request& InputRequest;
  const unsigned Threads;
  Report& OutputReport;
  const Progress& OnProgress;
  std::vector<ExtractedVolume> Volumes;
  std::size_t Rows = 0;                           // most outputs of a volume
  std::vector<SharedLevels> Hierarchies;          // or volumes
  std::size_t LevelCount = 0;                     // most levels of a hierarchy; 0: volumes
  std::deque<BrickPass> BrickPasses;              // tasks refer to them
  std::deque<std::vector<LevelPass>> LevelPasses; // [isosurface][level]
  std::vector<SurfaceTask> Tasks;                 // by volume, isovalue, level
  std::vector<HostBlock> Scratch;                 // the arrays of ActiveBricks, each for all tasks
  double Done = 0;                                // share of the work in [0, 1]
  double LastReported = 0;                        // the last reported share
};

void CpuExtraction::prepare(Mesh& mesh, std::size_t attributes, const Vector3& origin) const
{
  mesh.firstPoint.assign(this->InputRequest.isovalues.size() + 1, 0);
  mesh.firstTriangle = mesh.firstPoint;
  if (this->InputRequest.computeMeasures)
    mesh.measures.resize(this->InputRequest.isovalues.size());
  mesh.attributes.resize(attributes);
  if (this->InputRequest.omitsOrigin())
    mesh.origin = origin;
}

void CpuExtraction::plan(const std::vector<Volume>& volumes, std::vector<Mesh>& meshes)
{
  this->Volumes.reserve(volumes.size()); // tasks refer to them
  for (std::size_t i = 0; i < volumes.size(); ++i)
  {
    const Volume& volume = volumes[i];
    this->prepare(meshes[i], volume.attributes.size(), volume.geometry.origin());
    if (!volume.hasDualCell() || this->InputRequest.isovalues.empty())
      continue;
    this->Volumes.push_back({ &volume, nullptr, meshes[i], volume.attributes,
      outputsOf(this->InputRequest, volume.attributes), Grid(volume) });
    const std::size_t bricks = this->Volumes.back().grid->brickCount();
    if (bricks >= NO_SLOT)
      throw Error(Error::Kind::Unsupported, "The volume has " + std::to_string(bricks) +
                                              " bricks; the CPU handles at most " + std::to_string(NO_SLOT - 1) + ".");
    this->Rows = std::max(this->Rows, this->Volumes.back().outputs.size());
    this->OutputReport.bricks += bricks;
    ++this->OutputReport.slabs;
  }
}

void CpuExtraction::plan(const std::vector<Levels>& hierarchies, std::vector<Mesh>& meshes)
{
  this->Volumes.reserve(hierarchies.size());
  this->Hierarchies = this->State.hold(hierarchies, this->Threads, this->OutputReport.stages);
  for (std::size_t i = 0; i < hierarchies.size(); ++i)
  {
    const LevelBricks& levels = *this->Hierarchies[i]->bricks;
    const std::vector<Attribute> attributes = this->Hierarchies[i]->attributeViews();
    this->prepare(meshes[i], attributes.size(), levels.levels.front().geometry.origin());
    this->Volumes.push_back({ nullptr, &levels, meshes[i], attributes, outputsOf(this->InputRequest, attributes), {} });
    this->Rows = std::max(this->Rows, this->Volumes.back().outputs.size());
    this->LevelCount = std::max(this->LevelCount, levels.levels.size());
    this->OutputReport.bricks += levels.brickCount();
  }
}

// Adds a task per volume and isovalue with a surface.
void CpuExtraction::addTasks()
{
  if (this->LevelCount != 0)
  {
    for (const ExtractedVolume& hierarchy : this->Volumes)
      this->addLevels(hierarchy);
    return;
  }
  std::vector<const Volume*> volumes;
  for (const ExtractedVolume& volume : this->Volumes)
    volumes.push_back(volume.volume);
  const std::vector<SharedRanges> ranges = this->State.hold(volumes, this->Threads, this->OutputReport.stages);
  this->Tasks.reserve(volumes.size() * this->InputRequest.isovalues.size());
  for (std::size_t v = 0; v < volumes.size(); ++v)
    for (std::size_t i = 0; i < this->InputRequest.isovalues.size(); ++i)
      this->addTask(this->Volumes[v], i, ranges[v]);
}

void CpuExtraction::addTask(const ExtractedVolume& extracted, std::size_t isovalue, SharedRanges ranges)
{
  const Volume& volume = *extracted.volume;
  const auto threshold = thresholdOf(this->InputRequest.isovalues[isovalue], volume.type, volume.padding.closed);
  if (!threshold)
    return;
  BrickPass& pass = this->BrickPasses.emplace_back(
    BrickPass{ { volume.geometry, volume.geometry.gradientToWorld(), *threshold, {}, {} }, volume, *extracted.grid,
      ranges->hasNan, ranges->hasNan || volume.ghosts });
  if (this->InputRequest.omitsOrigin())
    pass.toWorld.setOrigin({ 0, 0, 0 });
  const BrickKernels kernels = brickKernelsFor(volume.type);
  this->Tasks.push_back({ extracted, isovalue, 0, extracted.grid->brickCount(),
    { nullptr, kernels.count, nullptr, kernels.emitPoints, kernels.emitTriangles }, pass, std::move(ranges) });
}

// Adds a task per isovalue and level.
void CpuExtraction::addLevels(const ExtractedVolume& extracted)
{
  const LevelBricks& levels = *extracted.levels;
  for (std::size_t i = 0; i < this->InputRequest.isovalues.size(); ++i)
  {
    const auto threshold = thresholdOf(this->InputRequest.isovalues[i], levels.type, levels.isClosed);
    if (!threshold)
      continue;
    std::vector<LevelPass>& passes = this->LevelPasses.emplace_back();
    passes.reserve(levels.levels.size());
    for (std::size_t level = 0; level < levels.levels.size(); ++level)
    {
      const SampleGeometry geometry = levels.geometryOf(level, this->InputRequest.omitsOrigin());
      passes.push_back(
        { { geometry, geometry.gradientToWorld(), *threshold, {}, {} }, levels, level, passes, extracted.attributes });
      this->Tasks.push_back(
        { extracted, i, level, levels.levels[level].brick.size(), levelKernelsFor(levels.type), passes.back() });
    }
  }
}

// Calls work(isActive) with what selects the bricks of the task.
template <class Work>
void withSelection(const SurfaceTask& task, const Work& work)
{
  const auto* const volume = task.volume.volume;
  withType(volume ? volume->type : static_cast<const LevelPass&>(task.pass).bricks.type,
    [&](auto zero)
    {
      using Sample = decltype(zero);
      if (volume)
        work(BrickSelection<Sample>(*task.volume.grid, *task.ranges, task.pass.threshold));
      else
      {
        const LeafRanges& range = static_cast<const LevelPass&>(task.pass).own().range;
        const auto threshold = thresholdValue<Sample>(task.pass.threshold);
        work([&](std::size_t brick) { return range.isCut(brick, threshold); });
      }
    });
}

// Lists the active bricks of all tasks.
void CpuExtraction::select()
{
  std::vector<std::size_t> bricks; // [task]
  for (SurfaceTask& task : this->Tasks)
  {
    bricks.push_back(task.bricks);
    task.activeBefore.resize((bricks.back() + BricksAtOnce - 1) / BricksAtOnce);
  }
  inParts(bricks, BricksAtOnce, this->Threads,
    [&](std::size_t i, std::size_t begin, std::size_t end)
    {
      std::uint32_t count = 0;
      withSelection(this->Tasks[i],
        [&](const auto& isActive)
        {
          for (std::size_t brick = begin; brick < end; ++brick)
            count += isActive(brick);
        });
      this->Tasks[i].activeBefore[begin / BricksAtOnce] = count;
    });
  this->reserveRows();
  inParts(bricks, BricksAtOnce, this->Threads,
    [&](std::size_t i, std::size_t begin, std::size_t end)
    {
      const ActiveBricks& active = this->Tasks[i].pass.active;
      std::uint32_t slot = this->Tasks[i].activeBefore[begin / BricksAtOnce];
      withSelection(this->Tasks[i],
        [&, list = active.brick, slotOfBrick = active.slotOfBrick](const auto& isActive)
        {
          for (std::size_t brick = begin; brick < end; ++brick)
          {
            const bool isListed = isActive(brick);
            slotOfBrick[brick] = isListed ? slot : NO_SLOT;
            if (isListed)
              list[slot++] = static_cast<std::uint32_t>(brick);
          }
        });
    });
}

// Allocates an array of all tasks, one after the other, with countOf(task) elements each. Null: a task has no element.
template <class Value, class CountOf>
void CpuExtraction::reserve(Value* ActiveBricks::*array, const CountOf& countOf)
{
  std::size_t count = 0;
  for (const SurfaceTask& task : this->Tasks)
    count += countOf(task);
  this->Scratch.push_back(this->State.memory.acquire(count * sizeof(Value)));
  auto* next = reinterpret_cast<Value*>(this->Scratch.back().data());
  for (SurfaceTask& task : this->Tasks)
  {
    task.pass.active.*array = countOf(task) != 0 ? next : nullptr;
    next += countOf(task);
  }
}

// Allocates the arrays of the active bricks.
void CpuExtraction::reserveRows()
{
  for (SurfaceTask& task : this->Tasks)
  {
    task.pass.active.count = static_cast<std::uint32_t>(scan(task.activeBefore.data(), task.activeBefore.size(), 0));
    this->OutputReport.activeBricks += task.pass.active.count;
  }
  const auto rows = [](const SurfaceTask& task) { return activeBricksOf(task) * BRICK_ROWS; };
  for (std::vector<LevelPass>& levels : this->LevelPasses)
    for (LevelPass& pass : levels)
    {
      if (levels.size() > 1)
        pass.stitched = std::make_unique<StitchedTriangles[]>(pass.active.count);
      const std::size_t bricks = pass.own().brick.size();
      this->Scratch.push_back(this->State.memory.acquire(bricks * (sizeof(BrickBits) + 1)));
      pass.inside = reinterpret_cast<BrickBits*>(this->Scratch.back().data());
      pass.cutsStitched = reinterpret_cast<std::uint8_t*>(pass.inside + bricks);
    }
  this->reserve(&ActiveBricks::brick, activeBricksOf);
  this->reserve(&ActiveBricks::slotOfBrick, [](const SurfaceTask& task) { return task.bricks; });
  this->reserve(&ActiveBricks::rowWord, rows);
  this->reserve(&ActiveBricks::rowPoints, rows);
  const auto hasBlanking = [](const SurfaceTask& task)
  { return task.volume.volume && static_cast<const BrickPass&>(task.pass).hasBlanking; };
  this->reserve(&ActiveBricks::lowWord, [=](const SurfaceTask& task) { return task.level > 0 ? rows(task) : 0; });
  this->reserve(&ActiveBricks::validCells,
    [=](const SurfaceTask& task) { return task.volume.levels || hasBlanking(task) ? rows(task) : 0; });
  const bool measures = this->InputRequest.needsOpenEnds();
  this->reserve(&ActiveBricks::isPlain, [=](const SurfaceTask& task)
    { return hasBlanking(task) || (measures && task.volume.volume) ? activeBricksOf(task) : 0; });
  this->reserve(&ActiveBricks::points, activeBricksOf);
  this->reserve(&ActiveBricks::triangles, activeBricksOf);
}

// The prefix sums: from here on, all ids are known.
void CpuExtraction::placeTasks()
{
  auto task = this->Tasks.begin();
  for (const ExtractedVolume& volume : this->Volumes)
  {
    Mesh& mesh = volume.mesh;
    mesh.firstPoint.clear();
    mesh.firstTriangle.clear();
    for (std::size_t i = 0; i < this->InputRequest.isovalues.size(); ++i)
    {
      mesh.firstPoint.push_back(this->InputRequest.mergePoints ? mesh.pointCount : 3 * mesh.triangleCount);
      mesh.firstTriangle.push_back(mesh.triangleCount);
      for (; task != this->Tasks.end() && &task->volume == &volume && task->isovalue == i; ++task)
      {
        const ActiveBricks& active = task->pass.active;
        mesh.pointCount = task->lastPoint = scan(active.points, active.count, mesh.pointCount);
        mesh.triangleCount = task->lastTriangle = scan(active.triangles, active.count, mesh.triangleCount);
        if (this->InputRequest.needsOpenEnds())
          task->measures.resize((active.count + SlotsAtOnce - 1) / SlotsAtOnce);
      }
    }
    mesh.firstPoint.push_back(this->InputRequest.mergePoints ? mesh.pointCount : 3 * mesh.triangleCount);
    mesh.firstTriangle.push_back(mesh.triangleCount);
    constexpr std::uint64_t Largest = 0xFFFFFFFFu;
    const std::uint64_t points = std::max(mesh.pointCount, mesh.firstPoint.back());
    if (points > Largest || mesh.triangleCount > Largest)
      throw Error(Error::Kind::Unsupported, "The isosurfaces have " + std::to_string(points) + " points and " +
                                              std::to_string(mesh.triangleCount) +
                                              " triangles; ids are limited to 4294967295.");
    mesh.hasWideIds = this->InputRequest.mergePoints && needsWideIds(mesh, this->InputRequest);
  }
}

Error outOfMemory(std::uint64_t samples)
{
  return Error(
    Error::Kind::OutOfHostMemory, "The host has no memory for the bricks of " + std::to_string(samples) + " samples.");
}

MeshArrays arraysOf(const Mesh& mesh)
{
  const auto floats = [](const HostBlock& block) { return reinterpret_cast<float*>(block.data()); };
  MeshArrays arrays;
  arrays.positions = floats(mesh.positions);
  arrays.positionsLow = floats(mesh.positionsLow);
  arrays.normals = floats(mesh.normals);
  arrays.gradients = floats(mesh.gradients);
  for (const HostBlock& attribute : mesh.attributes)
    arrays.attributes.push_back(floats(attribute));
  arrays.crossings = reinterpret_cast<EdgeCrossing*>(mesh.crossings.data());
  arrays.triangleCells = reinterpret_cast<std::int64_t*>(mesh.triangleCells.data());
  if (mesh.hasWideIds)
    arrays.wideTriangles = reinterpret_cast<std::int64_t*>(mesh.triangles.data());
  else
    arrays.triangles = reinterpret_cast<std::uint32_t*>(mesh.triangles.data());
  return arrays;
}

// Allocates the arrays of the meshes, each output once for all volumes. Without shared points, ids of the shared points
// are temporary and have 32 bits.
void CpuExtraction::allocate()
{
  for (std::size_t row = 0; row < this->Rows; ++row)
  {
    std::vector<HostMemoryPool::Part> parts;
    for (const ExtractedVolume& volume : this->Volumes)
      if (HostBlock* const block = volume.blockOfRow(row))
      {
        const std::uint64_t bytes = volume.outputs[row].bytes(volume.mesh.pointCount, volume.mesh.triangleCount);
        const bool isWidened =
          volume.outputs[row].isPointIds() && volume.mesh.hasWideIds && !this->InputRequest.wideIds;
        parts.push_back({ block, 0, isWidened ? 2 * bytes : bytes }); // more than the output says
      }
    this->State.memory.acquire(parts);
  }
  for (SurfaceTask& task : this->Tasks)
    task.pass.mesh = arraysOf(task.volume.mesh);
}

// Reports the finished share. Returns false to stop.
bool CpuExtraction::mayContinue()
{
  constexpr double Often = 0.01;
  if (!this->OnProgress || (this->Done < this->LastReported + Often && this->LastReported != 0))
    return true;
  this->LastReported = this->Done;
  return this->OnProgress(std::min(this->Done, 1.0)); // a sum of shares is rounded
}

// Runs a pass over countOf(task) bricks of each task. share: of the time of the extraction. Returns false if it was
// stopped.
template <class CountOf>
bool CpuExtraction::runOverBricks(BrickKernel LevelKernels::*kernel, Stage stage, double share, const CountOf& countOf)
{
  std::vector<std::size_t> bricks; // [task]
  std::size_t all = 0;
  for (const SurfaceTask& task : this->Tasks)
    all += bricks.emplace_back(countOf(task));
  const double before = this->Done;
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<bool> isStopped{ false };
  std::atomic<std::size_t> finished{ 0 };
  const auto runPart = [&](std::size_t i, std::size_t begin, std::size_t end)
  {
    if (isStopped.load(std::memory_order_relaxed))
      return;
    (this->Tasks[i].kernels.*kernel)(this->Tasks[i].pass, begin, end);
    if (this->InputRequest.needsOpenEnds() && kernel == &LevelKernels::emitTriangles)
      this->measurePart(this->Tasks[i], begin, end); // while the ids are in the cache
    const std::size_t done = finished.fetch_add(end - begin, std::memory_order_relaxed) + end - begin;
    if (std::this_thread::get_id() != caller)
      return;
    this->Done = before + share * double(done) / double(all);
    if (!this->mayContinue())
      isStopped = true;
  };
  const std::size_t atOnce = kernel == &LevelKernels::classify ? ClassifiedAtOnce : SlotsAtOnce;
  this->timed(stage, [&] { inParts(bricks, atOnce, this->Threads, runPart); });
  this->Done = before + share;
  return !isStopped && this->mayContinue();
}

// Levels are counted one after the other, since finer ones mark edges in the rows of coarser ones.
bool CpuExtraction::countBricks()
{
  if (this->LevelCount == 0)
    return this->runOverBricks(&LevelKernels::count, Stage::CountBricks, CountShare, activeBricksOf);
  const double share = CountShare / double(this->LevelCount + 1);
  if (!this->runOverBricks(
        &LevelKernels::classify, Stage::CountBricks, share, [](const SurfaceTask& task) { return task.bricks; }))
    return false;
  for (std::size_t level = 0; level < this->LevelCount; ++level)
    if (!this->runOverBricks(&LevelKernels::count, Stage::CountBricks, share,
          [=](const SurfaceTask& task) { return task.level == level ? activeBricksOf(task) : 0; }))
      return false;
  return this->LevelCount == 1 ||
         this->runOverBricks(&LevelKernels::numberPoints, Stage::CountBricks, 0, activeBricksOf);
}

// Counts the samples of volumes for findShareOnCpu.
void CpuExtraction::countSamples()
{
  for (const SurfaceTask& task : this->Tasks)
    if (task.volume.volume && !task.ranges->hasNan && hasEqualSamples(*task.volume.volume))
      this->State.counted.push_back({ task.ranges, task.pass.threshold.isovalue,
        countInside(static_cast<const BrickPass&>(task.pass), *task.ranges, this->Threads) });
}

void CpuExtraction::measurePart(SurfaceTask& task, std::size_t begin, std::size_t end)
{
  const ActiveBricks& active = task.pass.active;
  const Mesh& mesh = task.volume.mesh;
  PartMeasures& part = task.measures[begin / SlotsAtOnce];
  if (this->InputRequest.computeMeasures)
  {
    const bool isLast = end == active.count;
    const TriangleArrays arrays(mesh);
    part.sums = sumTriangles(arrays, active.triangles[begin], isLast ? task.lastTriangle : active.triangles[end]);
    part.bounds = boundsOf(arrays.positions, active.points[begin], isLast ? task.lastPoint : active.points[end]);
  }
  if (const Volume* const volume = task.volume.volume)
    brickKernelsFor(volume->type).listOpenEnds(static_cast<const BrickPass&>(task.pass), begin, end, part.openEnds);
}

// Sets the measures of the meshes from those of the parts.
void CpuExtraction::measure()
{
  auto task = this->Tasks.begin();
  for (const ExtractedVolume& volume : this->Volumes)
  {
    Mesh& mesh = volume.mesh;
    mesh.measures.clear();
    for (std::size_t i = 0; i < this->InputRequest.isovalues.size(); ++i)
    {
      std::vector<TriangleSums> sums;
      Bounds bounds;
      for (; task != this->Tasks.end() && &task->volume == &volume && task->isovalue == i; ++task)
        for (const PartMeasures& part : task->measures)
        {
          sums.push_back(part.sums);
          bounds.add(part.bounds);
          mesh.openEnds.insert(mesh.openEnds.end(), part.openEnds.begin(), part.openEnds.end());
        }
      if (this->InputRequest.computeMeasures)
        mesh.measures.push_back(measuresOf(sumOf(sums), bounds, mesh.origin));
    }
    if (volume.levels)
      mesh.openEnds = findOpenEnds(mesh, this->Threads);
    if (this->InputRequest.computeMeasures)
      countOpenEdges(mesh);
  }
}

void CpuExtraction::repeatCorners()
{
  std::vector<MeshOutputs> meshes;
  for (const ExtractedVolume& volume : this->Volumes)
    meshes.push_back({ &volume.mesh, &volume.outputs });
  vmc::repeatCorners(meshes, this->InputRequest, this->State.memory, this->Threads);
}

bool CpuExtraction::run()
{
  if (this->Volumes.empty())
    return true;
  this->addTasks();
  if (this->Tasks.empty()) // no surface
    return true;
  this->timed(Stage::SelectBricks, [&] { this->select(); });
  if (!this->mayContinue() || !this->countBricks())
    return false;
  if (this->InputRequest.computeMeasures || this->InputRequest.countSamples)
    this->timed(Stage::CountValues, [&] { this->countSamples(); });
  this->timed(Stage::ScanBricks, [&] { this->placeTasks(); });
  this->allocate();
  if (!this->runOverBricks(&LevelKernels::emitPoints, Stage::EmitSurface, EmitShare, activeBricksOf) ||
      !this->runOverBricks(&LevelKernels::emitTriangles, Stage::EmitSurface, EmitShare, activeBricksOf))
    return false;
  if (this->InputRequest.needsOpenEnds())
    this->timed(Stage::MeasureSurface, [&] { this->measure(); });
  if (!this->InputRequest.mergePoints)
    this->timed(Stage::RepeatCorners, [&] { this->repeatCorners(); });
  return true;
}

void nameEdges(const std::vector<Volume>& volumes, const std::vector<SharedLevels>&, unsigned threads, Report& report,
  std::vector<Mesh>& meshes)
{
  const HostClock clock;
  for (std::size_t i = 0; i < meshes.size(); ++i)
    nameOpenEdges(volumes[i], threads, meshes[i]);
  report.stages.add(Stage::MeasureSurface, clock.milliseconds());
}

void nameEdges(const std::vector<Levels>& levels, const std::vector<SharedLevels>& hierarchies, unsigned threads,
  Report& report, std::vector<Mesh>& meshes)
{
  const HostClock clock;
  for (std::size_t i = 0; i < meshes.size(); ++i)
    nameOpenEdges(levels[i], *hierarchies[i]->bricks, threads, meshes[i]);
  report.stages.add(Stage::MeasureSurface, clock.milliseconds());
}

// inputs: volumes or hierarchies.
template <class Input>
std::optional<std::vector<Mesh>> extract(
  CpuState& state, const std::vector<Input>& inputs, const Request& request, Report& report, const Progress& progress)
{
  const unsigned threads = usableThreads(request.threads);
  report.device = cpuName(threads);
  state.memory.beginRun();
  std::vector<Mesh> meshes(inputs.size());
  CpuExtraction extraction(state, request, threads, report, progress);
  extraction.plan(inputs, meshes);
  if (!extraction.run())
    return std::nullopt;
  if constexpr (std::is_same_v<Input, Levels>)
    for (std::size_t i = 0; request.computeCells && i < inputs.size(); ++i)
      namePatchCells(inputs[i], *extraction.hierarchies()[i]->bricks, state.memory, threads, meshes[i]);
  if (request.nameOpenEdges)
    nameEdges(inputs, extraction.hierarchies(), threads, report, meshes);
  if (request.isFinished)
    addCountedArrays(meshes, request, state.memory, threads);
  return meshes;
}

}

std::optional<std::vector<Mesh>> extractOnCpu(
  CpuState& state, const std::vector<Volume>& volumes, const Request& request, Report& report, const Progress& progress)
try
{
  return extract(state, volumes, request, report, progress);
}
catch (const std::bad_alloc&)
{
  std::uint64_t samples = 0;
  for (const Volume& volume : volumes)
    samples += volume.sampleCount();
  throw outOfMemory(samples);
}

std::optional<std::vector<Mesh>> extractOnCpu(CpuState& state, const std::vector<Levels>& hierarchies,
  const Request& request, Report& report, const Progress& progress)
try
{
  return extract(state, hierarchies, request, report, progress);
}
catch (const std::bad_alloc&)
{
  std::uint64_t samples = 0;
  for (const Levels& levels : hierarchies)
    for (const LevelPatch& patch : levels.patches)
      samples += patch.cellCount();
  throw outOfMemory(samples);
}

}
