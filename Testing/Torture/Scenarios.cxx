// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Scenarios.h"

#include "Compute/Contour/Outputs.h"
#include "Compute/Cpu/BrickRangeCache.h"
#include "Compute/Engine/AllGpus.h"
#include "Compute/Engine/CpuEngine.h"
#include "Compute/Engine/DeviceEngine.h"
#include "Compute/System/Error.h"
#include "Compute/Volume/LevelCache.h"
#include "Compute/Vulkan/Device.h"
#include "HostFaults.h"
#include "Support/AnalyticVolumes.h"
#include "Support/LevelViews.h"
#include "Support/RandomLevels.h"

#include <cmath>
#include <cstring>
#include <utility>

namespace vmc::torture
{

namespace
{

using test::sample;
using test::Samples;

// The volumes of the scenarios.
struct Inputs
{
  Samples gyroid = sample(test::gyroid(13), { 20, 24, 40 });
  Samples bytes = test::sampleNoise({ 17, 12, 20 }, SampleType::UInt8, 3);
  Samples words = test::sampleNoise({ 9, 18, 10 }, SampleType::Int64, 4);
  Samples sphere = sample(test::sphere({ 8, 8, 8 }, 5), { 16, 16, 16 });
  test::RandomLevels hierarchy = test::randomLevels(6);
  std::vector<std::uint8_t> flags = std::vector<std::uint8_t>(std::size_t(this->gyroid.count()), 0);

  Inputs()
  {
    for (std::size_t i = 0; i < this->flags.size(); i += 97)
      this->flags[i] = i % 2 == 0 ? Ghost::Blank : Ghost::NotOwned;
  }
};

const Inputs& inputs()
{
  static const Inputs* const all = new Inputs;
  return *all;
}

Request requestOf(std::vector<double> isovalues)
{
  Request request;
  request.isovalues = std::move(isovalues);
  return request;
}

// The results of an extraction.
Results resultsOf(const std::optional<Surface>& surface)
{
  const HostFaults::Pause pause;
  Results results;
  for (const Mesh& mesh : surface->meshes)
    results.add(mesh);
  return results;
}

// A scenario that extracts surfaces. input: volumes or hierarchies of levels.
template <class Input>
Scenario extraction(const std::string& name, const std::vector<Input>& input, const Request& request)
{
  const auto run = [=](Session& session)
  {
    Report report;
    return resultsOf(session.extract(input, request, report));
  };
  return { name, run };
}

Scenario attributes()
{
  Volume volume = inputs().gyroid.volume();
  volume.attributes = { { volume.samples, SampleType::Float32, 1 }, { inputs().flags.data(), SampleType::UInt8, 1 } };
  volume.ghosts = inputs().flags.data();
  volume.identity = 1;
  Request request = requestOf({ 0.1 });
  request.computeGradients = request.computeCells = request.pointIsovalues = request.nameOpenEdges = true;
  return extraction("attributes", std::vector<Volume>{ volume }, request);
}

Scenario slabs(bool isShared)
{
  Request request = requestOf({ 0.1, -0.4, 0.6 });
  request.memoryLimit = isShared ? 0 : 250000;
  Scenario scenario = extraction("slabs", std::vector<Volume>{ inputs().gyroid.volume() }, request);
  if (isShared)
    scenario.name = "shares";
  scenario.isShared = isShared;
  return scenario;
}

Scenario list()
{
  const std::vector<Volume> volumes = { inputs().bytes.volume(), inputs().words.volume(), inputs().sphere.volume() };
  Request request = requestOf({ 0.5, 100.5 });
  request.mergePoints = false;
  return extraction("list", volumes, request);
}

Scenario levels()
{
  Request request = requestOf({ inputs().hierarchy.isovalue });
  request.computeCells = true;
  return extraction("levels", std::vector<Levels>{ test::viewOf(inputs().hierarchy.levels) }, request);
}

Scenario regions()
{
  Request request = requestOf({ 200, 230 });
  request.computeRegions = request.computeMeasures = true;
  RegionRequest wanted;
  wanted.withMeasures = true;
  wanted.outputs = { outputsOf(request.unfinished(), {}) };
  wanted.borders.resize(1);
  const std::vector<Volume> volumes = { inputs().bytes.volume() };
  const Request extracted = wanted.extraction(request);
  const auto run = [=](Session& session)
  {
    Report report;
    std::optional<Surface> surface = session.extract(volumes, extracted, report);
    const std::unique_ptr<FoundRegions> found = session.findRegions(std::move(*surface), request, wanted, report);
    std::vector<ChosenRegions> chosen(1);
    Results results;
    {
      const HostFaults::Pause pause;
      for (const SurfaceRegion& region : found->table().front())
      {
        results.add(region.measures);
        chosen[0].isKept.push_back(results.numbers.size() % 3 == 0 ? 0 : 1);
      }
      chosen[0].rank = ranksOf(found->table().front(), chosen[0].isKept);
    }
    const Surface kept = found->finish(chosen, report);
    const HostFaults::Pause pause;
    results.add(kept.meshes.front());
    return results;
  };
  return { "regions", run };
}

Scenario rays()
{
  RayRequest request;
  request.isovalues = { 0.1, -0.4 };
  request.camera.width = 40;
  request.camera.height = 30;
  request.camera.worldToClip = { { { 0.09, 0, 0, -1 }, { 0, 0.08, 0, -1 }, { 0, 0, 0.045, -1 }, { 0, 0, 0, 1 } } };
  const Volume volume = inputs().gyroid.volume();
  const auto run = [=](Session& session)
  {
    Report report;
    const Picture picture = session.cast(volume, request, report);
    const HostFaults::Pause pause;
    Results results;
    results.add(picture.onHost.block());
    return results;
  };
  return { "rays", run };
}

Scenario histogram()
{
  const std::vector<Volume> volumes = { inputs().gyroid.volume(), inputs().bytes.volume(), inputs().words.volume() };
  const auto run = [=](Session& session)
  {
    Report report;
    const auto ranges = session.findRanges(volumes, {}, report);
    const auto counts = session.count(volumes, { -1, 256, 64 }, {}, report);
    const std::vector<DomainShare> shares = session.findShares(volumes, { 0.1, 100 }, {}, report);
    const HostFaults::Pause pause;
    Results results;
    for (std::size_t i = 0; i < volumes.size(); ++i)
    {
      results.add(std::vector<double>{ ranges[i]->smallest, ranges[i]->largest });
      results.add((*counts)[i].samples);
      results.add((*counts)[i].cutCells);
      for (const double above : shares[i].above)
        results.add(above);
    }
    return results;
  };
  return { "histogram", run };
}

}

void Results::add(const HostBlock& block)
{
  this->bytes += std::to_string(block.size()) + ":";
  if (block.size() == 0)
    return;
  this->bytes.append(reinterpret_cast<const char*>(block.data()), block.size());
  std::memset(block.data(), 0xA5, block.size()); // a later result that nobody writes here must not look right
}

void Results::add(const Mesh& mesh)
{
  this->add(std::vector<std::size_t>{ mesh.pointCount, mesh.triangleCount });
  for (const HostBlock* block :
    { &mesh.positions, &mesh.positionsLow, &mesh.normals, &mesh.gradients, &mesh.triangleCells, &mesh.trianglePatches,
      &mesh.triangles, &mesh.offsets, &mesh.isovalues, &mesh.pointRegions, &mesh.triangleRegions })
    this->add(*block);
  for (const HostBlock& attribute : mesh.attributes)
    this->add(attribute);
  this->add(mesh.firstPoint);
  this->add(mesh.firstTriangle);
  this->add(mesh.openEdges.points);
  this->add(mesh.openEdges.edges);
  for (const SurfaceMeasures& measures : mesh.measures)
    this->add(measures);
}

void Results::add(const SurfaceMeasures& measures)
{
  this->add(double(measures.triangles));
  this->add(double(measures.openEdges));
  this->add(measures.area);
}

bool Results::equals(const Results& other) const
{
  bool areEqual = this->bytes == other.bytes && this->numbers.size() == other.numbers.size();
  for (std::size_t i = 0; areEqual && i < this->numbers.size(); ++i)
    areEqual = std::abs(this->numbers[i] - other.numbers[i]) <= 1e-6 * std::abs(other.numbers[i]);
  return areEqual;
}

const std::vector<Scenario>& scenarios()
{
  static const auto* const all =
    new std::vector<Scenario>{ extraction("image", std::vector<Volume>{ inputs().sphere.volume() }, requestOf({ 0 })),
      attributes(), slabs(false), list(), levels(), regions(), rays(), histogram(), slabs(true) };
  return *all;
}

const char* nameOf(Setup setup)
{
  constexpr const char* Names[] = { "unified", "copied", "discrete", "staged", "two", "cpu" };
  return Names[static_cast<std::size_t>(setup)];
}

namespace
{

// The CPU's engine without what earlier scenarios have left in its caches.
class NewCpuEngine : public Engine
{
public:
  const std::string& deviceName() const override { return Engine::shared("CPU")->deviceName(); }
  std::unique_ptr<Session> makeSession() override
  {
    const HostFaults::Pause pause;
    return std::make_unique<CpuSession>(
      this->Memory, std::make_shared<BrickRangeCache>(), std::make_shared<LevelCache>());
  }
  HostMemoryPool& hostMemory() override { return this->Memory; }
  void makeKernels(const Volume&, const Request&) override {}

private:
  HostMemoryPool Memory{ /*isForDevices*/ false };
};

std::shared_ptr<Engine> openEngine(Setup setup)
{
  if (setup == Setup::Cpu)
    return std::make_shared<NewCpuEngine>();
  DeviceOptions options;
  options.isDiscrete = setup != Setup::Unified && setup != Setup::Copied;
  options.features.hostImports = setup == Setup::Unified || setup == Setup::Discrete;
  if (setup != Setup::TwoDevices)
    return std::make_shared<DeviceEngine>(options);
  auto first = std::make_shared<DeviceEngine>(options), second = std::make_shared<DeviceEngine>(options);
  return std::make_shared<AllGpusEngine>(
    std::vector<std::shared_ptr<DeviceEngine>>{ std::move(first), std::move(second) }, "");
}

}

std::shared_ptr<Engine> open(Setup setup)
{
  return withHostMemory("opening an engine", [&] { return openEngine(setup); });
}

}
