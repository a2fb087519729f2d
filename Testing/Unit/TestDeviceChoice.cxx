// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/System/Error.h"
#include "Compute/Vulkan/DeviceChoice.h"
#include "Support/ExpectError.h"

#include <gtest/gtest.h>

#include <functional>

namespace
{

using vmc::DeviceTraits;

DeviceTraits usable(const std::string& name, DeviceTraits::Type type = DeviceTraits::Type::Discrete)
{
  DeviceTraits traits;
  traits.name = name;
  traits.type = type;
  traits.apiVersion = 1u << 22 | 2u << 12;
  traits.hasComputeQueue = true;
  traits.groupInvocations = 256;
  traits.sharedMemoryBytes = 16384;
  traits.storageBuffers = 12;
  return traits;
}

std::string refusal(const std::function<void(DeviceTraits&)>& spoil)
{
  DeviceTraits traits = usable("Card");
  spoil(traits);
  return vmc::refusalOf(traits);
}

std::string noDevice(const std::vector<DeviceTraits>& devices, const std::string& name = {})
{
  return vmc::test::expectError(vmc::Error::Kind::NoDevice, [&] { vmc::chooseDevice(devices, name); });
}

}

TEST(DeviceChoice, ADeviceWithExactlyTheNeededLimitsIsUsable)
{
  EXPECT_EQ(vmc::refusalOf(usable("Card")), "");
}

TEST(DeviceChoice, RefusalNamesTheValueFoundAndTheValueNeeded)
{
  EXPECT_EQ(refusal([](DeviceTraits& traits) { traits.apiVersion = 1u << 22 | 1u << 12 | 200; }),
    "Card supports Vulkan 1.1; 1.2 is needed.");
  EXPECT_EQ(refusal([](DeviceTraits& traits) { traits.hasComputeQueue = false; }), "Card has no compute queue.");
  EXPECT_EQ(refusal([](DeviceTraits& traits) { traits.groupInvocations = 128; }),
    "Card has 128 invocations per workgroup; 256 are needed.");
  EXPECT_EQ(refusal([](DeviceTraits& traits) { traits.sharedMemoryBytes = 16383; }),
    "Card has 16383 bytes of shared memory per workgroup; 16384 are needed.");
  EXPECT_EQ(refusal([](DeviceTraits& traits) { traits.storageBuffers = 8; }),
    "Card has 8 storage buffers per shader; 12 are needed.");
}

TEST(DeviceChoice, PrefersDiscreteThenVirtualThenIntegratedThenOtherThenCpu)
{
  using Type = DeviceTraits::Type;
  std::vector<DeviceTraits> devices = { usable("e", Type::Cpu), usable("d", Type::Other), usable("c", Type::Integrated),
    usable("b", Type::Virtual), usable("a", Type::Discrete) };
  for (; !devices.empty(); devices.pop_back())
    EXPECT_EQ(vmc::chooseDevice(devices), devices.size() - 1);
}

TEST(DeviceChoice, PrefersTheFirstListedOfEqualDevices)
{
  EXPECT_EQ(vmc::chooseDevice({ usable("Card"), usable("Card (2)") }), 0u);
}

TEST(DeviceChoice, SkipsUnusableDevices)
{
  DeviceTraits old = usable("Old");
  old.apiVersion = 1u << 22;
  EXPECT_EQ(vmc::chooseDevice({ old, usable("Slow", DeviceTraits::Type::Cpu) }), 1u);
}

TEST(DeviceChoice, NameSelectsADeviceOfAnyTypeAndIgnoresCase)
{
  const std::vector<DeviceTraits> devices = { usable("Fast Card"), usable("llvmpipe", DeviceTraits::Type::Cpu) };
  EXPECT_EQ(vmc::chooseDevice(devices, "LLVMpipe"), 1u);
  EXPECT_EQ(vmc::chooseDevice(devices, "pipe"), 1u);
  EXPECT_EQ(vmc::chooseDevice(devices, "card"), 0u);
}

TEST(DeviceChoice, AutomaticSelectsTheBestDevice)
{
  const std::vector<DeviceTraits> devices = { usable("llvmpipe", DeviceTraits::Type::Cpu), usable("Fast Card") };
  for (const char* name : { "", "automatic", "Automatic", "AUTOMATIC" })
    EXPECT_EQ(vmc::chooseDevice(devices, name), 1u) << name;
}

TEST(DeviceChoice, AnEqualNameIsPreferredToOneThatContainsIt)
{
  EXPECT_EQ(vmc::chooseDevice({ usable("Card (2)"), usable("Card") }, "card"), 1u);
  EXPECT_EQ(vmc::chooseDevice({ usable("Card (2)"), usable("Card") }, "Card (2)"), 0u);
}

TEST(DeviceChoice, ErrorSaysThatTheLoaderListsNoDevice)
{
  EXPECT_EQ(noDevice({}), "No usable Vulkan device. The Vulkan loader lists none.");
}

TEST(DeviceChoice, RanksAreDistributedOverEqualDevices)
{
  const std::vector<DeviceTraits> devices = { usable("software", DeviceTraits::Type::Cpu), usable("Card"),
    usable("Card (2)"), usable("chip", DeviceTraits::Type::Integrated) };
  EXPECT_EQ(vmc::chooseDevice(devices, "", 0), 1u);
  EXPECT_EQ(vmc::chooseDevice(devices, "", 1), 2u);
  EXPECT_EQ(vmc::chooseDevice(devices, "", 2), 1u);
  EXPECT_EQ(vmc::chooseDevice(devices, "software", 1), 0u);
  EXPECT_EQ(vmc::chooseDevice(devices, "Card (2)", 0), 2u);
}

TEST(DeviceChoice, ErrorHasAReasonForEveryDevice)
{
  DeviceTraits old = usable("Old");
  old.apiVersion = 1u << 22;
  DeviceTraits queueless = usable("Display");
  queueless.hasComputeQueue = false;
  EXPECT_EQ(noDevice({ old, queueless }),
    "No usable Vulkan device. Old supports Vulkan 1.0; 1.2 is needed. Display has no compute queue.");
  EXPECT_EQ(noDevice({ usable("Card"), old }, "Other"), "No usable Vulkan device. Card is not the requested device, "
                                                        "\"Other\". Old is not the requested device, \"Other\".");
  EXPECT_EQ(noDevice({ usable("Card"), old }, "old"),
    "No usable Vulkan device. Card is not the requested device, \"old\". Old supports Vulkan 1.0; 1.2 is needed.");
}
