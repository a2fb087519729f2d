// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Engine/DeviceEngine.h"

#include "Compute/Context.h"
#include "Compute/Contour/DeviceExtraction.h"
#include "Compute/Contour/Parameters.h"
#include "Compute/Contour/PatchCells.h"
#include "Compute/Cpu/CountLevelsOnCpu.h"
#include "Compute/Cpu/CountOnCpu.h"
#include "Compute/Histogram/CountOnDevice.h"
#include "Compute/Measure/FindOpenEdges.h"
#include "Compute/Measure/MeasureMesh.h"
#include "Compute/Rays/CastOnDevice.h"
#include "Compute/Volume/LevelArrays.h"
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
        report.device = context.device().traits().name;
        return translated(context.device(),
          [&]
          {
            const DeviceSession::Call call(this->device, kind);
            return work(context);
          });
      });
  }

  // Returns the arrays of hierarchies, and holds them in place of those of the last call. Uploads what is missing.
  std::vector<std::shared_ptr<const LevelArrays>> hold(
    const std::vector<Levels>& hierarchies, const Request& request, Report& report);

  // Releases the arrays of the hierarchies with an array of this identity.
  void releaseLevels(std::uint64_t identity)
  {
    this->levels.erase(std::remove_if(this->levels.begin(), this->levels.end(),
                         [=](const HeldArrays& held) { return held.source->hasIdentity(identity); }),
      this->levels.end());
  }

  // A hierarchy that the session holds.
  struct HeldArrays
  {
    SharedLevels source;
    std::shared_ptr<LevelArrays> arrays;
  };

  DeviceSession device;
  std::shared_ptr<LevelCache> levelCache;
  std::vector<HeldArrays> levels{}; // of the last call
  // Made at the first use.
  std::optional<ExtractionState> extraction{};
  std::optional<CountBuffers> counting{};
  std::optional<RayBuffers> casting{};
  CpuState onCpu{ this->device.context()->hostMemory(), std::make_shared<BrickRangeCache>(), this->levelCache };
};

namespace
{

using CallKind = DeviceSession::CallKind;

// Makes the object from `source` if there is none.
template <class Object, class Source>
Object& madeFrom(Source& source, std::optional<Object>& object)
{
  return object ? *object : object.emplace(source);
}

// A context that ends with the process, or in a process that fork() made, is left to the operating system.
void deleteContext(Context* context)
{
  if (mayUseVulkan())
    delete context;
}

}

std::vector<std::shared_ptr<const LevelArrays>> VulkanSession::State::hold(
  const std::vector<Levels>& hierarchies, const Request& request, Report& report)
{
  const unsigned threads = usableThreads(request.threads);
  const std::vector<SharedLevels> sources = this->onCpu.hold(hierarchies, threads, report.stages);
  const auto isUnused = [&](const HeldArrays& held)
  {
    return std::none_of(sources.begin(), sources.end(),
      [&](const SharedLevels& source) { return source->bricks == held.arrays->bricks; });
  };
  this->levels.erase(std::remove_if(this->levels.begin(), this->levels.end(), isUnused), this->levels.end());
  std::vector<HeldArrays> all;
  for (const SharedLevels& source : sources)
  {
    const HostClock clock;
    const auto isOf = [&](const HeldArrays& held) { return held.arrays->bricks == source->bricks; };
    const auto found = std::find_if(this->levels.begin(), this->levels.end(), isOf);
    bool uploads = found == this->levels.end();
    all.push_back(
      { source, uploads ? std::make_shared<LevelArrays>(*this->device.context(), source->bricks) : found->arrays });
    if (request.computeNormals || request.computeGradients)
      uploads |= all.back().arrays->addSlopes(*this->device.context(), threads);
    uploads |= all.back().arrays->setAttributes(*this->device.context(), source->attributes);
    if (uploads)
      report.stages.add(Stage::Upload, clock.milliseconds());
  }
  this->levels = std::move(all);
  std::vector<std::shared_ptr<const LevelArrays>> arrays;
  for (const HeldArrays& held : this->levels)
    arrays.push_back(held.arrays);
  return arrays;
}

VulkanSession::VulkanSession(
  std::shared_ptr<Context> context, std::shared_ptr<VolumeCache> volumes, std::shared_ptr<LevelCache> levels)
{
  translated(context->device(),
    [&] {
      this->Held.reset(new State{ { context, volumes }, levels ? levels : std::make_shared<LevelCache>() });
    });
}

VulkanSession::~VulkanSession()
{
  if (!mayUseVulkan())
    static_cast<void>(this->Held.release());
}

namespace
{

// Measures surfaces in host memory.
void measure(std::optional<Surface>& surface, const Request& request, Report& report)
{
  if (!surface || !request.needsOpenEnds())
    return;
  const HostClock clock;
  const unsigned threads = usableThreads(request.threads);
  for (Mesh& mesh : surface->meshes)
  {
    mesh.openEnds = request.nameOpenEdges ? endsOf(mesh.openEdges) : findOpenEnds(mesh, threads);
    if (request.computeMeasures)
      measureMesh(mesh, threads);
  }
  report.stages.add(Stage::MeasureSurface, clock.milliseconds());
}

}

std::optional<Surface> VulkanSession::extract(
  const std::vector<Volume>& volumes, const Request& request, Report& report, const Progress& progress)
{
  return this->Held->call(report, CallKind::Run,
    [&](Context& context)
    {
      ExtractionState& state = madeFrom(context, this->Held->extraction);
      std::optional<Surface> surface = extractOnDevice(this->Held->device, state, volumes, request, report, progress);
      for (std::size_t i = 0; surface && request.nameOpenEdges && i < volumes.size(); ++i)
        nameOpenEdges(volumes[i], usableThreads(request.threads), surface->meshes[i]);
      measure(surface, request, report);
      return surface;
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
      const auto acquire = [&] { return this->Held->hold(hierarchies, request, report); };
      std::optional<Surface> surface = extractOnDevice(this->Held->device, state, acquire, request, report, progress);
      for (std::size_t i = 0; surface && request.computeCells && i < hierarchies.size(); ++i)
        namePatchCells(hierarchies[i], *this->Held->levels[i].source->bricks, context.hostMemory(),
          usableThreads(request.threads), surface->meshes[i]);
      for (std::size_t i = 0; surface && request.nameOpenEdges && i < hierarchies.size(); ++i)
        nameOpenEdges(
          hierarchies[i], *this->Held->levels[i].source->bricks, usableThreads(request.threads), surface->meshes[i]);
      this->Held->releaseLevels(0); // no later call recognizes these hierarchies
      measure(surface, request, report);
      return surface;
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
  return reported(report, [&] { return findRangesOnCpu(this->Held->onCpu, hierarchies, limits, report); });
}

std::optional<std::vector<LevelCounts>> VulkanSession::count(const std::vector<Levels>& hierarchies, const Bins& bins,
  const CountLimits& limits, Report& report, const Progress& progress)
{
  return reported(report, [&] { return countOnCpu(this->Held->onCpu, hierarchies, bins, limits, report, progress); });
}

void VulkanSession::releaseVolumes(std::uint64_t identity)
{
  if (mayUseVulkan())
    this->Held->device.releaseVolumes(identity);
  this->Held->onCpu.release(identity);
  if (mayUseVulkan())
    this->Held->releaseLevels(identity);
}

DeviceEngine::DeviceEngine(const DeviceOptions& options)
  : DeviceContext(new Context(options), deleteContext)
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
  return std::make_unique<VulkanSession>(this->DeviceContext, this->Cache, this->Hierarchies);
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
