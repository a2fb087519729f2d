// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Vulkan/DeviceChoice.h"

#include "Compute/System/Error.h"
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
constexpr std::uint32_t NeededStorageBuffers = 12;       // of EmitPoints, which binds the most

std::string version(std::uint32_t apiVersion)
{
  return std::to_string(apiVersion >> 22 & 0x7Fu) + "." + std::to_string(apiVersion >> 12 & 0x3FFu);
}

std::string lower(std::string text)
{
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

// 2: the names are equal, 1: the name contains the requested one, 0: neither. Empty and "automatic" match every name.
int matchOf(const std::string& name, const std::string& wanted)
{
  if (wanted.empty() || lower(wanted) == "automatic" || lower(name) == lower(wanted))
    return 2;
  return lower(name).find(lower(wanted)) != std::string::npos ? 1 : 0;
}

std::string lacks(const DeviceTraits& device, const std::string& what, std::uint32_t found, std::uint32_t needed)
{
  return device.name + " has " + std::to_string(found) + " " + what + "; " + std::to_string(needed) + " are needed.";
}

}

std::string refusalOf(const DeviceTraits& device)
{
  if (device.apiVersion < (1u << 22 | NeededMinor << 12))
    return device.name + " supports Vulkan " + version(device.apiVersion) + "; 1." + std::to_string(NeededMinor) +
           " is needed.";
  if (!device.hasComputeQueue)
    return device.name + " has no compute queue.";
  if (device.groupInvocations < SCAN_GROUP_SIZE)
    return lacks(device, "invocations per workgroup", device.groupInvocations, SCAN_GROUP_SIZE);
  if (device.sharedMemoryBytes < NeededSharedMemoryBytes)
    return lacks(device, "bytes of shared memory per workgroup", device.sharedMemoryBytes, NeededSharedMemoryBytes);
  if (device.storageBuffers < NeededStorageBuffers)
    return lacks(device, "storage buffers per shader", device.storageBuffers, NeededStorageBuffers);
  return {};
}

std::size_t chooseDevice(const std::vector<DeviceTraits>& devices, const std::string& wantedName, std::size_t localRank)
{
  using Rank = std::pair<int, DeviceTraits::Type>; // smaller is better
  std::vector<std::size_t> best;
  Rank bestRank{};
  std::string reasons;
  for (std::size_t i = 0; i < devices.size(); ++i)
  {
    const int match = matchOf(devices[i].name, wantedName);
    const std::string refusal =
      match == 0 ? devices[i].name + " is not the requested device, \"" + wantedName + "\"." : refusalOf(devices[i]);
    if (!refusal.empty())
    {
      reasons += " " + refusal;
      continue;
    }
    const Rank rank(-match, devices[i].type);
    if (best.empty() || rank < bestRank)
      best.clear();
    if (best.empty() || rank == bestRank)
    {
      best.push_back(i);
      bestRank = rank;
    }
  }
  if (best.empty())
    throw Error(Error::Kind::NoDevice,
      "No usable Vulkan device." + (devices.empty() ? std::string(" The Vulkan loader lists none.") : reasons));
  return best[localRank % best.size()];
}

}
