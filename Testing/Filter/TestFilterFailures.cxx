// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The filter on a device that fails: at the first submission of an extraction, unless a test sets another one.
#include "Composites.h"
#include "FilterTest.h"

#include "Compute/Engine.h"
#include "Support/SharedDevice.h"
#include "Support/SubmissionFailure.h"

#include "vtkCallbackCommand.h"
#include "vtkDataArray.h"
#include "vtkErrorCode.h"
#include "vtkMultiBlockDataSet.h"
#include "vtkPointData.h"
#include "vtkStringArray.h"
#include "vtkTable.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <string>

namespace
{

class FilterFailures : public FilterTest
{
protected:
  void SetUp() override
  {
    FilterTest::SetUp();
    this->Options.beforeSubmission = this->Submissions.hook();
    vmc::Engine::setSharedOptions(this->Options);
    if (vmc::test::hasVulkanDevice())
      vmc::Engine::forget(*vmc::Engine::shared()); // an earlier engine may have no hook
    vtkNew<vtkCallbackCommand> observer;
    observer->SetCallback([](vtkObject* filter, unsigned long, void* self, void*)
      { static_cast<FilterFailures*>(self)->failAt(static_cast<vtkAlgorithm*>(filter)->GetProgress()); });
    observer->SetClientData(this);
    this->Filter->AddObserver(vtkCommand::ProgressEvent, observer);
  }

  void TearDown() override
  {
    vmc::Engine::setSharedOptions({});
    FilterTest::TearDown();
  }

  // Runs the filter again. The next submission of each of the next `devices` devices fails once the progress is `done`.
  // Returns whether it succeeded.
  bool runWithFailure(vk::Result result, int devices, double done = 0)
  {
    this->Failure = result;
    this->DevicesToFail = devices;
    this->DoneBefore = done;
    this->FailedEngine.reset();
    this->Filter->Modified();
    this->Filter->Update();
    return this->Filter->GetErrorCode() == vtkErrorCode::NoError;
  }

  void expectBytes(const std::string& bytes) { EXPECT_TRUE(BytesOf(this->Filter->GetOutput()) == bytes); }

  const vtkSmartPointer<vtkImageData> Image = CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball());
  vmc::DeviceOptions Options;
  vmc::test::SubmissionFailure Submissions;

private:
  void failAt(double done)
  {
    const auto engine = vmc::Engine::shared();
    if (this->DevicesToFail == 0 || engine == this->FailedEngine || done < this->DoneBefore)
      return;
    this->Submissions.failNext(this->Failure);
    this->FailedEngine = engine;
    --this->DevicesToFail;
  }

  vk::Result Failure = vk::Result::eSuccess;
  int DevicesToFail = 0;
  double DoneBefore = 0;
  std::shared_ptr<vmc::Engine> FailedEngine; // kept, so that the next engine has another address
};

constexpr vk::Result DeviceLost = vk::Result::eErrorDeviceLost;
constexpr vk::Result MemoryExhausted = vk::Result::eErrorOutOfDeviceMemory;

// The largest regions of noise, on a device that does not share the host's memory. The last submissions of a run remove
// the other regions, and bring the surface to the host.
class FilterFailuresWithRegions : public FilterFailures
{
protected:
  void SetUp() override
  {
    this->Options.isDiscrete = true;
    FilterFailures::SetUp();
    if (IsSkipped())
      return;
    this->Filter->SetFallback(vtkVulkanMarchingCubes::FALLBACK_CPU);
    this->Filter->ComputeMeasuresOn();
    this->Filter->ComputeRegionsOn();
    this->Filter->SetKeepRegions(vtkVulkanMarchingCubes::KEEP_LARGEST);
    this->Filter->SetNumberOfKeptRegions(3);
    this->Filter->SetInputData(CellImage({ 16, 16, 16 }, VTK_FLOAT, Noise()));
    this->Filter->SetValue(0, 80);
    this->Filter->SetValue(1, 50);
  }

  // Runs the filter again.
  bool runAgain()
  {
    this->Filter->Modified();
    this->Filter->Update();
    return this->Filter->GetErrorCode() == vtkErrorCode::NoError;
  }

  // Returns the number of submissions of a run on a device that has the volume.
  std::size_t submissionsOfRun()
  {
    EXPECT_TRUE(this->runAgain());
    const std::size_t before = this->Submissions.submissions();
    EXPECT_TRUE(this->runAgain());
    return this->Submissions.submissions() - before;
  }

  // Runs the filter again, with so many submissions that fail after others. Returns whether it succeeded.
  bool runWithFailures(vk::Result result, std::size_t after, std::size_t count)
  {
    EXPECT_TRUE(this->runAgain()); // the device has the volume
    this->Submissions.failNext(result, after, count);
    const bool hasSucceeded = this->runAgain();
    this->Submissions.failNext(vk::Result::eSuccess);
    return hasSucceeded;
  }

  // The result of a run.
  struct Result
  {
    std::string surface, regionIds;
    double area = 0;
    vtkIdType regions = 0;
  };

  Result result()
  {
    vtkPolyData* const surface = this->Filter->GetOutput();
    const auto column = [&](const char* name)
    { return vtkDataArray::SafeDownCast(this->Filter->GetMeasures()->GetColumnByName(name)); };
    return { BytesOf(surface), BytesOf(surface->GetPointData()->GetArray("RegionId")),
      column("SurfaceArea")->GetTuple1(0), this->Filter->GetRegions()->GetNumberOfRows() };
  }

  void expect(const Result& expected)
  {
    const Result made = this->result();
    EXPECT_TRUE(made.surface == expected.surface);
    EXPECT_TRUE(made.regionIds == expected.regionIds);
    EXPECT_EQ(made.area, expected.area);
    EXPECT_EQ(made.regions, expected.regions);
  }

  Result resultOfTheCpu()
  {
    this->Filter->SetDevice("CPU");
    EXPECT_TRUE(this->runAgain());
    this->Filter->SetDevice("automatic");
    return this->result();
  }

  // Expects that the CPU computes the result if submissions fail after each number of others.
  void expectTheCpuFrom(vk::Result failure, std::size_t count)
  {
    const Result expected = this->resultOfTheCpu();
    EXPECT_GT(expected.regions, 1);
    const std::size_t submissions = this->submissionsOfRun();
    for (std::size_t after = submissions - FinishingSubmissions; after < submissions; ++after)
    {
      SCOPED_TRACE(after);
      ASSERT_TRUE(this->runWithFailures(failure, after, count));
      this->expect(expected);
      EXPECT_TRUE(IsCpu(this->Filter->GetUsedDevice()));
      EXPECT_STRNE(this->Filter->GetFallbackReason(), "");
    }
    EXPECT_TRUE(this->errors().empty());
  }

  static constexpr std::size_t FinishingSubmissions = 4; // the last ones of a run
};

}

// Two devices share the image: the first Vulkan device, opened twice. One of them is lost at its first submission.
TEST_F(FilterFailures, OneOfAllGpusThatIsLostIsLeftOutWithAWarning)
{
  this->Filter->SetInputData(this->Image);
  this->Filter->SetValue(0, 50);
  ASSERT_TRUE(this->runWithFailure(vk::Result::eSuccess, 0));
  const std::string expected = BytesOf(this->Filter->GetOutput());
  const std::string name = this->Filter->GetDeviceNames()->GetValue(0);
  this->Options.gpus = { name, name };
  vmc::Engine::setSharedOptions(this->Options);
  EXPECT_EQ(
    this->Filter->GetDeviceNames()->LookupValue("All GPUs"), this->Filter->GetDeviceNames()->GetNumberOfValues() - 2);
  this->Filter->SetDevice("all GPUs");
  for (const bool fails : { false, true, false })
  {
    this->Submissions.failNext(fails ? DeviceLost : vk::Result::eSuccess);
    this->Filter->Modified();
    this->Filter->Update();
    this->expectBytes(expected);
    EXPECT_EQ(this->Filter->GetUsedDevice(), fails ? name : name + " + " + name);
    EXPECT_STREQ(this->Filter->GetFallbackReason(), "");
    EXPECT_NEAR(SumOf(StagesOf(this->Filter)), this->Filter->GetTotalTime(), 1e-9);
  }
  ASSERT_EQ(this->warnings().size(), 1u);
  EXPECT_CONTAINS(this->warnings()[0], "Not all GPUs compute the surface. " + name + " is left out: ");
  vmc::Engine::forget(*vmc::Engine::shared("All GPUs"));
}

TEST_F(FilterFailures, ADeviceLostOnceIsOpenedAgainAndGivesTheSameBytes)
{
  this->Filter->SetValue(1, 40);
  const std::string bytes = BytesOf(this->run(this->Image, 50));
  for (const double done : { 0.0, 0.4 }) // before the upload and before the second sweep
  {
    SCOPED_TRACE(done);
    const auto engine = vmc::Engine::shared();
    EXPECT_TRUE(this->runWithFailure(DeviceLost, 1, done));
    EXPECT_NE(vmc::Engine::shared(), engine);
    this->expectBytes(bytes);
    EXPECT_GT(this->Filter->GetUploadTime(), 0); // the data of the lost device are uploaded again
    EXPECT_EQ(this->Filter->GetUsedDevice(), std::string(this->Filter->GetDeviceNames()->GetValue(0)));
  }
  EXPECT_TRUE(this->errors().empty());
  EXPECT_TRUE(this->warnings().empty());
}

TEST_F(FilterFailures, ADeviceLostTwiceGivesTheSurfaceOfTheCpuWithOneWarning)
{
  this->Filter->SetFallback(vtkVulkanMarchingCubes::FALLBACK_CPU);
  const auto onDevice = this->runAndCopy(this->Image, 50);
  EXPECT_TRUE(this->runWithFailure(DeviceLost, 2));
  ExpectSameCounts(this->Filter->GetOutput(), onDevice);
  EXPECT_TRUE(IsCpu(this->Filter->GetUsedDevice()));
  EXPECT_STRNE(this->Filter->GetFallbackReason(), "");
  EXPECT_EQ(this->warnings().size(), 1u);
  EXPECT_TRUE(this->runWithFailure(DeviceLost, 0));
  this->expectBytes(BytesOf(onDevice));
  EXPECT_EQ(this->warnings().size(), 1u);
  EXPECT_TRUE(this->errors().empty());
}

TEST_F(FilterFailures, ADeviceLostTwiceIsAnErrorWithFallbackError)
{
  const std::string bytes = BytesOf(this->run(this->Image, 50));
  EXPECT_FALSE(this->runWithFailure(DeviceLost, 2));
  EXPECT_EQ(this->Filter->GetOutput()->GetNumberOfPoints(), 0);
  ASSERT_EQ(this->errors().size(), 1u);
  EXPECT_CONTAINS(this->errors()[0], this->Filter->GetDeviceNames()->GetValue(0) + " failed");
  EXPECT_TRUE(this->runWithFailure(DeviceLost, 0));
  this->expectBytes(bytes);
  EXPECT_EQ(this->errors().size(), 1u);
}

TEST_F(FilterFailures, AnotherFilterOfALostDeviceUsesTheNewOne)
{
  vtkNew<vtkVulkanMarchingCubes> other;
  other->SetInputData(this->Image);
  other->SetValue(0, 50);
  other->Update();
  const std::string bytes = BytesOf(other->GetOutput());
  this->run(this->Image, 50);
  EXPECT_TRUE(this->runWithFailure(DeviceLost, 1));
  other->Modified();
  other->Update();
  EXPECT_TRUE(BytesOf(other->GetOutput()) == bytes);
  EXPECT_EQ(other->GetUploadTime(), 0); // the first filter has uploaded the array to the new device
}

TEST_F(FilterFailures, MemoryExhaustedOnceGivesTheSameBytes)
{
  this->Filter->SetValue(1, 40);
  const std::string bytes = BytesOf(this->run(this->Image, 50));
  for (const double done : { 0.0, 0.4 })
  {
    SCOPED_TRACE(done);
    EXPECT_TRUE(this->runWithFailure(MemoryExhausted, 1, done));
    this->expectBytes(bytes);
  }
  EXPECT_TRUE(this->errors().empty());
  EXPECT_TRUE(this->warnings().empty());
}

TEST_F(FilterFailures, AnUnknownFailureIsAnErrorAlsoWithFallbackCpu)
{
  this->Filter->SetFallback(vtkVulkanMarchingCubes::FALLBACK_CPU);
  const std::string bytes = BytesOf(this->run(this->Image, 50));
  EXPECT_FALSE(this->runWithFailure(vk::Result::eErrorUnknown, 1));
  EXPECT_EQ(this->Filter->GetOutput()->GetNumberOfPoints(), 0);
  EXPECT_EQ(this->errors().size(), 1u);
  EXPECT_TRUE(this->warnings().empty());
  EXPECT_TRUE(this->runWithFailure(DeviceLost, 0));
  this->expectBytes(bytes);
}

TEST_F(FilterFailuresWithRegions, ADeviceLostOnceWhileItFinishesTheSurfaceGivesTheSame)
{
  const std::size_t submissions = this->submissionsOfRun();
  const Result expected = this->result();
  const double bricks = this->Filter->GetNumberOfBricks();
  for (std::size_t after = submissions - FinishingSubmissions; after < submissions; ++after)
  {
    SCOPED_TRACE(after);
    ASSERT_TRUE(this->runWithFailures(DeviceLost, after, 1));
    this->expect(expected);
    EXPECT_EQ(this->Filter->GetNumberOfBricks(), bricks); // those of the surface that was lost do not count
    EXPECT_EQ(this->Filter->GetUsedDevice(), std::string(this->Filter->GetDeviceNames()->GetValue(0)));
  }
  EXPECT_TRUE(this->errors().empty());
  EXPECT_TRUE(this->warnings().empty());
}

// A lattice and an image are two calls. The device of both is lost in the second one, or when their surfaces are
// finished.
TEST_F(FilterFailuresWithRegions, ADeviceLostAfterTwoCallsGivesTheSame)
{
  const auto block = [](int firstCell, double spacing)
  {
    auto image = CellImage({ 12, 12, 12 }, VTK_FLOAT, Noise());
    image->SetOrigin(firstCell, 0, 0);
    image->SetSpacing(spacing, 1, 1);
    return image;
  };
  this->Filter->SetInputDataObject(TreeOf({ block(0, 1), block(12, 1), block(40, 0.5) }));
  const std::size_t submissions = this->submissionsOfRun();
  const Result expected = this->result();
  for (std::size_t after = submissions - 2 * FinishingSubmissions; after < submissions; ++after)
  {
    SCOPED_TRACE(after);
    ASSERT_TRUE(this->runWithFailures(DeviceLost, after, 1));
    this->expect(expected);
  }
  EXPECT_TRUE(this->errors().empty());
  EXPECT_TRUE(this->warnings().empty());
}

TEST_F(FilterFailuresWithRegions, ADeviceLostTwiceWhileItFinishesTheSurfaceGivesTheSurfaceOfTheCpu)
{
  this->expectTheCpuFrom(DeviceLost, 2);
  EXPECT_LE(this->warnings().size(), 1u); // none after another test of this process with this reason
}

TEST_F(FilterFailuresWithRegions, MemoryExhaustedWhileTheSurfaceIsFinishedGivesTheSurfaceOfTheCpuWithOneWarning)
{
  this->expectTheCpuFrom(MemoryExhausted, std::numeric_limits<std::size_t>::max());
  EXPECT_EQ(this->warnings().size(), 1u);
}

TEST_F(FilterFailuresWithRegions, AStopWhileTheSurfaceIsFinishedAgainLeavesNothing)
{
  const std::size_t submissions = this->submissionsOfRun();
  const Result expected = this->result();
  const std::size_t undisturbed = this->Submissions.submissions() + 2 * submissions; // of the next two runs
  vtkNew<vtkCallbackCommand> stop;
  std::function<void()> stopIfAgain = [&]
  {
    if (this->Submissions.submissions() > undisturbed)
      this->Filter->SetAbortExecute(1);
  };
  stop->SetClientData(&stopIfAgain);
  stop->SetCallback(
    [](vtkObject*, unsigned long, void* data, void*) { (*static_cast<std::function<void()>*>(data))(); });
  const unsigned long observer = this->Filter->AddObserver(vtkCommand::ProgressEvent, stop);
  this->runWithFailures(DeviceLost, submissions - 1, 1);
  EXPECT_EQ(this->Filter->GetOutput()->GetNumberOfPoints(), 0);
  EXPECT_FALSE(this->Filter->GetRegions() && this->Filter->GetRegions()->GetNumberOfRows() != 0);
  EXPECT_EQ(this->Filter->GetMeasures()->GetNumberOfRows(), 0);
  this->Filter->RemoveObserver(observer);
  this->Filter->SetAbortExecute(0);
  EXPECT_TRUE(this->runAgain());
  this->expect(expected);
  EXPECT_TRUE(this->errors().empty());
}

TEST_F(FilterFailuresWithRegions, ALossAtTheLastSubmissionIsAnErrorWithFallbackError)
{
  this->Filter->SetFallback(vtkVulkanMarchingCubes::FALLBACK_ERROR);
  const std::size_t submissions = this->submissionsOfRun();
  const Result expected = this->result();
  EXPECT_FALSE(this->runWithFailures(DeviceLost, submissions - 1, 2));
  EXPECT_EQ(this->Filter->GetOutput()->GetNumberOfPoints(), 0);
  ASSERT_EQ(this->errors().size(), 1u);
  EXPECT_CONTAINS(this->errors()[0], this->Filter->GetDeviceNames()->GetValue(0) + " failed");
  EXPECT_TRUE(this->runAgain());
  this->expect(expected);
  EXPECT_EQ(this->errors().size(), 1u);
  EXPECT_TRUE(this->warnings().empty());
}

TEST_F(FilterFailuresWithRegions, AnUnknownFailureAtTheLastSubmissionIsAnError)
{
  const std::size_t submissions = this->submissionsOfRun();
  EXPECT_FALSE(this->runWithFailures(vk::Result::eErrorUnknown, submissions - 1, 1));
  EXPECT_EQ(this->Filter->GetOutput()->GetNumberOfPoints(), 0);
  EXPECT_EQ(this->errors().size(), 1u);
  EXPECT_TRUE(this->warnings().empty());
}
