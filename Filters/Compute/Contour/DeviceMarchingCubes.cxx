// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Contour/DeviceMarchingCubes.h"

#include "Compute/Context.h"
#include "Compute/Contour/DeviceMesh.h"
#include "Compute/Contour/ExtractionKernels.h"
#include "Compute/Contour/MeshDownload.h"
#include "Compute/Contour/MeshExport.h"
#include "Compute/Contour/SlabExtractor.h"
#include "Compute/System/Error.h"
#include "Compute/System/HostClock.h"
#include "Compute/Volume/LimitedMemory.h"
#include "Compute/Volume/MemoryLadder.h"
#include "Compute/Volume/VolumeCache.h"
#include "Compute/Vulkan/Instance.h"

#include <algorithm>
#include <utility>

namespace vmc
{

namespace
{

// Returns a function that passes only increasing values on to `progress`.
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

MeshLayout layoutOf(const Volume& volume, const Request& request)
{
  return { outputsOf(request, volume.attributes), request.mergePoints, request.wideIds };
}

std::uint64_t limitOf(const Request& request)
{
  return request.memoryLimit != 0 ? request.memoryLimit : ~0ull;
}

class PartsOnDevice : public MeshSink
{
public:
  explicit PartsOnDevice(DeviceMesh& mesh)
    : Target(mesh)
  {
  }

  void restart() override
  {
    this->Target.parts.clear();
    this->Target.firstPoint = { 0 };
  }
  void add(DeviceMeshPart part, bool, StageTimes&) override { this->Target.parts.push_back(std::move(part)); }
  void endIsovalue() override { this->Target.firstPoint.push_back(this->Target.pointCount()); }

private:
  DeviceMesh& Target;
};

}

class DeviceMarchingCubes::Implementation
{
public:
  Implementation(std::shared_ptr<Context> context, std::shared_ptr<VolumeCache> volumes)
    : DeviceContext(std::move(context))
    , Cache(std::move(volumes))
    , User(*this->DeviceContext)
    , Volumes(*this->Cache)
    , Extractor(*this->DeviceContext)
  {
  }

  void beginPass();
  void endPass();
  void releaseVolumes(std::uint64_t identity);
  bool extract(const Volume& volume, const Request& request, Report& report, const Progress& progress, MeshSink& sink);
  MeshDownload downloadOf(MeshLayout layout, bool isTimed)
  {
    return MeshDownload(*this->DeviceContext, this->commands(), std::move(layout), isTimed);
  }
  CommandRecorder& commands() { return this->Extractor.commands(); }
  const std::shared_ptr<Context>& context() const { return this->DeviceContext; }

private:
  class Run;

  const std::shared_ptr<Context> DeviceContext;
  const std::shared_ptr<VolumeCache> Cache;
  const Context::User User;
  VolumeCache::User Volumes;
  SlabExtractor Extractor;
  bool InPass = false;
};

// One extraction: first the arrays and brick ranges, then each slab of each isovalue. The destructor releases buffers.
class DeviceMarchingCubes::Implementation::Run
{
public:
  ~Run()
  {
    this->DeviceArrays = VolumeArrays();
    this->Owner.Extractor.endExtraction();
    if (!this->Owner.InPass)
      this->Owner.DeviceContext->endRun();
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  Run(Implementation& owner, const Volume& volume, const Request& request, Report& report, MeshSink& sink)
    : Owner(owner)
    , InputVolume(volume)
    , InputRequest(request)
    , OutputReport(report)
    , Sink(sink)
    , Outputs(outputsOf(request, volume.attributes))
  {
  }

  void restart(ContourPlan plan)
  {
    this->OutputReport = Report();
    this->OutputReport.bricks = plan.brickCount();
    this->OutputReport.slabs = plan.slabs().size();
    this->SlabPlan = std::move(plan);
    this->DeviceArrays = VolumeArrays();
    this->IsovalueIndex = 0;
    this->PointCount = 0;
    this->PendingSlabs.clear();
    this->HasHalves = false;
    this->Sink.restart();
  }

  bool isDone() const
  {
    return this->DeviceArrays.ranges && this->IsovalueIndex == this->InputRequest.isovalues.size();
  }
  double done() const; // fraction in [0, 1]

  // Does the next step: uploads the volume and builds its brick ranges, or extracts one slab.
  void advance();

  bool canHalve() const { return !this->PendingSlabs.empty() && this->PendingSlabs.back().layers > 1; }
  void halveSlab();

private:
  void beginIsovalue();

  Implementation& Owner;
  const Volume& InputVolume;
  const Request& InputRequest;
  Report& OutputReport;
  MeshSink& Sink;
  const std::vector<Output> Outputs;
  std::optional<ContourPlan> SlabPlan;
  VolumeArrays DeviceArrays;
  std::size_t IsovalueIndex = 0;
  std::optional<Threshold> CurrentThreshold; // of the current isovalue
  std::vector<Slab> PendingSlabs;            // of the current isovalue, in reverse order
  std::uint64_t PointCount = 0;              // points emitted so far
  bool HasHalves = false;                    // a slab of the plan was halved
};

// Skips isovalues without a threshold: they have no surface.
void DeviceMarchingCubes::Implementation::Run::beginIsovalue()
{
  for (; !this->isDone(); ++this->IsovalueIndex, this->Sink.endIsovalue())
  {
    this->CurrentThreshold = thresholdOf(
      this->InputRequest.isovalues[this->IsovalueIndex], this->InputVolume.type, this->InputVolume.padding.closed);
    if (!this->CurrentThreshold)
      continue;
    this->PendingSlabs.assign(this->SlabPlan->slabs().rbegin(), this->SlabPlan->slabs().rend());
    return;
  }
}

double DeviceMarchingCubes::Implementation::Run::done() const
{
  const double slabs =
    this->PendingSlabs.empty() ? 0 : double(this->PendingSlabs.back().firstLayer) / this->SlabPlan->bricks()[2];
  return (this->IsovalueIndex + slabs) / this->InputRequest.isovalues.size();
}

void DeviceMarchingCubes::Implementation::Run::advance()
{
  if (!this->DeviceArrays.ranges)
  {
    this->DeviceArrays = this->Owner.Volumes.acquire(this->InputVolume, *this->SlabPlan, this->OutputReport.stages);
    this->beginIsovalue();
    return;
  }
  const SlabExtractor::Task task{ this->InputVolume, *this->SlabPlan, this->InputRequest, this->Outputs,
    this->PendingSlabs.back(), *this->CurrentThreshold, this->PointCount };
  std::optional<DeviceMeshPart> part = this->Owner.Extractor.run(task, this->DeviceArrays, this->OutputReport.stages);
  if (part)
  {
    part->firstPoint = this->PointCount;
    part->isovalue = this->IsovalueIndex;
    const std::uint64_t points = part->pointCount, activeBricks = part->activeBricks;
    const bool isOnly =
      this->SlabPlan->slabs().size() == 1 && !this->HasHalves && this->InputRequest.isovalues.size() == 1;
    this->Sink.add(std::move(*part), isOnly, this->OutputReport.stages);
    this->PointCount += points; // only now: a part that does not arrive is extracted again
    this->OutputReport.activeBricks += activeBricks;
  }
  this->PendingSlabs.pop_back();
  if (!this->PendingSlabs.empty())
    return;
  ++this->IsovalueIndex;
  this->Sink.endIsovalue();
  this->beginIsovalue();
}

void DeviceMarchingCubes::Implementation::Run::halveSlab()
{
  const std::array<Slab, 2> halves = this->SlabPlan->split(this->PendingSlabs.back());
  this->HasHalves = true;
  this->PendingSlabs.back() = halves[1];
  this->PendingSlabs.push_back(halves[0]);
  if (!this->SlabPlan->holdsWholeArrays())
    this->DeviceArrays.arrays.clear(); // windows of the whole slab
}

// Returns false if `progress` stopped the extraction.
bool DeviceMarchingCubes::Implementation::extract(
  const Volume& volume, const Request& request, Report& report, const Progress& progress, MeshSink& sink)
{
  if (!this->InPass)
    this->DeviceContext->beginRun();
  if (!volume.hasDualCell() || request.isovalues.empty())
  {
    sink.restart();
    for (std::size_t i = 0; i < request.isovalues.size(); ++i)
      sink.endIsovalue();
    return true;
  }
  const Progress growingProgress = growing(progress);
  const DeviceLimits& limits = this->DeviceContext->device().limits();
  LimitedMemory memory(*this->DeviceContext, *this->Cache, this->Volumes, request.memoryLimit);
  const double waitedBefore = KernelCache::waitedMilliseconds();
  this->DeviceContext->kernels().makeInBackground(kernelsOf(volume, request, /*hasNan*/ false)); // during the upload
  MemoryLadder ladder(this->DeviceContext->deviceMemory().bytes() != 0);
  Run run(*this, volume, request, report, sink);
  run.restart(planOf(volume, limits, ladder.residency()));
  while (!run.isDone())
    try
    {
      if (!growingProgress(run.done()))
        return false;
      run.advance();
    }
    catch (const Error& error)
    {
      if (error.kind() != Error::Kind::OutOfMemory)
        throw;
      const bool isSlabTooLarge = dynamic_cast<const SlabTooLarge*>(&error) != nullptr;
      const MemoryLadder::Answer answer =
        ladder.afterOutOfMemory(run.canHalve(), isSlabTooLarge, sizesOf(volume, limits, request.memoryLimit));
      if (answer == MemoryLadder::Answer::Fail)
        throw;
      this->Extractor.release(); // buffers for the whole slab
      this->Extractor.forgetCapacity();
      if (answer == MemoryLadder::Answer::HalveSlab)
        run.halveSlab();
      else
      {
        run.restart(planOf(volume, limits, ladder.residency()));
        memory.freeUnused(ladder.step() != MemoryLadder::Step::Slabs);
      }
    }
  report.deviceBytes = memory.largest();
  if (const double waited = KernelCache::waitedMilliseconds() - waitedBefore; waited > 0)
    report.stages.add(Stage::MakeKernels, waited);
  return true;
}

// A pass is one run of the pools, as the meshes of its volumes exist at the same time.
void DeviceMarchingCubes::Implementation::beginPass()
{
  this->DeviceContext->beginRun();
  this->Volumes.beginCall();
  this->InPass = true;
}

void DeviceMarchingCubes::Implementation::endPass()
{
  this->Volumes.endCall();
  this->InPass = false;
  this->DeviceContext->endRun();
}

void DeviceMarchingCubes::Implementation::releaseVolumes(std::uint64_t identity)
{
  this->Volumes.release(identity);
  if (!this->InPass)
    this->DeviceContext->endRun();
}

DeviceMarchingCubes::DeviceMarchingCubes(std::shared_ptr<Context> context, std::shared_ptr<VolumeCache> volumes)
{
  translated(context->device(), [&] { this->Impl = std::make_unique<Implementation>(context, std::move(volumes)); });
}

DeviceMarchingCubes::~DeviceMarchingCubes()
{
  if (!mayUseVulkan())
    static_cast<void>(this->Impl.release()); // left to the operating system
}

void DeviceMarchingCubes::beginPass()
{
  if (mayUseVulkan())
    this->Impl->beginPass();
}

void DeviceMarchingCubes::endPass()
{
  if (mayUseVulkan())
    this->Impl->endPass();
}

void DeviceMarchingCubes::releaseVolumes(std::uint64_t identity)
{
  if (mayUseVulkan())
    this->Impl->releaseVolumes(identity);
}

namespace
{

std::array<double, 3> originOf(const Volume& volume, const Request& request)
{
  return request.omitsOrigin() ? volume.geometry.origin : std::array<double, 3>{ 0, 0, 0 };
}

}

std::optional<DeviceMesh> DeviceMarchingCubes::extract(
  const Volume& volume, const Request& request, Report& report, const Progress& progress)
{
  const HostClock clock;
  report = Report();
  DeviceMesh mesh;
  mesh.context = this->Impl->context();
  mesh.layout = layoutOf(volume, request);
  mesh.origin = originOf(volume, request);
  PartsOnDevice sink(mesh);
  const auto work = [&] { return this->Impl->extract(volume, request, report, progress, sink); };
  const bool isComplete = translated(this->Impl->context()->device(), work);
  report.device = this->Impl->context()->device().traits().name;
  report.totalMilliseconds = clock.milliseconds();
  return isComplete ? std::optional<DeviceMesh>(std::move(mesh)) : std::nullopt;
}

std::optional<Mesh> DeviceMarchingCubes::extractToHost(
  const Volume& volume, const Request& request, Report& report, const Progress& progress)
{
  const HostClock clock;
  report = Report();
  MeshDownload sink = this->Impl->downloadOf(layoutOf(volume, request), request.timeStages);
  const auto work = [&] { return this->Impl->extract(volume, request, report, progress, sink); };
  const bool isComplete = translated(this->Impl->context()->device(), work);
  report.device = this->Impl->context()->device().traits().name;
  std::optional<Mesh> mesh;
  if (isComplete)
  {
    mesh = sink.finish();
    mesh->origin = originOf(volume, request);
  }
  report.totalMilliseconds = clock.milliseconds();
  return mesh;
}

void DeviceMarchingCubes::checkDevice(const DeviceMesh& mesh) const
{
  if (mesh.context != this->Impl->context())
    throw Error(Error::Kind::Unsupported,
      "The mesh is on another device than " + this->Impl->context()->device().traits().name + " as opened here.");
}

DeviceMesh DeviceMarchingCubes::exported(DeviceMesh mesh, const Request& request, bool withIsovalues, Report& report)
{
  this->checkDevice(mesh);
  Context& context = *this->Impl->context();
  MemoryBudget::Run memory(context.budget(), limitOf(request));
  const auto work = [&]
  { return exportedMesh(this->Impl->commands(), std::move(mesh), request, withIsovalues, report.stages); };
  DeviceMesh exported = translated(context.device(), work);
  report.deviceBytes = std::max(report.deviceBytes, memory.largest());
  return exported;
}

Mesh DeviceMarchingCubes::download(DeviceMesh mesh, Report& report)
{
  this->checkDevice(mesh);
  MeshDownload sink = this->Impl->downloadOf(mesh.layout, true);
  translated(mesh.context->device(),
    [&]
    {
      for (DeviceMeshPart& part : mesh.parts)
        sink.add(std::move(part), mesh.parts.size() == 1, report.stages);
    });
  Mesh onHost = sink.finish();
  onHost.firstPoint = mesh.firstPoint;
  onHost.origin = mesh.origin;
  return onHost;
}

}
