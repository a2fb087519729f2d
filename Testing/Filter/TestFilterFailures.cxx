// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The filter on a device that fails: at the first submission of an extraction, unless a test sets another one.
#include "FilterTest.h"

#include "Compute/Engine.h"
#include "Support/SharedDevice.h"
#include "Support/SubmissionFailure.h"

#include "vtkCallbackCommand.h"
#include "vtkErrorCode.h"
#include "vtkStringArray.h"

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
    vmc::DeviceOptions options;
    options.beforeSubmission = this->Submissions.hook();
    vmc::Engine::setSharedOptions(options);
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
  vmc::test::SubmissionFailure Submissions;
};

constexpr vk::Result DeviceLost = vk::Result::eErrorDeviceLost;
constexpr vk::Result MemoryExhausted = vk::Result::eErrorOutOfDeviceMemory;

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
