// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Vulkan/DeviceChoice.h"

#include "Compute/System/Error.h"
#include "Compute/System/Threads.h"
#include "Shared/Constants.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace vmc
{

namespace
{

// Requirements of the kernels, checked by refusalOf.
constexpr std::uint32_t NeededMinor = 2;
constexpr std::uint32_t NeededSharedMemoryBytes = 16384; // guaranteed by Vulkan; no kernel uses more
constexpr std::uint32_t NeededStorageBuffers = 13;       // of EmitPointsAtCoordinates and EmitLevelPoints

std::string version(std::uint32_t apiVersion)
{
  return std::to_string(apiVersion >> 22 & 0x7Fu) + "." + std::to_string(apiVersion >> 12 & 0x3FFu);
}

std::string lower(std::string text)
{
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

bool isNameOf(const DeviceTraits& device, const std::string& name)
{
  return lower(device.name) == lower(name) || lower(labelOf(device)) == lower(name);
}

bool isVulkan(const DeviceTraits& device)
{
  return device.type != DeviceTraits::Type::Threads && device.type != DeviceTraits::Type::AllGpus;
}

// 2: equal to the name or the label, 1: a part of the name, 0: neither. An automatic name matches every device.
int matchOf(const DeviceTraits& device, const std::string& wanted)
{
  if (isAutomatic(wanted) || isNameOf(device, wanted))
    return 2;
  return isVulkan(device) && lower(device.name).find(lower(wanted)) != std::string::npos ? 1 : 0;
}

// Returns the UUID in hexadecimal digits, two per byte, in lower case.
std::string digitsOf(const std::array<std::uint8_t, 16>& uuid)
{
  constexpr const char* Digits = "0123456789abcdef";
  std::string digits;
  for (const std::uint8_t byte : uuid)
    digits += { Digits[byte >> 4], Digits[byte & 15] };
  return digits;
}

std::string withoutHyphens(std::string text)
{
  text.erase(std::remove(text.begin(), text.end(), '-'), text.end());
  return text;
}

[[noreturn]] void refuseName(const std::vector<DeviceTraits>& devices, const std::string& wantedName)
{
  std::string labels;
  for (const DeviceTraits& device : devices)
    if (refusalOf(device).empty())
      labels += (labels.empty() ? "" : ", ") + labelOf(device);
  throw Error(Error::Kind::NoSuchDevice, "There is no device \"" + wantedName + "\". The devices are: " + labels + ".");
}

std::string refusal(const DeviceTraits& device, const std::string& limit, std::uint32_t found, std::uint32_t needed)
{
  return device.name + " has " + std::to_string(found) + " " + limit + "; " + std::to_string(needed) + " are needed.";
}

}

const char* kindOf(const DeviceTraits& device)
{
  constexpr const char* Kinds[] = { "discrete GPU", "virtual GPU", "integrated GPU", "other", "threads", "together",
    "software" };
  return Kinds[static_cast<std::size_t>(device.type)]; // [type]
}

std::string labelOf(const DeviceTraits& device)
{
  return device.name + " (" + kindOf(device) + ")";
}

bool isAutomatic(const std::string& name)
{
  return name.empty() || lower(name) == "automatic";
}

bool isCpu(const std::string& name)
{
  return isNameOf(cpuTraits(), name);
}

DeviceTraits cpuTraits()
{
  DeviceTraits traits;
  traits.name = CpuName;
  traits.type = DeviceTraits::Type::Threads;
  return traits;
}

DeviceTraits allGpusTraits()
{
  DeviceTraits traits;
  traits.name = AllGpusName;
  traits.type = DeviceTraits::Type::AllGpus;
  return traits;
}

bool isAllGpus(const std::string& name)
{
  return isNameOf(allGpusTraits(), name);
}

std::vector<DeviceTraits> gpusOf(const std::vector<DeviceTraits>& devices)
{
  std::vector<DeviceTraits> gpus;
  for (const DeviceTraits& device : devices)
  {
    if (device.type > DeviceTraits::Type::Integrated || !refusalOf(device).empty())
      continue;
    if (!gpus.empty() && device.type < gpus.front().type)
      gpus.clear();
    if (gpus.empty() || device.type == gpus.front().type)
      gpus.push_back(device);
  }
  return gpus;
}

std::string nameFromVariable(const std::vector<DeviceTraits>& devices, const std::string& value)
{
  const std::string uuid = withoutHyphens(lower(value));
  std::size_t number = 0;
  for (const DeviceTraits& device : devices)
  {
    if (digitsOf(device.deviceUuid) == uuid)
      return device.name;
    if (refusalOf(device).empty() && std::to_string(number++) == value)
      return device.name;
  }
  const bool isNumber =
    !value.empty() && value.size() <= 2 && value.find_first_not_of("0123456789") == std::string::npos;
  return isNumber ? "number " + value : value; // no name that contains the digits
}

std::string refusalOf(const DeviceTraits& device)
{
  if (!isVulkan(device))
    return {};
  if (device.apiVersion < (1u << 22 | NeededMinor << 12))
    return device.name + " supports Vulkan " + version(device.apiVersion) + "; 1." + std::to_string(NeededMinor) +
           " is needed.";
  if (!device.hasComputeQueue)
    return device.name + " has no compute queue.";
  if (device.groupInvocations < SCAN_GROUP_SIZE)
    return refusal(device, "invocations per workgroup", device.groupInvocations, SCAN_GROUP_SIZE);
  if (device.sharedMemoryBytes < NeededSharedMemoryBytes)
    return refusal(device, "bytes of shared memory per workgroup", device.sharedMemoryBytes, NeededSharedMemoryBytes);
  if (device.storageBuffers < NeededStorageBuffers)
    return refusal(device, "storage buffers per shader", device.storageBuffers, NeededStorageBuffers);
  return {};
}

std::size_t chooseDevice(const std::vector<DeviceTraits>& devices, const std::string& wantedName, std::size_t localRank)
{
  using Rank = std::pair<int, DeviceTraits::Type>; // smaller is better
  std::vector<std::size_t> best;
  Rank bestRank{};
  std::string reasons;
  bool isNameKnown = false, isAnyVulkan = false, isAnyVulkanUsable = false;
  for (std::size_t i = 0; i < devices.size(); ++i)
  {
    const int match = matchOf(devices[i], wantedName);
    const std::string refusal = refusalOf(devices[i]);
    isNameKnown = isNameKnown || match != 0;
    isAnyVulkan = isAnyVulkan || isVulkan(devices[i]);
    isAnyVulkanUsable = isAnyVulkanUsable || (isVulkan(devices[i]) && refusal.empty());
    reasons += (refusal.empty() ? "" : " ") + refusal;
    if (match == 0 || !refusal.empty())
      continue;
    const Rank rank(-match, devices[i].type);
    if (best.empty() || rank < bestRank)
      best.clear();
    if (best.empty() || rank == bestRank)
    {
      best.push_back(i);
      bestRank = rank;
    }
  }
  if (!best.empty())
    return best[localRank % best.size()];
  if (!isNameKnown && isAnyVulkanUsable)
    refuseName(devices, wantedName);
  if (!isAnyVulkan)
    throw Error(Error::Kind::NoDevice, std::string("No Vulkan device: the Vulkan loader lists none. ") + DriverAdvice);
  throw Error(Error::Kind::NoDevice, "No usable Vulkan device." + reasons);
}

}
