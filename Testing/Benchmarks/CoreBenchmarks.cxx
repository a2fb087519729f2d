// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Times the compute core, without VTK. Every surface is compared with a count on the host before it is timed.
//
// Rows: "probe/..." (Probes.h) and, for each case of Cases.h,
//   CASE/again    another extraction of the volume, which is on the device already; the mesh stays on the device
//   CASE/first    an extraction of samples that are not on the device yet; the mesh is downloaded to the host
//   CASE/histogram  range and histogram of the volume, which is on the device already; there the range is known
//   CASE/rays     a picture of 1920 x 1080 by rays, of the volume that is on the device already; the picture is
//                 downloaded to the host
//   CASE/rays by packets  the same picture by another algorithm, see CastPackets.comp; if the volume is in one slab
//   CASE/again CPU, CASE/first CPU, CASE/histogram CPU, CASE/rays CPU  the same on all processors, without Vulkan; the
//                 mesh is always on the host
//   CASE/memory   device memory; the time of this row has no meaning
// The time of a row is the time of the call by the host's clock. Counters "ms ..." are the timed stages of the report;
// kernels are timed by the device's clock.
#include "Compute/Context.h"
#include "Compute/Cpu/CountOnCpu.h"
#include "Compute/Engine.h"
#include "Compute/Session.h"
#include "Compute/System/Error.h"
#include "Compute/System/Stage.h"
#include "Compute/Vulkan/Device.h"
#include "CountedSurface.h"
#include "Extraction.h"
#include "Packets.h"
#include "Probes.h"
#include "Program.h"
#include "Support/SharedDevice.h"
#include "Support/View.h"
#include "Threads.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace
{

using namespace vmc;
using namespace vmc::benchmarks;

// A case, on the device and on the CPU. The constructor verifies the surface and warms up the device.
class TimedCase
{
public:
  TimedCase(const Case& which, DeviceEngine& engine)
    : Which(which)
    , Owner(engine)
    , Extractor(engine.makeSession())
    , CpuExtractor(Engine::shared("CPU")->makeSession())
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

  double againOnCpu(benchmark::State& state)
  {
    this->warmUpCpu();
    return this->tell(state, this->extract(MeshPlace::Host, *this->CpuExtractor));
  }

  double firstOnCpu(benchmark::State& state)
  {
    this->warmUpCpu();
    this->Input.identity = ++LastIdentity; // after the warm-up, which would make the first run another one
    return this->tell(state, this->extract(MeshPlace::Host, *this->CpuExtractor));
  }

  double histogram(benchmark::State& state) { return this->timeCounts(state, this->deviceHistogram()); }
  double histogramOnCpu(benchmark::State& state) { return this->timeCounts(state, this->cpuHistogram()); }

  double rays(benchmark::State& state) { return this->tellPicture(state, this->castRays(this->deviceCaster())); }

  double raysByPackets(benchmark::State& state)
  {
    return this->tellPicture(state, this->castRays(this->packetCaster()));
  }

  double raysOnCpu(benchmark::State& state) { return this->tellPicture(state, this->castRays(this->cpuCaster())); }

  // Measures device memory with an isovalue that selects no brick, and then with the case's isovalue. Each extraction
  // runs twice; the second one does not include temporary memory of the upload.
  double measureMemory(benchmark::State& state)
  {
    constexpr double Nowhere = 1e30;
    DeviceEngine own(DeviceOptions{}); // nothing else is on it
    const std::unique_ptr<Session> session = own.makeSession();
    const auto reportOf = [&](double isovalue)
    {
      benchmarks::extract(*session, this->Input, isovalue, MeshPlace::Device);
      return benchmarks::extract(*session, this->Input, isovalue, MeshPlace::Device).report;
    };
    const Report empty = reportOf(Nowhere), full = reportOf(this->Which.isovalue);
    const double samples = double(this->Samples.bytes.size());
    const double mesh = double(meshBytesOnDevice(own.context()->device(), this->Surface.counts));
    state.counters["device_bytes"] = double(full.deviceBytes);
    state.counters["mesh_bytes"] = mesh;
    state.counters["bytes_per_brick"] = (double(empty.deviceBytes) - samples) / double(empty.bricks);
    state.counters["bytes_per_active_brick"] =
      (double(full.deviceBytes) - mesh - double(empty.deviceBytes)) / double(full.activeBricks);
    this->describe(state, full);
    return full.totalMilliseconds;
  }

private:
  void warmUpCpu()
  {
    if (!std::exchange(this->IsCpuWarm, true))
      warmUp([this] { return this->extract(MeshPlace::Host, *this->CpuExtractor).milliseconds; });
  }

  Extraction extract(MeshPlace place) { return this->extract(place, *this->Extractor); }

  Extraction extract(MeshPlace place, Session& extractor)
  {
    Extraction made = benchmarks::extract(extractor, this->Input, this->Which.isovalue, place);
    requireEqual(this->Which.name, made.counts, this->Surface.counts);
    return made;
  }

  struct Counting
  {
    Bins bins;
    ValueCounts counts;
    Report report;
    double milliseconds = 0;
  };

  // Range and counts.
  double timeCounts(benchmark::State& state, Session& session) const
  {
    const Counting made = this->countValues(session);
    this->describe(state, made.report);
    return tellStages(state, made.report, made.milliseconds);
  }

  struct Cast
  {
    RayPicture hits;
    Report report;
    double milliseconds = 0;
  };

  // The volume fills the picture. Caster: Session or PacketCaster.
  template <class Caster>
  Cast castRays(Caster& caster) const
  {
    const double size = this->Which.size;
    const test::View view{ { 1.6 * size, 1.3 * size, 1.5 * size }, { size / 2, size / 2, size / 2 }, size / 100,
      4 * size, 0.7 };
    RayRequest request;
    request.isovalues = { this->Which.isovalue };
    request.camera = cameraOf(view, 1920, 1080);
    Cast made;
    const HostClock clock;
    made.hits = std::move(caster.cast(this->Input, request, made.report).onHost);
    made.milliseconds = clock.milliseconds();
    return made;
  }

  double tellPicture(benchmark::State& state, const Cast& made) const
  {
    state.counters["pixels"] = double(made.hits.size());
    state.counters["hits"] = double(
      std::count_if(made.hits.begin(), made.hits.end(), [](const RayHit& hit) { return hit.isovalue != RAY_NO_HIT; }));
    this->describe(state, made.report);
    return tellStages(state, made.report, made.milliseconds);
  }

  // The first call warms up.
  Session& deviceCaster()
  {
    if (this->Caster)
      return *this->Caster;
    this->Caster = this->Owner.makeSession();
    warmUp([this] { return this->castRays(*this->Caster).milliseconds; });
    return *this->Caster;
  }

  // The first call compares its picture with that of the device.
  Session& cpuCaster()
  {
    if (this->CpuCaster)
      return *this->CpuCaster;
    const Cast expected = this->castRays(this->deviceCaster());
    this->CpuCaster = Engine::shared("CPU")->makeSession();
    this->requireSamePicture("rays of the CPU", this->castRays(*this->CpuCaster).hits, expected.hits);
    return *this->CpuCaster;
  }

  // The first call compares its picture with that of CastRays, and warms up.
  PacketCaster& packetCaster()
  {
    if (this->ByPackets)
      return *this->ByPackets;
    const Cast expected = this->castRays(this->deviceCaster());
    this->ByPackets = std::make_unique<PacketCaster>(this->Owner.context(), this->Owner.volumes());
    const Cast made = this->castRays(*this->ByPackets);
    this->requireSamePicture("rays by packets", made.hits, expected.hits);
    warmUp([this] { return this->castRays(*this->ByPackets).milliseconds; });
    return *this->ByPackets;
  }

  // Where a ray grazes the surface, rounding decides whether it hits: the compiler of the device may round each kernel
  // in its own way, and the CPU computes in double. So one ray in 10,000 may differ.
  void requireSamePicture(const char* what, const RayPicture& found, const RayPicture& expected) const
  {
    constexpr float Tolerance = 1e-5f; // of t: some hundredths of a cell in the largest volumes
    std::size_t different = 0;
    for (std::size_t i = 0; i < expected.size(); ++i)
    {
      const bool isHit = expected[i].isovalue != RAY_NO_HIT;
      if (found[i].isovalue != expected[i].isovalue || (isHit && std::abs(found[i].t - expected[i].t) > Tolerance))
        ++different;
    }
    if (found.size() != expected.size() || different > expected.size() / 10000)
      throw std::runtime_error(
        this->Which.name + ": " + std::to_string(different) + " " + what + " differ from those of CastRays.");
  }

  // Returns the histogram on the device. The first call compares its counts with those of the host, and warms up.
  Session& deviceHistogram()
  {
    if (this->Histogram)
      return *this->Histogram;
    this->Histogram = this->Owner.makeSession();
    const Counting made = this->countValues(*this->Histogram);
    Report report;
    const ValueCounts expected = countOnCpu(this->Input, made.bins, {}, report);
    this->requireEqualCounts("device is not that of the host", made.counts, expected);
    warmUp([this] { return this->countValues(*this->Histogram).milliseconds; });
    return *this->Histogram;
  }

  // Returns the histogram on the CPU. The first call compares its counts with those of the device, and warms up.
  Session& cpuHistogram()
  {
    if (this->CpuHistogram)
      return *this->CpuHistogram;
    const Counting expected = this->countValues(this->deviceHistogram());
    this->CpuHistogram = Engine::shared("CPU")->makeSession();
    const Counting made = this->countValues(*this->CpuHistogram);
    this->requireEqualCounts("CPU is not that of the device", made.counts, expected.counts);
    warmUp([this] { return this->countValues(*this->CpuHistogram).milliseconds; });
    return *this->CpuHistogram;
  }

  Counting countValues(Session& session) const
  {
    Counting made;
    Report ofRange;
    const HostClock clock;
    const std::optional<SampleRange> range = session.findRanges({ this->Input }, {}, ofRange).front();
    made.bins = { range->smallest, range->largest, this->Input.type == SampleType::UInt8 ? 256u : 1024u };
    made.counts = std::move(session.count({ this->Input }, made.bins, {}, made.report)->front());
    made.milliseconds = clock.milliseconds();
    made.report.add(ofRange);
    return made;
  }

  // difference: the end of a sentence about the histogram.
  void requireEqualCounts(const char* difference, const ValueCounts& found, const ValueCounts& expected) const
  {
    if (found.samples != expected.samples || found.cutCells != expected.cutCells)
      throw std::runtime_error(this->Which.name + ": the histogram of the " + difference + ".");
  }

  static double tellStages(benchmark::State& state, const Report& report, double milliseconds)
  {
    for (std::size_t i = 0; i < StageCount; ++i)
    {
      const auto stage = static_cast<Stage>(i);
      if (const std::optional<double>& time = report.stages[stage])
        state.counters[std::string("ms ") + nameOf(stage)] = *time;
    }
    return milliseconds;
  }

  double tell(benchmark::State& state, const Extraction& made) const
  {
    this->describe(state, made.report);
    return tellStages(state, made.report, made.milliseconds);
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
  DeviceEngine& Owner;
  const std::unique_ptr<Session> Extractor, CpuExtractor;
  std::unique_ptr<Session> Histogram, CpuHistogram, Caster, CpuCaster; // made at the first call
  std::unique_ptr<PacketCaster> ByPackets;                             // made at the first call
  bool IsCpuWarm = false;
  const test::Samples& Samples;
  CountedSurface Surface;
  Volume Input;
};

// Keeps one case at a time: the rows of a case are adjacent.
class TimedCases
{
public:
  explicit TimedCases(std::shared_ptr<DeviceEngine> engine)
    : Owner(std::move(engine))
  {
  }

  TimedCase& of(const Case& which)
  {
    if (this->Name != which.name)
    {
      this->Current.reset();
      this->Name.clear();
      this->Current = std::make_unique<TimedCase>(which, *this->Owner);
      this->Name = which.name;
    }
    return *this->Current;
  }

private:
  std::shared_ptr<DeviceEngine> Owner;
  std::string Name;
  std::unique_ptr<TimedCase> Current;
};

bool isCastByPackets(const Case& which, Context& context)
{
  Volume volume;
  volume.type = which.type;
  volume.size = { which.size, which.size, which.size };
  return PacketCaster::supports(volume, context.device().limits());
}

void addCase(const Case& which, const std::shared_ptr<TimedCases>& cases, const Options& options, bool hasPackets)
{
  const int repetitions = options.repetitions;
  const auto add = [&](const char* name, int runs, double (TimedCase::*run)(benchmark::State&))
  {
    addRow(which.name + "/" + name, runs,
      [which, cases, run](benchmark::State& state) { return (cases->of(which).*run)(state); });
  };
  add("again", repetitions, &TimedCase::again);
  add("first", repetitions, &TimedCase::first);
  add("histogram", repetitions, &TimedCase::histogram);
  add("rays", repetitions, &TimedCase::rays);
  if (hasPackets) // software Vulkan takes seconds for them, as its barriers are slow
    add("rays by packets", options.isSoftware ? std::min(repetitions, 3) : repetitions, &TimedCase::raysByPackets);
  const int runs = affordableRuns(CpuEngineNanoseconds * double(which.sampleCount()) / processors(), repetitions);
  add("again CPU", runs, &TimedCase::againOnCpu);
  add("first CPU", runs, &TimedCase::firstOnCpu);
  add("histogram CPU", runs, &TimedCase::histogramOnCpu);
  add("rays CPU", runs, &TimedCase::raysOnCpu);
  // Needs an isovalue far above every sample. Of a smaller volume, most is what the pool keeps.
  if (which.type == SampleType::Float32 && which.sampleCount() >= 1u << 24)
    add("memory", 1, &TimedCase::measureMemory);
}

}

int main(int argc, char** argv)
{
  try
  {
    const std::shared_ptr<DeviceEngine> engine = test::sharedDevice();
    if (!engine)
      throw std::runtime_error("These benchmarks need a Vulkan device, not the CPU.");
    return runProgram(argc, argv, *engine,
      [&](const Options& options)
      {
        const Selection selection = selectCases(options.isSoftware, options.largestSize);
        std::vector<std::string> leftOut = selection.leftOut;
        addProbes(engine->context(), options.repetitions);
        const auto cases = std::make_shared<TimedCases>(engine);
        for (const Case& which : selection.cases)
        {
          const bool hasPackets = isCastByPackets(which, *engine->context());
          if (!hasPackets)
            leftOut.push_back(which.name + ", rays by packets: more than one slab, or too many bricks");
          addCase(which, cases, options, hasPackets);
        }
        leaveOut(leftOut);
      });
  }
  catch (const Error& error)
  {
    std::cerr << error.what() << std::endl;
    return 1;
  }
}
