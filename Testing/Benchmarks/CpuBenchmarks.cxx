// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Times vtkVulkanMarchingCubes on the CPU and vtkFlyingEdges3D on the same number of threads, in turns, host to host,
// with normals. Every surface is compared with that of vtkFlyingEdges3D before it is timed.
//
// Rows, for the cases of selectCpuCases, with 1, 2, 4, ... threads up to the number of processors:
//   CASE/T threads          another isosurface of the same array. Counters: "first", of a modified array;
//                           "FlyingEdges", of the same isovalue; and the ratios of each turn
//   CASE/ids T threads      the same isosurface with ids of 64 and of 32 bits in turns, on all processors. The time is
//                           that with 64 bits. Counters: "32 bits", and the ratio of each turn
//   CASE/measures T threads the time that ComputeMeasures adds to the isosurface. Counter: vtkMassProperties / this
//   time CASE/largest T threads  the time that KEEP_LARGEST adds. Counter: vtkPolyDataConnectivityFilter / this time
//   CASE/growing T threads  a new filter with isovalues of which each makes a larger surface than the one before: the
//                           sum of their times without the first. Only for the case with noise, on all processors
//   CASE/new process        the first surface of a new process, on all processors. Counters: "since start", from the
//                           start of the process; "FlyingEdges", in another new process. Only for 64^3 samples
// The time is that of Update by the host's clock. Ids have 32 bits unless the row says otherwise.
#include "CaseImage.h"
#include "Cases.h"
#include "Compute/Engine.h"
#include "Compute/System/Stage.h"
#include "FlyingEdgesReference.h"
#include "IdWidths.h"
#include "Program.h"
#include "Threads.h"

#include "vtkCellData.h"
#include "vtkDoubleArray.h"
#include "vtkFlyingEdges3D.h"
#include "vtkImageData.h"
#include "vtkMassProperties.h"
#include "vtkNew.h"
#include "vtkPolyData.h"
#include "vtkPolyDataConnectivityFilter.h"
#include "vtkSMPTools.h"
#include "vtkSmartPointer.h"
#include "vtkStringArray.h"
#include "vtkVulkanMarchingCubes.h"

#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace
{

using namespace vmc;
using namespace vmc::benchmarks;

double withThreads(unsigned threads, const std::function<double()>& run)
{
  double milliseconds = 0;
  const vtkSMPTools::Config config(static_cast<int>(threads), "STDThread", false);
  vtkSMPTools::LocalScope(config, [&] { milliseconds = run(); });
  return milliseconds;
}

template <class Algorithm>
double millisecondsOfUpdate(Algorithm* algorithm)
{
  const HostClock clock;
  algorithm->Update();
  return clock.milliseconds();
}

// The filter and its peer for the same image, with normals and without scalars.
struct Pair
{
  vtkNew<vtkVulkanMarchingCubes> ours;
  vtkNew<vtkFlyingEdges3D> flyingEdges;

  Pair(vtkImageData* image, vtkImageData* dual)
  {
    this->ours->SetInputData(image);
    this->ours->SetDevice("CPU");
    this->ours->SetFallback(vtkVulkanMarchingCubes::FALLBACK_ERROR);
    this->ours->ComputeScalarsOff();
    this->ours->SetOutputIds(vtkVulkanMarchingCubes::IDS_32_BIT);
    this->flyingEdges->SetInputData(dual);
    this->flyingEdges->ComputeScalarsOff();
  }

  void setValue(double isovalue)
  {
    this->ours->SetValue(0, isovalue);
    this->flyingEdges->SetValue(0, isovalue);
  }

  // Runs both, even if nothing has changed.
  std::pair<double, double> update()
  {
    this->ours->Modified();
    this->flyingEdges->Modified();
    const double own = millisecondsOfUpdate(this->ours.Get()), peer = millisecondsOfUpdate(this->flyingEdges.Get());
    requireEqual("the surface", countsOf(this->ours->GetOutput()), countsOf(this->flyingEdges->GetOutput()));
    return { own, peer };
  }
};

// An image, its dual image and a warm pair of filters.
class Session
{
public:
  explicit Session(const Case& which)
    : Which(which)
    , Image(imageOf(which))
    , Dual(DualImage(this->Image))
    , Filters(this->Image, this->Dual)
  {
    this->Filters.setValue(which.isovalue);
    warmUp(
      [this]
      {
        return withThreads(processors(),
          [this]
          {
            const HostClock clock;
            this->Filters.update();
            return clock.milliseconds();
          });
      });
  }

  double onThreads(benchmark::State& state, unsigned threads)
  {
    return withThreads(threads,
      [&]
      {
        this->Filters.update();
        const auto [again, peer] = this->Filters.update();
        for (std::size_t i = 0; i < std::size_t(this->Filters.ours->GetStageNames()->GetNumberOfValues()); ++i)
          state.counters["ms " + this->Filters.ours->GetStageNames()->GetValue(vtkIdType(i))] =
            this->Filters.ours->GetStageTimes()->GetValue(vtkIdType(i));
        this->Image->GetCellData()->GetScalars()->Modified();
        this->Image->Modified();
        const double first = millisecondsOfUpdate(this->Filters.ours.Get());
        state.counters["triangles"] = double(this->Filters.ours->GetNumberOfTriangles());
        state.counters["first"] = first;
        state.counters["FlyingEdges"] = peer;
        state.counters["again / FlyingEdges"] = again / peer;
        state.counters["first / FlyingEdges"] = first / peer;
        return again;
      });
  }

  double ids(benchmark::State& state, unsigned threads)
  {
    return withThreads(threads, [&] { return timeIds(state, this->Filters.ours); });
  }

  // The time that a setting adds to the isosurface, and that of VTK's filter on the isosurface.
  template <class Peer, class Set>
  double added(benchmark::State& state, unsigned threads, Peer* peer, const Set& set)
  {
    return withThreads(threads,
      [&]
      {
        vtkVulkanMarchingCubes* const filter = this->Filters.ours;
        const auto update = [&](bool isSet)
        {
          set(filter, isSet);
          filter->Modified();
          return millisecondsOfUpdate(filter);
        };
        update(true);
        const double with = update(true), without = update(false);
        vtkNew<vtkPolyData> surface;
        surface->ShallowCopy(filter->GetOutput());
        peer->SetInputData(surface);
        state.counters["without"] = without;
        state.counters["share"] = (with - without) / without;
        state.counters["VTK / added"] = millisecondsOfUpdate(peer) / (with - without);
        return with - without;
      });
  }

  double measures(benchmark::State& state, unsigned threads)
  {
    vtkNew<vtkMassProperties> peer;
    return this->added(state, threads, peer.Get(),
      [](vtkVulkanMarchingCubes* filter, bool isSet) { filter->SetComputeMeasures(isSet); });
  }

  double largest(benchmark::State& state, unsigned threads)
  {
    vtkNew<vtkPolyDataConnectivityFilter> peer;
    peer->SetExtractionModeToLargestRegion();
    return this->added(state, threads, peer.Get(),
      [](vtkVulkanMarchingCubes* filter, bool isSet)
      { filter->SetKeepRegions(isSet ? vtkVulkanMarchingCubes::KEEP_LARGEST : vtkVulkanMarchingCubes::KEEP_ALL); });
  }

  double growing(benchmark::State& state, unsigned threads) const
  {
    return withThreads(threads,
      [&]
      {
        Pair fresh(this->Image, this->Dual);
        double own = 0, peer = 0;
        for (int i = 0; i < 6; ++i)
        {
          fresh.setValue(1.4 - 0.2 * i); // towards the middle of the range
          const auto [ownTime, peerTime] = fresh.update();
          own += i > 0 ? ownTime : 0;
          peer += i > 0 ? peerTime : 0;
        }
        state.counters["triangles"] = double(fresh.ours->GetNumberOfTriangles());
        state.counters["FlyingEdges"] = peer;
        state.counters["again / FlyingEdges"] = own / peer;
        return own;
      });
  }

private:
  const Case Which;
  vtkSmartPointer<vtkImageData> Image, Dual;
  Pair Filters;
};

// Keeps one session at a time: the rows of a case are adjacent.
class Sessions
{
public:
  Session& of(const Case& which)
  {
    if (this->Name != which.name)
    {
      this->Current.reset();
      this->Current = std::make_unique<Session>(which);
      this->Name = which.name;
    }
    return *this->Current;
  }

private:
  std::string Name;
  std::unique_ptr<Session> Current;
};

double now() // milliseconds, by the clock of the machine
{
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Case smallCase()
{
  for (const Case& which : selectCpuCases(64).cases)
    if (which.size == 64)
      return which;
  throw std::logic_error("no case has 64^3 samples");
}

constexpr const char* NewProcess = "--new-process=";

// Runs in a new process: prints the milliseconds of its first surface, and those since `start`.
int makeFirstSurface(bool isPeer, double start)
{
  const vtkSmartPointer<vtkImageData> image = imageOf(smallCase()), dual = DualImage(image);
  Pair filters(image, dual);
  filters.setValue(smallCase().isovalue);
  const double first = withThreads(processors(), [&]
    { return isPeer ? millisecondsOfUpdate(filters.flyingEdges.Get()) : millisecondsOfUpdate(filters.ours.Get()); });
  std::printf("%g %g\n", first, now() - start);
  return 0;
}

std::pair<double, double> inNewProcess(const std::string& program, const char* who)
{
  const std::string command = "'" + program + "' " + NewProcess + who + std::to_string(now());
  FILE* const output = popen(command.c_str(), "r");
  double first = 0, sinceStart = 0;
  const bool isRead = output && std::fscanf(output, "%lf %lf", &first, &sinceStart) == 2;
  if (!output || pclose(output) != 0 || !isRead)
    throw std::runtime_error(command + " failed.");
  return { first, sinceStart };
}

double newProcess(benchmark::State& state, const std::string& program)
{
  const auto [first, sinceStart] = inNewProcess(program, "ours:");
  state.counters["since start"] = sinceStart;
  state.counters["FlyingEdges"] = inNewProcess(program, "peer:").first;
  return first;
}

void addRows(const std::string& program, const Options& options)
{
  const Selection selection = selectCpuCases(options.largestSize);
  leaveOut(selection.leftOut);
  const auto sessions = std::make_shared<Sessions>();
  for (const Case& which : selection.cases)
  {
    for (unsigned threads = 1; threads <= processors(); threads *= 2)
      addRow(which.name + "/" + std::to_string(threads) + " threads", options.repetitions,
        [=](benchmark::State& state) { return sessions->of(which).onThreads(state, threads); });
    const std::string all = std::to_string(processors()) + " threads";
    addRow(which.name + "/ids " + all, options.repetitions,
      [=](benchmark::State& state) { return sessions->of(which).ids(state, processors()); });
    addRow(which.name + "/measures " + all, options.repetitions,
      [=](benchmark::State& state) { return sessions->of(which).measures(state, processors()); });
    addRow(which.name + "/largest " + all, options.repetitions,
      [=](benchmark::State& state) { return sessions->of(which).largest(state, processors()); });
    if (which.noise != 0)
      addRow(which.name + "/growing " + all, options.repetitions,
        [=](benchmark::State& state) { return sessions->of(which).growing(state, processors()); });
    if (which.name == smallCase().name)
      addRow(which.name + "/new process", options.repetitions,
        [=](benchmark::State& state) { return newProcess(state, program); });
  }
}

}

int main(int argc, char** argv)
{
  if (argc == 2 && std::strncmp(argv[1], NewProcess, std::strlen(NewProcess)) == 0)
  {
    const std::string who = argv[1] + std::strlen(NewProcess);
    return makeFirstSurface(who.rfind("peer:", 0) == 0, std::stod(who.substr(who.find(':') + 1)));
  }
  const std::string program = argv[0];
  return runProgram(argc, argv, *Engine::shared("CPU"), [&](const Options& options) { addRows(program, options); });
}
