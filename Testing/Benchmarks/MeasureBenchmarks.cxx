// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Times the measures and the regions of isosurfaces beside the extraction, in turns, on the CPU, without VTK.
//
// Rows, for the cases of selectCpuCases with 256^3 samples, with one thread and with all processors:
//   CASE/measures T threads   the extraction with measures. Counters: the share of the measures in the extraction
//   CASE/regions T threads    the regions, and the surface without all but the largest one, of an extracted surface
#include "Cases.h"
#include "Compute/Engine.h"
#include "Compute/Measure/KeepRegions.h"
#include "Compute/Measure/Regions.h"
#include "Compute/Session.h"
#include "Compute/System/Stage.h"
#include "Program.h"
#include "Threads.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace
{

using namespace vmc;
using namespace vmc::benchmarks;

class Measurement
{
public:
  explicit Measurement(const Case& which)
    : OwnEngine(Engine::shared("CPU"))
    , OwnSession(this->OwnEngine->makeSession())
    , Samples(samplesOf(which))
  {
    this->Image.samples = this->Samples.bytes.data();
    this->Image.type = which.type;
    this->Image.size = this->Samples.size;
    static std::uint64_t identity = 0;
    this->Image.identity = ++identity;
    this->Input.isovalues = { which.isovalue };
  }

  double extract(unsigned threads)
  {
    this->Input.threads = threads;
    Report report;
    this->Output.reset();
    const HostClock clock;
    this->Output = this->OwnSession->extract(std::vector<Volume>{ this->Image }, this->Input, report);
    return clock.milliseconds();
  }

  double measures(benchmark::State& state, unsigned threads)
  {
    this->extract(threads);
    const double plain = this->extract(threads);
    this->Input.computeMeasures = true;
    const double measured = this->extract(threads);
    this->Input.computeMeasures = false;
    const SurfaceMeasures& measures = this->Output->meshes.front().measures.front();
    state.counters["area"] = measures.area;
    state.counters["volume"] = measures.volume;
    state.counters["open edges"] = double(measures.openEdges);
    state.counters["extraction"] = plain;
    state.counters["share"] = measured / plain - 1;
    return measured;
  }

  double regions(benchmark::State& state, unsigned threads)
  {
    this->extract(threads);
    const double plain = this->extract(threads);
    const HostClock clock;
    Mesh& mesh = this->Output->meshes.front();
    MeshRegions regions = findRegions(mesh, this->OwnEngine->hostMemory(), threads);
    state.counters["found"] = clock.milliseconds() / plain;
    std::vector<std::uint8_t> isKept(regions.count());
    isKept[std::max_element(regions.triangles.begin(), regions.triangles.end()) - regions.triangles.begin()] = 1;
    keepRegions(mesh, regions, isKept, false, outputsOf(this->Input, {}), this->OwnEngine->hostMemory(), threads);
    const double ms = clock.milliseconds();
    state.counters["kept"] = double(mesh.triangleCount);
    state.counters["regions"] = double(regions.count());
    state.counters["extraction"] = plain;
    state.counters["share"] = ms / plain;
    return ms;
  }

private:
  std::shared_ptr<Engine> OwnEngine;
  std::unique_ptr<vmc::Session> OwnSession;
  const test::Samples Samples;
  Volume Image;
  Request Input;
  std::optional<Surface> Output;
};

void addRows(const Options& options)
{
  const Selection selection = selectCpuCases(256);
  for (const Case& which : selection.cases)
  {
    if (which.size != 256)
      continue;
    const auto measurement = std::make_shared<Measurement>(which);
    for (unsigned threads = 1; threads <= processors(); threads *= 2)
    {
      const std::string suffix = " " + std::to_string(threads) + " threads";
      addRow(which.name + "/measures" + suffix, options.repetitions,
        [=](benchmark::State& state) { return measurement->measures(state, threads); });
      addRow(which.name + "/regions" + suffix, options.repetitions,
        [=](benchmark::State& state) { return measurement->regions(state, threads); });
    }
  }
  leaveOut(selection.leftOut);
}

}

int main(int argc, char** argv)
{
  return runProgram(argc, argv, *Engine::shared("CPU"), addRows);
}
