// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Engines that are opened in the background. ctest runs each test in a process of its own.
#include "Compute/Contour/Request.h"
#include "Compute/System/Error.h"
#include "Compute/System/Threads.h"
#include "Compute/Volume/Volume.h"
#include "Compute/Vulkan/Instance.h"
#include "Support/ExpectError.h"
#include "Support/SharedDevice.h"

#include <gtest/gtest.h>

#ifndef _WIN32

#include "Support/VulkanLoader.h"

#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

namespace vmc::test
{

class BackgroundOpening : public testing::Test
{
protected:
  void SetUp() override
  {
    const char* const variable = std::getenv("VMC_DEVICE");
    this->Device = variable && *variable != '\0' ? variable : "0";
    setenv("VMC_DEVICE", this->Device.c_str(), 1);
    unsetenv("VMC_BACKGROUND");
  }

  static void open()
  {
    const Volume example;
    Engine::openInBackground("", &example, Request());
  }

  // fork() waits for all work in the background.
  static void awaitBackground()
  {
    const pid_t child = fork();
    if (child == 0)
      _exit(0);
    waitpid(child, nullptr, 0);
  }

  // Loads Vulkan.
  static bool isDevice(const Engine& engine) { return engine.deviceName() != CpuName; }

  std::string Device;
};

TEST_F(BackgroundOpening, GivesTheEngineThatSharedReturns)
{
  open();
  const auto engine = Engine::shared();
  if (!isDevice(*engine))
    GTEST_SKIP() << NoVulkanDevice;
  open(); // is open already
  EXPECT_EQ(Engine::shared(), engine);
  const auto context = std::dynamic_pointer_cast<DeviceEngine>(engine);
  EXPECT_NE(context, nullptr);
}

TEST_F(BackgroundOpening, ErrorsAreThoseOfShared)
{
  if (!hasVulkanDevice())
    GTEST_SKIP() << NoVulkanDevice;
  setenv("VMC_DEVICE", "there is no such device", 1);
  open();
  expectError(Error::Kind::NoSuchDevice, [] { Engine::shared(); });
  open();
  expectError(Error::Kind::NoSuchDevice, [] { Engine::shared(); });
}

TEST_F(BackgroundOpening, DoesNothingForTheCpuAndIfItIsSwitchedOff)
{
  if (isVulkanLoaded())
    GTEST_SKIP() << "An earlier test of this process has loaded Vulkan.";
  setenv("VMC_BACKGROUND", "0", 1);
  open();
  awaitBackground();
  EXPECT_FALSE(isVulkanLoaded());
  unsetenv("VMC_BACKGROUND");
  setenv("VMC_DEVICE", "cpu", 1);
  open();
  Engine::openInBackground(CpuName, nullptr, Request());
  awaitBackground();
  EXPECT_FALSE(isVulkanLoaded());
  EXPECT_EQ(Engine::shared()->deviceName(), CpuName);
}

// The child process has neither the threads of the driver nor that of the background.
TEST_F(BackgroundOpening, AProcessForkedMeanwhileUsesTheCpu)
{
  if (isVulkanLoaded())
    GTEST_SKIP() << "An earlier test of this process has loaded Vulkan.";
  open();
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0)
  {
    alarm(10); // if it hangs
    setenv("VMC_DEVICE", "", 1);
    open();
    const bool isCpuAlone = Engine::deviceNames().size() == 1 && Engine::shared()->deviceName() == CpuName;
    _exit(isCpuAlone ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (!isDevice(*Engine::shared()))
    GTEST_SKIP() << NoVulkanDevice;
  EXPECT_TRUE(WIFEXITED(status)) << status;
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

// Each new process ends while the device is being opened, or while its kernels are being made.
TEST_F(BackgroundOpening, TheProcessCanEndMeanwhile)
{
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (const int milliseconds : { 0, 20, 60, 150 })
  {
    const auto end = [=]
    {
      open();
      usleep(1000 * static_cast<unsigned>(milliseconds));
      std::exit(0);
    };
    EXPECT_EXIT(end(), testing::ExitedWithCode(0), "") << milliseconds;
  }
  if (!hasVulkanDevice()) // asked last, as it loads Vulkan
    GTEST_SKIP() << NoVulkanDevice;
}

}

#endif
