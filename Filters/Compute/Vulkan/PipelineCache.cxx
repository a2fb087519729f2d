// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Vulkan/PipelineCache.h"

#include "Compute/System/PrivateFile.h"
#include "Compute/Vulkan/Device.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace vmc
{

namespace
{

vk::raii::PipelineCache make(const Device& device, const std::vector<std::uint8_t>& data)
{
  return vk::raii::PipelineCache(device.handle(), vk::PipelineCacheCreateInfo({}, data.size(), data.data()));
}

}

PipelineCache::PipelineCache(const Device& device, std::string folder, std::uint64_t kernels)
  : Owner(device)
  , Folder(std::move(folder))
  , Key(device.pipelineCacheKey())
{
  this->Key.kernels = kernels;
  const std::vector<std::uint8_t> data = this->read();
  this->ReadBytes = data.size();
  this->SavedBytes = std::max(this->SavedBytes, data.size());
  this->Handle = make(device, data);
}

// The data in the file; empty if there is none for this device.
std::vector<std::uint8_t> PipelineCache::read() const
{
  if (this->Folder.empty())
    return {};
  const auto path = std::filesystem::path(this->Folder) / pipelineCacheFileName(this->Key);
  return pipelineCacheData(this->Key, readPrivateFile(path.string(), MostPipelineCacheBytes))
    .value_or(std::vector<std::uint8_t>());
}

// A third cache: other threads may add to that of this process meanwhile.
std::vector<std::uint8_t> PipelineCache::merged() const
{
  std::vector<std::uint8_t> own = this->Handle.getData();
  const std::vector<std::uint8_t> others = this->read();
  if (others.empty() || own == others)
    return own;
  const vk::raii::PipelineCache all = make(this->Owner, own), second = make(this->Owner, others);
  all.merge(*second);
  return all.getData();
}

bool PipelineCache::save()
{
  if (this->Folder.empty())
    return false;
  const std::lock_guard<std::mutex> lock(this->Mutex);
  try
  {
    const std::size_t size = this->Handle.getData().size();
    if (size <= this->SavedBytes)
      return false;
    this->SavedBytes = size; // also if it fails: the next attempt would fail, too
    const std::vector<std::byte> file = pipelineCacheFile(this->Key, this->merged());
    return file.size() <= MostPipelineCacheBytes &&
           replacePrivateFile(this->Folder, pipelineCacheFileName(this->Key), file);
  }
  catch (const vk::SystemError&)
  {
    return false; // the device is lost, or out of memory
  }
  catch (const std::bad_alloc&)
  {
    return false;
  }
}

}
