#include "Compute/Contour/MarchingCubes.h"

#include "Compute/Contour/MeshBuilder.h"
#include "Compute/Contour/SlabPasses.h"
#include "Compute/Devices.h"
#include "Compute/Memory/HostMemoryPool.h"
#include "Compute/System/Error.h"
#include "Compute/System/HostClock.h"
#include "Compute/Volume/ResidentVolumes.h"
#include "Compute/Vulkan/Device.h"

#include <algorithm>

namespace vmc
{

double Report::milliseconds(const std::string& stage) const
{
  for (const StageTime& time : this->stages)
    if (time.name == stage)
      return time.milliseconds;
  return 0;
}

void Report::add(const Report& next)
{
  for (const StageTime& time : next.stages)
    addTime(this->stages, time.name, time.milliseconds);
  this->totalMilliseconds += next.totalMilliseconds;
  this->slabs += next.slabs;
  this->bricks += next.bricks;
  this->activeBricks += next.activeBricks;
  this->deviceBytes = std::max(this->deviceBytes, next.deviceBytes);
}

class MarchingCubes::Implementation
{
public:
  explicit Implementation(std::shared_ptr<Device> device)
    : Owner(std::move(device))
    , OutputUse(this->Owner->hostMemory())
    , Resident(*this->Owner, this->Budget)
    , Recorder(*this->Owner)
    , Counted(*this->Owner, this->Budget)
    , Passes(*this->Owner, this->Budget, this->Recorder, this->Counted)
  {
  }

  std::optional<Mesh> extract(const Volume& volume, const Request& request, Report& report, const Progress& progress);

  void beginPass();
  void endPass();

  std::shared_ptr<Device> Owner;

private:
  std::optional<Mesh> extractSlabwise(
    const Volume& volume, const Request& request, Report& report, const Progress& progress);
  std::optional<Mesh> extractWith(
    const ContourPlan& plan, const Volume& volume, const Request& request, Report& report, const Progress& progress);
  ContourPlan planOf(const Volume& volume, const Residency& residency) const;
  void limitMemory(std::uint64_t wantedLimit);
  void release();
  bool extractIsovalue(const Threshold& threshold, const ContourPlan& plan, ResidentVolume& resident,
    MeshBuilder& builder, Report& report, const Progress& progressOfIsovalue);
  bool extractSlab(
    const Slab& slab, const Threshold& threshold, MeshBuilder& builder, Report& report, const Progress& progressOfSlab);

  HostMemoryPool::Use OutputUse;
  MemoryBudget Budget; // outlives what it counts
  ResidentVolumes Resident;
  Commands Recorder;
  Totals Counted;
  SlabPasses Passes;
  bool InPass = false;
};

namespace
{

bool hasNoCell(const Volume& volume)
{
  const auto grid = volume.gridSize();
  return volume.sampleCount() == 0 || *std::min_element(grid.begin(), grid.end()) < 2;
}

// Bytes of the widest array a sample: it decides how many samples a binding holds.
std::uint64_t widestSample(const Volume& volume)
{
  std::uint64_t bytes = bytesOf(volume.type);
  for (const Attribute& attribute : volume.attributes)
    bytes = std::max<std::uint64_t>(bytes, bytesOf(attribute.type) * attribute.components);
  return bytes;
}

// Of all arrays of the volume together.
std::uint64_t bytesPerSample(const Volume& volume)
{
  std::uint64_t bytes = bytesOf(volume.type) + (volume.ghosts ? 1 : 0);
  for (const Attribute& attribute : volume.attributes)
    bytes += bytesOf(attribute.type) * attribute.components;
  return bytes;
}

// Passes on what grows, and no value twice.
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

Mesh emptyMesh(const Request& request)
{
  Mesh mesh;
  mesh.firstPoint.assign(request.isovalues.size() + 1, 0);
  return mesh;
}

}

// With all arrays on the device, if they fit beside what the passes make and other volumes of the pass; else without
// the others; else slab by slab.
std::optional<Mesh> MarchingCubes::Implementation::extract(
  const Volume& volume, const Request& request, Report& report, const Progress& progress)
{
  if (!this->InPass)
    this->Owner->hostMemory().beginRun();
  if (hasNoCell(volume) || request.isovalues.empty())
    return emptyMesh(request);
  this->limitMemory(request.memoryLimit);
  const Progress told = growing(progress);
  for (bool alone = this->Budget.used() == 0;; alone = true)
  {
    report = Report(); // of this attempt
    try
    {
      return this->extractWith(this->planOf(volume, Residency()), volume, request, report, told);
    }
    catch (const Error& error)
    {
      if (error.kind() != Error::Kind::OutOfMemory)
        throw;
    }
    this->release();
    if (alone)
      return this->extractSlabwise(volume, request, report, told);
  }
}

// Only one slab's window of the arrays is on the device. Without a limit to keep to, smaller and smaller windows are
// tried until the rest fits beside them.
std::optional<Mesh> MarchingCubes::Implementation::extractSlabwise(
  const Volume& volume, const Request& request, Report& report, const Progress& progress)
{
  const bool isLimited = request.memoryLimit != 0;
  Residency residency{ bytesPerSample(volume) };
  const std::uint64_t least = this->planOf(volume, residency).leastResidentBytes();
  residency.limitInBytes =
    isLimited ? request.memoryLimit : std::max(least, residency.bytesPerSample * volume.sampleCount());
  for (;; residency.limitInBytes = std::max(least, residency.limitInBytes / 2))
  {
    report = Report();
    const ContourPlan plan = this->planOf(volume, residency);
    try
    {
      return this->extractWith(plan, volume, request, report, progress);
    }
    catch (const Error& error)
    {
      if (error.kind() != Error::Kind::OutOfMemory || isLimited || residency.limitInBytes == least)
        throw;
    }
    this->release();
  }
}

ContourPlan MarchingCubes::Implementation::planOf(const Volume& volume, const Residency& residency) const
{
  return ContourPlan(volume.size, widestSample(volume), this->Owner->limits(), volume.padding, residency);
}

std::optional<Mesh> MarchingCubes::Implementation::extractWith(
  const ContourPlan& plan, const Volume& volume, const Request& request, Report& report, const Progress& progress)
{
  this->Budget.forgetLargest();
  report.bricks = plan.brickCount();
  report.slabs = plan.slabs().size();
  if (!progress(0))
    return std::nullopt;
  // Upload, BuildBrickRanges: once per volume, as long as it fits.
  ResidentVolume& resident = this->Resident.of(volume);
  resident.load(volume, plan, specializationOf(volume), this->Recorder, this->Counted, report.stages);
  this->Passes.begin(volume, resident, plan, request);

  MeshBuilder builder(this->Owner->hostMemory());
  const double count = static_cast<double>(request.isovalues.size());
  for (std::size_t i = 0; i < request.isovalues.size(); ++i)
  {
    const auto progressOfIsovalue = [&](double done) { return progress((i + done) / count); };
    const std::optional<Threshold> threshold = thresholdOf(request.isovalues[i], volume.type, volume.padding.closed);
    if (threshold && !this->extractIsovalue(*threshold, plan, resident, builder, report, progressOfIsovalue))
      return std::nullopt;
    builder.endIsovalue();
  }
  report.deviceBytes = this->Budget.largest();
  Mesh mesh = builder.finish(!request.mergePoints);
  if (request.splitPositions)
    mesh.origin = volume.geometry.origin;
  return mesh;
}

// What earlier extractions left behind may not pass the limit.
void MarchingCubes::Implementation::limitMemory(std::uint64_t wantedLimit)
{
  const std::uint64_t limit = wantedLimit != 0 ? wantedLimit : ~0ull;
  this->Budget.setLimit(std::min(limit, this->Owner->limits().memoryBytes));
  if (this->Budget.used() > limit)
    this->release();
}

// All volumes of a pass are one run: their meshes live together.
void MarchingCubes::Implementation::beginPass()
{
  this->Owner->hostMemory().beginRun();
  this->Resident.beginPass();
  this->InPass = true;
}

void MarchingCubes::Implementation::endPass()
{
  this->Resident.endPass();
  this->InPass = false;
}

void MarchingCubes::Implementation::release()
{
  this->Passes.release();
  this->Resident.release();
}

// False if stopped. A slab whose output does not fit is cut in two and tried again.
bool MarchingCubes::Implementation::extractIsovalue(const Threshold& threshold, const ContourPlan& plan,
  ResidentVolume& resident, MeshBuilder& builder, Report& report, const Progress& progressOfIsovalue)
{
  std::vector<Slab> pending(plan.slabs().rbegin(), plan.slabs().rend());
  while (!pending.empty())
  {
    const Slab slab = pending.back();
    pending.pop_back();
    const auto progressOfSlab = [&](double done)
    { return progressOfIsovalue((slab.firstLayer + done * slab.layers) / plan.bricks()[2]); };
    try
    {
      if (!this->extractSlab(slab, threshold, builder, report, progressOfSlab))
        return false;
    }
    catch (const Error& error)
    {
      if (error.kind() != Error::Kind::OutOfMemory || slab.layers < 2)
        throw;
      this->Passes.release(); // what was reserved for the whole slab
      if (!plan.holdsWholeArrays())
        resident.releaseArrays();
      const auto halves = plan.split(slab);
      pending.push_back(halves[1]);
      pending.push_back(halves[0]);
    }
  }
  return true;
}

// False if stopped. The fraction of the work is rough.
bool MarchingCubes::Implementation::extractSlab(
  const Slab& slab, const Threshold& threshold, MeshBuilder& builder, Report& report, const Progress& progressOfSlab)
{
  if (!progressOfSlab(0))
    return false;
  // SelectBricks: range[brick], isovalue -> activeBrick[slot] in ascending order.
  // CountBricks, Scan: points and triangles of each active brick -> offsets and totals.
  // EmitPoints, EmitTriangles.
  const std::uint32_t active = this->Passes.run(slab, threshold, builder.nextPoint(), report.stages);
  if (active == 0)
    return true;
  if (!progressOfSlab(0.7))
    return false;
  // InterpolateAttribute, RepeatCorners, Download.
  builder.add(this->Passes.download(report.stages));
  report.activeBricks += active;
  return true;
}

MarchingCubes::MarchingCubes(std::shared_ptr<Device> device)
{
  try
  {
    this->Impl = std::make_unique<Implementation>(device);
  }
  catch (const vk::SystemError& error)
  {
    throw errorFrom(error, nameOf(*device) + " failed");
  }
}

MarchingCubes::~MarchingCubes()
{
  if (!mayUseVulkan())
    this->Impl.release(); // left to the operating system
}

const std::shared_ptr<Device>& MarchingCubes::device() const
{
  return this->Impl->Owner;
}

void MarchingCubes::beginPass()
{
  if (mayUseVulkan())
    this->Impl->beginPass();
}

void MarchingCubes::endPass()
{
  if (mayUseVulkan())
    this->Impl->endPass();
}

std::optional<Mesh> MarchingCubes::extract(
  const Volume& volume, const Request& request, Report& report, const Progress& progress)
{
  const HostClock clock;
  report = Report();
  try
  {
    std::optional<Mesh> mesh = this->Impl->extract(volume, request, report, progress);
    report.totalMilliseconds = clock.milliseconds();
    return mesh;
  }
  catch (const vk::SystemError& error)
  {
    throw errorFrom(error, nameOf(*this->Impl->Owner) + " failed");
  }
}

}
