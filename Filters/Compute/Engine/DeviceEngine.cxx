// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Engine/DeviceEngine.h"

#include "Compute/Context.h"
#include "Compute/Contour/DeviceExtraction.h"
#include "Compute/Contour/DownloadSurface.h"
#include "Compute/Contour/Parameters.h"
#include "Compute/Contour/PatchCells.h"
#include "Compute/Cpu/CountLevelsOnCpu.h"
#include "Compute/Cpu/CountOnCpu.h"
#include "Compute/Cpu/FindShareOnCpu.h"
#include "Compute/Histogram/CountOnDevice.h"
#include "Compute/Measure/DeviceMeasures.h"
#include "Compute/Measure/DeviceRegions.h"
#include "Compute/Measure/FindOpenEdges.h"
#include "Compute/Measure/MeasureMesh.h"
#include "Compute/Rays/CastOnDevice.h"
#include "Compute/Volume/VolumeCache.h"
#include "Compute/Vulkan/Instance.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace vmc
{

struct VulkanSession::State
{
  // Returns work(context), one call of the session.
  template <class Work>
  auto call(Report& report, DeviceSession::CallKind kind, const Work& work)
  {
    Context& context = *this->device.context();
    return reported(report,
      [&]
      {
        return translated(context.device(),
          [&]
          {
            report.device = context.device().traits().name;
            const DeviceSession::Call call(this->device, kind);
            return work(context);
          });
      });
  }

  template <class Extract>
  std::optional<Surface> extract(const Request& request, bool mayStay, Report& report, const Extract& extract);
  void measure(Surface& surface, const Request& request, Report& report);
  void download(Surface& surface, const Request& request, Report& report);

  DeviceSession device;
  std::shared_ptr<LevelCache> levelCache;
  // Made at the first use.
  std::optional<ExtractionState> extraction{};
  std::optional<CountBuffers> counting{};
  std::optional<RayBuffers> casting{};
  WordsOnHost words{};
  CpuState onCpu{ this->device.context()->hostMemory(), std::make_shared<BrickRangeCache>(), this->levelCache };
};

namespace
{

using CallKind = DeviceSession::CallKind;

constexpr const char* WorkOnHost = "the work of the CPU for a device";

// Makes the object from `source` if there is none.
template <class Object, class Source>
Object& madeFrom(Source& source, std::optional<Object>& object)
{
  return object ? *object : object.emplace(source);
}

}

VulkanSession::VulkanSession(
  std::shared_ptr<Context> context, std::shared_ptr<VolumeCache> volumes, std::shared_ptr<LevelCache> levels)
{
  translated(context->device(),
    [&]
    {
      this->Held = { new State{ { context, volumes }, levels ? levels : std::make_shared<LevelCache>() },
        deleteInProcess<State> };
    });
}

// Returns extract(request). A surface that is to be measured, or completed later, stays on the device for that, unless
// the device has not enough memory for all of it. mayStay: it may stay there.
template <class Extract>
std::optional<Surface> VulkanSession::State::extract(
  const Request& request, bool mayStay, Report& report, const Extract& extract)
{
  if (!request.computeMeasures && request.isFinished)
    return extract(request);
  Request onDevice = request;
  onDevice.findOpenEnds = onDevice.computeMeasures = false;
  if (request.memory == OutputMemory::Host)
  {
    onDevice.memory = OutputMemory::Device;
    onDevice.pointIsovalues = false;
  }
  try
  {
    if (std::optional<Surface> surface = mayStay && !request.nameOpenEdges ? extract(onDevice) : Surface();
        !surface || isMeasurableOnDevice(*surface, request))
    {
      if (surface && request.computeMeasures)
        translated(this->device.context()->device(), [&] { this->measure(*surface, request, report); });
      return surface;
    }
  }
  catch (const Error& error)
  {
    if (error.kind() != Error::Kind::OutOfMemory || request.memory != OutputMemory::Host)
      throw;
  }
  if (request.memory != OutputMemory::Host)
    throw Error(Error::Kind::Unsupported, "A surface of this kind is measured in host memory.");
  std::optional<Surface> surface = extract(request);
  if (surface)
    measureSurface(*surface, request, report.stages);
  return surface;
}

// Measures a surface on the device, and brings it to the memory of the request.
void VulkanSession::State::measure(Surface& surface, const Request& request, Report& report)
{
  measureOnDevice(surface, this->device.recorder(), this->words, report.stages);
  if (request.memory == OutputMemory::Host)
    this->download(surface, request, report);
}

void VulkanSession::State::download(Surface& surface, const Request& request, Report& report)
{
  downloadSurface(surface, this->device.recorder(), report.stages);
  if (request.isFinished)
    addCountedArrays(surface.meshes, request, this->device.context()->hostMemory());
}

namespace
{

// Returns whether the arrays of all volumes have the same rows.
bool haveEqualAttributes(const std::vector<Volume>& volumes)
{
  return std::all_of(volumes.begin(), volumes.end(),
    [&](const Volume& volume)
    {
      return std::equal(volume.attributes.begin(), volume.attributes.end(), volumes.front().attributes.begin(),
        volumes.front().attributes.end(),
        [](const Attribute& a, const Attribute& b) { return a.components == b.components; });
    });
}

}

// The regions of a surface on the device, or those of the same surface on the host after memory was exhausted.
class VulkanSession::Regions : public FoundRegions
{
public:
  Regions(std::shared_ptr<State> session, Surface surface, const Request& request, RegionRequest wanted)
    : Held(std::move(session))
    , Session(*this->Held)
    , InputSurface(std::move(surface))
    , InputRequest(request)
    , Wanted(std::move(wanted))
  {
  }

  void find(Report& report)
  {
    const RegionChoice& choice = this->Wanted.choice;
    const bool needsPositions = choice.needsBorder() || choice.keep == RegionChoice::Keep::Nearest;
    if (needsPositions || !this->InputRequest.mergePoints || !this->findOnDevice(report))
      this->continueOnHost(report);
  }

  void addOpenEdges(std::size_t mesh, std::size_t firstRegion, int surface, const std::array<int, 3>& origin,
    PieceRegions& piece) const override
  {
    if (!this->OnHost)
      throw Error(Error::Kind::Internal, "Open edges have no names on a device.");
    this->OnHost->addOpenEdges(mesh, firstRegion, surface, origin, piece);
  }

  Surface finish(const std::vector<ChosenRegions>& chosen, Report& report) override
  {
    Report own;
    Surface surface = this->Session.call(own, DeviceSession::CallKind::Picture,
      [&](Context&)
      {
        if (!this->OnHost && !this->finishOnDevice(chosen, own))
          this->continueOnHost(own);
        return this->OnHost ? this->OnHost->finish(chosen, own) : std::move(this->InputSurface);
      });
    report.stages.add(own.stages);
    return surface;
  }

private:
  // Returns whether work() had enough memory.
  template <class Work>
  bool tryOnDevice(const Work& work)
  {
    try
    {
      translated(this->Session.device.context()->device(), work);
      return true;
    }
    catch (const Error& error)
    {
      if (error.kind() != Error::Kind::OutOfMemory)
        throw;
      return false;
    }
  }

  bool findOnDevice(Report& report)
  {
    const bool withMeasures = this->Wanted.withMeasures || this->Wanted.choice.needsMeasures();
    return this->tryOnDevice(
      [&]
      {
        for (std::size_t i = 0; i < this->InputSurface.meshes.size(); ++i)
        {
          this->OnDevice.emplace_back();
          if (this->InputSurface.meshes[i].triangleCount != 0)
            this->OnDevice.back().emplace(
              this->InputSurface, i, withMeasures, this->Session.device.recorder(), this->Session.words, report.stages);
          this->Table.push_back(
            this->OnDevice.back() ? this->OnDevice.back()->takeTable() : std::vector<SurfaceRegion>());
        }
      });
  }

  bool finishOnDevice(const std::vector<ChosenRegions>& chosen, Report& report)
  {
    return this->tryOnDevice(
      [&]
      {
        Surface finished = vmc::finishOnDevice(this->InputSurface, this->OnDevice, this->Table, chosen,
          this->InputRequest, this->Session.device.recorder(), this->Session.words, report.stages);
        if (this->InputRequest.memory == OutputMemory::Host)
          this->Session.download(finished, this->InputRequest, report);
        this->InputSurface = std::move(finished);
      });
  }

  // The regions have the same numbers there.
  void continueOnHost(Report& report)
  {
    this->OnDevice.clear();
    const Request request = this->Wanted.extraction(this->InputRequest);
    this->Session.download(this->InputSurface, request, report);
    findOpenEnds(this->InputSurface, request);
    this->OnHost.emplace(std::move(this->InputSurface), this->InputRequest, this->Wanted,
      this->Session.device.context()->hostMemory(), report);
    this->Table = this->OnHost->table();
  }

  const std::shared_ptr<State> Held;
  State& Session;
  Surface InputSurface;
  const Request InputRequest;
  const RegionRequest Wanted;
  std::vector<std::optional<DeviceRegions>> OnDevice; // [mesh]; none without triangles
  std::optional<HostRegions> OnHost;
};

std::optional<Surface> VulkanSession::extract(
  const std::vector<Volume>& volumes, const Request& request, Report& report, const Progress& progress)
{
  return this->Held->call(report, CallKind::Run,
    [&](Context& context)
    {
      ExtractionState& state = madeFrom(context, this->Held->extraction);
      const auto extractNext = [&](const Request& next)
      {
        std::vector<ExtractionDevice> devices{ { &this->Held->device, &state } };
        std::optional<Surface> surface =
          extractOnDevices(devices, context.hostMemory(), volumes, next, report, progress);
        if (surface && request.nameOpenEdges)
          nameOpenEdges(volumes, usableThreads(request.threads), surface->meshes);
        return surface;
      };
      return this->Held->extract(request, haveEqualAttributes(volumes), report, extractNext);
    });
}

std::optional<Surface> VulkanSession::extract(
  const std::vector<Levels>& hierarchies, const Request& request, Report& report, const Progress& progress)
{
  if (request.computeCells && request.memory != OutputMemory::Host)
    throw Error(Error::Kind::Unsupported, "Cells of levels are named in host memory.");
  return this->Held->call(report, CallKind::Run,
    [&](Context& context)
    {
      ExtractionState& state = madeFrom(context, this->Held->extraction);
      const unsigned threads = usableThreads(request.threads);
      std::vector<SharedLevels> held;
      const auto acquire = [&]
      {
        held = this->Held->onCpu.hold(hierarchies, threads, report.stages);
        return this->Held->device.acquire(
          held, request.computeNormals || request.computeGradients, threads, report.stages);
      };
      const auto extractNext = [&](const Request& next)
      {
        std::optional<Surface> surface = extractOnDevice(this->Held->device, state, acquire, next, report, progress);
        for (std::size_t i = 0; surface && request.computeCells && i < hierarchies.size(); ++i)
          namePatchCells(hierarchies[i], *held[i]->bricks, context.hostMemory(), threads, surface->meshes[i]);
        for (std::size_t i = 0; surface && request.nameOpenEdges && i < hierarchies.size(); ++i)
          nameOpenEdges(hierarchies[i], *held[i]->bricks, threads, surface->meshes[i]);
        return surface;
      };
      const bool mayStay = !request.computeCells && hierarchies.size() == 1;
      std::optional<Surface> surface = this->Held->extract(request, mayStay, report, extractNext);
      this->Held->device.releaseLevels(0); // no later call recognizes these hierarchies
      return surface;
    });
}

std::unique_ptr<FoundRegions> VulkanSession::findRegions(
  Surface surface, const Request& request, const RegionRequest& wanted, Report& report)
{
  if (!surface.isOnDevice())
    return withHostMemory(WorkOnHost,
      [&]() -> std::unique_ptr<FoundRegions>
      {
        return std::make_unique<HostRegions>(
          std::move(surface), request, wanted, this->Held->device.context()->hostMemory(), report);
      });
  Report own;
  auto regions = this->Held->call(own, CallKind::Picture,
    [&](Context&)
    {
      auto found = std::make_unique<Regions>(this->Held, std::move(surface), request, wanted);
      found->find(own);
      return found;
    });
  report.stages.add(own.stages);
  return regions;
}

// Where host and device share memory, comparing the samples on the CPU takes less time than counting all their values.
std::vector<DomainShare> VulkanSession::findShares(
  const std::vector<Volume>& volumes, const std::vector<double>& isovalues, const CountLimits& limits, Report& report)
{
  if (!this->Held->device.context()->device().hasUnifiedMemory() ||
      !std::all_of(volumes.begin(), volumes.end(), hasEqualSamples))
    return Session::findShares(volumes, isovalues, limits, report);
  return withHostMemory(WorkOnHost,
    [&]
    {
      std::vector<DomainShare> shares;
      shares.reserve(volumes.size());
      for (const Volume& volume : volumes)
        shares.push_back(findShareOnCpu(nullptr, volume, isovalues, limits, report));
      return shares;
    });
}

Picture VulkanSession::cast(const Volume& volume, const RayRequest& request, Report& report)
{
  return this->Held->call(report, CallKind::Picture,
    [&](Context& context)
    {
      const RayBuffers& buffers = madeFrom(context.device(), this->Held->casting);
      return castOnDevice(this->Held->device, buffers, volume, request, report);
    });
}

std::vector<std::optional<SampleRange>> VulkanSession::findRanges(
  const std::vector<Volume>& volumes, const CountLimits& limits, Report& report)
{
  return this->Held->call(report, CallKind::Run,
    [&](Context&)
    {
      std::vector<std::optional<SampleRange>> ranges;
      for (const Volume& volume : volumes)
      {
        std::optional<SampleRange> range = findRangeOnDevice(this->Held->device, volume, limits.memoryLimit, report);
        ranges.push_back(range ? range : findRangeOnCpu(volume, limits, report));
      }
      return ranges;
    });
}

std::optional<std::vector<ValueCounts>> VulkanSession::count(const std::vector<Volume>& volumes, const Bins& bins,
  const CountLimits& limits, Report& report, const Progress& progress)
{
  return this->Held->call(report, CallKind::Run,
    [&](Context& context) -> std::optional<std::vector<ValueCounts>>
    {
      std::vector<ValueCounts> counts;
      for (const Volume& volume : volumes)
      {
        if (progress && !progress(double(counts.size()) / double(volumes.size())))
          return std::nullopt;
        const CountBuffers& buffers = madeFrom(context.device(), this->Held->counting);
        std::optional<ValueCounts> next =
          countOnDevice(this->Held->device, buffers, volume, bins, limits.memoryLimit, report);
        counts.push_back(next ? std::move(*next) : countOnCpu(volume, bins, limits, report));
        counts.back().volumes = sumVolumesOnCpu(volume, bins, limits, report);
      }
      return counts;
    });
}

std::vector<std::optional<SampleRange>> VulkanSession::findRanges(
  const std::vector<Levels>& hierarchies, const CountLimits& limits, Report& report)
{
  return reported(report,
    [&]
    {
      return withHostMemory(
        WorkOnHost, [&] { return findRangesOnCpu(this->Held->onCpu, hierarchies, limits, report); });
    });
}

std::optional<std::vector<LevelCounts>> VulkanSession::count(const std::vector<Levels>& hierarchies, const Bins& bins,
  const CountLimits& limits, Report& report, const Progress& progress)
{
  return reported(report,
    [&]
    {
      return withHostMemory(
        WorkOnHost, [&] { return countOnCpu(this->Held->onCpu, hierarchies, bins, limits, report, progress); });
    });
}

void VulkanSession::releaseVolumes(std::uint64_t identity)
{
  if (mayUseVulkan())
    this->Held->device.releaseVolumes(identity);
  this->Held->onCpu.release(identity);
}

namespace
{

std::shared_ptr<Context> openContext(const DeviceOptions& options)
try
{
  return { new Context(options), deleteInProcess<Context> };
}
catch (const vk::SystemError& error)
{
  throw Error(
    Error::Kind::NoDevice, std::string("The device cannot be opened: ") + error.what() + ".", error.code().value());
}

}

DeviceEngine::DeviceEngine(const DeviceOptions& options)
  : DeviceEngine(openContext(options))
{
}

DeviceEngine::DeviceEngine(std::shared_ptr<Context> context)
  : DeviceContext(std::move(context))
  , Cache(std::make_shared<VolumeCache>(this->DeviceContext))
  , Hierarchies(std::make_shared<LevelCache>())
{
}

const std::string& DeviceEngine::deviceName() const
{
  return this->DeviceContext->device().traits().name;
}

std::unique_ptr<Session> DeviceEngine::makeSession()
{
  return translated(this->DeviceContext->device(),
    [&]() -> std::unique_ptr<Session>
    { return std::make_unique<VulkanSession>(this->DeviceContext, this->Cache, this->Hierarchies); });
}

HostMemoryPool& DeviceEngine::hostMemory()
{
  return this->DeviceContext->hostMemory();
}

void DeviceEngine::makeKernels(const Volume& example, const Request& request)
{
  this->DeviceContext->kernels().makeInBackground(kernelsOf(example, request, /*hasNan*/ false));
}

}
