// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Times frames of isosurfaces, in a window that needs no display. Before and after it is timed, the numbers of points
// and triangles of a surface are compared with those of the output of vtkVulkanMarchingCubes. A row is skipped if the
// mapper cannot draw in this way, or if OpenGL reports an error.
//
// Rows, for each drawn case of Cases.h and each way of drawing (Drawing.h):
//   CASE/WAY/new isovalue   from a change of the isovalue to the finished frame; the samples are on the device
//   CASE/WAY/plain frame    the next frame of the same surface, after a turn of the camera
// Surfaces have normals and one colour. The time is that of the host's clock. The counter "ms extraction" is
// vtkVulkanMarchingCubes::GetTotalTime(); the label is the device that extracted.
//
// Besides the options of the other programs: --window=WIDTHxHEIGHT in pixels.
#include "CaseImage.h"
#include "Compute/Context.h"
#include "Compute/Engine.h"
#include "Compute/System/Error.h"
#include "Compute/Vulkan/Device.h"
#include "Drawing.h"
#include "Program.h"

#include "vtkImageData.h"

#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>

namespace
{

using namespace vmc;
using namespace vmc::benchmarks;

struct WindowSize
{
  int width = 1920, height = 1080;
};

// Reads the option and removes it from the arguments. Throws std::runtime_error if it is not a size.
WindowSize takeWindowSize(int& argc, char** argv)
{
  WindowSize size;
  int kept = 1;
  for (int i = 1; i < argc; ++i)
    if (std::strncmp(argv[i], "--window=", 9) != 0)
      argv[kept++] = argv[i];
    else if (std::sscanf(argv[i] + 9, "%dx%d", &size.width, &size.height) != 2 || size.width < 1 || size.height < 1)
      throw std::runtime_error(std::string(argv[i]) + ": the option is --window=WIDTHxHEIGHT in pixels.");
  argc = kept;
  return size;
}

// Keeps one image and one drawing at a time: the rows of a way are adjacent, and so are the cases of a volume.
class Drawings
{
public:
  explicit Drawings(test::OffscreenWindow& window)
    : Window(window)
  {
  }

  Drawing& of(const Case& which, Way way)
  {
    if (this->Name != which.name)
      this->setCase(which);
    if (!this->Current || this->CurrentWay != way)
    {
      this->Current.reset(); // frees its memory before the next one is made
      this->Current = std::make_unique<Drawing>(which, this->Image, this->Expected, way, this->Window);
      this->CurrentWay = way;
    }
    return *this->Current;
  }

private:
  void setCase(const Case& which)
  {
    this->Current.reset();
    this->Name.clear();
    this->Image = imageOf(which);
    this->Expected = surfacesOf(which, this->Image);
    this->Name = which.name;
  }

  test::OffscreenWindow& Window;
  std::string Name;
  vtkSmartPointer<vtkImageData> Image;
  Surfaces Expected{};
  std::unique_ptr<Drawing> Current;
  Way CurrentWay = Way::PolyDataMapper;
};

// Roughly. Without a GPU, rasterization takes most of the time.
double nanosecondsPerTriangle(Way way, bool isSoftware)
{
  return isSoftware ? 400 : extracts(way) ? 20 : 200;
}

void addCase(const Case& which, const std::shared_ptr<Drawings>& drawings, const Options& options)
{
  const double triangles = which.expected ? double(which.expected->triangles) : double(which.sampleCount()) / 10;
  for (const Way way : AllWays)
  {
    if (isDrawnByRaysAlone(which) && way != Way::Rays)
      continue;
    const std::string name = which.name + "/" + nameOf(way);
    const int runs = affordableRuns(nanosecondsPerTriangle(way, options.isSoftware) * triangles, options.repetitions);
    addRow(name + "/new isovalue", runs,
      [=](benchmark::State& state) { return drawings->of(which, way).newIsovalue(state); });
    addRow(
      name + "/plain frame", runs, [=](benchmark::State& state) { return drawings->of(which, way).plainFrame(state); });
  }
}

void addRows(const Options& options, test::OffscreenWindow& window)
{
  const Selection selection = selectDrawnCases(options.isSoftware, options.largestSize);
  leaveOut(selection.leftOut);
  const auto drawings = std::make_shared<Drawings>(window);
  for (const Case& which : selection.cases)
    addCase(which, drawings, options);
}

int run(int argc, char** argv)
{
  const WindowSize size = takeWindowSize(argc, argv);
  const std::shared_ptr<Engine> engine = Engine::shared(); // to describe its device in the output
  test::OffscreenWindow window(size.width, size.height, false);
  benchmark::AddCustomContext("opengl", window.device());
  benchmark::AddCustomContext("window", std::to_string(size.width) + " x " + std::to_string(size.height));
  return runProgram(argc, argv, *engine, [&window](const Options& options) { addRows(options, window); });
}

}

int main(int argc, char** argv)
{
  try
  {
    return run(argc, argv);
  }
  catch (const std::exception& error)
  {
    std::cerr << error.what() << std::endl;
    return 1;
  }
}
