// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Compiled kernels of this process and of those before, and the file in which they are kept.
#ifndef vmcPipelineCache_h
#define vmcPipelineCache_h

#include "Compute/Vulkan/Words.h"

#include <vulkan/vulkan_raii.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace vmc
{

class Device;

// The device, driver and shaders for which kernels were compiled.
struct PipelineCacheKey
{
  std::uint32_t vendorId = 0, deviceId = 0, driverId = 0, driverVersion = 0; // of VkPhysicalDeviceProperties
  std::array<std::uint8_t, 16> uuid{};                                       // pipelineCacheUUID
  std::uint64_t kernels = 0;                                                 // see hashOf
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

// A VkPipelineCache that starts with the contents of the device's file. A file that is damaged, that belongs to
// another user, or that is for another device, driver or version of the kernels is ignored and replaced. No
// failure to read or write is an error. Any thread may use it.
class PipelineCache
{
public:
  // folder: see pipelineCacheFolder(); empty: nothing is read or written. kernels: the hash of all modules.
  PipelineCache(const Device& device, std::string folder, std::uint64_t kernels);

  const vk::raii::PipelineCache& handle() const { return this->Handle; }

  // The number of bytes that were read from the file; 0: none.
  std::size_t readBytes() const { return this->ReadBytes; }

  // Writes the file if the cache has grown since it was read or written, together with what other processes have
  // written meanwhile. Returns whether it was written.
  bool save();

private:
  std::vector<std::uint8_t> read() const;
  std::vector<std::uint8_t> merged() const;

  const Device& Owner;
  const std::string Folder;
  PipelineCacheKey Key;
  std::size_t ReadBytes = 0;
  std::mutex Mutex;
  std::size_t SavedBytes = PipelineCacheHeaderBytes; // of the data that the file has from this process
  vk::raii::PipelineCache Handle = nullptr;
};

}

#endif
