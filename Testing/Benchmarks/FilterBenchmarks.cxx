// Times vtkVulkanMarchingCubes and what VTK has for the same surface, host to host. Every surface is compared with that
// of vtkFlyingEdges3D before it is timed.
//
// Rows, for each case of Cases.h and for each real volume at hand:
//   CASE/again                      another isosurface of the same array
//   CASE/first                      of an array that was modified
//   CASE/new filter                 of an array, by a filter that has not run yet, on a device that is open
//   CASE/FlyingEdges 1 thread       vtkFlyingEdges3D of the dual image: the samples as point data, nothing copied
//   CASE/FlyingEdges all threads    likewise
//   CASE/averaged                   vtkCellDataToPointData, then vtkFlyingEdges3D, with all threads: another surface
// Points and triangles alone: no normals, no scalars. The time is the host's clock around Update; counters "ms ..." are
// the stages that the filter tells: kernels by the device's clock.
#include "Device.h"
#include "Devices.h"
#include "Error.h"
#include "FlyingEdgesReference.h"
#include "HostClock.h"
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
#include <functional>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <utility>

namespace
{

using namespace vmc;
using namespace vmc::benchmarks;

// An isosurface of an image; the image is made when the case's turn comes.
struct Contouring
{
  std::string name;
  std::string volume; // images of the same name are the same
  std::function<vtkSmartPointer<vtkImageData>()> makeImage;
  double isovalue = 0;
  std::uint64_t samples = 0;
  std::optional<Counts> expected;
};

Counts countsOf(vtkPolyData* mesh)
{
  return { static_cast<std::uint64_t>(mesh->GetNumberOfPoints()),
    static_cast<std::uint64_t>(mesh->GetNumberOfPolys()) };
}

template <class Algorithm>
double millisecondsOfUpdate(Algorithm* algorithm)
{
  const HostClock clock;
  algorithm->Update();
  return clock.milliseconds();
}

// Of another run although nothing has changed.
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
  filter->SetFallback(vtkVulkanMarchingCubes::FALLBACK_ERROR);
}

void setUp(vtkFlyingEdges3D* filter, double isovalue)
{
  filter->SetValue(0, isovalue);
  filter->ComputeNormalsOff();
  filter->ComputeScalarsOff();
}

// A case that is verified and warmed up.
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
    for (int i = 0; i < WarmUps; ++i)
      this->verified(this->Ours, millisecondsAnew(this->Ours.Get()));
  }

  double again(benchmark::State& state) { return this->tell(state, this->Ours, millisecondsAnew(this->Ours.Get())); }

  double first(benchmark::State& state)
  {
    this->Image->GetCellData()->GetScalars()->Modified();
    this->Image->Modified();
    return this->tell(state, this->Ours, millisecondsOfUpdate(this->Ours.Get()));
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

  // Fresh filters each time: nothing is kept between the runs.
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
  vtkNew<vtkVulkanMarchingCubes> Ours;
  vtkNew<vtkFlyingEdges3D> FlyingEdges;
  Counts Surface;
};

// One session and one image at a time: the rows of a case follow each other, and so do the cases of a volume.
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
      this->Image = nullptr; // before the next one takes its place
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

int vtkTypeOf(SampleType type)
{
  return type == SampleType::UInt8 ? VTK_UNSIGNED_CHAR : type == SampleType::UInt16 ? VTK_UNSIGNED_SHORT : VTK_FLOAT;
}

// The samples as cells; they are not copied.
vtkSmartPointer<vtkImageData> imageOf(const Case& which)
{
  constexpr int Keep = 1; // the memory is not the array's
  const test::Samples& samples = samplesOf(which);
  auto image = vtkSmartPointer<vtkImageData>::New();
  const int points = static_cast<int>(which.size) + 1;
  image->SetDimensions(points, points, points);
  vtkSmartPointer<vtkDataArray> array;
  array.TakeReference(vtkDataArray::CreateDataArray(vtkTypeOf(which.type)));
  array->SetName("samples");
  array->SetVoidArray(
    const_cast<std::byte*>(samples.bytes.data()), static_cast<vtkIdType>(samples.count()), Keep); // nobody writes
  image->GetCellData()->SetScalars(array);
  return image;
}

Contouring contouringOf(const Case& which)
{
  const std::string volume = which.file.empty() ? which.name : which.file;
  return { which.name, volume, [which] { return imageOf(which); }, which.isovalue, which.sampleCount(),
    which.expected };
}

// Without those that are in neither folder, and without isovalues that are cases already.
void addRealVolumes(std::vector<Contouring>& all, std::vector<std::string>& leftOut)
{
  for (const RealVolume& volume : RealVolumes())
  {
    std::string whyNot;
    const vtkSmartPointer<vtkImageData> image = LoadRealVolume(volume, whyNot);
    if (!image)
    {
      leftOut.push_back(NameOf(volume) + ": " + whyNot);
      continue;
    }
    for (const double isovalue : volume.isovalues)
    {
      char text[32];
      std::snprintf(text, sizeof(text), "%g", isovalue);
      const std::string name = NameOf(volume) + " at " + text;
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

// As many runs as take about `seconds`, by a rough time a sample; at least 3.
int runsWithin(double seconds, double nanosecondsPerSample, const Contouring& which, int atMost)
{
  const double runs = seconds * 1e9 / (nanosecondsPerSample * double(which.samples));
  return std::min(atMost, std::max(3, static_cast<int>(std::min(runs, 1e6))));
}

void addCase(const Contouring& which, const std::shared_ptr<Sessions>& sessions, int repetitions,
  std::vector<std::string>& leftOut)
{
  // On one processor, without normals.
  constexpr double FlyingEdgesNanoseconds = 10, AveragingNanoseconds = 300, Seconds = 5;
  constexpr std::uint64_t MostForOneThread = 1ull << 30, MostForAveraging = 1ull << 24;
  const auto add = [&](const char* way, int runs, const std::function<double(Session&, benchmark::State&)>& run)
  {
    addRow(which.name + "/" + way, runs,
      [which, sessions, run](benchmark::State& state) { return run(sessions->of(which), state); });
  };
  add("again", repetitions, [](Session& session, benchmark::State& state) { return session.again(state); });
  add("first", repetitions, [](Session& session, benchmark::State& state) { return session.first(state); });
  add("new filter", repetitions, [](Session& session, benchmark::State& state) { return session.newFilter(state); });
  const double nanoseconds = FlyingEdgesNanoseconds / processors();
  add("FlyingEdges all threads", runsWithin(Seconds, nanoseconds, which, repetitions),
    [](Session& session, benchmark::State& state) { return session.flyingEdges(state, processors()); });
  if (which.samples <= MostForOneThread)
    add("FlyingEdges 1 thread", runsWithin(Seconds, FlyingEdgesNanoseconds, which, repetitions),
      [](Session& session, benchmark::State& state) { return session.flyingEdges(state, 1); });
  else
    leftOut.push_back(which.name + ", FlyingEdges on one thread: takes minutes");
  if (which.samples <= MostForAveraging)
    add("averaged", runsWithin(Seconds, AveragingNanoseconds, which, repetitions),
      [](Session& session, benchmark::State& state) { return session.averaged(state); });
  else
    leftOut.push_back(which.name + ", CellDataToPointData: takes minutes");
}

void addRows(const Options& options, const Selection& selection)
{
  std::vector<Contouring> all;
  std::vector<std::string> leftOut = selection.leftOut;
  for (const Case& which : selection.cases)
    all.push_back(contouringOf(which));
  addRealVolumes(all, leftOut);
  const auto sessions = std::make_shared<Sessions>();
  for (const Contouring& which : all)
    addCase(which, sessions, options.repetitions, leftOut);
  leaveOut(leftOut);
}

}

int main(int argc, char** argv)
{
  try
  {
    const std::shared_ptr<Device> device = sharedDevice(); // beside the filter's own: tells what it is
    return runProgram(argc, argv, *device, addRows);
  }
  catch (const Error& error)
  {
    std::cerr << error.what() << std::endl;
    return 1;
  }
}
