// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Drawing.h"

#include "CaseImage.h"
#include "Compute/System/Stage.h"
#include "Program.h"

#include "vtkActor.h"
#include "vtkCamera.h"
#include "vtkFloatArray.h"
#include "vtkGenericOpenGLRenderWindow.h"
#include "vtkImageData.h"
#include "vtkPolyData.h"
#include "vtkPolyDataMapper.h"
#include "vtkRenderer.h"
#include "vtkVersionMacros.h"
#include "vtkVulkanIsosurfaceMapper.h"
#include "vtkVulkanMarchingCubes.h"

// VTK 9.3 renamed the class.
#if VTK_VERSION_NUMBER >= VTK_VERSION_CHECK(9, 3, 0)
#include "vtkCompositePolyDataMapper.h"
using CompositeMapper = vtkCompositePolyDataMapper;
#else
#include "vtkCompositePolyDataMapper2.h"
using CompositeMapper = vtkCompositePolyDataMapper2;
#endif

#include <algorithm>
#include <stdexcept>

namespace vmc::benchmarks
{

namespace
{

constexpr double TurnInDegrees = 3;

// Less than a step of an integer sample below the isovalue, so that both isovalues have surfaces of about one size.
std::array<double, 2> isovaluesOf(const Case& which)
{
  return { which.isovalue, which.isovalue * (1 - 1. / 256) };
}

void setUp(vtkVulkanMarchingCubes* contour, double isovalue)
{
  contour->SetValue(0, isovalue);
  contour->SetFallback(vtkVulkanMarchingCubes::FALLBACK_ERROR);
}

std::array<double, 6> boundsOf(vtkImageData* image)
{
  std::array<double, 6> bounds;
  image->GetBounds(bounds.data());
  return bounds;
}

}

const char* nameOf(Way way)
{
  switch (way)
  {
    case Way::PolyDataMapper:
      return "filter, polydata mapper";
    case Way::CompositeMapper:
      return "filter, composite mapper";
    case Way::DeviceMemory:
      return "isosurface mapper, device memory";
    case Way::Rays:
      return "isosurface mapper, rays";
    default:
      return "isosurface mapper, host memory";
  }
}

bool isDrawnByRaysAlone(const Case& which)
{
  return which.size > 512;
}

bool extracts(Way way)
{
  return way == Way::DeviceMemory || way == Way::HostMemory || way == Way::Rays;
}

Surfaces surfacesOf(const Case& which, vtkImageData* image)
{
  Surfaces surfaces{ isovaluesOf(which), {} };
  if (isDrawnByRaysAlone(which))
  {
    surfaces.counts.fill(which.expected.value_or(Counts{}));
    return surfaces;
  }
  vtkNew<vtkVulkanMarchingCubes> filter;
  filter->SetInputData(image);
  for (std::size_t i = 0; i < surfaces.counts.size(); ++i)
  {
    setUp(filter, surfaces.isovalues[i]);
    filter->Update();
    surfaces.counts[i] = countsOf(filter->GetOutput());
  }
  if (which.expected)
    requireEqual(which.name, surfaces.counts[0], *which.expected);
  return surfaces;
}

Drawing::Drawing(
  const Case& which, vtkImageData* image, const Surfaces& surfaces, Way way, test::OffscreenWindow& window)
  : Name(which.name + ", " + nameOf(way))
  , DrawnBy(way)
  , Expected(surfaces)
  , Window(window)
  , EarlierErrors(window.errors().size())
  , Bounds(boundsOf(image))
{
  this->connect(image);
  setUp(this->Contour, surfaces.isovalues[0]);
  this->Mapper->ScalarVisibilityOff();
  this->Actor->SetMapper(this->Mapper);
  window.renderer()->AddActor(this->Actor);
  vtkNew<vtkCamera> camera;
  window.renderer()->SetActiveCamera(camera);
  window.renderer()->ResetCamera(this->Bounds.data());
  warmUp([this] { return this->SkipReason.empty() ? this->drawNewIsovalue() : WarmUpMilliseconds; });
}

Drawing::~Drawing()
{
  this->Window.renderer()->RemoveActor(this->Actor);
}

void Drawing::connect(vtkImageData* image)
{
  if (extracts(this->DrawnBy))
  {
    const auto mapper = vtkSmartPointer<vtkVulkanIsosurfaceMapper>::New();
    mapper->SetInputData(image);
    mapper->SetFirstPath(this->DrawnBy == Way::HostMemory ? vtkVulkanIsosurfaceMapper::HOST_MEMORY
                                                          : vtkVulkanIsosurfaceMapper::DEVICE_MEMORY);
    if (this->DrawnBy == Way::Rays)
      mapper->SetSurfaceMode(vtkVulkanIsosurfaceMapper::ONLY_RAYS);
    this->Isosurface = mapper;
    this->Mapper = mapper;
    this->Contour = mapper->GetContour();
    return;
  }
  this->Contour = vtkSmartPointer<vtkVulkanMarchingCubes>::New();
  this->Contour->SetInputData(image);
  if (this->DrawnBy == Way::CompositeMapper)
    this->Mapper = vtkSmartPointer<CompositeMapper>::New();
  else
    this->Mapper = vtkSmartPointer<vtkPolyDataMapper>::New();
  this->Mapper->SetInputConnection(this->Contour->GetOutputPort());
}

double Drawing::newIsovalue(benchmark::State& state)
{
  const double elapsed = this->drawNewIsovalue();
  state.counters["ms extraction"] = this->Contour->GetTotalTime();
  return this->reportOrSkip(state, elapsed);
}

double Drawing::plainFrame(benchmark::State& state)
{
  return this->reportOrSkip(state, this->drawTurned());
}

double Drawing::drawNewIsovalue()
{
  this->Current = 1 - this->Current;
  const HostClock clock;
  this->Contour->SetValue(0, this->Expected.isovalues[this->Current]);
  this->Window.render();
  const double elapsed = clock.milliseconds();
  this->verify();
  return elapsed;
}

double Drawing::drawTurned()
{
  this->Window.renderer()->GetActiveCamera()->Azimuth(TurnInDegrees);
  this->Window.renderer()->ResetCameraClippingRange(this->Bounds.data());
  const HostClock clock;
  this->Window.render();
  const double elapsed = clock.milliseconds();
  this->verify();
  return elapsed;
}

void Drawing::verify()
{
  if (this->Window.errors().size() > this->EarlierErrors)
    this->SkipReason = "OpenGL reports: " + this->Window.errors()[this->EarlierErrors];
  if (!this->Isosurface)
  {
    requireEqual(this->Name, countsOf(this->Contour->GetOutput()), this->Expected.counts[this->Current]);
    return;
  }
  if (this->DrawnBy == Way::Rays)
  {
    this->verifyRays();
    return;
  }
  if (this->Isosurface->GetDrawnBy() != this->Isosurface->GetFirstPath())
    this->SkipReason = std::string("drawn by ") + this->Isosurface->GetDrawnByText();
  requireEqual(this->Name,
    { static_cast<std::uint64_t>(this->Isosurface->GetNumberOfPoints()),
      static_cast<std::uint64_t>(this->Isosurface->GetNumberOfTriangles()) },
    this->Expected.counts[this->Current]);
}

// The middle of the picture shows the surface, which fills the volume.
void Drawing::verifyRays()
{
  if (this->Isosurface->GetDrawnBy() != vtkVulkanIsosurfaceMapper::RAYS)
    this->SkipReason = std::string("drawn by ") + this->Isosurface->GetDrawnByText();
  constexpr int Side = 100;
  const int* const size = this->Window.window()->GetSize();
  const int left = (size[0] - Side) / 2, bottom = (size[1] - Side) / 2;
  vtkNew<vtkFloatArray> depths;
  this->Window.window()->GetZbufferData(left, bottom, left + Side - 1, bottom + Side - 1, depths);
  const float* const values = depths->GetPointer(0);
  const auto background = std::count(values, values + depths->GetNumberOfValues(), 1.F);
  if (background > Side * Side / 2)
    throw std::runtime_error(this->Name + ": the surface is missing in the middle of the picture.");
}

double Drawing::reportOrSkip(benchmark::State& state, double elapsedMilliseconds) const
{
  if (!this->SkipReason.empty())
  {
    state.SkipWithError(this->SkipReason.c_str());
    return 0;
  }
  const Counts& counts = this->Expected.counts[0]; // the same in every run
  state.counters["points"] = double(counts.points);
  state.counters["triangles"] = double(counts.triangles);
  state.SetLabel(this->Contour->GetUsedDevice());
  return elapsedMilliseconds;
}

}
