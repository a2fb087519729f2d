// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Cpu/CpuMarchingCubes.h"

#include "Compute/Contour/Isovalue.h"
#include "Compute/Contour/Outputs.h"
#include "Compute/Contour/Surface.h"
#include "Compute/Cpu/BrickKernels.h"
#include "Compute/Cpu/BrickRangeCache.h"
#include "Compute/Cpu/Grid.h"
#include "Compute/Cpu/Samples.h"
#include "Compute/Memory/HostMemoryPool.h"
#include "Compute/System/CpuName.h"
#include "Compute/System/Error.h"
#include "Compute/System/HostClock.h"
#include "Compute/System/Parallel.h"
#include "Compute/Volume/WithType.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <new>
#include <string>
#include <thread>
#include <utility>

namespace vmc
{

namespace
{

// Bricks that a thread handles at a time. Ranges of this many bricks are read in some microseconds; active bricks take
// some microseconds each.
constexpr std::size_t BricksAtOnce = 4096;
constexpr std::size_t SlotsAtOnce = 32;

// An array in memory of the pool.
template <class Value>
class Scratch
{
public:
  void make(HostMemoryPool& memory, std::size_t count) { this->Block = memory.acquire(count * sizeof(Value)); }
  Value* data() const { return reinterpret_cast<Value*>(this->Block.data()); }

private:
  HostBlock Block;
};

// Replaces each count by `first` plus the counts before it. Returns `first` plus all counts; callers check it, as
// larger sums are cut off in Counts.
template <class Counts>
std::uint64_t scan(Counts* counts, std::size_t count, std::uint64_t first)
{
  for (std::size_t i = 0; i < count; ++i)
    first += std::exchange(counts[i], static_cast<Counts>(first));
  return first;
}

}

// While it exists, the pool keeps released blocks.
class CpuMarchingCubes::User : public PoolUser<HostMemoryPool>
{
public:
  using PoolUser::PoolUser;
};

// One extraction.
class CpuMarchingCubes::Run
{
public:
  Run(HostMemoryPool& memory, const Volume& volume, const Request& request, unsigned threads, Report& report,
    const Progress& progress)
    : Memory(memory)
    , InputVolume(volume)
    , InputRequest(request)
    , Threads(threads)
    , OutputReport(report)
    , OnProgress(progress)
    , VolumeGrid(volume)
    , Rows(outputsOf(request, volume.attributes))
  {
  }

  std::optional<Mesh> extract(const SampleRanges& ranges);

private:
  // The bricks of one isovalue, with the arrays that hold them.
  struct Surface
  {
    std::optional<Threshold> threshold; // none: no surface
    ActiveBricks active;
    Scratch<std::uint32_t> brick, slotOfBrick, rowWord, points, triangles;
    Scratch<std::uint16_t> rowPoints;
    Scratch<std::uint8_t> validCells, isPlain;
    std::uint64_t firstPoint = 0, firstTriangle = 0;
  };

  template <class Sample>
  void selectOfType(const SampleRanges& ranges, Surface& surface);
  void reserve(Surface& surface);
  void scanCounts(Surface& surface);
  void checkIds() const;
  std::uint64_t outputPoints() const { return this->InputRequest.mergePoints ? this->Points : 3 * this->Triangles; }
  bool needsWideIds() const
  {
    return this->InputRequest.wideIds || !idsAreNarrow(this->outputPoints(), this->Triangles);
  }
  Mesh allocate();
  void repeatCorners(Mesh& mesh);
  BrickPass passOf(const Surface& surface, Mesh* mesh);
  bool runOver(const BrickPass& pass, Stage stage, double share);
  bool goOn();

  template <class Work>
  void timed(Stage stage, const Work& work)
  {
    const HostClock clock;
    work();
    this->OutputReport.stages.add(stage, clock.milliseconds());
  }

  HostMemoryPool& Memory;
  const Volume& InputVolume;
  const Request& InputRequest;
  const unsigned Threads;
  Report& OutputReport;
  const Progress& OnProgress;
  const Grid VolumeGrid;
  const std::vector<Output> Rows;
  bool HasNan = false, HasBlanking = false;
  std::vector<Surface> Surfaces; // [isovalue]
  std::uint64_t Points = 0, Triangles = 0;
  double Done = 0;         // share of the work in [0, 1]
  double LastReported = 0; // the last reported share
};

// A brick is active if, of the samples that its cells touch, one is inside and one is not.
template <class Sample>
void CpuMarchingCubes::Run::selectOfType(const SampleRanges& ranges, Surface& surface)
{
  const auto threshold = thresholdValue<Sample>(*surface.threshold);
  const auto* const smallest = reinterpret_cast<const Sample*>(ranges.smallest.data());
  const auto* const largest = reinterpret_cast<const Sample*>(ranges.largest.data());
  const std::size_t bricks = this->VolumeGrid.brickCount();
  const bool hasOutside = this->VolumeGrid.hasOutside;
  const auto isActive = [&, threshold, smallest, largest, hasOutside](std::size_t brick) -> bool
  {
    const bool hasInside = largest[brick] >= threshold;
    if (hasOutside && hasInside && this->VolumeGrid.touchesOutside(this->VolumeGrid.cornerOf(brick)))
      return true;
    return hasInside & (smallest[brick] < threshold);
  };
  std::vector<std::uint32_t> before((bricks + BricksAtOnce - 1) / BricksAtOnce);
  inParts(bricks, BricksAtOnce, this->Threads,
    [&](std::size_t begin, std::size_t end)
    {
      std::uint32_t count = 0;
      for (std::size_t brick = begin; brick < end; ++brick)
        count += isActive(brick);
      before[begin / BricksAtOnce] = count;
    });
  surface.active.count = static_cast<std::uint32_t>(scan(before.data(), before.size(), 0));
  surface.brick.make(this->Memory, surface.active.count);
  surface.slotOfBrick.make(this->Memory, bricks);
  inParts(bricks, BricksAtOnce, this->Threads,
    [&, list = surface.brick.data(), slotOfBrick = surface.slotOfBrick.data()](std::size_t begin, std::size_t end)
    {
      std::uint32_t slot = before[begin / BricksAtOnce];
      for (std::size_t brick = begin; brick < end; ++brick)
      {
        const bool active = isActive(brick);
        slotOfBrick[brick] = active ? slot : NO_SLOT;
        if (active)
          list[slot++] = static_cast<std::uint32_t>(brick);
      }
    });
}

void CpuMarchingCubes::Run::reserve(Surface& surface)
{
  ActiveBricks& active = surface.active;
  const std::size_t rows = std::size_t(active.count) * BRICK_ROWS;
  surface.rowWord.make(this->Memory, rows);
  surface.rowPoints.make(this->Memory, rows);
  surface.validCells.make(this->Memory, this->HasBlanking ? rows : 0);
  surface.isPlain.make(this->Memory, this->HasBlanking ? active.count : 0);
  surface.points.make(this->Memory, active.count);
  surface.triangles.make(this->Memory, active.count);
  active.brick = surface.brick.data();
  active.slotOfBrick = surface.slotOfBrick.data();
  active.rowWord = surface.rowWord.data();
  active.rowPoints = surface.rowPoints.data();
  active.validCells = surface.validCells.data();
  active.isPlain = surface.isPlain.data();
  active.points = surface.points.data();
  active.triangles = surface.triangles.data();
}

void CpuMarchingCubes::Run::scanCounts(Surface& surface)
{
  surface.firstPoint = this->Points;
  surface.firstTriangle = this->Triangles;
  this->Points = scan(surface.active.points, surface.active.count, this->Points);
  this->Triangles = scan(surface.active.triangles, surface.active.count, this->Triangles);
}

void CpuMarchingCubes::Run::checkIds() const
{
  constexpr std::uint64_t Largest = 0xFFFFFFFFu;
  const std::uint64_t points = std::max(this->Points, this->outputPoints());
  if (points > Largest || this->Triangles > Largest)
    throw Error(Error::Kind::Unsupported, "The isosurfaces have " + std::to_string(points) + " points and " +
                                            std::to_string(this->Triangles) +
                                            " triangles; ids are limited to 4294967295.");
}

Mesh CpuMarchingCubes::Run::allocate()
{
  Mesh mesh;
  mesh.pointCount = this->Points;
  mesh.triangleCount = this->Triangles;
  mesh.attributes.resize(this->InputVolume.attributes.size());
  mesh.hasWideIds = this->InputRequest.mergePoints && this->needsWideIds();
  for (const Output& row : this->Rows)
    if (HostBlock* const block = blockOf(mesh, row))
    {
      const bool needsWideIds = mesh.hasWideIds && !this->InputRequest.wideIds; // more than the row says
      *block =
        this->Memory.acquire(row.bytes(this->Points, this->Triangles) * (needsWideIds && row.isPointIds() ? 2 : 1));
    }
  for (const Surface& surface : this->Surfaces)
    mesh.firstPoint.push_back(this->InputRequest.mergePoints ? surface.firstPoint : 3 * surface.firstTriangle);
  mesh.firstPoint.push_back(this->outputPoints());
  return mesh;
}

BrickPass CpuMarchingCubes::Run::passOf(const Surface& surface, Mesh* mesh)
{
  BrickPass pass{ this->InputVolume, this->VolumeGrid, this->InputVolume.geometry,
    this->InputVolume.geometry.gradientToWorld(), {}, {}, {}, {}, {} };
  if (this->InputRequest.omitsOrigin())
    pass.toWorld.origin = { 0, 0, 0 };
  pass.hasNan = this->HasNan;
  pass.hasBlanking = this->HasBlanking;
  pass.threshold = *surface.threshold;
  pass.active = surface.active;
  if (!mesh)
    return pass;
  const auto floats = [](const HostBlock& block) { return reinterpret_cast<float*>(block.data()); };
  pass.mesh.positions = floats(mesh->positions);
  pass.mesh.positionsLow = floats(mesh->positionsLow);
  pass.mesh.normals = floats(mesh->normals);
  pass.mesh.gradients = floats(mesh->gradients);
  for (const HostBlock& attribute : mesh->attributes)
    pass.mesh.attributes.push_back(floats(attribute));
  pass.mesh.triangleCells = reinterpret_cast<std::int64_t*>(mesh->triangleCells.data());
  if (mesh->hasWideIds)
    pass.mesh.wideTriangles = reinterpret_cast<std::int64_t*>(mesh->triangles.data());
  else
    pass.mesh.triangles = reinterpret_cast<std::uint32_t*>(mesh->triangles.data());
  return pass;
}

// Reports the finished share. Returns false to stop.
bool CpuMarchingCubes::Run::goOn()
{
  constexpr double Often = 0.01;
  if (!this->OnProgress || (this->Done < this->LastReported + Often && this->LastReported != 0))
    return true;
  this->LastReported = this->Done;
  return this->OnProgress(this->Done);
}

// Runs a pass over all active bricks. share: of the work of the extraction. Returns false if it was stopped.
bool CpuMarchingCubes::Run::runOver(const BrickPass& pass, Stage stage, double share)
{
  const BrickKernels& kernels = brickKernelsFor(this->InputVolume.type);
  const auto kernel = stage == Stage::CountBricks  ? kernels.count
                      : stage == Stage::EmitPoints ? kernels.emitPoints
                                                   : kernels.emitTriangles;
  const double before = this->Done;
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<bool> isStopped{ false };
  this->timed(stage,
    [&]
    {
      inParts(pass.active.count, SlotsAtOnce, this->Threads,
        [&](std::size_t begin, std::size_t end)
        {
          if (isStopped.load(std::memory_order_relaxed))
            return;
          kernel(pass, begin, end);
          if (std::this_thread::get_id() != caller)
            return;
          this->Done = before + share * double(end) / pass.active.count;
          if (!this->goOn())
            isStopped = true;
        });
    });
  this->Done = before + share;
  return !isStopped && this->goOn();
}

// Gives each triangle points of its own.
void CpuMarchingCubes::Run::repeatCorners(Mesh& mesh)
{
  const auto* const triangles = reinterpret_cast<const std::uint32_t*>(mesh.triangles.data());
  const std::size_t corners = 3 * mesh.triangleCount;
  for (const Output& row : this->Rows)
  {
    HostBlock* const block = blockOf(mesh, row);
    if (row.element != Output::Element::Point || !block)
      continue;
    HostBlock repeated = this->Memory.acquire(row.bytes(corners, 0));
    const auto* const from = reinterpret_cast<const float*>(block->data());
    auto* const to = reinterpret_cast<float*>(repeated.data());
    inParallel(
      corners, row.bytes(1, 0),
      [&, words = row.words](std::size_t begin, std::size_t end)
      {
        for (; begin < end; ++begin)
          std::copy_n(from + std::size_t(triangles[begin]) * words, words, to + begin * words);
      },
      this->Threads);
    *block = std::move(repeated);
  }
  mesh.hasWideIds = this->needsWideIds();
  mesh.pointCount = corners;
}

std::optional<Mesh> CpuMarchingCubes::Run::extract(const SampleRanges& ranges)
{
  if (this->VolumeGrid.brickCount() >= NO_SLOT)
    throw Error(Error::Kind::Unsupported, "The volume has " + std::to_string(this->VolumeGrid.brickCount()) +
                                            " bricks; the CPU handles at most " + std::to_string(NO_SLOT - 1) + ".");
  this->HasNan = ranges.hasNan;
  this->HasBlanking = this->HasNan || this->InputVolume.ghosts;
  this->OutputReport.bricks = this->VolumeGrid.brickCount();
  this->Surfaces.resize(this->InputRequest.isovalues.size());
  const double countShare = 0.2 / double(this->Surfaces.size()), emitShare = 0.4 / double(this->Surfaces.size());
  for (std::size_t i = 0; i < this->Surfaces.size(); ++i)
  {
    Surface& surface = this->Surfaces[i];
    surface.threshold =
      thresholdOf(this->InputRequest.isovalues[i], this->InputVolume.type, this->InputVolume.padding.closed);
    if (surface.threshold)
    {
      this->timed(Stage::SelectBricks,
        [&]
        {
          withType(this->InputVolume.type, [&](auto zero) { this->selectOfType<decltype(zero)>(ranges, surface); });
          this->reserve(surface);
        });
      if (!this->goOn() || !this->runOver(this->passOf(surface, nullptr), Stage::CountBricks, countShare))
        return std::nullopt;
      this->OutputReport.activeBricks += surface.active.count;
    }
    this->timed(Stage::ScanBricks, [&] { this->scanCounts(surface); });
  }
  this->checkIds();
  Mesh mesh = this->allocate();
  for (const Surface& surface : this->Surfaces)
    if (surface.threshold)
    {
      const BrickPass pass = this->passOf(surface, &mesh);
      if (!this->runOver(pass, Stage::EmitPoints, emitShare) || !this->runOver(pass, Stage::EmitTriangles, emitShare))
        return std::nullopt;
    }
  if (!this->InputRequest.mergePoints)
    this->timed(Stage::RepeatCorners, [&] { this->repeatCorners(mesh); });
  std::vector<Mesh> meshes;
  meshes.push_back(std::move(mesh));
  addCountedArrays(meshes, this->InputRequest, this->Memory, this->Threads);
  return std::move(meshes.front());
}

CpuMarchingCubes::CpuMarchingCubes(HostMemoryPool& memory, std::shared_ptr<BrickRangeCache> ranges)
  : Memory(memory)
  , PoolUse(std::make_unique<User>(memory))
  , Ranges(std::move(ranges))
{
}

CpuMarchingCubes::~CpuMarchingCubes() = default;

void CpuMarchingCubes::beginPass()
{
  this->Memory.beginRun();
  this->InPass = true;
  for (KeptVolume& kept : this->KeptVolumes)
    kept.isWanted = false;
}

void CpuMarchingCubes::endPass()
{
  this->InPass = false;
  this->KeptVolumes.erase(std::remove_if(this->KeptVolumes.begin(), this->KeptVolumes.end(),
                            [](const KeptVolume& kept) { return !kept.isWanted; }),
    this->KeptVolumes.end());
}

void CpuMarchingCubes::releaseVolumes(std::uint64_t identity)
{
  this->KeptVolumes.erase(std::remove_if(this->KeptVolumes.begin(), this->KeptVolumes.end(),
                            [=](const KeptVolume& kept) { return kept.identity == identity; }),
    this->KeptVolumes.end());
}

std::shared_ptr<const SampleRanges> CpuMarchingCubes::rangesOf(
  const Volume& volume, unsigned threads, StageTimes& times)
{
  const HostClock clock;
  bool isNew = false;
  std::shared_ptr<const SampleRanges> ranges = this->Ranges->acquire(volume, threads, isNew);
  if (isNew)
    times.add(Stage::BuildBrickRanges, clock.milliseconds());
  if (!this->InPass)
    this->KeptVolumes.clear();
  const auto known = std::find_if(
    this->KeptVolumes.begin(), this->KeptVolumes.end(), [&](const KeptVolume& kept) { return kept.ranges == ranges; });
  if (known != this->KeptVolumes.end())
    known->isWanted = true;
  else if (volume.identity != 0)
    this->KeptVolumes.push_back({ volume.identity, ranges });
  return ranges;
}

std::optional<Mesh> CpuMarchingCubes::extractToHost(
  const Volume& volume, const Request& request, Report& report, const Progress& progress)
{
  const HostClock clock;
  const unsigned threads = usableThreads(request.threads);
  report = Report();
  report.device = cpuName(threads);
  report.slabs = 1;
  if (!this->InPass)
    this->Memory.beginRun();
  std::optional<Mesh> mesh = Mesh();
  if (!volume.hasDualCell() || request.isovalues.empty())
    mesh->firstPoint.assign(request.isovalues.size() + 1, 0);
  else
    try
    {
      mesh = Run(this->Memory, volume, request, threads, report, progress)
               .extract(*this->rangesOf(volume, threads, report.stages));
      if (mesh && request.omitsOrigin())
        mesh->origin = volume.geometry.origin;
    }
    catch (const std::bad_alloc&)
    {
      throw Error(Error::Kind::OutOfMemory,
        "The host has no memory for the bricks of " + std::to_string(volume.sampleCount()) + " samples.");
    }
  report.totalMilliseconds = clock.milliseconds();
  return mesh;
}

}
