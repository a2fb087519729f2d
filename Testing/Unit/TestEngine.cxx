// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Engine.h"
#include "Compute/Engine/CpuEngine.h"
#include "Compute/Engine/DeviceEngine.h"
#include "Compute/Session.h"
#include "Compute/System/Error.h"
#include "Compute/System/Platform.h"
#include "Compute/System/Threads.h"
#include "Support/AnalyticVolumes.h"
#include "Support/ExpectError.h"

#include <gtest/gtest.h>

#ifndef _WIN32
#include "Support/VulkanLoader.h"

#include <cstdlib>
#endif

namespace
{

using vmc::Engine;

}

TEST(Engine, ThatOfTheCpuIsOneForEveryFormOfItsName)
{
  const auto engine = Engine::shared("CPU");
  EXPECT_EQ(engine->deviceName(), "CPU");
  EXPECT_EQ(std::dynamic_pointer_cast<vmc::DeviceEngine>(engine), nullptr);
  for (const char* name : { "cpu", "Cpu", "CPU (threads)" })
    EXPECT_EQ(Engine::shared(name), engine) << name;
  Engine::forget(*engine);
  EXPECT_EQ(Engine::shared("CPU"), engine);
}

TEST(Engine, TheCpuIsTheLastDeviceOfTheList)
{
  ASSERT_FALSE(Engine::deviceNames().empty());
  EXPECT_EQ(Engine::deviceNames().back(), "CPU");
  EXPECT_EQ(Engine::deviceKinds().back(), "threads");
  EXPECT_EQ(Engine::deviceKinds().size(), Engine::deviceNames().size());
}

TEST(Engine, ReportsOfTheCpuTellItsThreads)
{
  const vmc::test::Samples samples = vmc::test::sampleNoise({ 9, 8, 7 }, vmc::SampleType::Float32, 1);
  const auto engine = Engine::shared("CPU");
  const auto session = engine->makeSession();
  vmc::Request request;
  request.isovalues = { 0 };
  for (const unsigned threads : { 1u, 3u })
  {
    const std::string expected = vmc::cpuName(vmc::usableThreads(threads));
    request.threads = threads;
    vmc::Report report;
    EXPECT_TRUE(session->extract({ samples.volume() }, request, report));
    EXPECT_EQ(report.device, expected);
    vmc::Report ofCounts;
    session->count({ samples.volume() }, { -1, 1, 4 }, { 0, threads }, ofCounts);
    EXPECT_EQ(ofCounts.device, expected);
    EXPECT_TRUE(ofCounts.stages[vmc::Stage::CountValues]);
    vmc::Report ofRange;
    session->findRanges({ samples.volume() }, { 0, threads }, ofRange);
    EXPECT_EQ(ofRange.device, expected);
  }
}

#ifndef _WIN32

TEST(Engine, ThatOfTheCpuDoesNotLoadVulkan)
{
  if (vmc::test::isVulkanLoaded())
    GTEST_SKIP() << "An earlier test of this process has loaded it.";
  Engine::shared("cpu")->makeSession();
  setenv("VMC_DEVICE", "CPU", 1);
  EXPECT_EQ(Engine::shared()->deviceName(), "CPU");
  EXPECT_EQ(Engine::shared("automatic")->deviceName(), "CPU");
  unsetenv("VMC_DEVICE");
  EXPECT_FALSE(vmc::test::isVulkanLoaded());
}

TEST(Engine, AutomaticDoesNotLoadVulkanWithoutAGpu)
{
  if (vmc::mayHaveGpu())
    GTEST_SKIP() << "This machine may have a GPU.";
  if (vmc::test::isVulkanLoaded())
    GTEST_SKIP() << "An earlier test of this process has loaded it.";
  unsetenv("VMC_DEVICE");
  EXPECT_EQ(Engine::shared()->deviceName(), "CPU");
  EXPECT_FALSE(vmc::test::isVulkanLoaded());
}

// Last, as the list of the devices stays.
TEST(Engine, WithoutAVulkanDriverTheNumberOfTheCpuIsZero)
{
  if (vmc::test::isVulkanLoaded())
    GTEST_SKIP() << "An earlier test of this process has loaded it.";
  for (const char* drivers : { "VK_DRIVER_FILES", "VK_ICD_FILENAMES" })
    setenv(drivers, "no-driver.json", 1);
  EXPECT_EQ(Engine::deviceNames(), std::vector<std::string>{ "CPU" });
  setenv("VMC_DEVICE", "0", 1);
  EXPECT_EQ(Engine::shared()->deviceName(), "CPU");
  EXPECT_EQ(Engine::shared("automatic"), Engine::shared("CPU"));
  setenv("VMC_DEVICE", "1", 1);
  vmc::test::expectError(vmc::Error::Kind::NoDevice, [] { Engine::shared(); });
  vmc::test::expectError(vmc::Error::Kind::NoDevice, [] { Engine::shared("0"); }); // a name
  for (const char* variable : { "VMC_DEVICE", "VK_DRIVER_FILES", "VK_ICD_FILENAMES" })
    unsetenv(variable);
}

#endif
