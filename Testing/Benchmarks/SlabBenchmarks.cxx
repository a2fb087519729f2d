// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Times volumes that exceed a binding, the memory, or one device, without VTK. Each surface is compared with the count
// of the CPU, and the first one with the bytes of the whole volume's on one device. The volumes are gyroids:
// 1024^3 samples of float, with software Vulkan 256^3, and with --largest=2048 also 2048^3 of 8 bits; and as a whole on
// one device only, 2048^3 of float.
//
// Rows, whose time is that of the first of both things, with a counter for the other one, in milliseconds. A row runs
// them in turn; the mesh is written to host memory.
//   again in N slabs     another isovalue in slabs, which all stay on the device; counter "one slab". The bindings of
//                        the device are limited so that the samples of one slab just fit. In one row, each layer of
//                        bricks is a slab
//   first in windows     the first surface with memory for a third of the samples; counters "whole" without that limit,
//                        and its "upload" and "download" alone
//   again in windows     another isovalue; counter "whole"
//   first on N devices,  with all GPUs, or with software Vulkan that is opened twice; counter "one device"
//   again on N devices
//   first, again         on one device; counters "upload" and "download" of the first surface
#include "Cases.h"
#include "Compute/Context.h"
#include "Compute/Engine/AllGpus.h"
#include "Compute/Engine/DeviceEngine.h"
#include "Compute/System/Stage.h"
#include "Compute/System/Threads.h"
#include "Compute/Volume/VolumeArrays.h"
#include "Program.h"
#include "Support/SharedDevice.h"

#include <algorithm>
#include <functional>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace
{

using namespace vmc;
using namespace vmc::benchmarks;

Case gyroid(std::uint32_t size, SampleType type)
{
  Case which;
  which.size = size;
  which.type = type;
  which.period = size / 4.0;
  which.isovalue = type == SampleType::UInt8 ? 128 : 0;
  which.name = std::to_string(size) + "^3 " + test::nameOf(type) + " P=" + std::to_string(size / 4);
  return which;
}

std::vector<Case> casesFor(const Options& options)
{
  std::vector<Case> cases{ gyroid(
    std::min(options.isSoftware ? 256u : 1024u, options.largestSize), SampleType::Float32) };
  if (options.largestSize >= 2048)
    cases.push_back(gyroid(2048, SampleType::UInt8));
  return cases;
}

std::uint32_t layersOfBricks(const Case& which)
{
  return BRICKS_ALONG(which.size);
}

// Bytes that a binding needs for the samples of a slab: those of its layers of bricks, and of three layers of samples
// around them.
std::uint64_t bindingBytes(const Case& which, std::uint32_t slabs)
{
  const std::uint64_t layers = BRICK_SIZE * std::uint64_t(layersOfBricks(which) / slabs) + 3;
  return (layers * which.size * which.size + 64) * bytesOf(which.type);
}

// The surface of the CPU.
Counts countsOf(const Case& which, const test::Samples& samples)
{
  Request request;
  request.isovalues = { which.isovalue };
  Report report;
  const std::optional<Surface> surface =
    Engine::shared(CpuName)->makeSession()->extract({ samples.volume() }, request, report);
  return { surface->meshes.front().pointCount, surface->meshes.front().triangleCount };
}

// Extracts the case with a session of its own.
class TimedCase
{
public:
  TimedCase(const Case& which, std::shared_ptr<const test::Samples> samples, const Counts& expected,
    std::shared_ptr<Engine> engine, std::uint64_t memoryLimit = 0)
    : InputSamples(std::move(samples))
    , Input(this->InputSamples->volume())
    , Expected(expected)
    , OwnEngine(std::move(engine))
    , OwnSession(this->OwnEngine->makeSession())
  {
    this->Surfaces.isovalues = { which.isovalue };
    this->Surfaces.memoryLimit = memoryLimit;
    this->Input.identity = newIdentity();
    const std::optional<Surface> surface = this->OwnSession->extract({ this->Input }, this->Surfaces, this->LastReport);
    this->Hash = hashOf(surface->meshes.front());
    warmUp([this] { return this->again(); });
  }

  // Uploads the volume, because it has not been seen before.
  double first()
  {
    this->Input.identity = newIdentity();
    return this->again();
  }

  double again()
  {
    const HostClock clock;
    const std::optional<Surface> surface = this->OwnSession->extract({ this->Input }, this->Surfaces, this->LastReport);
    const double elapsed = clock.milliseconds();
    const Mesh& mesh = surface->meshes.front();
    requireEqual("the surface", { mesh.pointCount, mesh.triangleCount }, this->Expected);
    return elapsed;
  }

  const Report& report() const { return this->LastReport; }

  // Throws if the first surface did not have these bytes.
  void requireBytesOf(const TimedCase& other) const
  {
    if (this->Hash != other.Hash)
      throw std::runtime_error("The surface of " + this->LastReport.device + " has other bytes.");
  }

private:
  static std::uint64_t newIdentity()
  {
    static std::uint64_t identity = 0;
    return ++identity;
  }

  static std::size_t hashOf(const Mesh& mesh)
  {
    std::size_t hash = 0;
    for (const HostBlock* const block : { &mesh.positions, &mesh.normals, &mesh.triangles })
      hash = 31 * hash + std::hash<std::string_view>()({ reinterpret_cast<const char*>(block->data()), block->size() });
    return hash;
  }

  const std::shared_ptr<const test::Samples> InputSamples;
  Volume Input;
  Request Surfaces;
  const Counts Expected;
  std::size_t Hash = 0;
  Report LastReport;
  const std::shared_ptr<Engine> OwnEngine;
  const std::unique_ptr<Session> OwnSession;
};

std::shared_ptr<Engine> open(const DeviceLimits& limits = {})
{
  DeviceOptions options;
  options.name = test::sharedDevice()->deviceName();
  options.limits = limits;
  return std::make_shared<DeviceEngine>(options);
}

// All GPUs; without one, software Vulkan that is opened twice.
std::shared_ptr<Engine> openAll(bool isSoftware)
{
  if (!isSoftware)
    return Engine::shared(AllGpusName);
  std::vector<std::shared_ptr<DeviceEngine>> devices;
  for (int i = 0; i < 2; ++i)
    devices.push_back(std::dynamic_pointer_cast<DeviceEngine>(open()));
  return std::make_shared<AllGpusEngine>(devices, "");
}

// A row that times `many` and, as a counter, `one`.
void addComparison(const std::string& name, const Options& options, const std::string& otherName,
  const std::function<double()>& many, const std::function<double()>& one)
{
  addRow(name, options.repetitions,
    [=](benchmark::State& state)
    {
      state.counters[otherName] = one();
      return many();
    });
}

void addTransfers(benchmark::State& state, const Report& report)
{
  state.counters["upload"] = report.milliseconds(Stage::Upload);
  state.counters["download"] = report.milliseconds(Stage::Download);
}

void addRowsOf(const Case& which, const Options& options)
{
  const auto samples = std::make_shared<const test::Samples>(samplesOf(which)); // those of the next case replace them
  const Counts expected = countsOf(which, *samples);
  const auto whole = std::make_shared<TimedCase>(which, samples, expected, open());
  for (const std::uint32_t slabs : { 4u, 16u, layersOfBricks(which) })
  {
    DeviceLimits limits;
    limits.maxBindingBytes = bindingBytes(which, slabs);
    if (const std::uint64_t ranges = planOf(samples->volume(), {}).rangeBytes(); limits.maxBindingBytes < ranges)
    {
      leaveOut({ which.name + " in " + std::to_string(slabs) + " slabs: the ranges of all bricks need a binding of " +
                 std::to_string(ranges) + " bytes" });
      continue;
    }
    const auto many = std::make_shared<TimedCase>(which, samples, expected, open(limits));
    many->requireBytesOf(*whole);
    if (many->report().slabs < slabs)
      throw std::runtime_error("The volume has only " + std::to_string(many->report().slabs) + " slabs.");
    addComparison(
      which.name + "/again in " + std::to_string(slabs) + " slabs", options, "one slab", [=] { return many->again(); },
      [=] { return whole->again(); });
  }
  const std::uint64_t limit = which.sampleCount() * bytesOf(which.type) / 3;
  const auto windows = std::make_shared<TimedCase>(which, samples, expected, open(), limit);
  windows->requireBytesOf(*whole);
  addRow(which.name + "/first in windows", options.repetitions,
    [=](benchmark::State& state)
    {
      state.counters["whole"] = whole->first();
      addTransfers(state, whole->report());
      return windows->first();
    });
  addComparison(
    which.name + "/again in windows", options, "whole", [=] { return windows->again(); },
    [=] { return whole->again(); });
  const auto all = std::make_shared<TimedCase>(which, samples, expected, openAll(options.isSoftware));
  all->requireBytesOf(*whole);
  const std::string onAll = " on " + all->report().device;
  addComparison(
    which.name + "/first" + onAll, options, "one device", [=] { return all->first(); }, [=] { return whole->first(); });
  addComparison(
    which.name + "/again" + onAll, options, "one device", [=] { return all->again(); }, [=] { return whole->again(); });
}

void addRowsOfWhole(const Case& which, const Options& options)
{
  // It is the last case: no other one replaces its samples.
  const std::shared_ptr<const test::Samples> samples(&samplesOf(which), [](const test::Samples*) {});
  const auto whole = std::make_shared<TimedCase>(which, samples, countsOf(which, *samples), open());
  addRow(which.name + "/first", options.repetitions,
    [=](benchmark::State& state)
    {
      const double elapsed = whole->first();
      addTransfers(state, whole->report());
      return elapsed;
    });
  addRow(which.name + "/again", options.repetitions, [=](benchmark::State&) { return whole->again(); });
}

void addRows(const Options& options)
{
  for (const Case& which : casesFor(options))
    addRowsOf(which, options);
  if (options.largestSize >= 2048)
    addRowsOfWhole(gyroid(2048, SampleType::Float32), options);
}

}

int main(int argc, char** argv)
{
  try
  {
    const std::shared_ptr<DeviceEngine> engine = test::sharedDevice();
    if (!engine)
      throw std::runtime_error("These benchmarks need a Vulkan device, not the CPU.");
    return runProgram(argc, argv, *engine, addRows);
  }
  catch (const std::exception& error)
  {
    std::cerr << error.what() << std::endl;
    return 1;
  }
}
