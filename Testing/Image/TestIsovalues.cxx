// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Four isovalues in one execution: nested shells, cut open, each in the colour of its isovalue.
#include "ImageTest.h"

#include "vtkVulkanMarchingCubes.h"

#include "vtkClipPolyData.h"
#include "vtkLookupTable.h"
#include "vtkNew.h"
#include "vtkPlane.h"
#include "vtkPolyData.h"
#include "vtkProperty.h"

#include <cmath>

using namespace vmc::test;

namespace
{

constexpr double Center = 20;

// Decreases from 1 at the centre; the shells are rounded cubes.
double nearness(const std::array<double, 3>& p)
{
  double sum = 0;
  for (int c = 0; c < 3; ++c)
    sum += std::pow((p[c] - Center) / Center, 4);
  return 1 - std::pow(sum, 0.25);
}

}

int TestIsovalues(int argc, char* argv[])
{
  ImageTest test(argc, argv);
  vtkNew<vtkVulkanMarchingCubes> contour;
  contour->SetInputData(cellImage({ 41, 41, 41 }, nearness));
  contour->GenerateValues(4, 0.1, 0.7);
  if (!test.run(contour))
    return test.result();

  // World coordinates are half a cell larger than indices. The plane cuts away the near part.
  vtkNew<vtkPlane> cut;
  cut->SetOrigin(Center + 0.5, Center + 0.5, Center + 0.5);
  cut->SetNormal(-0.6, 1.0, -0.5);
  vtkNew<vtkClipPolyData> opened;
  opened->SetInputData(contour->GetOutput());
  opened->SetClipFunction(cut);
  opened->Update();

  vtkNew<vtkLookupTable> colors;
  colors->SetNumberOfTableValues(4);
  colors->SetTableValue(0, 0.15, 0.35, 0.75);
  colors->SetTableValue(1, 0.2, 0.65, 0.35);
  colors->SetTableValue(2, 0.95, 0.75, 0.15);
  colors->SetTableValue(3, 0.8, 0.2, 0.2);
  colors->SetTableRange(0, 0.8);
  const auto renderer = makeRenderer();
  const auto shells = addSurface(renderer, opened->GetOutput(), "value", colors);
  shells->GetProperty()->BackfaceCullingOff();
  test.compare(renderer);
  return test.result();
}
