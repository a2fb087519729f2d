// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "ImageTest.h"

#include "vtkVulkanMarchingCubes.h"

#include "vtkCallbackCommand.h"
#include "vtkCamera.h"
#include "vtkCellArray.h"
#include "vtkCellData.h"
#include "vtkNew.h"
#include "vtkPoints.h"
#include "vtkPolyData.h"
#include "vtkPolyDataMapper.h"
#include "vtkProperty.h"
#include "vtkRegressionTestImage.h"
#include "vtkRenderWindow.h"
#include "vtkScalarsToColors.h"
#include "vtkStringArray.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>

namespace vmc::test
{

namespace
{

// The error of vtkImageDifference. A pixel counts if its channels differ in sum by more than 105 of 765 from every
// pixel around it in the baseline. The excess is summed over the image, in units of full pixels. So surfaces must stand
// out from the background. Rasterizers differ at the edges of triangles by less than 1. A surface that is half a cell
// off differs by more than 30.
constexpr double LargestImageError = 5;

void count(vtkObject*, unsigned long, void* number, void*)
{
  ++*static_cast<int*>(number);
}

}

vtkSmartPointer<vtkFloatArray> cellArray(vtkImageData* image, const char* name, const CellFormula& value)
{
  const int* dimensions = image->GetDimensions();
  auto array = vtkSmartPointer<vtkFloatArray>::New();
  array->SetName(name);
  array->SetNumberOfValues(image->GetNumberOfCells());
  vtkIdType cell = 0;
  for (int k = 0; k < dimensions[2] - 1; ++k)
    for (int j = 0; j < dimensions[1] - 1; ++j)
      for (int i = 0; i < dimensions[0] - 1; ++i)
        array->SetValue(cell++, static_cast<float>(value({ double(i), double(j), double(k) })));
  return array;
}

vtkSmartPointer<vtkImageData> cellImage(const std::array<int, 3>& cells, const CellFormula& value)
{
  auto image = vtkSmartPointer<vtkImageData>::New();
  image->SetDimensions(cells[0] + 1, cells[1] + 1, cells[2] + 1);
  image->GetCellData()->SetScalars(cellArray(image, "value", value));
  return image;
}

ImageTest::ImageTest(int argc, char* argv[])
  : ArgumentCount(argc)
  , Arguments(argv)
{
}

bool ImageTest::has(const std::string& option) const
{
  return std::find(this->Arguments, this->Arguments + this->ArgumentCount, option) !=
         this->Arguments + this->ArgumentCount;
}

double ImageTest::isovalue(double usual) const
{
  char** const end = this->Arguments + this->ArgumentCount;
  char** const option = std::find(this->Arguments, end, std::string("--isovalue"));
  return end - option >= 2 ? std::atof(option[1]) : usual;
}

void ImageTest::skip(const std::string& reason)
{
  std::cout << "Skipped: " << reason << std::endl;
  this->Result = Skipped;
}

bool ImageTest::run(vtkVulkanMarchingCubes* filter)
{
  const bool onCpu = this->has("--cpu");
  if (!onCpu && filter->GetDeviceNames()->GetNumberOfValues() == 1)
  {
    this->skip("no Vulkan device.");
    return false;
  }
  int messages = 0;
  vtkNew<vtkCallbackCommand> counter;
  counter->SetCallback(count);
  counter->SetClientData(&messages);
  filter->AddObserver(vtkCommand::WarningEvent, counter);
  filter->AddObserver(vtkCommand::ErrorEvent, counter);
  filter->SetMergePoints(!this->ownPoints());
  filter->Update();
  filter->RemoveObserver(counter);

  const std::string used = filter->GetUsedDevice();
  const vtkIdType triangles = filter->GetOutput()->GetNumberOfPolys();
  std::cout << triangles << " triangles by " << used << std::endl;
  const bool asAsked = (used.find("CPU, ") == 0) == onCpu;
  if (!asAsked || messages != 0 || triangles == 0)
  {
    std::cerr << "The filter used \"" << used << "\", gave " << messages << " warnings or errors and " << triangles
              << " triangles." << std::endl;
    return false;
  }
  return true;
}

void ImageTest::compare(vtkRenderer* renderer)
{
  vtkNew<vtkRenderWindow> window;
  window->SetMultiSamples(0);
  window->SetSize(300, 300);
  window->AddRenderer(renderer);
  renderer->ResetCamera();
  renderer->GetActiveCamera()->Zoom(1.15); // ResetCamera leaves a margin around the bounding sphere
  window->Render();
  const int outcome = vtkRegressionTester::Test(this->ArgumentCount, this->Arguments, window, LargestImageError);
  this->Result = outcome == vtkTesting::PASSED ? 0 : 1;
}

vtkSmartPointer<vtkRenderer> makeRenderer()
{
  auto renderer = vtkSmartPointer<vtkRenderer>::New();
  renderer->SetBackground(1, 1, 1);
  renderer->GetActiveCamera()->SetPosition(1.0, -1.6, 0.9);
  renderer->GetActiveCamera()->SetFocalPoint(0, 0, 0);
  renderer->GetActiveCamera()->SetViewUp(0, 0, 1);
  return renderer;
}

namespace
{

vtkSmartPointer<vtkActor> add(vtkRenderer* renderer, vtkPolyDataMapper* mapper)
{
  auto actor = vtkSmartPointer<vtkActor>::New();
  actor->SetMapper(mapper);
  actor->GetProperty()->BackfaceCullingOn();
  renderer->AddActor(actor);
  return actor;
}

}

vtkSmartPointer<vtkActor> addSurface(vtkRenderer* renderer, vtkPolyData* surface, const std::array<double, 3>& color)
{
  vtkNew<vtkPolyDataMapper> mapper;
  mapper->SetInputData(surface);
  mapper->ScalarVisibilityOff();
  const auto actor = add(renderer, mapper);
  actor->GetProperty()->SetColor(color[0], color[1], color[2]);
  return actor;
}

vtkSmartPointer<vtkActor> addSurface(
  vtkRenderer* renderer, vtkPolyData* surface, const char* array, vtkScalarsToColors* colors)
{
  vtkNew<vtkPolyDataMapper> mapper;
  mapper->SetInputData(surface);
  mapper->SetScalarModeToUsePointFieldData();
  mapper->SelectColorArray(array);
  mapper->SetLookupTable(colors);
  mapper->UseLookupTableScalarRangeOn();
  mapper->InterpolateScalarsBeforeMappingOn();
  return add(renderer, mapper);
}

void addBox(vtkRenderer* renderer, vtkImageData* image)
{
  const int* extent = image->GetExtent();
  vtkNew<vtkPoints> corners;
  vtkNew<vtkCellArray> edges;
  for (vtkIdType corner = 0; corner < 8; ++corner)
  {
    double position[3];
    image->TransformContinuousIndexToPhysicalPoint(
      extent[corner & 1], extent[2 + (corner >> 1 & 1)], extent[4 + (corner >> 2 & 1)], position);
    corners->InsertNextPoint(position);
    for (vtkIdType axis = 1; axis < 8; axis *= 2)
      if (!(corner & axis))
        edges->InsertNextCell({ corner, corner + axis });
  }
  vtkNew<vtkPolyData> box;
  box->SetPoints(corners);
  box->SetLines(edges);
  vtkNew<vtkPolyDataMapper> mapper;
  mapper->SetInputData(box);
  const auto actor = add(renderer, mapper);
  actor->GetProperty()->SetColor(0.1, 0.1, 0.1);
  actor->GetProperty()->SetLineWidth(2);
  actor->GetProperty()->LightingOff();
}

}
