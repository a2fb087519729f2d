// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Times vtkVulkanMarchingCubes and the VTK filters for the same surface, host to host. Every surface is compared with
// that of vtkFlyingEdges3D before it is timed.
//
// Rows, for each case of Cases.h and for each available real volume:
//   CASE/again                      another isosurface of the same array
//   CASE/first                      an isosurface of a modified array
//   CASE/new filter                 an isosurface by a filter that has not run before, of an array that is on the
//                                   device
//   CASE/again CPU, CASE/first CPU  the same on all threads of the CPU
//   CASE/FlyingEdges 1 thread       vtkFlyingEdges3D of the dual image: the samples as point data, not copied
//   CASE/FlyingEdges all threads    the same with all threads
//   CASE/in turns                   on software devices, where all of them use the same processors: again, first and
//                                   FlyingEdges with all threads one after the other, with the ratios of each turn as
//                                   counters; so other load on the machine affects all of them
//   CASE/ids                        another isosurface of the same array with ids of 64 and of 32 bits in turns; the
//                                   time is that with 64 bits, and counters are that with 32 bits and the ratio
//   CASE/averaged                   vtkCellDataToPointData, then vtkFlyingEdges3D, with all threads: another surface
// Outputs are points and triangles without normals and scalars, with ids of 32 bits unless the row says otherwise. The
// time is that of Update by the host's clock.
// Counters "ms ..." are the filter's timed stages; kernels are timed by the device's clock.
#include "CaseImage.h"
#include "Compute/Context.h"
#include "Compute/Engine.h"
#include "Compute/System/Error.h"
#include "Compute/System/Stage.h"
#include "Compute/Vulkan/Device.h"
#include "FlyingEdgesReference.h"
#include "IdWidths.h"
#include "Program.h"
#include "RealVolumes.h"
#include "Threads.h"

#include "vtkCellData.h"
#include "vtkCellDataToPointData.h"
#include "vtkDataArray.h"
#include "vtkDoubleArray.h"
#include "vtkFlyingEdges3D.h"
#include "vtkImageData.h"
#include "vtkNew.h"
#include "vtkPolyData.h"
#include "vtkSMPTools.h"
#include "vtkSmartPointer.h"
#include "vtkStringArray.h"
#include "vtkVulkanMarchingCubes.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <iostream>
#include <memory>
#include <utility>

namespace
{

using namespace vmc;
using namespace vmc::benchmarks;

// An isosurface of an image. makeImage makes the image when its first row runs.
struct Contouring
{
  std::string name;
  std::string volume; // images of the same name are the same
  std::function<vtkSmartPointer<vtkImageData>()> makeImage;
  double isovalue = 0;
  std::uint64_t samples = 0;
  std::optional<Counts> expected;
};

template <class Algorithm>
double millisecondsOfUpdate(Algorithm* algorithm)
{
  const HostClock clock;
  algorithm->Update();
  return clock.milliseconds();
}

// Milliseconds of another run, although nothing has changed.
template <class Algorithm>
double millisecondsAnew(Algorithm* algorithm)
{
  algorithm->Modified();
  return millisecondsOfUpdate(algorithm);
}

double withThreads(unsigned threads, const std::function<double()>& run)
{
  double milliseconds = 0;
  const vtkSMPTools::Config config(static_cast<int>(threads), threads == 1 ? "Sequential" : "STDThread", false);
  vtkSMPTools::LocalScope(config, [&] { milliseconds = run(); });
  return milliseconds;
}

void setUp(vtkVulkanMarchingCubes* filter, vtkImageData* image, double isovalue)
{
  filter->SetInputData(image);
  filter->SetValue(0, isovalue);
  filter->ComputeNormalsOff();
  filter->ComputeScalarsOff();
  filter->SetOutputIds(vtkVulkanMarchingCubes::IDS_32_BIT);
  filter->SetFallback(vtkVulkanMarchingCubes::FALLBACK_ERROR);
}

void setUp(vtkFlyingEdges3D* filter, double isovalue)
{
  filter->SetValue(0, isovalue);
  filter->ComputeNormalsOff();
  filter->ComputeScalarsOff();
}

// A case. The constructor verifies the surface and warms up.
class Session
{
public:
  Session(const Contouring& which, vtkSmartPointer<vtkImageData> image)
    : Which(which)
    , Image(std::move(image))
    , Dual(DualImage(this->Image))
  {
    setUp(this->Ours, this->Image, which.isovalue);
    setUp(this->FlyingEdges, which.isovalue);
    this->FlyingEdges->SetInputData(this->Dual);
    withThreads(processors(), [this] { return millisecondsOfUpdate(this->FlyingEdges.Get()); });
    this->Surface = countsOf(this->FlyingEdges->GetOutput());
    if (which.expected)
      requireEqual(which.name + ", vtkFlyingEdges3D", this->Surface, *which.expected);
    warmUp([this] { return this->verified(this->Ours, millisecondsAnew(this->Ours.Get())); });
    setUp(this->OnCpu, this->Image, which.isovalue);
    this->OnCpu->SetDevice("CPU");
  }

  double again(benchmark::State& state) { return this->timeAgain(state, this->Ours); }
  double first(benchmark::State& state) { return this->timeFirst(state, this->Ours); }

  double againOnCpu(benchmark::State& state)
  {
    return withThreads(processors(),
      [&]
      {
        this->warmUpCpu();
        return this->timeAgain(state, this->OnCpu);
      });
  }

  double firstOnCpu(benchmark::State& state)
  {
    return withThreads(processors(),
      [&]
      {
        this->warmUpCpu();
        return this->timeFirst(state, this->OnCpu);
      });
  }

  double newFilter(benchmark::State& state)
  {
    vtkNew<vtkVulkanMarchingCubes> filter;
    setUp(filter, this->Image, this->Which.isovalue);
    return this->tell(state, filter, millisecondsOfUpdate(filter.Get()));
  }

  double flyingEdges(benchmark::State& state, unsigned threads)
  {
    const double elapsed = withThreads(threads, [this] { return millisecondsAnew(this->FlyingEdges.Get()); });
    this->describe(state, countsOf(this->FlyingEdges->GetOutput()));
    return elapsed;
  }

  double inTurns(benchmark::State& state)
  {
    const double ours = this->again(state), oursFirst = this->first(state);
    const double peer = this->flyingEdges(state, processors());
    state.counters["FlyingEdges / again"] = peer / ours;
    state.counters["FlyingEdges / first"] = peer / oursFirst;
    return ours + oursFirst + peer;
  }

  double ids(benchmark::State& state) { return timeIds(state, this->Ours); }

  // Creates new filters, so that no data is reused between the runs.
  double averaged(benchmark::State& state)
  {
    vtkNew<vtkCellDataToPointData> average;
    average->SetInputData(this->Image);
    vtkNew<vtkFlyingEdges3D> contour;
    setUp(contour, this->Which.isovalue);
    contour->SetInputConnection(average->GetOutputPort());
    const double elapsed = withThreads(processors(), [&] { return millisecondsOfUpdate(contour.Get()); });
    this->describe(state, countsOf(contour->GetOutput()));
    return elapsed;
  }

private:
  void warmUpCpu()
  {
    if (this->OnCpu->GetNumberOfBricks() == 0) // has not run
      warmUp([this] { return this->verified(this->OnCpu, millisecondsAnew(this->OnCpu.Get())); });
  }

  double timeAgain(benchmark::State& state, vtkVulkanMarchingCubes* filter) const
  {
    return this->tell(state, filter, millisecondsAnew(filter));
  }

  double timeFirst(benchmark::State& state, vtkVulkanMarchingCubes* filter) const
  {
    this->Image->GetCellData()->GetScalars()->Modified();
    this->Image->Modified();
    return this->tell(state, filter, millisecondsOfUpdate(filter));
  }

  double verified(vtkVulkanMarchingCubes* filter, double elapsed) const
  {
    requireEqual(this->Which.name, countsOf(filter->GetOutput()), this->Surface);
    return elapsed;
  }

  double tell(benchmark::State& state, vtkVulkanMarchingCubes* filter, double elapsed) const
  {
    this->verified(filter, elapsed);
    this->describe(state, this->Surface);
    for (vtkIdType i = 0; i < filter->GetStageNames()->GetNumberOfValues(); ++i)
      state.counters["ms " + filter->GetStageNames()->GetValue(i)] = filter->GetStageTimes()->GetValue(i);
    state.counters["bricks"] = double(filter->GetNumberOfBricks());
    state.counters["active_bricks"] = double(filter->GetNumberOfActiveBricks());
    state.counters["device_bytes"] = double(filter->GetDeviceMemory());
    return elapsed;
  }

  void describe(benchmark::State& state, const Counts& counts) const
  {
    vtkDataArray* samples = this->Image->GetCellData()->GetScalars();
    state.counters["samples"] = double(samples->GetNumberOfTuples());
    state.counters["sample_bytes"] = double(samples->GetDataTypeSize());
    state.counters["points"] = double(counts.points);
    state.counters["triangles"] = double(counts.triangles);
  }

  const Contouring Which;
  vtkSmartPointer<vtkImageData> Image, Dual;
  vtkNew<vtkVulkanMarchingCubes> Ours, OnCpu;
  vtkNew<vtkFlyingEdges3D> FlyingEdges;
  Counts Surface;
};

// Keeps one session and one image at a time: the rows of a case are adjacent, and so are the cases of a volume.
class Sessions
{
public:
  Session& of(const Contouring& which)
  {
    if (this->Name == which.name)
      return *this->Current;
    this->Current.reset();
    this->Name.clear();
    if (this->Volume != which.volume)
    {
      this->Image = nullptr; // frees its memory before the next image is made
      this->Image = which.makeImage();
      this->Volume = which.volume;
    }
    this->Current = std::make_unique<Session>(which, this->Image);
    this->Name = which.name;
    return *this->Current;
  }

private:
  std::string Name, Volume;
  vtkSmartPointer<vtkImageData> Image;
  std::unique_ptr<Session> Current;
};

Contouring contouringOf(const Case& which)
{
  const std::string volume = which.file.empty() ? which.name : which.file;
  return { which.name, volume, [which] { return imageOf(which); }, which.isovalue, which.sampleCount(),
    which.expected };
}

std::string titleOf(const RealVolume& volume)
{
  const std::string title = volume.file.substr(0, volume.file.find_first_of("_."));
  return volume.array.empty() ? title : title + " " + volume.array;
}

// Adds the available real volumes, without isovalues that are cases already.
void addRealVolumes(std::vector<Contouring>& all, std::vector<std::string>& leftOut)
{
  for (const RealVolume& volume : RealVolumes())
  {
    std::string whyNot;
    const vtkSmartPointer<vtkImageData> image = LoadRealVolume(volume, whyNot);
    if (!image)
    {
      leftOut.push_back(titleOf(volume) + ": " + whyNot);
      continue;
    }
    for (const double isovalue : volume.isovalues)
    {
      char text[32];
      std::snprintf(text, sizeof(text), "%g", isovalue);
      const std::string name = titleOf(volume) + " at " + text;
      const auto isSame = [&](const Contouring& other) { return other.name == name; };
      if (std::none_of(all.begin(), all.end(), isSame))
        all.push_back({ name, volume.file + volume.array,
          [volume]
          {
            std::string untold;
            return LoadRealVolume(volume, untold);
          },
          isovalue, static_cast<std::uint64_t>(image->GetNumberOfCells()), {} });
    }
  }
}

// The cost of what runs on the CPU.
struct Effort
{
  double nanosecondsPerSample = 0;   // roughly, on this machine
  std::uint64_t mostSamples = ~0ull; // larger volumes take minutes and are left out
};

constexpr double FlyingEdgesNanoseconds = 10; // of one thread
constexpr Effort OneThread = { FlyingEdgesNanoseconds, 1ull << 30 };
constexpr Effort Averaging = { 300, 1ull << 24 };

Effort allThreads()
{
  return { FlyingEdgesNanoseconds / processors() };
}

Effort onCpu()
{
  return { CpuEngineNanoseconds / processors() };
}

// `isNewVolume`: averaging takes the same time for every isovalue.
void addCase(
  const Contouring& which, bool isNewVolume, const std::shared_ptr<Sessions>& sessions, const Options& options)
{
  const int repetitions = options.repetitions;
  using Way = std::function<double(Session&, benchmark::State&)>;
  const auto add = [&](const char* name, int runs, const Way& way)
  {
    addRow(which.name + "/" + name, runs,
      [which, sessions, way](benchmark::State& state) { return way(sessions->of(which), state); });
  };
  const auto addPeer = [&](const char* name, const Effort& effort, const Way& way)
  {
    if (which.samples <= effort.mostSamples)
      add(name, affordableRuns(effort.nanosecondsPerSample * double(which.samples), repetitions), way);
  };
  add("again", repetitions, &Session::again);
  add("first", repetitions, &Session::first);
  add("new filter", std::min(repetitions, 5), &Session::newFilter);
  add("ids", repetitions, &Session::ids);
  addPeer("again CPU", onCpu(), &Session::againOnCpu);
  addPeer("first CPU", onCpu(), &Session::firstOnCpu);
  addPeer("FlyingEdges all threads", allThreads(),
    [](Session& session, benchmark::State& state) { return session.flyingEdges(state, processors()); });
  if (options.isSoftware)
    add("in turns", repetitions, &Session::inTurns);
  addPeer("FlyingEdges 1 thread", OneThread,
    [](Session& session, benchmark::State& state) { return session.flyingEdges(state, 1); });
  if (isNewVolume)
    addPeer("averaged", Averaging, &Session::averaged);
}

void addRows(const Options& options)
{
  const Selection selection = selectCases(options.isSoftware, options.largestSize);
  std::vector<Contouring> all;
  std::vector<std::string> leftOut = selection.leftOut;
  for (const Case& which : selection.cases)
    all.push_back(contouringOf(which));
  addRealVolumes(all, leftOut);
  const auto sessions = std::make_shared<Sessions>();
  std::string last;
  for (const Contouring& which : all)
    addCase(which, which.volume != std::exchange(last, which.volume), sessions, options);
  leftOut.push_back("vtkFlyingEdges3D on one thread beyond 1024^3 samples: takes minutes");
  leftOut.push_back("vtkCellDataToPointData beyond 256^3 samples: takes minutes");
  leaveOut(leftOut);
}

}

int main(int argc, char** argv)
{
  try
  {
    const std::shared_ptr<Engine> engine = Engine::shared(); // to describe its device in the output
    return runProgram(argc, argv, *engine, addRows);
  }
  catch (const Error& error)
  {
    std::cerr << error.what() << std::endl;
    return 1;
  }
}
