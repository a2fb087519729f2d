// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The file in which compiled kernels are kept for later processes.
#ifndef vmcPipelineCacheFile_h
#define vmcPipelineCacheFile_h

#include "Compute/Vulkan/Words.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vmc
{

// The device, driver and shaders for which kernels were compiled.
struct PipelineCacheKey
{
  std::uint32_t vendorId = 0, deviceId = 0, driverId = 0, driverVersion = 0; // of VkPhysicalDeviceProperties
  std::array<std::uint8_t, 16> uuid{};                                       // pipelineCacheUUID
  std::uint64_t kernels = 0;                                                 // see hashOf

  bool operator==(const PipelineCacheKey& other) const
  {
    return this->vendorId == other.vendorId && this->deviceId == other.deviceId && this->driverId == other.driverId &&
           this->driverVersion == other.driverVersion && this->uuid == other.uuid && this->kernels == other.kernels;
  }
};

// A number that almost certainly differs for different bytes; no protection against intent.
std::uint64_t hashOf(const void* bytes, std::size_t count, std::uint64_t start = 0);
std::uint64_t hashOf(const std::vector<const kernels::Words*>& modules);

// A cache without pipelines has these bytes of Vulkan's header alone.
constexpr std::size_t PipelineCacheHeaderBytes = 32;

// Larger files are neither read nor written. The kernels of one set of properties take 0.3 MB on an NVIDIA H200.
constexpr std::uint64_t MostPipelineCacheBytes = 64u << 20;

// The folder of the files, which the environment variable VMC_PIPELINE_CACHE names by an absolute path. By default,
// VulkanMarchingCubes in userCacheFolder(). Empty if the variable is 0 or a relative path, or if there is no default:
// then nothing is kept.
std::string pipelineCacheFolder();

// The name of the file for a device and its driver. A new version of the driver or of the kernels replaces the file.
std::string pipelineCacheFileName(const PipelineCacheKey& key);

// The contents of a file with these data of VkPipelineCache.
std::vector<std::byte> pipelineCacheFile(const PipelineCacheKey& key, const std::vector<std::uint8_t>& data);

// The data in the contents of a file; nothing if they are damaged, or not for this key.
std::optional<std::vector<std::uint8_t>> pipelineCacheData(
  const PipelineCacheKey& key, const std::vector<std::byte>& file);

}

#endif
