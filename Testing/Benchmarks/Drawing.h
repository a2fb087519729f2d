// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Times the frames of one isosurface that is drawn in one way.
#ifndef vmcDrawing_h
#define vmcDrawing_h

#include "Cases.h"
#include "Support/OffscreenWindow.h"

#include "vtkNew.h"
#include "vtkSmartPointer.h"

#include <benchmark/benchmark.h>

#include <array>
#include <string>

class vtkActor;
class vtkImageData;
class vtkPolyDataMapper;
class vtkVulkanIsosurfaceMapper;
class vtkVulkanMarchingCubes;

namespace vmc::benchmarks
{

// Ways of drawing: the filter's output by a mapper of VTK, or the image by vtkVulkanIsosurfaceMapper.
enum class Way
{
  PolyDataMapper,
  CompositeMapper, // the mapper of ParaView's representation Surface
  DeviceMemory,
  HostMemory,
  Rays
};
constexpr std::array<Way, 5> AllWays = { Way::PolyDataMapper, Way::CompositeMapper, Way::DeviceMemory, Way::HostMemory,
  Way::Rays };
const char* nameOf(Way way);
// Returns whether the mapper extracts the surface by itself.
bool extracts(Way way);

// Returns whether the mesh of the case is too large to be drawn in each way.
bool isDrawnByRaysAlone(const Case& which);

// The isosurface of a case and another one close to it, so that each of them is a new isosurface after the other.
struct Surfaces
{
  std::array<double, 2> isovalues;
  std::array<Counts, 2> counts;
};

// Contours the image with vtkVulkanMarchingCubes, unless the case is drawn by rays alone: then the counts are those
// that the case expects. Throws std::runtime_error if the counts are not those.
Surfaces surfacesOf(const Case& which, vtkImageData* image);

// Adds an actor to the window, which is removed by the destructor. Every frame is verified after it is timed.
class Drawing
{
public:
  // Draws until the warm-up is complete. The window must outlive this object. Throws std::runtime_error if the drawn
  // surface is wrong.
  Drawing(const Case& which, vtkImageData* image, const Surfaces& surfaces, Way way, test::OffscreenWindow& window);
  ~Drawing();
  Drawing(const Drawing&) = delete;
  Drawing& operator=(const Drawing&) = delete;

  // The time in milliseconds of a frame. If the surface is not drawn in the requested way, or OpenGL reports an
  // error, skips the row with the reason and returns 0.
  double newIsovalue(benchmark::State& state); // from the change of the isovalue to the finished frame
  double plainFrame(benchmark::State& state);  // of the same surface after a turn of the camera

private:
  void connect(vtkImageData* image);
  double drawNewIsovalue();
  double drawTurned();
  void verify();
  void verifyRays();
  // Returns the time and adds the counters of the row, or skips the row and returns 0.
  double reportOrSkip(benchmark::State& state, double elapsedMilliseconds) const;

  const std::string Name;
  const Way DrawnBy;
  const Surfaces Expected;
  test::OffscreenWindow& Window;
  const std::size_t EarlierErrors;
  const std::array<double, 6> Bounds;

  vtkSmartPointer<vtkVulkanMarchingCubes> Contour;
  vtkSmartPointer<vtkPolyDataMapper> Mapper;
  vtkVulkanIsosurfaceMapper* Isosurface = nullptr; // the mapper, if it extracts by itself
  vtkNew<vtkActor> Actor;
  std::size_t Current = 0; // index in Expected
  std::string SkipReason;  // empty: the rows are timed
};

}

#endif
