// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "FilterTest.h"

#include "vtkCellArray.h"
#include "vtkCellData.h"
#include "vtkDataArray.h"
#include "vtkDataSetAttributes.h"
#include "vtkMatrix3x3.h"
#include "vtkMultiBlockDataSet.h"
#include "vtkStringArray.h"

#include <map>
#include <string>

class CpuFallback : public FilterTest
{
protected:
  void fallBack()
  {
    this->Filter->SetFallback(vtkVulkanMarchingCubes::FALLBACK_CPU);
    this->Filter->SetMemoryLimit(NoDeviceMemory);
  }
};

TEST_F(CpuFallback, HasTheTrianglesOfTheDeviceInTheSameOrderForEveryRequest)
{
  const auto image = CellImage({ 24, 24, 24 }, VTK_DOUBLE, Noise());
  image->SetSpacing(1, 2, 3);
  image->SetDirectionMatrix(0, 1, 0, 1, 0, 0, 0, 0, 1); // mirrors
  image->GetCellData()->AddArray(GhostArray(
    image->GetNumberOfCells(), [](vtkIdType cell) { return cell % 61 == 0 ? vtkDataSetAttributes::HIDDENCELL : 0; }));
  this->Filter->ComputeSampleIdsOn();
  for (const bool merge : { true, false })
    for (const auto boundary : { vtkVulkanMarchingCubes::BOUNDARY_OPEN, vtkVulkanMarchingCubes::BOUNDARY_EXTEND,
           vtkVulkanMarchingCubes::BOUNDARY_CLOSE })
    {
      SCOPED_TRACE(std::string(merge ? "shared" : "own") + " points, boundary " + std::to_string(boundary));
      this->Filter->SetMergePoints(merge);
      this->Filter->SetBoundary(boundary);
      this->Filter->SetMemoryLimit(0);
      const auto onDevice = this->runAndCopy(image, 50.5);
      EXPECT_FALSE(IsCpu(this->Filter->GetUsedDevice()));
      EXPECT_STREQ(this->Filter->GetFallbackReason(), "");
      ASSERT_GT(onDevice->GetNumberOfPolys(), 0);
      this->fallBack();
      vtkPolyData* const onCpu = this->run(image, 50.5);
      EXPECT_TRUE(IsCpu(this->Filter->GetUsedDevice()));
      EXPECT_CONTAINS(this->Filter->GetFallbackReason(), "bytes of device memory");
      ExpectSameCounts(onCpu, onDevice);
      ASSERT_FALSE(this->HasFailure());
      EXPECT_TRUE(
        BytesOf(onCpu->GetPolys()->GetConnectivityArray()) == BytesOf(onDevice->GetPolys()->GetConnectivityArray()));
      EXPECT_TRUE(BytesOf(onCpu->GetCellData()->GetArray("SampleIds")) ==
                  BytesOf(onDevice->GetCellData()->GetArray("SampleIds")));
    }
  EXPECT_TRUE(this->errors().empty());
}

TEST_F(CpuFallback, TheWarningSaysThatTheCpuComputesTheSurfaceAndWhy)
{
  this->fallBack();
  this->run(CellImage({ 25, 31, 27 }, VTK_FLOAT, Ball()), 50); // no other test has this size, and so this reason
  ASSERT_EQ(this->warnings().size(), 1u);
  EXPECT_CONTAINS(this->warnings()[0], "The CPU computes the surface instead of a Vulkan device. ");
  EXPECT_CONTAINS(this->warnings()[0], this->Filter->GetFallbackReason());
}

TEST_F(CpuFallback, LeavesThatFallBackForDifferentReasonsCauseOneWarning)
{
  // The layers of bricks have different numbers of bytes, also from that of other tests, as a reason is told once.
  vtkNew<vtkMultiBlockDataSet> blocks;
  for (int block = 0; block < 2; ++block)
    blocks->SetBlock(block, CellImage({ 300, 308 + 8 * block, 12 }, VTK_FLOAT, Ball()));
  this->Filter->SetFallback(vtkVulkanMarchingCubes::FALLBACK_CPU);
  this->Filter->SetMemoryLimit(1);
  this->Filter->JoinBlocksOff(); // the CPU joins blocks anyway
  this->Filter->SetInputDataObject(blocks);
  for (int run = 1; run <= 2; ++run)
  {
    this->Filter->SetValue(0, 50 + run);
    this->Filter->Update();
    ASSERT_EQ(this->warnings().size(), 1u); // the same reason as in the first run
    EXPECT_TRUE(IsCpu(this->Filter->GetUsedDevice()));
  }
}

TEST_F(CpuFallback, TooLittleDeviceMemoryFallsBackUntilTheLimitIsRaised)
{
  const auto image = CellImage({ 300, 300, 12 }, VTK_FLOAT, Noise()); // one layer of bricks is more than 4 MB
  this->Filter->SetFallback(vtkVulkanMarchingCubes::FALLBACK_CPU);
  this->Filter->SetMemoryLimit(1);
  const vtkIdType triangles = this->run(image, 50)->GetNumberOfPolys();
  EXPECT_TRUE(IsCpu(this->Filter->GetUsedDevice()));
  EXPECT_EQ(
    std::string(this->Filter->GetFallbackReason()).find("The smallest slabs need 4343104 bytes of device memory"), 0u);
  this->Filter->SetMemoryLimit(0);
  EXPECT_EQ(this->run(image, 50)->GetNumberOfPolys(), triangles);
  EXPECT_EQ(this->Filter->GetUsedDevice(), std::string(this->Filter->GetDeviceNames()->GetValue(0)));
  EXPECT_STREQ(this->Filter->GetFallbackReason(), "");
  this->Filter->SetMemoryLimit(1);
  this->Filter->SetFallback(vtkVulkanMarchingCubes::FALLBACK_ERROR);
  EXPECT_EQ(this->run(image, 50)->GetNumberOfPoints(), 0);
  ASSERT_EQ(this->errors().size(), 1u);
  EXPECT_CONTAINS(this->errors()[0], "or a larger memory limit may help.");
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
    EXPECT_TRUE(IsCpu(other->GetUsedDevice()));
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
  EXPECT_GT(stages.at("EmitSurface"), 0);
  EXPECT_EQ(stages.count("Upload"), 0u);
  EXPECT_NEAR(SumOf(stages), this->Filter->GetTotalTime(), 1e-9); // rounding of milliseconds below 1e5
}
