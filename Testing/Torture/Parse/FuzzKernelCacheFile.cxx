// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Files of compiled kernels: what is read from one is what was written, and a damaged one is refused.
#include "Compute/Vulkan/PipelineCache.h"
#include "FuzzedBytes.h"

using namespace vmc;
using namespace vmc::torture;

namespace
{

PipelineCacheKey keyFrom(FuzzedBytes& bytes)
{
  PipelineCacheKey key;
  for (std::uint32_t* number : { &key.vendorId, &key.deviceId, &key.driverId, &key.driverVersion })
    *number = bytes.number<std::uint32_t>();
  for (std::uint8_t& byte : key.uuid)
    byte = bytes.number<std::uint8_t>();
  key.kernels = bytes.number<std::uint64_t>();
  return key;
}

// The data of a VkPipelineCache: Vulkan's header for the device, and these bytes.
std::vector<std::uint8_t> dataFor(const PipelineCacheKey& key, const std::vector<std::uint8_t>& pipelines)
{
  const std::uint32_t words[] = { PipelineCacheHeaderBytes, 1, key.vendorId, key.deviceId };
  std::vector<std::uint8_t> data(PipelineCacheHeaderBytes + pipelines.size());
  std::memcpy(data.data(), words, sizeof(words));
  std::copy(key.uuid.begin(), key.uuid.end(), data.begin() + sizeof(words));
  std::copy(pipelines.begin(), pipelines.end(), data.begin() + PipelineCacheHeaderBytes);
  return data;
}

}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t count)
{
  FuzzedBytes bytes(input, count);
  const PipelineCacheKey key = keyFrom(bytes);
  const auto position = bytes.number<std::uint32_t>();
  const auto change = bytes.number<std::uint8_t>();

  // Any bytes as a file.
  const std::vector<std::uint8_t> rest = bytes.rest();
  std::vector<std::byte> any(rest.size());
  if (!rest.empty())
    std::memcpy(any.data(), rest.data(), rest.size());
  if (const auto data = pipelineCacheData(key, any))
    require(pipelineCacheFile(key, *data) == any, "A file is accepted that would not be written.");

  // A file as it is written, and the same after damage.
  const std::vector<std::uint8_t> data = dataFor(key, rest);
  std::vector<std::byte> file = pipelineCacheFile(key, data);
  require(pipelineCacheData(key, file) == data, "A file is not read as it was written.");
  file[position % file.size()] ^= std::byte(change);
  require(change == 0 || !pipelineCacheData(key, file), "A file with a changed byte is accepted.");
  file = pipelineCacheFile(key, data);
  file.resize(position % file.size());
  require(!pipelineCacheData(key, file), "A part of a file is accepted.");
  return 0;
}
