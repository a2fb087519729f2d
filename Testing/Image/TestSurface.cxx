// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One surface of a procedural volume: three blobs that merge, and a feature of a single cell, which averaging to the
// points would smear away.
#include "ImageTest.h"

#include "vtkVulkanMarchingCubes.h"

#include "vtkNew.h"

#include <cmath>

using namespace vmc::test;

namespace
{

double blob(const std::array<double, 3>& p, double x, double y, double z, double radius)
{
  return radius * radius / (std::pow(p[0] - x, 2) + std::pow(p[1] - y, 2) + std::pow(p[2] - z, 2) + 1);
}

double blobs(const std::array<double, 3>& p)
{
  if (p[0] == 32 && p[1] == 10 && p[2] == 31)
    return 5;
  return blob(p, 12, 15, 13, 8) + blob(p, 28, 17, 17, 7) + blob(p, 17, 20, 29, 6);
}

}

int TestSurface(int argc, char* argv[])
{
  ImageTest test(argc, argv);
  vtkNew<vtkVulkanMarchingCubes> contour;
  contour->SetInputData(cellImage({ 41, 33, 39 }, blobs));
  contour->SetNumberOfContours(1);
  contour->SetValue(0, test.isovalue(1.3));
  if (!test.run(contour))
    return test.result();
  const auto renderer = makeRenderer();
  addSurface(renderer, contour->GetOutput(), { 0.95, 0.6, 0.25 });
  test.compare(renderer);
  return test.result();
}
