// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Compiled kernels of this process and of those before.
#ifndef vmcPipelineCache_h
#define vmcPipelineCache_h

#include "Compute/Vulkan/PipelineCacheFile.h"

#include <vulkan/vulkan_raii.hpp>

#include <cstdint>
#include <mutex>
#include <string>

namespace vmc
{

class Device;

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
