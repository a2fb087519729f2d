// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// A process forked from one that has used Vulkan does not have the threads of its driver, so no device works there.
#include "FilterTest.h"
#include "FlyingEdgesReference.h"

#include <string>

#ifdef __unix__

#include "Support/VulkanLoader.h"

#include "vtkStringArray.h"

#include <chrono>
#include <cstdio>
#include <functional>
#include <thread>

#include <csignal>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

namespace
{

// A child needs less than a second; other processes may use the cores too.
constexpr std::chrono::seconds Deadline{ 5 };

// Waits for a child; kills it after the deadline.
int statusOf(pid_t child)
{
  const auto start = std::chrono::steady_clock::now();
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0)
  {
    if (std::chrono::steady_clock::now() - start > Deadline)
      kill(child, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return status;
}

// Runs a check in a child process. A failure there is printed there and fails the test.
void inChild(const std::function<void()>& check)
{
  std::fflush(nullptr); // so that the child does not print it again
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0)
  {
    check();
    std::fflush(nullptr);
    _exit(testing::Test::HasFailure() ? 1 : 0);
  }
  const int status = statusOf(child);
  EXPECT_FALSE(WIFSIGNALED(status)) << "The child was ended by signal " << WTERMSIG(status) << ".";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

class FilterFork : public FilterTest
{
protected:
  void SetUp() override
  {
    FilterTest::SetUp();
    if (testing::Test::IsSkipped())
      return;
    this->Bytes = BytesOf(this->run(this->Image, 50));
    this->Expected = FlyingEdges(DualImage(this->Image), { 51 });
  }

  // Expects the surface of the CPU. filter: that of the parent, or a new one.
  void checkSurface(vtkVulkanMarchingCubes* filter)
  {
    filter->SetFallback(vtkVulkanMarchingCubes::FALLBACK_CPU);
    filter->SetInputData(this->Image);
    filter->SetValue(0, 51);
    filter->Update();
    EXPECT_TRUE(IsCpu(filter->GetUsedDevice())) << filter->GetUsedDevice();
    ExpectSameCounts(filter->GetOutput(), this->Expected);
  }

  void expectThatTheParentWorks()
  {
    this->Filter->Modified();
    EXPECT_TRUE(BytesOf(this->run(this->Image, 50)) == this->Bytes);
    EXPECT_TRUE(this->errors().empty());
    EXPECT_TRUE(this->warnings().empty());
  }

  const vtkSmartPointer<vtkImageData> Image = CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball());
  std::string Bytes;                     // of the parent's output
  vtkSmartPointer<vtkPolyData> Expected; // of the child; made in the parent, as VTK's oneTBB may hang in a child
};

}

TEST_F(FilterFork, AFilterThatTheParentUsedGivesTheSurfaceOfTheCpu)
{
  inChild([this] { this->checkSurface(this->Filter); });
  this->expectThatTheParentWorks();
}

TEST_F(FilterFork, ANewFilterGivesTheSurfaceOfTheCpu)
{
  inChild([this] { this->checkSurface(vtkNew<vtkVulkanMarchingCubes>()); });
  this->expectThatTheParentWorks();
}

TEST_F(FilterFork, AutomaticIsTheCpuWithoutAWarning)
{
  inChild(
    [this]
    {
      setenv("VMC_DEVICE", "", 1);
      this->checkSurface(this->Filter);
      EXPECT_STREQ(this->Filter->GetFallbackReason(), "");
      EXPECT_TRUE(this->warnings().empty());
    });
  this->expectThatTheParentWorks();
}

TEST_F(FilterFork, WithFallbackErrorTheOutputIsEmptyAndTheErrorNamesTheFork)
{
  inChild(
    [this]
    {
      EXPECT_EQ(this->run(this->Image, 51)->GetNumberOfPoints(), 0);
      ASSERT_EQ(this->errors().size(), 1u);
      EXPECT_CONTAINS(this->errors()[0], "fork");
    });
  this->expectThatTheParentWorks();
}

namespace
{

// A process that forks before its first surface.
class FilterForkEarly : public testing::Test
{
protected:
  void SetUp() override
  {
    if (vmc::test::isVulkanLoaded())
      GTEST_SKIP() << "An earlier test of this process has loaded Vulkan.";
    this->Filter->SetInputData(CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball()));
    this->Filter->SetValue(0, 50);
  }

  const vtkNew<vtkVulkanMarchingCubes> Filter;
};

}

// A process that only makes filters and forks has not opened Vulkan, in the background neither.
TEST_F(FilterForkEarly, ANewFilterOpensNothing)
{
  inChild([] {}); // fork() waits for what has started in the background
  EXPECT_FALSE(vmc::test::isVulkanLoaded());
}

// The device may be opening, and kernels being made, when the process forks.
TEST_F(FilterForkEarly, AfterTheInformationPassTheChildUsesTheCpuAndTheParentItsDevice)
{
  this->Filter->UpdateInformation();
  inChild(
    [this]
    {
      setenv("VMC_DEVICE", "", 1);
      this->Filter->Update();
      EXPECT_TRUE(IsCpu(this->Filter->GetUsedDevice())) << this->Filter->GetUsedDevice();
      EXPECT_GT(this->Filter->GetOutput()->GetNumberOfPolys(), 0);
    });
  this->Filter->Update();
  const bool isCpuAlone = this->Filter->GetDeviceNames()->GetNumberOfValues() == 1;
  EXPECT_EQ(IsCpu(this->Filter->GetUsedDevice()), isCpuAlone) << this->Filter->GetUsedDevice();
  EXPECT_GT(this->Filter->GetOutput()->GetNumberOfPolys(), 0);
}

#else

TEST(FilterFork, IsTestedOnPosixOnly)
{
  GTEST_SKIP() << "This system has no fork().";
}

#endif
