// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Vulkan/PipelineCache.h"

#include "Compute/System/PrivateFile.h"
#include "Compute/Vulkan/Device.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

namespace vmc
{

namespace
{

// At the beginning of the file, in the byte order of the machine; the data of VkPipelineCache follow.
struct Header
{
  std::array<char, 8> magic;
  std::uint32_t version, vendorId, deviceId, driverId, driverVersion, reserved;
  std::array<std::uint8_t, 16> uuid;
  std::uint64_t kernels;
  std::uint64_t size; // of the data, in bytes
  std::uint64_t hash; // of the data
};
static_assert(sizeof(Header) == 72, "no padding");

constexpr std::array<char, 8> Magic{ 'V', 'M', 'C', 'P', 'I', 'P', 'E', '\n' };
constexpr std::uint32_t Version = 1;

Header headerOf(const PipelineCacheKey& key, const std::uint8_t* data, std::size_t size)
{
  return { Magic, Version, key.vendorId, key.deviceId, key.driverId, key.driverVersion, 0, key.uuid, key.kernels, size,
    hashOf(data, size) };
}

// Returns whether the data begins with the header that Vulkan specifies (VkPipelineCacheHeaderVersionOne).
bool hasHeaderOfVulkan(const PipelineCacheKey& key, const std::vector<std::uint8_t>& data)
{
  std::uint32_t words[4]; // size of the header, its version, vendor, device
  if (data.size() < PipelineCacheHeaderBytes)
    return false;
  std::memcpy(words, data.data(), sizeof(words));
  return words[0] == PipelineCacheHeaderBytes && words[1] == 1 && words[2] == key.vendorId &&
         words[3] == key.deviceId && std::memcmp(data.data() + sizeof(words), key.uuid.data(), key.uuid.size()) == 0;
}

vk::raii::PipelineCache make(const Device& device, const std::vector<std::uint8_t>& data)
{
  return vk::raii::PipelineCache(device.handle(), vk::PipelineCacheCreateInfo({}, data.size(), data.data()));
}

}

// Multiplies by the prime of FNV-1a, eight bytes at a time.
std::uint64_t hashOf(const void* bytes, std::size_t count, std::uint64_t start)
{
  constexpr std::uint64_t Prime = 0x100000001b3u, Basis = 0xcbf29ce484222325u;
  std::uint64_t hash = (start ^ Basis ^ count) * Prime;
  for (std::size_t done = 0; done < count; done += sizeof(std::uint64_t))
  {
    std::uint64_t word = 0;
    const std::size_t left = count - done;
    std::memcpy(
      &word, static_cast<const std::byte*>(bytes) + done, left < sizeof(std::uint64_t) ? left : sizeof(std::uint64_t));
    hash = (hash ^ word) * Prime;
    hash ^= hash >> 32; // the product does not carry high bits down
  }
  return hash;
}

std::uint64_t hashOf(const std::vector<const kernels::Words*>& modules)
{
  std::uint64_t hash = 0;
  for (const kernels::Words* module : modules)
    hash = hashOf(module->data, module->count * sizeof(std::uint32_t), hash);
  return hash;
}

std::string pipelineCacheFolder()
{
  if (const char* const chosen = std::getenv("VMC_PIPELINE_CACHE"); chosen && *chosen != '\0')
    return std::filesystem::path(chosen).is_absolute() ? chosen : std::string();
  const std::string folder = userCacheFolder();
  return folder.empty() ? folder : (std::filesystem::path(folder) / "VulkanMarchingCubes").string();
}

std::string pipelineCacheFileName(const PipelineCacheKey& key)
{
  char name[64];
  std::snprintf(name, sizeof(name), "%04x-%04x-%u.pipelines", key.vendorId, key.deviceId, key.driverId);
  return name;
}

std::vector<std::byte> pipelineCacheFile(const PipelineCacheKey& key, const std::vector<std::uint8_t>& data)
{
  const Header header = headerOf(key, data.data(), data.size());
  std::vector<std::byte> file(sizeof(header) + data.size());
  std::memcpy(file.data(), &header, sizeof(header));
  std::memcpy(file.data() + sizeof(header), data.data(), data.size());
  return file;
}

std::optional<std::vector<std::uint8_t>> pipelineCacheData(
  const PipelineCacheKey& key, const std::vector<std::byte>& file)
{
  if (file.size() < sizeof(Header))
    return std::nullopt;
  std::vector<std::uint8_t> data(file.size() - sizeof(Header));
  if (!data.empty())
    std::memcpy(data.data(), file.data() + sizeof(Header), data.size());
  const Header expected = headerOf(key, data.data(), data.size());
  if (std::memcmp(&expected, file.data(), sizeof(expected)) != 0 || !hasHeaderOfVulkan(key, data))
    return std::nullopt;
  return data;
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
