// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Infinite samples, NaN, and vectors of any length.
#include "FilterTest.h"

#include "vtkCellData.h"
#include "vtkDataArray.h"
#include "vtkDoubleArray.h"
#include "vtkPointData.h"

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

using ExtremeSamples = FilterTest;

// The position is the limit for a growing sample. Between two infinite samples it is the middle.
TEST_F(ExtremeSamples, BesideAnInfiniteSampleAPointLiesOnTheFiniteOne)
{
  const double infinity = std::numeric_limits<double>::infinity();
  const double samples[] = { -infinity, 80, 20, infinity, -infinity };
  for (const int type : { VTK_FLOAT, VTK_DOUBLE })
  {
    const auto image = CellImage({ 5, 3, 3 }, type, [&](int i, int, int) { return samples[i]; });
    vtkDataArray* number = AddConstant(image, "number", 1, 0);
    for (vtkIdType cell = 0; cell < number->GetNumberOfTuples(); ++cell)
      number->SetTuple1(cell, static_cast<double>(cell % 5));
    this->Filter->InterpolateAttributesOn();
    const std::map<double, double> expected{ { 1.5, -1 }, { 2, 1 }, { 2.5, -1 }, { 4, 1 } }; // x, x of the normal
    std::map<double, double> found;
    vtkPolyData* mesh = this->run(image, 50);
    EXPECT_EQ(mesh->GetNumberOfPoints(), 9 * 4);
    for (vtkIdType p = 0; p < mesh->GetNumberOfPoints(); ++p)
    {
      const double x = mesh->GetPoint(p)[0];
      found[x] = mesh->GetPointData()->GetNormals()->GetTuple3(p)[0];
      EXPECT_EQ(mesh->GetPointData()->GetArray("number")->GetTuple1(p), x - 0.5);
    }
    EXPECT_EQ(found, expected);
  }
}

namespace
{

// 3 x 3 rows of these vectors along x.
vtkSmartPointer<vtkImageData> rowsOf(const std::vector<std::array<double, 3>>& vectors)
{
  const auto image = CellImage({ static_cast<int>(vectors.size()), 3, 3 }, VTK_DOUBLE, [](int, int, int) { return 0; });
  vtkNew<vtkDoubleArray> samples;
  samples->SetName("vectors");
  samples->SetNumberOfComponents(3);
  for (int row = 0; row < 9; ++row)
    for (const std::array<double, 3>& vector : vectors)
      samples->InsertNextTuple(vector.data());
  image->GetCellData()->SetScalars(samples);
  return image;
}

}

// The squares of such components are too large or too small for a double. The length of (2, 3, 6) is 7.
TEST_F(ExtremeSamples, MagnitudesOfLargeAndSmallVectorsAreRight)
{
  for (const double scale : { 1e154, 1e300, 1e-162, 1e-165, 1e-310 })
  {
    SCOPED_TRACE(scale);
    std::vector<std::array<double, 3>> vectors;
    for (int i = 0; i < 6; ++i)
      vectors.push_back({ -2 * i * scale, 3 * i * scale, 6 * i * scale });
    vtkPolyData* mesh = this->run(rowsOf(vectors), 7 * 2.25 * scale);
    EXPECT_EQ(mesh->GetNumberOfPoints(), 9);
    for (vtkIdType p = 0; p < mesh->GetNumberOfPoints(); ++p)
    {
      EXPECT_NEAR(mesh->GetPoint(p)[0], 2.75, std::pow(2.0, -22));
      EXPECT_EQ(mesh->GetPointData()->GetNormals()->GetTuple3(p)[0], -1);
    }
  }
}

TEST_F(ExtremeSamples, MagnitudesAreInfiniteOrNanWhereComponentsAre)
{
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::nan("");
  vtkPolyData* mesh = this->run(
    rowsOf({ { 0, 0, 0 }, { 1, -infinity, 1e300 }, { 0, 0, 0 }, { 1, 0, 0 }, { infinity, nan, 0 }, { 0, 0, 0 } }), 2);
  EXPECT_EQ(mesh->GetNumberOfPoints(), 2 * 9); // around the infinite sample, but not beside NaN
  for (vtkIdType p = 0; p < mesh->GetNumberOfPoints(); ++p)
  {
    const double x = mesh->GetPoint(p)[0];
    EXPECT_TRUE(x == 0.5 || x == 2.5) << x;
  }
}

TEST_F(ExtremeSamples, ASurfaceOnlyBesideNanIsEmpty)
{
  vtkPolyData* mesh = this->run(rowsOf({ { 0, 0, 0 }, { std::nan(""), 0, 0 }, { 5, 0, 0 } }), 2);
  EXPECT_EQ(mesh->GetNumberOfPoints(), 0);
  EXPECT_EQ(mesh->GetNumberOfPolys(), 0);
  EXPECT_NE(mesh->GetPointData()->GetNormals(), nullptr);
  EXPECT_TRUE(this->errors().empty());
}
