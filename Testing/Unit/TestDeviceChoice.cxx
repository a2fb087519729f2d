// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/System/Error.h"
#include "Compute/Vulkan/DeviceChoice.h"
#include "Compute/Vulkan/Instance.h"
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
  traits.storageBuffers = 13;
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
    "Card has 8 storage buffers per shader; 13 are needed.");
}

TEST(DeviceChoice, PrefersDiscreteThenVirtualThenIntegratedThenOtherThenThreadsThenSoftware)
{
  using Type = DeviceTraits::Type;
  std::vector<DeviceTraits> devices = { usable("f", Type::Software), vmc::cpuTraits(), usable("d", Type::Other),
    usable("c", Type::Integrated), usable("b", Type::Virtual), usable("a", Type::Discrete) };
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
  EXPECT_EQ(vmc::chooseDevice({ old, usable("Slow", DeviceTraits::Type::Software) }), 1u);
}

TEST(DeviceChoice, NameSelectsADeviceOfAnyTypeAndIgnoresCase)
{
  const std::vector<DeviceTraits> devices = { usable("Fast Card"), usable("llvmpipe", DeviceTraits::Type::Software) };
  EXPECT_EQ(vmc::chooseDevice(devices, "LLVMpipe"), 1u);
  EXPECT_EQ(vmc::chooseDevice(devices, "pipe"), 1u);
  EXPECT_EQ(vmc::chooseDevice(devices, "card"), 0u);
}

TEST(DeviceChoice, AutomaticSelectsTheBestDevice)
{
  const std::vector<DeviceTraits> devices = { usable("llvmpipe", DeviceTraits::Type::Software), usable("Fast Card") };
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
  EXPECT_EQ(noDevice({}),
    "No Vulkan device: the Vulkan loader lists none. Install the driver of the GPU, or the package "
    "mesa-vulkan-drivers for software Vulkan, and check with vulkaninfo.");
}

TEST(DeviceChoice, RanksAreDistributedOverEqualDevices)
{
  const std::vector<DeviceTraits> devices = { usable("software", DeviceTraits::Type::Software), usable("Card"),
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
  EXPECT_EQ(
    noDevice({ usable("Card"), old }, "old"), "No usable Vulkan device. Old supports Vulkan 1.0; 1.2 is needed.");
  EXPECT_EQ(noDevice({ old }, "Other"), "No usable Vulkan device. Old supports Vulkan 1.0; 1.2 is needed.");
}

TEST(DeviceChoice, AnUnknownNameIsAnErrorThatListsTheUsableDevicesWithTheirKinds)
{
  DeviceTraits old = usable("Old");
  old.apiVersion = 1u << 22;
  EXPECT_EQ(vmc::test::expectError(vmc::Error::Kind::NoSuchDevice,
              [&] {
                vmc::chooseDevice({ usable("Card"), old, usable("llvmpipe", DeviceTraits::Type::Software) }, "Other");
              }),
    "There is no device \"Other\". The devices are: Card (discrete GPU), llvmpipe (software).");
}

TEST(DeviceChoice, ALabelWithTheKindSelectsItsDevice)
{
  const std::vector<DeviceTraits> devices = { usable("Card"), usable("llvmpipe", DeviceTraits::Type::Software),
    usable("Card (2)", DeviceTraits::Type::Integrated) };
  for (std::size_t i = 0; i < devices.size(); ++i)
    EXPECT_EQ(vmc::chooseDevice(devices, vmc::labelOf(devices[i])), i);
}

TEST(DeviceChoice, AValueOfTheEnvironmentIsANumberOrAUuidOrAName)
{
  DeviceTraits old = usable("Old");
  old.apiVersion = 1u << 22;
  DeviceTraits card = usable("Card 4090");
  for (std::size_t byte = 0; byte < card.deviceUuid.size(); ++byte)
    card.deviceUuid[byte] = static_cast<std::uint8_t>(0xA0 + byte);
  const std::vector<DeviceTraits> devices = { old, card, usable("llvmpipe", DeviceTraits::Type::Software) };
  EXPECT_EQ(vmc::nameFromVariable(devices, "0"), "Card 4090"); // the first usable one
  EXPECT_EQ(vmc::nameFromVariable(devices, "1"), "llvmpipe");
  EXPECT_EQ(vmc::nameFromVariable(devices, "2"), "number 2");
  EXPECT_EQ(vmc::nameFromVariable(devices, "40"), "number 40"); // not a part of "Card 4090"
  EXPECT_EQ(vmc::nameFromVariable(devices, "4090"), "4090");
  EXPECT_EQ(vmc::nameFromVariable(devices, "a0a1a2a3-a4a5-a6a7-a8a9-aaabacadaeaf"), "Card 4090");
  EXPECT_EQ(vmc::nameFromVariable(devices, "A0A1A2A3A4A5A6A7A8A9AAABACADAEAF"), "Card 4090");
  EXPECT_EQ(vmc::nameFromVariable(devices, "pipe"), "pipe");
}

TEST(DeviceChoice, AutomaticSelectsTheCpuIfThereIsNoGpu)
{
  DeviceTraits old = usable("Old");
  old.apiVersion = 1u << 22;
  EXPECT_EQ(vmc::chooseDevice({ vmc::cpuTraits() }), 0u);
  EXPECT_EQ(vmc::chooseDevice({ usable("llvmpipe", DeviceTraits::Type::Software), old, vmc::cpuTraits() }), 2u);
  EXPECT_EQ(vmc::chooseDevice({ usable("Card"), vmc::cpuTraits() }), 0u);
  for (const std::size_t rank : { 0, 1, 5 })
    EXPECT_EQ(vmc::chooseDevice({ vmc::cpuTraits() }, "", rank), 0u);
}

TEST(DeviceChoice, OnlyItsNameSelectsSoftwareVulkan)
{
  const std::vector<DeviceTraits> devices = { usable("llvmpipe", DeviceTraits::Type::Software), vmc::cpuTraits() };
  EXPECT_EQ(vmc::chooseDevice(devices), 1u);
  EXPECT_EQ(vmc::chooseDevice(devices, "llvm"), 0u);
}

TEST(DeviceChoice, TheNameOfTheCpuMustBeEqual)
{
  const std::vector<DeviceTraits> devices = { usable("A CPU with Vulkan", DeviceTraits::Type::Software),
    vmc::cpuTraits() };
  for (const char* name : { "CPU", "cpu", "Cpu", "CPU (threads)", "cpu (Threads)" })
  {
    EXPECT_TRUE(vmc::isCpu(name)) << name;
    EXPECT_EQ(vmc::chooseDevice(devices, name), 1u) << name;
  }
  for (const char* name : { "", "automatic", "cp", "CPU 0" })
    EXPECT_FALSE(vmc::isCpu(name)) << name;
  EXPECT_EQ(vmc::chooseDevice(devices, "cp"), 0u);
}

TEST(DeviceChoice, AllGpusAreTheUsableOnesOfTheBestType)
{
  using Type = DeviceTraits::Type;
  DeviceTraits old = usable("Old");
  old.apiVersion = 1u << 22;
  const auto names = [](const std::vector<DeviceTraits>& devices)
  {
    std::vector<std::string> found;
    for (const DeviceTraits& gpu : vmc::gpusOf(devices))
      found.push_back(gpu.name);
    return found;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names({ usable("I", Type::Integrated), usable("A"), old, usable("V", Type::Virtual), usable("B"),
              usable("L", Type::Software), vmc::cpuTraits() }),
    (Names{ "A", "B" }));
  EXPECT_EQ(names({ old, usable("I", Type::Integrated), usable("L", Type::Software) }), (Names{ "I" }));
  EXPECT_EQ(names({ usable("O", Type::Other), usable("L", Type::Software), vmc::cpuTraits() }), Names());
}

TEST(DeviceChoice, OnlyItsNameSelectsAllGpus)
{
  const std::vector<DeviceTraits> devices = { usable("A"), usable("B"), vmc::allGpusTraits(), vmc::cpuTraits() };
  EXPECT_EQ(vmc::chooseDevice(devices, "all gpus"), 2u);
  EXPECT_EQ(vmc::chooseDevice(devices, "All GPUs (together)"), 2u);
  EXPECT_EQ(vmc::chooseDevice(devices), 0u);
  EXPECT_EQ(vmc::chooseDevice(devices, "", 3), 1u);
  EXPECT_EQ(vmc::nameFromVariable(devices, "2"), "All GPUs");
  vmc::test::expectError(vmc::Error::Kind::NoSuchDevice, [&] { vmc::chooseDevice(devices, "GPUs"); });
}

TEST(DeviceChoice, AnUnknownNameIsAnErrorThatListsTheCpuToo)
{
  EXPECT_EQ(vmc::test::expectError(vmc::Error::Kind::NoSuchDevice,
              [&] {
                vmc::chooseDevice({ usable("Card"), vmc::cpuTraits() }, "cp");
              }),
    "There is no device \"cp\". The devices are: Card (discrete GPU), CPU (threads).");
}

// Fallback then leads to the CPU, as an installed driver might have this name.
TEST(DeviceChoice, ANameWithoutAnyVulkanDeviceIsAMissingDevice)
{
  EXPECT_EQ(noDevice({ vmc::cpuTraits() }, "Card"),
    "No Vulkan device: the Vulkan loader lists none. Install the driver of the GPU, or the package "
    "mesa-vulkan-drivers for software Vulkan, and check with vulkaninfo.");
  DeviceTraits old = usable("Old");
  old.apiVersion = 1u << 22;
  EXPECT_EQ(
    noDevice({ old, vmc::cpuTraits() }, "Card"), "No usable Vulkan device. Old supports Vulkan 1.0; 1.2 is needed.");
}

TEST(DeviceChoice, QueueFamiliesWithoutGraphicsArePreferred)
{
  using Flag = vk::QueueFlagBits;
  const auto family = [](vk::QueueFlags flags) { return vk::QueueFamilyProperties(flags, 1); };
  const auto all = family(Flag::eGraphics | Flag::eCompute | Flag::eTransfer), copies = family(Flag::eTransfer),
             computes = family(Flag::eCompute | Flag::eTransfer), graphics = family(Flag::eGraphics);
  EXPECT_EQ(vmc::computeQueueFamily({ all, copies, computes, computes }), 2u);
  EXPECT_EQ(vmc::computeQueueFamily({ copies, computes, all }), 1u);
  EXPECT_EQ(vmc::computeQueueFamily({ copies, graphics, all, all }), 2u);
  EXPECT_EQ(vmc::computeQueueFamily({ copies, graphics }), 2u); // none
  EXPECT_EQ(vmc::computeQueueFamily({}), 0u);
}

TEST(DeviceChoice, TheNumberOfTheCpuIsTheLast)
{
  const std::vector<DeviceTraits> devices = { usable("Card"), usable("llvmpipe", DeviceTraits::Type::Software),
    vmc::cpuTraits() };
  EXPECT_EQ(vmc::nameFromVariable(devices, "2"), "CPU");
  EXPECT_EQ(vmc::nameFromVariable(devices, "3"), "number 3");
  EXPECT_EQ(vmc::nameFromVariable({ vmc::cpuTraits() }, "0"), "CPU");
  EXPECT_EQ(vmc::nameFromVariable(devices, "cpu"), "cpu");
}
