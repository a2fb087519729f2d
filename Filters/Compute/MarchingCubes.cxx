#include "MarchingCubes.h"

#include "Device.h"
#include "Devices.h"
#include "Error.h"
#include "HostClock.h"
#include "MeshBuilder.h"
#include "SlabPasses.h"

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

class MarchingCubes::Implementation
{
public:
  explicit Implementation(std::shared_ptr<Device> device)
    : Owner(std::move(device))
    , Recorder(*this->Owner)
    , Resident(*this->Owner, this->Budget)
    , Passes(*this->Owner, this->Budget, this->Resident, this->Recorder)
  {
  }

  std::optional<Mesh> extract(const Volume& volume, const Request& request, Report& report, const Progress& progress);

  std::shared_ptr<Device> Owner;

private:
  std::optional<Mesh> extractWith(
    const Residency& residency, const Volume& volume, const Request& request, Report& report, const Progress& progress);
  void limitMemory(const Volume& volume, std::uint64_t limitInBytes);
  bool extractIsovalue(const Threshold& threshold, const ContourPlan& plan, MeshBuilder& builder, Report& report,
    const Progress& progressOfIsovalue);
  bool extractSlab(
    const Slab& slab, const Threshold& threshold, MeshBuilder& builder, Report& report, const Progress& progressOfSlab);

  MemoryBudget Budget;
  Commands Recorder;
  ResidentVolume Resident;
  SlabPasses Passes;
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

// Half the memory limit for the window of one slab, the other half for what the passes make.
Residency slabwise(const Volume& volume, const Request& request)
{
  std::uint64_t bytes = bytesOf(volume.type) + (volume.ghosts ? 1 : 0);
  for (const Attribute& attribute : volume.attributes)
    bytes += bytesOf(attribute.type) * attribute.components;
  return { bytes, request.memoryLimit / 2 };
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

// With all arrays on the device, if they fit beside what the passes make; else slab by slab.
std::optional<Mesh> MarchingCubes::Implementation::extract(
  const Volume& volume, const Request& request, Report& report, const Progress& progress)
{
  if (hasNoCell(volume) || request.isovalues.empty())
    return emptyMesh(request);
  this->limitMemory(volume, request.memoryLimit);
  const Progress told = growing(progress);
  try
  {
    return this->extractWith(Residency(), volume, request, report, told);
  }
  catch (const Error& error)
  {
    if (error.kind() != Error::Kind::OutOfMemory || request.memoryLimit == 0)
      throw;
  }
  this->Passes.release();
  this->Resident.release();
  report = Report();
  return this->extractWith(slabwise(volume, request), volume, request, report, told);
}

std::optional<Mesh> MarchingCubes::Implementation::extractWith(
  const Residency& residency, const Volume& volume, const Request& request, Report& report, const Progress& progress)
{
  // Sizes.
  const ContourPlan plan(volume.size, widestSample(volume), this->Owner->limits(), volume.padding, residency);
  report.bricks = plan.brickCount();
  if (!progress(0))
    return std::nullopt;
  // Upload, BuildBrickRanges: once per volume, as long as it fits.
  this->Resident.load(volume, plan, specializationOf(volume), this->Recorder, report.stages);
  this->Passes.begin(volume, plan, request);

  MeshBuilder builder;
  const double count = static_cast<double>(request.isovalues.size());
  for (std::size_t i = 0; i < request.isovalues.size(); ++i)
  {
    const auto progressOfIsovalue = [&](double done) { return progress((i + done) / count); };
    const std::optional<Threshold> threshold = thresholdOf(request.isovalues[i], volume.type, volume.padding.closed);
    if (threshold && !this->extractIsovalue(*threshold, plan, builder, report, progressOfIsovalue))
      return std::nullopt;
    builder.endIsovalue();
  }
  report.deviceBytes = this->Budget.largest();
  Mesh mesh = builder.finish(!request.mergePoints);
  if (request.splitPositions)
    mesh.origin = volume.geometry.origin;
  return mesh;
}

// What earlier extractions left behind may not use up the limit.
void MarchingCubes::Implementation::limitMemory(const Volume& volume, std::uint64_t limitInBytes)
{
  if (limitInBytes != 0 && (!this->Resident.holds(volume) || this->Budget.used() > limitInBytes))
  {
    this->Passes.release();
    this->Resident.release();
  }
  this->Budget.setLimit(limitInBytes);
  this->Budget.forgetLargest();
}

// False if stopped. A slab whose output does not fit is cut in two and tried again.
bool MarchingCubes::Implementation::extractIsovalue(const Threshold& threshold, const ContourPlan& plan,
  MeshBuilder& builder, Report& report, const Progress& progressOfIsovalue)
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
      const auto halves = plan.split(slab);
      pending.push_back(halves[1]);
      pending.push_back(halves[0]);
    }
  }
  return true;
}

// False if stopped. The fractions of the work are rough: counting takes about as long as emitting.
bool MarchingCubes::Implementation::extractSlab(
  const Slab& slab, const Threshold& threshold, MeshBuilder& builder, Report& report, const Progress& progressOfSlab)
{
  if (!progressOfSlab(0))
    return false;
  // SelectBricks: range[brick], isovalue -> activeBrick[slot] in ascending order.
  const std::uint32_t active = this->Passes.select(slab, threshold, report.stages);
  if (active == 0)
    return true;
  if (!progressOfSlab(0.1))
    return false;
  // CountBricks, Scan: points and triangles of each active brick -> offsets and totals.
  this->Passes.count(report.stages);
  if (!progressOfSlab(0.5))
    return false;
  // EmitPoints, EmitTriangles, Download.
  Mesh part = this->Passes.emit(builder.nextPoint(), report.stages);
  report.activeBricks += active;
  builder.add(std::move(part));
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
  if (isProcessEnding())
    this->Impl.release(); // left to the operating system
}

const std::shared_ptr<Device>& MarchingCubes::device() const
{
  return this->Impl->Owner;
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
