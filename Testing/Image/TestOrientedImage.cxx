// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// An image with a rotated direction matrix, unequal spacing, an origin and an extent that does not begin at 0. The box
// is drawn at the corners that vtkImageData computes. The large ellipsoid ends half a cell from each of the box's six
// faces. A small one is in the corner of lowest indices, a smaller one at the end of the first axis. With --mirrored,
// the third axis is reversed, and the image is left-handed.
#include "ImageTest.h"

#include "vtkVulkanMarchingCubes.h"

#include "vtkMatrix4x4.h"
#include "vtkNew.h"
#include "vtkTransform.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace vmc::test;

namespace
{

constexpr std::array<int, 3> Cells = { 15, 20, 11 }; // few, so that half a cell is several pixels

// Positive inside. The centre and the radius of the ellipsoid are fractions of the image's size.
double ellipsoid(const std::array<double, 3>& p, const std::array<double, 3>& center, double radius)
{
  double sum = 0;
  for (int c = 0; c < 3; ++c)
    sum += std::pow(p[c] / (Cells[c] - 1) - center[c], 2);
  return radius - std::sqrt(sum);
}

double ellipsoids(const std::array<double, 3>& p)
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

}

int TestOrientedImage(int argc, char* argv[])
{
  ImageTest test(argc, argv);
  const bool mirrored = std::any_of(argv, argv + argc, [](char* a) { return !std::strcmp(a, "--mirrored"); });
  const auto image = orientedImage(mirrored);
  vtkNew<vtkVulkanMarchingCubes> contour;
  contour->SetInputData(image);
  contour->SetNumberOfContours(1);
  contour->SetValue(0, test.isovalue(0));
  if (!test.run(contour))
    return test.result();
  const auto renderer = makeRenderer();
  addBox(renderer, image);
  addSurface(renderer, contour->GetOutput(), { 0.35, 0.65, 0.85 });
  test.compare(renderer);
  return test.result();
}
