// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Names of devices, in the request and in VMC_DEVICE: a usable device is chosen, or the error is clear.
#include "Compute/System/Error.h"
#include "Compute/Vulkan/DeviceChoice.h"
#include "FuzzedBytes.h"

using namespace vmc;
using namespace vmc::torture;

namespace
{

DeviceTraits deviceFrom(FuzzedBytes& bytes)
{
  DeviceTraits device;
  device.name = bytes.text();
  device.type = DeviceTraits::Type(bytes.upTo(std::uint32_t(DeviceTraits::Type::Software)));
  const std::uint32_t poor = bytes.upTo(15); // bits: properties that are too low
  device.apiVersion = poor & 1 ? bytes.number<std::uint32_t>() : ~0u;
  device.hasComputeQueue = (poor & 2) == 0;
  device.groupInvocations = poor & 4 ? bytes.number<std::uint32_t>() : ~0u;
  device.sharedMemoryBytes = device.storageBuffers = poor & 8 ? bytes.number<std::uint8_t>() : ~0u;
  device.deviceUuid.fill(bytes.number<std::uint8_t>());
  return device;
}

// Chooses by a name. Returns the device; null if there is none.
const DeviceTraits* choose(const std::vector<DeviceTraits>& devices, const std::string& name, std::size_t rank)
{
  try
  {
    const std::size_t chosen = chooseDevice(devices, name, rank);
    require(chosen < devices.size(), "A device is chosen that is not in the list.");
    require(refusalOf(devices[chosen]).empty(), "A device is chosen that cannot be used.");
    return &devices[chosen];
  }
  catch (const Error& error)
  {
    require(error.kind() == Error::Kind::NoDevice || error.kind() == Error::Kind::NoSuchDevice, error.what());
    require(*error.what() != '\0', "An error has no text.");
    return nullptr;
  }
}

bool isAnyUsable(const std::vector<DeviceTraits>& devices)
{
  return std::any_of(
    devices.begin(), devices.end(), [](const DeviceTraits& device) { return refusalOf(device).empty(); });
}

}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t count)
{
  FuzzedBytes bytes(input, count);
  const std::string wanted = bytes.text();
  const auto rank = bytes.number<std::uint64_t>();
  std::vector<DeviceTraits> devices;
  for (std::uint32_t left = bytes.upTo(4); left > 0; --left)
    devices.push_back(deviceFrom(bytes));

  choose(devices, wanted, rank);
  const std::string fromVariable = nameFromVariable(devices, wanted);
  const DeviceTraits* const chosen = choose(devices, fromVariable, rank);
  require(!isAutomatic(fromVariable) || isAnyUsable(devices) == (chosen != nullptr),
    "An automatic name selects a device if one is usable, and only then.");
  for (const DeviceTraits& device : devices)
    if (refusalOf(device).empty())
    {
      const DeviceTraits* const named = choose(devices, labelOf(device), rank);
      require(
        named && named->type <= device.type, "The label of a usable device selects it, or one that is preferred.");
    }
  return 0;
}
