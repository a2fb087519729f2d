// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Renders the filter's output for one picture and compares it with a baseline.
//
//   vmcImageTests PICTURE [OPTION...]
//
// PICTURE: a name of Pictures. Options: VTK's (-T folder, -V baseline), and
//   --own-points      every triangle has points of its own
//   --cpu             the CPU computes the surface
//   --isovalue VALUE  another isovalue, to test the comparison
// The exit code of a picture that needs what is not there is Skipped.
#include "../Filter/RealVolumes.h"

#include "vtkActor.h"
#include "vtkCallbackCommand.h"
#include "vtkCamera.h"
#include "vtkCellArray.h"
#include "vtkCellData.h"
#include "vtkClipPolyData.h"
#include "vtkFloatArray.h"
#include "vtkImageData.h"
#include "vtkLookupTable.h"
#include "vtkMatrix4x4.h"
#include "vtkNew.h"
#include "vtkPlane.h"
#include "vtkPoints.h"
#include "vtkPolyData.h"
#include "vtkPolyDataMapper.h"
#include "vtkProperty.h"
#include "vtkRegressionTestImage.h"
#include "vtkRenderWindow.h"
#include "vtkRenderer.h"
#include "vtkSmartPointer.h"
#include "vtkStringArray.h"
#include "vtkTransform.h"
#include "vtkVulkanMarchingCubes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <iterator>
#include <string>

namespace
{

constexpr int Skipped = 125; // CTest shows this exit code as "Skipped"

// The error of vtkImageDifference. A pixel counts if its channels differ in sum by more than 105 of 765 from every
// pixel around it in the baseline. The excess is summed over the image, in units of full pixels. So surfaces must stand
// out from the background. Rasterizers differ at the edges of triangles by less than 1. A surface that is half a cell
// off differs by more than 30.
constexpr double LargestImageError = 5;

using Position = std::array<double, 3>;
// Value of a cell at the index-space position of its centre: (i, j, k) for cell (i, j, k).
using CellFormula = std::function<double(const Position&)>;

// One value per cell of the image, in the order of cell ids.
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

// An image of cells[axis] cells along each axis, unit spacing, origin 0, with the active cell scalars "value".
vtkSmartPointer<vtkImageData> cellImage(const std::array<int, 3>& cells, const CellFormula& value)
{
  auto image = vtkSmartPointer<vtkImageData>::New();
  image->SetDimensions(cells[0] + 1, cells[1] + 1, cells[2] + 1);
  image->GetCellData()->SetScalars(cellArray(image, "value", value));
  return image;
}

// The program's options, and the renderer with what they tell to draw.
class ImageTest
{
public:
  ImageTest(int argc, char* argv[])
    : ArgumentCount(argc)
    , Arguments(argv)
  {
    this->Filter->SetMergePoints(!this->has("--own-points"));
    this->Renderer->SetBackground(1, 1, 1);
    this->Renderer->GetActiveCamera()->SetPosition(1.0, -1.6, 0.9);
    this->Renderer->GetActiveCamera()->SetFocalPoint(0, 0, 0);
    this->Renderer->GetActiveCamera()->SetViewUp(0, 0, 1);
  }

  vtkVulkanMarchingCubes* filter() { return this->Filter; }
  vtkRenderer* renderer() { return this->Renderer; }

  // Sets the isovalue of the option --isovalue if there is one, else `usual`.
  void setIsovalue(double usual)
  {
    char** const end = this->Arguments + this->ArgumentCount;
    char** const option = std::find(this->Arguments, end, std::string("--isovalue"));
    this->Filter->SetValue(0, end - option >= 2 ? std::atof(option[1]) : usual);
  }

  // Runs the filter. Exits if there is no surface to compare: no Vulkan device (skipped), a warning or error, the CPU
  // instead of a device (with --cpu, a device instead of the CPU), an empty surface.
  vtkPolyData* run(vtkImageData* image);

  static void skip(const std::string& reason)
  {
    std::cout << "Skipped: " << reason << std::endl;
    std::exit(Skipped);
  }

  // Back faces are culled, so that wrong winding is visible.
  vtkProperty* add(vtkPolyDataMapper* mapper, const Position& color)
  {
    vtkNew<vtkActor> actor;
    actor->SetMapper(mapper);
    actor->GetProperty()->BackfaceCullingOn();
    actor->GetProperty()->SetColor(color[0], color[1], color[2]);
    this->Renderer->AddActor(actor);
    return actor->GetProperty();
  }

  // Adds a mesh in one colour.
  vtkProperty* add(vtkPolyData* mesh, const Position& color)
  {
    vtkNew<vtkPolyDataMapper> mapper;
    mapper->SetInputData(mesh);
    mapper->ScalarVisibilityOff();
    return this->add(mapper, color);
  }

  // Adds a surface coloured by the point array of that name.
  vtkProperty* add(vtkPolyData* surface, const char* array, vtkScalarsToColors* colors)
  {
    vtkNew<vtkPolyDataMapper> mapper;
    mapper->SetInputData(surface);
    mapper->SetScalarModeToUsePointFieldData();
    mapper->SelectColorArray(array);
    mapper->SetLookupTable(colors);
    mapper->UseLookupTableScalarRangeOn();
    mapper->InterpolateScalarsBeforeMappingOn();
    return this->add(mapper, { 1, 1, 1 });
  }

  // Renders 300 x 300 pixels and compares them with the baseline of -V. Returns the exit code.
  int compare();

private:
  bool has(const std::string& option) const
  {
    char** const end = this->Arguments + this->ArgumentCount;
    return std::find(this->Arguments, end, option) != end;
  }

  const int ArgumentCount;
  char** const Arguments;
  vtkNew<vtkVulkanMarchingCubes> Filter;
  vtkNew<vtkRenderer> Renderer;
};

vtkPolyData* ImageTest::run(vtkImageData* image)
{
  const bool onCpu = this->has("--cpu");
  if (!onCpu && this->Filter->GetDeviceNames()->GetNumberOfValues() == 1)
    skip("no Vulkan device.");
  int messages = 0;
  vtkNew<vtkCallbackCommand> counter;
  counter->SetCallback([](vtkObject*, unsigned long, void* number, void*) { ++*static_cast<int*>(number); });
  counter->SetClientData(&messages);
  this->Filter->AddObserver(vtkCommand::WarningEvent, counter);
  this->Filter->AddObserver(vtkCommand::ErrorEvent, counter);
  this->Filter->SetInputData(image);
  this->Filter->Update();
  this->Filter->RemoveObserver(counter);

  const std::string used = this->Filter->GetUsedDevice();
  const vtkIdType triangles = this->Filter->GetOutput()->GetNumberOfPolys();
  std::cout << triangles << " triangles by " << used << std::endl;
  const bool asAsked = (used.find("CPU, ") == 0) == onCpu;
  if (!asAsked || messages != 0 || triangles == 0)
  {
    std::cerr << "The filter used \"" << used << "\", gave " << messages << " warnings or errors and " << triangles
              << " triangles." << std::endl;
    std::exit(1);
  }
  return this->Filter->GetOutput();
}

int ImageTest::compare()
{
  vtkNew<vtkRenderWindow> window;
  window->SetMultiSamples(0);
  window->SetSize(300, 300);
  window->AddRenderer(this->Renderer);
  this->Renderer->ResetCamera();
  this->Renderer->GetActiveCamera()->Zoom(1.15); // ResetCamera leaves a margin around the bounding sphere
  window->Render();
  const int outcome = vtkRegressionTester::Test(this->ArgumentCount, this->Arguments, window, LargestImageError);
  return outcome == vtkTesting::PASSED ? 0 : 1;
}

double blob(const Position& p, double x, double y, double z, double radius)
{
  return radius * radius / (std::pow(p[0] - x, 2) + std::pow(p[1] - y, 2) + std::pow(p[2] - z, 2) + 1);
}

double blobs(const Position& p)
{
  if (p[0] == 32 && p[1] == 10 && p[2] == 31)
    return 5;
  return blob(p, 12, 15, 13, 8) + blob(p, 28, 17, 17, 7) + blob(p, 17, 20, 29, 6);
}

// Three blobs that merge, and a feature of a single cell, which averaging to the points would smear away.
void drawSurface(ImageTest& test)
{
  test.setIsovalue(1.3);
  test.add(test.run(cellImage({ 41, 33, 39 }, blobs)), { 0.95, 0.6, 0.25 });
}

constexpr double Center = 20;

// Decreases from 1 at the centre; the shells are rounded cubes.
double nearness(const Position& p)
{
  double sum = 0;
  for (int c = 0; c < 3; ++c)
    sum += std::pow((p[c] - Center) / Center, 4);
  return 1 - std::pow(sum, 0.25);
}

// Four isovalues in one execution: nested shells, cut open, each in the colour of its isovalue.
void drawIsovalues(ImageTest& test)
{
  test.filter()->GenerateValues(4, 0.1, 0.7);
  // World coordinates are half a cell larger than indices. The plane cuts away the near part.
  vtkNew<vtkPlane> cut;
  cut->SetOrigin(Center + 0.5, Center + 0.5, Center + 0.5);
  cut->SetNormal(-0.6, 1.0, -0.5);
  vtkNew<vtkClipPolyData> opened;
  opened->SetInputData(test.run(cellImage({ 41, 41, 41 }, nearness)));
  opened->SetClipFunction(cut);
  opened->Update();

  vtkNew<vtkLookupTable> colors;
  colors->SetNumberOfTableValues(4);
  colors->SetTableValue(0, 0.15, 0.35, 0.75);
  colors->SetTableValue(1, 0.2, 0.65, 0.35);
  colors->SetTableValue(2, 0.95, 0.75, 0.15);
  colors->SetTableValue(3, 0.8, 0.2, 0.2);
  colors->SetTableRange(0, 0.8);
  test.add(opened->GetOutput(), "value", colors)->BackfaceCullingOff();
}

double torus(const Position& p)
{
  const double fromRing = std::hypot(p[0] - 22, p[1] - 22) - 14;
  return 6.5 - std::hypot(fromRing, p[2] - 9);
}

double height(const Position& p)
{
  return p[2] + 4 * std::sin(4 * std::atan2(p[1] - 22, p[0] - 22));
}

// A torus coloured by a second cell array that the filter interpolates to the surface. The array varies with the angle
// around the axis.
void drawAttributes(ImageTest& test)
{
  const auto image = cellImage({ 45, 45, 19 }, torus);
  image->GetCellData()->AddArray(cellArray(image, "height", height));
  test.filter()->InterpolateAttributesOn();
  test.setIsovalue(0);
  vtkNew<vtkLookupTable> colors;
  colors->SetNumberOfTableValues(8);
  colors->SetHueRange(0.66, 0);
  colors->SetTableRange(0, 18);
  colors->Build();
  test.add(test.run(image), "height", colors);
}

// A real volume of the Open SciVis data sets.
void drawBonsai(ImageTest& test)
{
  std::string whyNot;
  const auto image = LoadRealVolume({ "bonsai_256x256x256_uint8.raw", "", { 80 } }, whyNot);
  if (!image)
    ImageTest::skip(whyNot);
  test.setIsovalue(80);
  test.add(test.run(image), { 0.45, 0.6, 0.3 })->BackfaceCullingOff();
  test.renderer()->GetActiveCamera()->SetPosition(0.5, 0.4, 2); // the tree grows along y
  test.renderer()->GetActiveCamera()->SetViewUp(0, 1, 0);
}

// Adds the twelve edges of the image's box, at the corners that vtkImageData computes.
void addBox(ImageTest& test, vtkImageData* image)
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
  vtkProperty* const property = test.add(box, { 0.1, 0.1, 0.1 });
  property->SetLineWidth(2);
  property->LightingOff();
}

constexpr std::array<int, 3> Cells = { 15, 20, 11 }; // few, so that half a cell is several pixels

// Positive inside. The centre and the radius of the ellipsoid are fractions of the image's size.
double ellipsoid(const Position& p, const Position& center, double radius)
{
  double sum = 0;
  for (int c = 0; c < 3; ++c)
    sum += std::pow(p[c] / (Cells[c] - 1) - center[c], 2);
  return radius - std::sqrt(sum);
}

double ellipsoids(const Position& p)
{
  return std::max({ ellipsoid(p, { 0.5, 0.5, 0.5 }, 0.499), ellipsoid(p, { 0.18, 0.18, 0.18 }, 0.16),
    ellipsoid(p, { 0.85, 0.15, 0.15 }, 0.13) });
}

vtkSmartPointer<vtkImageData> orientedImage(bool mirrored)
{
  const auto image = cellImage(Cells, ellipsoids);
  image->SetExtent(7, 7 + Cells[0], -12, -12 + Cells[1], 100, 100 + Cells[2]);
  image->SetSpacing(2.0, 1.1, 3.6);
  image->SetOrigin(-40, 3, 11);
  vtkNew<vtkTransform> turn;
  turn->RotateZ(-15);
  turn->RotateY(40);
  turn->RotateX(-20);
  turn->Scale(1, 1, mirrored ? -1 : 1);
  double direction[9];
  for (int c = 0; c < 9; ++c)
    direction[c] = turn->GetMatrix()->GetElement(c / 3, c % 3);
  image->SetDirectionMatrix(direction);
  return image;
}

// A rotated direction matrix, unequal spacing, an origin and an extent that does not begin at 0. The large ellipsoid
// ends half a cell from each of the box's six faces. A small one is in the corner of lowest indices, a smaller one at
// the end of the first axis. If mirrored, the third axis is reversed, and the image is left-handed.
void drawOrientedImage(ImageTest& test, bool mirrored)
{
  const auto image = orientedImage(mirrored);
  addBox(test, image);
  test.setIsovalue(0);
  test.add(test.run(image), { 0.35, 0.65, 0.85 });
}

const struct
{
  const char* name;
  void (*draw)(ImageTest& test);
} Pictures[] = {
  { "Surface", drawSurface },
  { "Isovalues", drawIsovalues },
  { "OrientedImage", [](ImageTest& test) { drawOrientedImage(test, false); } },
  { "MirroredImage", [](ImageTest& test) { drawOrientedImage(test, true); } },
  { "Attributes", drawAttributes },
  { "Bonsai", drawBonsai },
};

}

int main(int argc, char* argv[])
{
  const auto isWanted = [&](const auto& picture) { return argc > 1 && argv[1] == std::string(picture.name); };
  const auto* const picture = std::find_if(std::begin(Pictures), std::end(Pictures), isWanted);
  if (picture == std::end(Pictures))
    return 1;
  ImageTest test(argc, argv);
  picture->draw(test);
  return test.compare();
}
