// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// A torus coloured by a second cell array that the filter interpolates to the surface. The array varies with the angle
// around the axis.
#include "ImageTest.h"

#include "vtkVulkanMarchingCubes.h"

#include "vtkCellData.h"
#include "vtkLookupTable.h"
#include "vtkNew.h"

#include <cmath>

using namespace vmc::test;

namespace
{

double torus(const std::array<double, 3>& p)
{
  const double fromRing = std::hypot(p[0] - 22, p[1] - 22) - 14;
  return 6.5 - std::hypot(fromRing, p[2] - 9);
}

double height(const std::array<double, 3>& p)
{
  return p[2] + 4 * std::sin(4 * std::atan2(p[1] - 22, p[0] - 22));
}

}

int TestAttributes(int argc, char* argv[])
{
  ImageTest test(argc, argv);
  const auto image = cellImage({ 45, 45, 19 }, torus);
  image->GetCellData()->AddArray(cellArray(image, "height", height));
  vtkNew<vtkVulkanMarchingCubes> contour;
  contour->SetInputData(image);
  contour->InterpolateAttributesOn();
  contour->SetNumberOfContours(1);
  contour->SetValue(0, test.isovalue(0));
  if (!test.run(contour))
    return test.result();
  vtkNew<vtkLookupTable> colors;
  colors->SetNumberOfTableValues(8);
  colors->SetHueRange(0.66, 0);
  colors->SetTableRange(0, 18);
  colors->Build();
  const auto renderer = makeRenderer();
  addSurface(renderer, contour->GetOutput(), "height", colors);
  test.compare(renderer);
  return test.result();
}
