// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Times the measures and the regions of isosurfaces beside the extraction, in turns, without VTK.
//
// Rows, for the cases of selectCpuCases with 256^3 samples, for the CPU with one thread and with all processors, and
// for the Vulkan device, on which the surface stays. A GPU has those with 512^3 samples, too:
//   CASE/measures WHERE   the extraction with measures. Counters: the share of the measures in the extraction; the
//                         timed stages
//   CASE/shares WHERE     the volume of the samples above the isovalue, in and after an extraction for measures.
//                         Counter: its time as a share of the extraction without
//   CASE/regions WHERE    the regions, and the surface without all but the largest one, of an extracted surface. The
//                         share has the difference of the extractions in it
#include "Cases.h"
#include "Compute/Engine.h"
#include "Compute/Measure/FoundRegions.h"
#include "Compute/Session.h"
#include "Compute/System/Stage.h"
#include "Program.h"
#include "Support/SharedDevice.h"
#include "Threads.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace
{

using namespace vmc;
using namespace vmc::benchmarks;

class Measurement
{
public:
  Measurement(const Case& which, std::shared_ptr<Engine> engine, OutputMemory memory)
    : OwnEngine(std::move(engine))
    , OwnSession(this->OwnEngine->makeSession())
    , Samples(samplesOf(which))
  {
    this->Image.samples = this->Samples.bytes.data();
    this->Image.type = which.type;
    this->Image.size = this->Samples.size;
    static std::uint64_t identity = 0;
    this->Image.identity = ++identity;
    this->Input.isovalues = { which.isovalue };
    this->Input.memory = memory;
  }

  double measures(benchmark::State& state, unsigned threads)
  {
    this->extract(threads);
    const double plain = this->extract(threads);
    this->Input.computeMeasures = true;
    this->extract(threads); // the next extraction reuses the memory of the measures
    const double measured = this->extract(threads);
    this->Input.computeMeasures = false;
    const SurfaceMeasures& measures = this->Output->meshes.front().measures.front();
    state.counters["area"] = measures.area;
    state.counters["volume"] = measures.volume;
    state.counters["open edges"] = double(measures.openEdges);
    state.counters["triangles"] = double(measures.triangles);
    state.counters["extraction"] = plain;
    state.counters["share"] = measured / plain - 1;
    state.counters["ms MeasureSurface"] = this->Last.milliseconds(Stage::MeasureSurface);
    return measured;
  }

  double shares(benchmark::State& state, unsigned threads)
  {
    this->extract(threads);
    const double plain = this->extract(threads);
    Request request = this->Input.unfinished();
    request.countSamples = true;
    std::swap(this->Input, request);
    this->extract(threads);
    const double counted = this->Last.milliseconds(Stage::CountValues);
    Report report;
    const HostClock clock;
    const std::vector<DomainShare> shares =
      this->OwnSession->findShares({ this->Image }, this->Input.isovalues, { 0, threads }, report);
    const double ms = counted + clock.milliseconds();
    std::swap(this->Input, request);
    state.counters["volume above"] = shares.front().above.front();
    state.counters["share of domain"] = shares.front().above.front() / shares.front().domain;
    state.counters["extraction"] = plain;
    state.counters["share"] = ms / plain;
    return ms;
  }

  double regions(benchmark::State& state, unsigned threads)
  {
    this->extract(threads);
    state.counters["extraction"] = this->extract(threads);
    this->findRegions(state, threads); // the next call reuses the memory
    return this->findRegions(state, threads);
  }

private:
  double findRegions(benchmark::State& state, unsigned threads)
  {
    const Request request = this->Input;
    this->Input = request.unfinished();
    const double unfinished = this->extract(threads);
    this->Input = request;
    const double plain = state.counters["extraction"];
    state.counters["triangles"] = double(this->Output->meshes.front().triangleCount);
    RegionRequest wanted;
    wanted.choice.keep = RegionChoice::Keep::Largest;
    wanted.outputs = { outputsOf(request.unfinished(), {}) };
    wanted.borders.resize(1);
    Report report;
    const HostClock clock;
    const auto found = this->OwnSession->findRegions(std::move(*this->Output), request, wanted, report);
    state.counters["found"] = clock.milliseconds() / plain;
    const std::vector<SurfaceRegion>& table = found->table().front();
    const ChosenRegions chosen{ chosenOf(table, wanted.choice), std::vector<std::int32_t>(table.size()) };
    this->Output = found->finish({ chosen }, report);
    const double ms = clock.milliseconds();
    state.counters["kept"] = double(this->Output->meshes.front().triangleCount);
    state.counters["regions"] = double(table.size());
    state.counters["share"] = (unfinished + ms) / plain - 1;
    for (const Stage stage : { Stage::FindRegions, Stage::KeepRegions })
      state.counters[std::string("ms ") + nameOf(stage)] = report.milliseconds(stage);
    return ms;
  }

  double extract(unsigned threads)
  {
    this->Input.threads = threads;
    this->Output.reset();
    const HostClock clock;
    this->Output = this->OwnSession->extract(std::vector<Volume>{ this->Image }, this->Input, this->Last);
    return clock.milliseconds();
  }

  std::shared_ptr<Engine> OwnEngine;
  std::unique_ptr<vmc::Session> OwnSession;
  const test::Samples Samples;
  Volume Image;
  Request Input;
  Report Last;
  std::optional<Surface> Output;
};

void addRowsOf(const std::string& name, const Options& options, const std::shared_ptr<Measurement>& measurement,
  unsigned threads, const std::string& where)
{
  addRow(name + "/measures" + where, options.repetitions,
    [=](benchmark::State& state) { return measurement->measures(state, threads); });
  addRow(name + "/shares" + where, options.repetitions,
    [=](benchmark::State& state) { return measurement->shares(state, threads); });
  addRow(name + "/regions" + where, options.repetitions,
    [=](benchmark::State& state) { return measurement->regions(state, threads); });
}

void addRows(const Options& options)
{
  const std::shared_ptr<Engine> device = test::hasVulkanDevice() ? test::sharedDevice() : nullptr;
  const std::uint32_t largest = device && !options.isSoftware ? 512 : 256;
  const Selection selection =
    selectCpuCases(options.largestSize != 0 ? std::min(options.largestSize, largest) : largest);
  for (const Case& which : selection.cases)
  {
    if (which.size < 256)
      continue;
    const auto onCpu =
      which.size == 256 ? std::make_shared<Measurement>(which, Engine::shared("CPU"), OutputMemory::Host) : nullptr;
    for (unsigned threads = 1; onCpu && threads <= processors(); threads *= 2)
      addRowsOf(which.name, options, onCpu, threads, " " + std::to_string(threads) + " threads");
    if (device)
      addRowsOf(which.name, options, std::make_shared<Measurement>(which, device, OutputMemory::Device), 0, " device");
  }
  leaveOut(selection.leftOut);
}

}

int main(int argc, char** argv)
{
  return runProgram(argc, argv, *Engine::shared(Engine::deviceNames().front()), addRows);
}
