// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "FilterTest.h"
#include "FlyingEdgesReference.h"

#include "vtkCallbackCommand.h"
#include "vtkCellData.h"
#include "vtkDataArray.h"
#include "vtkDataSetAttributes.h"
#include "vtkDoubleArray.h"
#include "vtkMultiBlockDataSet.h"
#include "vtkPointData.h"
#include "vtkSOADataArrayTemplate.h"
#include "vtkStringArray.h"

#include <cstdlib>
#include <ctime>
#include <limits>
#include <map>
#include <string>
#include <utility>

namespace
{

class FilterOnDevice : public FilterTest
{
protected:
  // Expects an upload for the first of several isovalues only.
  void expectOneUpload()
  {
    for (const double isovalue : { 50, 60, 70 })
    {
      this->Filter->SetValue(0, isovalue);
      this->Filter->Update();
      EXPECT_EQ(this->Filter->GetUploadTime() > 0, isovalue == 50);
    }
  }
};

// A copy whose components have blocks of memory of their own.
vtkSmartPointer<vtkDataArray> withSeparateComponents(vtkDataArray* values, int components)
{
  auto copy = vtkSmartPointer<vtkSOADataArrayTemplate<float>>::New();
  copy->SetName(values->GetName());
  copy->SetNumberOfComponents(components);
  copy->SetNumberOfTuples(values->GetNumberOfTuples());
  for (int c = 0; c < components; ++c)
    copy->CopyComponent(c, values, 0);
  return copy;
}

}

TEST_F(FilterOnDevice, AnotherIsovalueUploadsNothingAndAModifiedArrayIsUploaded)
{
  const auto image = CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball());
  this->run(image, 50);
  EXPECT_GT(this->Filter->GetUploadTime(), 0);
  EXPECT_GT(this->Filter->GetIndexTime(), 0);
  this->run(image, 60);
  EXPECT_EQ(this->Filter->GetUploadTime(), 0);
  EXPECT_EQ(this->Filter->GetIndexTime(), 0);

  vtkDataArray* samples = image->GetCellData()->GetScalars();
  for (vtkIdType cell = 0; cell < samples->GetNumberOfTuples(); ++cell)
    samples->SetTuple1(cell, samples->GetTuple1(cell) + 10);
  samples->Modified();
  image->Modified();
  vtkPolyData* mesh = this->run(image, 60);
  EXPECT_GT(this->Filter->GetUploadTime(), 0);
  ExpectSameCounts(mesh, FlyingEdges(DualImage(image), { 60 }));
}

TEST_F(FilterOnDevice, AnotherIsovalueOfLeavesWhoseSamplesAreCopiedUploadsNothing)
{
  this->Filter->JoinBlocksOff();
  for (const int components : { 1, 2 })
  {
    SCOPED_TRACE(components);
    vtkNew<vtkMultiBlockDataSet> blocks;
    for (int block = 0; block < 2; ++block)
    {
      const auto image = CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball());
      image->GetCellData()->SetScalars(withSeparateComponents(image->GetCellData()->GetScalars(), components));
      image->GetCellData()->AddArray(withSeparateComponents(AddConstant(image, "other", 1, 7), 1));
      blocks->SetBlock(block, image);
    }
    this->Filter->InterpolateAttributesOn();
    this->Filter->SetInputDataObject(blocks);
    this->expectOneUpload();
    vtkDataArray* other = vtkImageData::SafeDownCast(blocks->GetBlock(1))->GetCellData()->GetArray("other");
    other->Modified();
    blocks->Modified();
    this->expectOneUpload();
  }
}

TEST_F(FilterOnDevice, AnotherIsovalueOfPointsWithGhostPointsAndGhostCellsUploadsNothing)
{
  const auto image = DualImage(CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball()));
  const auto duplicates = [](vtkIdType count, int flag)
  { return GhostArray(count, [=](vtkIdType i) { return i < count / 2 ? flag : 0; }); };
  image->GetPointData()->AddArray(duplicates(image->GetNumberOfPoints(), vtkDataSetAttributes::DUPLICATEPOINT));
  image->GetCellData()->AddArray(duplicates(image->GetNumberOfCells(), vtkDataSetAttributes::DUPLICATECELL));
  this->Filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, vtkDataSetAttributes::SCALARS);
  this->Filter->SetInputData(image);
  this->expectOneUpload();
  for (vtkDataSetAttributes* data : { static_cast<vtkDataSetAttributes*>(image->GetPointData()),
         static_cast<vtkDataSetAttributes*>(image->GetCellData()) })
  {
    data->GetArray(vtkDataSetAttributes::GhostArrayName())->Modified();
    image->Modified();
    this->expectOneUpload();
  }
}

TEST_F(FilterOnDevice, TwoRunsGiveIdenticalBytes)
{
  const auto image = CellImage({ 40, 33, 29 }, VTK_FLOAT, Noise());
  const std::string first = BytesOf(this->run(image, 50));
  image->GetCellData()->GetScalars()->Modified();
  image->Modified();
  EXPECT_EQ(first, BytesOf(this->run(image, 50)));
}

TEST_F(FilterOnDevice, OutputOutlivesFilterAndDevice)
{
  vtkSmartPointer<vtkPolyData> kept;
  {
    vtkNew<vtkVulkanMarchingCubes> filter;
    filter->SetInputData(CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball()));
    filter->SetValue(0, 50);
    filter->Update();
    kept = filter->GetOutput();
  }
  double bounds[6];
  kept->ComputeBounds();
  kept->GetBounds(bounds);
  EXPECT_NEAR(bounds[1] - bounds[0], 16, 0.1); // the diameter of the ball
}

TEST_F(FilterOnDevice, ReportsDeviceTimedStagesAndBricks)
{
  this->run(CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball()), 50);
  EXPECT_EQ(std::string(this->Filter->GetUsedDevice()), this->Filter->GetDeviceNames()->GetValue(0));
  EXPECT_EQ(this->Filter->GetNumberOfBricks(), 27);
  EXPECT_EQ(this->Filter->GetNumberOfActiveBricks(), 26); // all but the brick in the middle of the ball
  EXPECT_GT(this->Filter->GetExtractTime(), 0);
  EXPECT_GE(this->Filter->GetTotalTime(), this->Filter->GetExtractTime());
  EXPECT_GT(this->Filter->GetDeviceMemory(), 24 * 24 * 24 * 4);
  ASSERT_EQ(this->Filter->GetStageNames()->GetNumberOfValues(), this->Filter->GetStageTimes()->GetNumberOfValues());
  EXPECT_EQ(this->Filter->GetStageNames()->GetValue(0), "PrepareSamples");
  EXPECT_EQ(this->Filter->GetStageNames()->GetValue(this->Filter->GetStageNames()->GetNumberOfValues() - 1), "Other");
  EXPECT_EQ(this->Filter->GetNumberOfPoints(), this->Filter->GetOutput()->GetNumberOfPoints());
  EXPECT_EQ(this->Filter->GetNumberOfTriangles(), this->Filter->GetOutput()->GetNumberOfPolys());
}

TEST_F(FilterOnDevice, TheStagesAddUpToTheTotal)
{
  const auto image = CellImage({ 64, 64, 64 }, VTK_FLOAT, Noise());
  for (const double isovalue : { 50, 60, 70 })
  {
    this->run(image, isovalue);
    const std::map<std::string, double> stages = StagesOf(this->Filter);
    EXPECT_NEAR(SumOf(stages), this->Filter->GetTotalTime(), 1e-9); // rounding of milliseconds below 1e5
    EXPECT_EQ(stages.count("Upload"), isovalue == 50 ? 1u : 0u);
    EXPECT_EQ(stages.count("OpenDevice"), isovalue == 50 ? 1u : 0u);
    for (const auto& [name, milliseconds] : stages) // no stage is counted twice: else the rest would be negative
      EXPECT_GE(milliseconds, 0) << name;
  }
}

// The stage is the time that the run waits for them, so nothing makes them beforehand.
TEST_F(FilterOnDevice, KernelsAreMadeOnce)
{
  setenv("VMC_BACKGROUND", "0", 1);
  const auto image = CellImage({ 24, 24, 24 }, VTK_UNSIGNED_SHORT, Ball()); // a combination of kernels of its own
  this->Filter->ComputeNormalsOff();
  this->Filter->ComputeSampleIdsOn();
  this->run(image, 50);
  EXPECT_EQ(StagesOf(this->Filter).count("MakeKernels"), 1u);
  this->run(image, 60);
  EXPECT_EQ(StagesOf(this->Filter).count("MakeKernels"), 0u);
}

TEST_F(FilterOnDevice, AnIsovalueOutsideTheRangeIsNoted)
{
  const auto image = CellImage({ 24, 24, 24 }, VTK_FLOAT, [](int i, int, int) { return i; });
  this->Filter->SetValue(1, 23.5);
  this->Filter->SetValue(2, 0);
  this->run(image, 5);
  EXPECT_STREQ(this->Filter->GetNote(), "No surface at 23.5, 0: \"samples\" ranges from 0 to 23.");
  this->Filter->SetNumberOfContours(1);
  this->run(image, 5);
  EXPECT_STREQ(this->Filter->GetNote(), "");
}

TEST_F(FilterOnDevice, TheNoteOfAComponentNamesItAndHasItsRange)
{
  const auto image = CellImage({ 5, 3, 3 }, VTK_FLOAT, Noise());
  const auto vectors = AddConstant(image, "velocity", 3, 4);
  image->GetCellData()->SetScalars(vectors);
  this->Filter->SetArrayComponent(1);
  this->run(image, 9);
  EXPECT_STREQ(this->Filter->GetNote(), "No surface at 9: \"velocity, component 1\" ranges from 4 to 4.");
  this->Filter->SetArrayComponent(-1);
  this->run(image, 9);
  EXPECT_STREQ(this->Filter->GetNote(), "No surface at 9: \"velocity, magnitude\" ranges from 6.9282 to 6.9282.");
}

TEST_F(FilterOnDevice, SamplesWithoutAFiniteValueAreNoted)
{
  const double nan = std::numeric_limits<double>::quiet_NaN();
  this->run(CellImage({ 5, 3, 3 }, VTK_FLOAT, [=](int, int, int) { return nan; }), 9);
  EXPECT_STREQ(this->Filter->GetNote(), "No surface at 9: \"samples\" has no finite value.");
}

TEST_F(FilterOnDevice, ASurfaceInOneLeafIsEnough)
{
  vtkNew<vtkMultiBlockDataSet> blocks;
  for (int block = 0; block < 2; ++block)
    blocks->SetBlock(block, CellImage({ 9, 9, 9 }, VTK_FLOAT, [=](int i, int, int) { return i + 100 * block; }));
  this->Filter->SetInputDataObject(blocks);
  this->Filter->SetValue(0, 104.5);
  this->Filter->Update();
  EXPECT_STREQ(this->Filter->GetNote(), "");
  EXPECT_EQ(this->Filter->GetNumberOfTriangles(), 128); // two per square of 8 x 8
  this->Filter->SetValue(0, 200);
  this->Filter->Update();
  EXPECT_STREQ(this->Filter->GetNote(), "No surface at 200: \"samples\" ranges from 0 to 108.");
}

TEST_F(FilterOnDevice, TheNameAutomaticIgnoresCase)
{
  const auto image = CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball());
  const std::string bytes = BytesOf(this->run(image, 50));
  for (const char* name : { "Automatic", "AUTOMATIC" })
  {
    SCOPED_TRACE(name);
    this->Filter->SetDevice(name);
    vtkPolyData* mesh = this->run(image, 50);
    ASSERT_TRUE(this->errors().empty()) << this->errors().front();
    EXPECT_TRUE(BytesOf(mesh) == bytes);
    EXPECT_TRUE(this->hasRunOnItsDevice());
  }
}

TEST_F(FilterOnDevice, TwoNamesOfOneDeviceShareIt)
{
  const auto image = CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball());
  vtkNew<vtkVulkanMarchingCubes> other;
  other->SetDevice(this->Filter->GetDeviceNames()->GetValue(0).substr(0, 4).c_str());
  other->SetInputData(image);
  other->SetValue(0, 40);
  for (int run = 0; run < 2; ++run)
  {
    this->run(image, 50 + run);
    other->SetValue(0, 40 + run);
    other->Update();
  }
  EXPECT_EQ(this->Filter->GetUploadTime(), 0);
  EXPECT_EQ(other->GetUploadTime(), 0);
}

TEST_F(FilterOnDevice, AFilterMayRunWhileAnotherReportsProgress)
{
  vtkNew<vtkVulkanMarchingCubes> other;
  other->SetInputData(CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball()));
  other->SetValue(0, 50);
  vtkNew<vtkCallbackCommand> nested;
  nested->SetCallback(
    [](vtkObject*, unsigned long, void* filter, void*)
    {
      static_cast<vtkVulkanMarchingCubes*>(filter)->Modified();
      static_cast<vtkVulkanMarchingCubes*>(filter)->Update();
    });
  nested->SetClientData(other);
  this->Filter->AddObserver(vtkCommand::ProgressEvent, nested);
  const auto image = CellImage({ 20, 20, 20 }, VTK_FLOAT, Noise());
  ExpectSameCounts(this->run(image, 50), FlyingEdges(DualImage(image), { 50 }));
  EXPECT_GT(other->GetOutput()->GetNumberOfPolys(), 0);
}

TEST_F(FilterOnDevice, SlabsUnderAMemoryLimitGiveTheSameBytes)
{
  const auto image = CellImage({ 80, 80, 80 }, VTK_FLOAT, Ball()); // 2 MB
  const auto other = CellImage({ 80, 80, 80 }, VTK_SHORT, [](int i, int j, int k) { return i + 2 * j - k; });
  other->GetCellData()->GetScalars()->SetName("other");
  image->GetCellData()->AddArray(other->GetCellData()->GetScalars());
  this->Filter->InterpolateAttributesOn();
  for (const auto& [merge, ids] :
    { std::pair(true, vtkVulkanMarchingCubes::IDS_64_BIT), std::pair(true, vtkVulkanMarchingCubes::IDS_32_BIT),
      std::pair(false, vtkVulkanMarchingCubes::IDS_64_BIT), std::pair(false, vtkVulkanMarchingCubes::IDS_32_BIT) })
  {
    this->Filter->SetMergePoints(merge);
    this->Filter->SetOutputIds(ids);
    this->Filter->SetMemoryLimit(0);
    vtkPolyData* mesh = this->run(image, 50);
    const std::string whole = BytesOf(mesh) + BytesOf(mesh->GetPointData()->GetArray("other"));
    EXPECT_GT(this->Filter->GetDeviceMemory(), 2000000);
    this->Filter->SetMemoryLimit(2);
    for (int run = 0; run < 2; ++run)
    {
      this->Filter->Modified();
      mesh = this->run(image, 50);
      EXPECT_TRUE(BytesOf(mesh) + BytesOf(mesh->GetPointData()->GetArray("other")) == whole);
      EXPECT_LE(this->Filter->GetDeviceMemory(), 2 << 20);
      EXPECT_TRUE(this->hasRunOnItsDevice());
    }
  }
}

// A layer of bricks is one brick of 512 bytes. The ranges of all bricks take most of the limit.
TEST_F(FilterOnDevice, ALongThinImageUnderAMemoryLimitTakesSecondsAndGivesTheSameBytes)
{
  const auto image = CellImage({ 8, 8, 790000 }, VTK_UNSIGNED_CHAR,
    [](int i, int j, int k) { return i == 4 && j == 4 && k % 9973 == 0 ? 100 : 0; });
  const std::string whole = BytesOf(this->run(image, 50));
  this->Filter->SetMemoryLimit(1);
  const std::clock_t start = std::clock(); // the time of the processors, which other processes do not lengthen
  vtkPolyData* mesh = this->run(image, 50);
  const double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
  EXPECT_TRUE(this->errors().empty());
  EXPECT_TRUE(BytesOf(mesh) == whole);
  EXPECT_LE(this->Filter->GetDeviceMemory(), 1 << 20);
  EXPECT_LT(seconds, 10); // three on software Vulkan, four with validation
}

TEST_F(FilterOnDevice, AbortGivesAnEmptyOutputAndTheFilterWorksAgain)
{
  const auto image = CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball());
  vtkNew<vtkCallbackCommand> abort;
  abort->SetCallback(
    [](vtkObject* caller, unsigned long, void*, void*) { static_cast<vtkAlgorithm*>(caller)->SetAbortExecute(1); });
  const unsigned long tag = this->Filter->AddObserver(vtkCommand::ProgressEvent, abort);
  EXPECT_EQ(this->run(image, 50)->GetNumberOfPoints(), 0);
  this->Filter->RemoveObserver(tag);
  this->Filter->SetAbortExecute(0);
  this->Filter->Modified();
  ExpectSameCounts(this->run(image, 50), FlyingEdges(DualImage(image), { 50 }));
  EXPECT_TRUE(this->errors().empty());
}
