// Times the compute core, without VTK. Every surface is compared with a count on the host before it is timed.
//
// Rows: "probe/..." (Probes.h) and, for each case of Cases.h,
//   CASE/again    another extraction of the volume, which is on the device already; the mesh stays there
//   CASE/first    an extraction of samples that are not on the device yet; the mesh is brought to the host
//   CASE/memory   device memory; its time means nothing
// The time of a row is the host's clock around the call. Counters "ms ..." are the stages of the report: kernels by the
// device's clock.
#include "Compute/Devices.h"
#include "Compute/System/Error.h"
#include "Compute/Vulkan/Device.h"
#include "CountedSurface.h"
#include "Extraction.h"
#include "Probes.h"
#include "Program.h"

#include <iostream>
#include <limits>
#include <memory>
#include <utility>

namespace
{

using namespace vmc;
using namespace vmc::benchmarks;

// A case on the device, verified and warmed up.
class Session
{
public:
  Session(const Case& which, const std::shared_ptr<Device>& device)
    : Which(which)
    , Backend(device)
    , Samples(samplesOf(which))
    , Surface(countSurface(this->Samples, which.isovalue))
    , Input(this->Samples.volume())
  {
    this->Input.identity = ++LastIdentity;
    if (which.expected)
      requireEqual(which.name + ", counted on the host", this->Surface.counts, *which.expected);
    warmUp([this] { return this->extract(MeshPlace::Device).milliseconds; });
  }

  double again(benchmark::State& state) { return this->tell(state, this->extract(MeshPlace::Device)); }

  double first(benchmark::State& state)
  {
    this->Input.identity = ++LastIdentity;
    return this->tell(state, this->extract(MeshPlace::Host));
  }

  // By what the device memory grows: with an isovalue that meets no brick, and then with this one. The second of two
  // equal extractions does not see what the upload took for a while.
  double measureMemory(benchmark::State& state) const
  {
    constexpr double Nowhere = 1e30;
    MarchingCubes backend(this->Backend.device());
    const auto reportOf = [&](double isovalue)
    {
      benchmarks::extract(backend, this->Input, isovalue, MeshPlace::Device);
      return benchmarks::extract(backend, this->Input, isovalue, MeshPlace::Device).report;
    };
    const Report empty = reportOf(Nowhere), full = reportOf(this->Which.isovalue);
    const double samples = double(this->Samples.bytes.size());
    const double mesh = double(meshBytesOnDevice(*this->Backend.device(), this->Surface.counts));
    state.counters["device_bytes"] = double(full.deviceBytes);
    state.counters["mesh_bytes"] = mesh;
    state.counters["bytes_per_brick"] = (double(empty.deviceBytes) - samples) / double(empty.bricks);
    state.counters["bytes_per_active_brick"] =
      (double(full.deviceBytes) - mesh - double(empty.deviceBytes)) / double(full.activeBricks);
    this->describe(state, full);
    return full.totalMilliseconds;
  }

private:
  Extraction extract(MeshPlace place)
  {
    Extraction made = benchmarks::extract(this->Backend, this->Input, this->Which.isovalue, place);
    requireEqual(this->Which.name, made.counts, this->Surface.counts);
    return made;
  }

  double tell(benchmark::State& state, const Extraction& made) const
  {
    this->describe(state, made.report);
    for (const StageTime& stage : made.report.stages)
      state.counters["ms " + stage.name] = stage.milliseconds;
    return made.milliseconds;
  }

  void describe(benchmark::State& state, const Report& report) const
  {
    state.counters["samples"] = double(this->Samples.count());
    state.counters["sample_bytes"] = double(bytesOf(this->Samples.type));
    state.counters["points"] = double(this->Surface.counts.points);
    state.counters["triangles"] = double(this->Surface.counts.triangles);
    state.counters["active_percent"] = this->Surface.activePercent;
    state.counters["bricks"] = double(report.bricks);
    state.counters["active_bricks"] = double(report.activeBricks);
    state.counters["slabs"] = double(report.slabs);
  }

  static inline std::uint64_t LastIdentity = 0;

  const Case Which;
  MarchingCubes Backend;
  const test::Samples& Samples;
  CountedSurface Surface;
  Volume Input;
};

// One session at a time: the rows of a case follow each other.
class Sessions
{
public:
  explicit Sessions(std::shared_ptr<Device> device)
    : Owner(std::move(device))
  {
  }

  Session& of(const Case& which)
  {
    if (this->Name != which.name)
    {
      this->Current.reset();
      this->Name.clear();
      this->Current = std::make_unique<Session>(which, this->Owner);
      this->Name = which.name;
    }
    return *this->Current;
  }

private:
  std::shared_ptr<Device> Owner;
  std::string Name;
  std::unique_ptr<Session> Current;
};

void addCase(const Case& which, const std::shared_ptr<Sessions>& sessions, int repetitions)
{
  addRow(which.name + "/again", repetitions,
    [which, sessions](benchmark::State& state) { return sessions->of(which).again(state); });
  addRow(which.name + "/first", repetitions,
    [which, sessions](benchmark::State& state) { return sessions->of(which).first(state); });
  if (which.type == SampleType::Float32) // a float isovalue may be far above every sample
    addRow(which.name + "/memory", 1,
      [which, sessions](benchmark::State& state) { return sessions->of(which).measureMemory(state); });
}

}

int main(int argc, char** argv)
{
  try
  {
    const std::shared_ptr<Device> device = sharedDevice();
    return runProgram(argc, argv, *device,
      [&](const Options& options, const Selection& selection)
      {
        leaveOut(selection.leftOut);
        addProbes(device, options.repetitions);
        const auto sessions = std::make_shared<Sessions>(device);
        for (const Case& which : selection.cases)
          addCase(which, sessions, options.repetitions);
      });
  }
  catch (const Error& error)
  {
    std::cerr << error.what() << std::endl;
    return 1;
  }
}
