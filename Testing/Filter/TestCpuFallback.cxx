// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "FilterTest.h"
#include "FlyingEdgesReference.h"

#include "vtkCellData.h"
#include "vtkDataArray.h"
#include "vtkDoubleArray.h"
#include "vtkMatrix3x3.h"
#include "vtkMultiBlockDataSet.h"
#include "vtkPointData.h"
#include "vtkStringArray.h"

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

class CpuFallback : public FilterTest
{
protected:
  void fallBack()
  {
    this->Filter->SetFallback(vtkVulkanMarchingCubes::FALLBACK_CPU);
    this->Filter->SetMemoryLimit(NoDeviceMemory);
  }
};

TEST_F(CpuFallback, FallsBackToTheCpuWithTheSameSurface)
{
  const auto image = CellImage({ 24, 24, 24 }, VTK_DOUBLE, Ball());
  image->SetSpacing(1, 2, 3);
  image->SetDirectionMatrix(0, 1, 0, 1, 0, 0, 0, 0, 1); // mirrors
  const auto onDevice = this->runAndCopy(image, 50);
  this->fallBack();
  vtkPolyData* onCpu = this->run(image, 50);
  EXPECT_STREQ(this->Filter->GetUsedDevice(), "CPU");
  EXPECT_NE(std::string(this->Filter->GetFallbackReason()).find("bytes of device memory"), std::string::npos);
  ExpectSameCounts(onCpu, onDevice);
  const Agreement agreement = Compare(onCpu, onDevice);
  // Coordinates up to 72: FlyingEdges rounds to float in index space, then again after the spacing of 3.
  EXPECT_LE(agreement.largestDistance, 2e-5);
  EXPECT_GE(agreement.normalsWithinOneDegree, 0.99);
  MeshCopy a, b;
  EXPECT_NEAR(vmc::test::signedVolumeOf(ViewOf(onCpu, a)) / vmc::test::signedVolumeOf(ViewOf(onDevice, b)), 1, 1e-4);
  this->Filter->MergePointsOff();
  onCpu = this->run(image, 50);
  EXPECT_EQ(onCpu->GetNumberOfPoints(), 3 * onCpu->GetNumberOfPolys());
}

TEST_F(CpuFallback, FallingBackLeavesOutCellsThatTouchANan)
{
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto value = Ball();
  const auto image =
    CellImage({ 24, 24, 24 }, VTK_FLOAT, [&](int i, int j, int k) { return i < 12 ? nan : value(i, j, k); });
  const auto onDevice = this->runAndCopy(image, 50);
  this->fallBack();
  ExpectSameCounts(this->run(image, 50), onDevice);
}

TEST_F(CpuFallback, AttributesNamedLikeArraysThatAreNotComputedAreInterpolated)
{
  const auto image = CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball());
  image->SetSpacing(0.5, 2, 4);
  AddConstant(image, "Normals", 3, 7);
  AddConstant(image, "Gradients", 1, 8);
  this->Filter->ComputeNormalsOff();
  this->Filter->InterpolateAttributesOn();
  this->fallBack();
  vtkPointData* found = this->run(image, 50)->GetPointData();
  ASSERT_NE(found->GetArray("Normals"), nullptr);
  ASSERT_NE(found->GetArray("Gradients"), nullptr);
  for (int c = 0; c < 3; ++c)
    for (int end = 0; end < 2; ++end)
      EXPECT_EQ(found->GetArray("Normals")->GetRange(c)[end], 7);
  for (int end = 0; end < 2; ++end)
    EXPECT_EQ(found->GetArray("Gradients")->GetRange()[end], 8);
}

TEST_F(CpuFallback, AttributesWithNumbersInTheirNamesKeepTheirValues)
{
  const auto image = CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball());
  for (int number = 1; number <= 3; ++number)
    AddConstant(image, ("samples" + std::to_string(number)).c_str(), 1, number);
  this->Filter->InterpolateAttributesOn();
  this->fallBack();
  vtkPointData* found = this->run(image, 50)->GetPointData();
  for (int number = 1; number <= 3; ++number)
  {
    vtkDataArray* values = found->GetArray(("samples" + std::to_string(number)).c_str());
    ASSERT_NE(values, nullptr);
    EXPECT_EQ(values->GetRange()[0], number);
    EXPECT_EQ(values->GetRange()[1], number);
  }
}

// The position is the limit for a growing sample. Between two infinite samples it is the middle.
TEST_F(CpuFallback, BesideAnInfiniteSampleAPointLiesOnTheFiniteOne)
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
    this->fallBack();
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
TEST_F(CpuFallback, MagnitudesOfLargeAndSmallVectorsAreRight)
{
  for (const double limit : { 0.0, NoDeviceMemory })
    for (const double scale : { 1e154, 1e300, 1e-162, 1e-165, 1e-310 })
    {
      SCOPED_TRACE(scale);
      std::vector<std::array<double, 3>> vectors;
      for (int i = 0; i < 6; ++i)
        vectors.push_back({ -2 * i * scale, 3 * i * scale, 6 * i * scale });
      this->Filter->SetFallback(vtkVulkanMarchingCubes::FALLBACK_CPU);
      this->Filter->SetMemoryLimit(limit);
      vtkPolyData* mesh = this->run(rowsOf(vectors), 7 * 2.25 * scale);
      EXPECT_EQ(std::string(this->Filter->GetUsedDevice()) == "CPU", limit != 0);
      EXPECT_EQ(mesh->GetNumberOfPoints(), 9);
      for (vtkIdType p = 0; p < mesh->GetNumberOfPoints(); ++p)
      {
        EXPECT_NEAR(mesh->GetPoint(p)[0], 2.75, std::pow(2.0, -22));
        EXPECT_EQ(mesh->GetPointData()->GetNormals()->GetTuple3(p)[0], -1);
      }
    }
}

TEST_F(CpuFallback, MagnitudesAreInfiniteOrNanWhereComponentsAre)
{
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::nan("");
  this->fallBack();
  vtkPolyData* mesh = this->run(
    rowsOf({ { 0, 0, 0 }, { 1, -infinity, 1e300 }, { 0, 0, 0 }, { 1, 0, 0 }, { infinity, nan, 0 }, { 0, 0, 0 } }), 2);
  EXPECT_EQ(mesh->GetNumberOfPoints(), 2 * 9); // around the infinite sample, but not beside NaN
  for (vtkIdType p = 0; p < mesh->GetNumberOfPoints(); ++p)
  {
    const double x = mesh->GetPoint(p)[0];
    EXPECT_TRUE(x == 0.5 || x == 2.5) << x;
  }
}

TEST_F(CpuFallback, ASurfaceOnlyBesideNanIsEmpty)
{
  this->fallBack();
  vtkPolyData* mesh = this->run(rowsOf({ { 0, 0, 0 }, { std::nan(""), 0, 0 }, { 5, 0, 0 } }), 2);
  EXPECT_EQ(mesh->GetNumberOfPoints(), 0);
  EXPECT_EQ(mesh->GetNumberOfPolys(), 0);
  EXPECT_NE(mesh->GetPointData()->GetNormals(), nullptr);
  EXPECT_TRUE(this->errors().empty());
}

TEST_F(CpuFallback, ARequestThatTheCpuFilterDoesNotSupportIsOneErrorWithBothReasons)
{
  this->fallBack();
  this->Filter->SetBoundary(vtkVulkanMarchingCubes::BOUNDARY_CLOSE);
  this->Filter->ComputeSampleIdsOn();
  this->run(CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball()), 50);
  ASSERT_EQ(this->errors().size(), 1u);
  EXPECT_NE(this->errors()[0].find("bytes of device memory"), std::string::npos);
  EXPECT_NE(this->errors()[0].find(" vtkFlyingEdges3D cannot extend or close"), std::string::npos);
  EXPECT_TRUE(this->warnings().empty());
  EXPECT_STREQ(this->Filter->GetUsedDevice(), "");
}

TEST_F(CpuFallback, LeavesThatFallBackForDifferentReasonsCauseOneWarning)
{
  vtkNew<vtkMultiBlockDataSet> blocks; // their layers of bricks have different numbers of bytes
  for (int block = 0; block < 2; ++block)
    blocks->SetBlock(block, CellImage({ 300, 300 + 8 * block, 12 }, VTK_FLOAT, Ball()));
  this->Filter->SetFallback(vtkVulkanMarchingCubes::FALLBACK_CPU);
  this->Filter->SetMemoryLimit(1);
  this->Filter->ComputeSampleIdsOn();
  this->Filter->SetInputDataObject(blocks);
  for (int run = 1; run <= 2; ++run)
  {
    this->Filter->SetValue(0, 50 + run);
    this->Filter->Update();
    ASSERT_EQ(this->warnings().size(), 1u); // the same reason as in the first run
    EXPECT_NE(this->warnings()[0].find("does not compute sample ids"), std::string::npos);
    EXPECT_STREQ(this->Filter->GetUsedDevice(), "CPU");
  }
}

TEST_F(CpuFallback, TooLittleDeviceMemoryFallsBackUntilTheLimitIsRaised)
{
  const auto image = CellImage({ 300, 300, 12 }, VTK_FLOAT, Noise()); // one layer of bricks is more than 4 MB
  this->Filter->SetFallback(vtkVulkanMarchingCubes::FALLBACK_CPU);
  this->Filter->SetMemoryLimit(1);
  const vtkIdType triangles = this->run(image, 50)->GetNumberOfPolys();
  EXPECT_STREQ(this->Filter->GetUsedDevice(), "CPU");
  EXPECT_EQ(
    std::string(this->Filter->GetFallbackReason()).find("The smallest slabs need 4343104 bytes of device memory"), 0u);
  this->Filter->SetMemoryLimit(0);
  EXPECT_EQ(this->run(image, 50)->GetNumberOfPolys(), triangles);
  EXPECT_EQ(this->Filter->GetUsedDevice(), std::string(this->Filter->GetDeviceNames()->GetValue(0)));
  EXPECT_STREQ(this->Filter->GetFallbackReason(), "");
  this->Filter->SetMemoryLimit(1);
  this->Filter->SetFallback(vtkVulkanMarchingCubes::FALLBACK_ERROR);
  EXPECT_EQ(this->run(image, 50)->GetNumberOfPoints(), 0);
  EXPECT_EQ(this->errors().size(), 1u);
  EXPECT_EQ(this->warnings().size(), 1u);
}

// No other test has images of these sizes, so no other test has these reasons.
TEST_F(CpuFallback, AWarningComesOncePerProcessAndReason)
{
  this->fallBack();
  vtkNew<vtkVulkanMarchingCubes> other;
  other->SetMemoryLimit(NoDeviceMemory);
  const auto image = CellImage({ 23, 29, 31 }, VTK_FLOAT, Ball());
  other->SetInputData(image);
  for (int run = 0; run < 3; ++run)
  {
    this->run(image, 50 + run);
    other->SetValue(0, 60 + run);
    other->Update();
    EXPECT_STREQ(other->GetUsedDevice(), "CPU");
  }
  EXPECT_EQ(this->warnings().size(), 1u);
  this->run(CellImage({ 123, 129, 31 }, VTK_FLOAT, Ball()), 50);
  EXPECT_EQ(this->warnings().size(), 2u);
}

TEST_F(CpuFallback, TheStagesAddUpToTheTotal)
{
  this->fallBack();
  this->run(CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball()), 50);
  const std::map<std::string, double> stages = StagesOf(this->Filter);
  EXPECT_GT(stages.at("ContourOnCpu"), 0);
  EXPECT_EQ(stages.count("Upload"), 0u);
  EXPECT_NEAR(SumOf(stages), this->Filter->GetTotalTime(), 1e-9); // rounding of milliseconds below 1e5
}
