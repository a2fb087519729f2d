// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The first surface of a process on a machine without a GPU.
#include "FilterTest.h"

#include "Compute/System/Platform.h"
#include "Compute/System/Stage.h"
#include "Support/VulkanLoader.h"

#include <cstdlib>
#include <iostream>

// Each test of ctest is a process of its own. 30 ms are the limit on an idle machine; other tests may use the cores
// too.
TEST(FirstSurface, WithoutAGpuComesFromTheCpuWithoutLoadingVulkan)
{
  if (vmc::mayHaveGpu())
    GTEST_SKIP() << "This machine may have a GPU.";
  if (vmc::test::isVulkanLoaded())
    GTEST_SKIP() << "An earlier test of this process has loaded Vulkan.";
  setenv("VMC_DEVICE", "", 1); // automatic
  const auto image = CellImage({ 64, 64, 64 }, VTK_FLOAT, Ball());
  vtkNew<vtkVulkanMarchingCubes> filter;
  filter->SetInputData(image);
  filter->SetValue(0, 50);
  const vmc::HostClock clock;
  filter->Update();
  const double milliseconds = clock.milliseconds();
  std::cout << "first surface: " << milliseconds << " ms on " << filter->GetUsedDevice() << std::endl;
  EXPECT_TRUE(IsCpu(filter->GetUsedDevice()));
  EXPECT_STREQ(filter->GetFallbackReason(), "");
  EXPECT_GT(filter->GetOutput()->GetNumberOfPolys(), 0);
  EXPECT_FALSE(vmc::test::isVulkanLoaded());
  EXPECT_LT(milliseconds, 10 * 30);
}
