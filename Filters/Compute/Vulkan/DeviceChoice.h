// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Chooses a device from the properties of all devices. Pure functions: they need no device.
#ifndef vmcDeviceChoice_h
#define vmcDeviceChoice_h

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace vmc
{

struct DeviceTraits
{
  // The types of devices in descending order of preference.
  enum class Type
  {
    Discrete,
    Virtual,
    Integrated,
    Other,
    Threads, // the CPU engine
    AllGpus, // several devices together; all others are Vulkan devices
    Software
  };

  std::string name;
  Type type = Type::Other;
  std::uint32_t apiVersion = 0; // encoded as by VK_MAKE_API_VERSION
  bool hasComputeQueue = false;
  std::uint32_t groupInvocations = 0;                      // largest workgroup: invocations along x
  std::uint32_t sharedMemoryBytes = 0;                     // per workgroup
  std::uint32_t storageBuffers = 0;                        // per shader
  std::array<std::uint8_t, 16> deviceUuid{}, driverUuid{}; // equal in every API that uses the device by this driver
};

// The CPU engine, as the last device of a list: it is always there and usable.
DeviceTraits cpuTraits();

// Several devices, as the last device of a list but one. Only their name selects them.
constexpr const char* AllGpusName = "All GPUs";
DeviceTraits allGpusTraits();
bool isAllGpus(const std::string& name); // in upper or lower case

// The usable GPUs of the most preferred type: those that AllGpusName selects. Software is no GPU.
std::vector<DeviceTraits> gpusOf(const std::vector<DeviceTraits>& devices);

// Returns the reason why the device cannot be used: a sentence with its name, the value found and the value needed.
// Empty if the device is usable.
std::string refusalOf(const DeviceTraits& device);

// Says what to do if there is no device.
constexpr const char* DriverAdvice =
  "Install the driver of the GPU, or the package mesa-vulkan-drivers for software Vulkan, and check with vulkaninfo.";

// "discrete GPU", "virtual GPU", "integrated GPU", "other", "threads", "together" or "software".
const char* kindOf(const DeviceTraits& device);

// The name with the kind in brackets, as lists show it.
std::string labelOf(const DeviceTraits& device);

// Returns whether the name is empty or "automatic" in upper or lower case.
bool isAutomatic(const std::string& name);

// Returns whether the name or the label is that of the CPU engine, in upper or lower case.
bool isCpu(const std::string& name);

// The name of the device that a value of the environment variable VMC_DEVICE selects: the number of a usable device,
// counted from 0, or a UUID of 32 hexadecimal digits, with or without hyphens. Any other value is a name itself. One or
// two digits that are no number of a device give a name that no device has.
std::string nameFromVariable(const std::vector<DeviceTraits>& devices, const std::string& value);

// Returns the index of the usable device with the best match of its name, then of the most preferred type, then with
// the smallest index. A device matches if its name or label equals wantedName or, second best, if its name contains it;
// case is ignored. The names of the CPU engine and of all GPUs must be equal. An automatic name matches all devices; so
// it selects software Vulkan only if the list lacks the CPU engine. Of n equally good devices, MPI rank `localRank` of
// this machine gets number localRank modulo n. If no device that matches is usable, throws NoDevice with one reason per
// unusable device, or NoSuchDevice with a list of the usable devices if there are Vulkan devices among them, but none
// that matches.
std::size_t chooseDevice(
  const std::vector<DeviceTraits>& devices, const std::string& wantedName = {}, std::size_t localRank = 0);

}

#endif
