// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/System/PrivateFile.h"
#include "Compute/Vulkan/PipelineCache.h"
#include "Embedded/Kernels.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <functional>
#include <iterator>
#include <numeric>

namespace
{

using Data = std::vector<std::uint8_t>;

vmc::PipelineCacheKey someKey()
{
  vmc::PipelineCacheKey key;
  key.vendorId = 0x10DE;
  key.deviceId = 0x2335;
  key.driverId = 4;
  key.driverVersion = 580;
  std::iota(key.uuid.begin(), key.uuid.end(), std::uint8_t(1));
  key.kernels = 99;
  return key;
}

// Returns data like that of a driver: the header that Vulkan specifies, and then any bytes.
Data someData(const vmc::PipelineCacheKey& key)
{
  const std::uint32_t header[4] = { 32, 1, key.vendorId, key.deviceId };
  Data data(300, 7);
  std::memcpy(data.data(), header, sizeof(header));
  std::copy(key.uuid.begin(), key.uuid.end(), data.begin() + sizeof(header));
  return data;
}

}

TEST(PipelineCacheFile, HoldsTheData)
{
  const Data data = someData(someKey());
  EXPECT_EQ(vmc::pipelineCacheData(someKey(), vmc::pipelineCacheFile(someKey(), data)), data);
}

TEST(PipelineCacheFile, IsRefusedIfItIsCutOff)
{
  const std::vector<std::byte> file = vmc::pipelineCacheFile(someKey(), someData(someKey()));
  for (std::size_t size = 0; size < file.size(); ++size)
    EXPECT_FALSE(vmc::pipelineCacheData(someKey(), { file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size) }))
      << size;
}

TEST(PipelineCacheFile, IsRefusedIfAnyByteIsWrongOrAdded)
{
  std::vector<std::byte> file = vmc::pipelineCacheFile(someKey(), someData(someKey()));
  for (std::byte& byte : file)
  {
    byte ^= std::byte{ 0x10 };
    EXPECT_FALSE(vmc::pipelineCacheData(someKey(), file)) << &byte - file.data();
    byte ^= std::byte{ 0x10 };
  }
  EXPECT_TRUE(vmc::pipelineCacheData(someKey(), file));
  file.push_back(std::byte{ 0 });
  EXPECT_FALSE(vmc::pipelineCacheData(someKey(), file));
}

TEST(PipelineCacheFile, IsRefusedForAnotherDeviceDriverOrKernels)
{
  const std::vector<std::byte> file = vmc::pipelineCacheFile(someKey(), someData(someKey()));
  const std::function<void(vmc::PipelineCacheKey&)> changes[] = { [](auto& key) { ++key.vendorId; },
    [](auto& key) { ++key.deviceId; }, [](auto& key) { ++key.driverId; }, [](auto& key) { ++key.driverVersion; },
    [](auto& key) { ++key.uuid[15]; }, [](auto& key) { ++key.kernels; } };
  for (const auto& change : changes)
  {
    vmc::PipelineCacheKey key = someKey();
    change(key);
    EXPECT_FALSE(vmc::pipelineCacheData(key, file)) << &change - changes;
  }
}

// A driver must check this too, but not every driver does.
TEST(PipelineCacheFile, IsRefusedIfItsDataAreThoseOfAnotherDevice)
{
  vmc::PipelineCacheKey other = someKey();
  ++other.uuid[0];
  EXPECT_FALSE(vmc::pipelineCacheData(someKey(), vmc::pipelineCacheFile(someKey(), someData(other))));
  EXPECT_FALSE(vmc::pipelineCacheData(someKey(), vmc::pipelineCacheFile(someKey(), Data(31, 0))));
}

TEST(PipelineCacheFile, IsOnePerDeviceAndDriver)
{
  EXPECT_EQ(vmc::pipelineCacheFileName(someKey()), "10de-2335-4.pipelines");
}

TEST(PipelineCacheFile, TheHashOfTheKernelsDependsOnEach)
{
  const std::vector<const vmc::kernels::Words*> all(
    std::begin(vmc::kernels::allKernels), std::end(vmc::kernels::allKernels));
  ASSERT_GT(all.size(), 10u);
  for (std::size_t i = 0; i < all.size(); ++i)
  {
    std::vector<std::uint32_t> changed(all[i]->data, all[i]->data + all[i]->count);
    changed[changed.size() / 2] ^= 1;
    const vmc::kernels::Words words{ all[i]->name, changed.data(), changed.size() };
    std::vector<const vmc::kernels::Words*> others = all;
    others[i] = &words;
    EXPECT_NE(vmc::hashOf(others), vmc::hashOf(all)) << words.name;
  }
}

#ifndef _WIN32

TEST(PipelineCacheFolder, IsThatOfTheUserUnlessTheVariableNamesAnotherOrNone)
{
  unsetenv("VMC_PIPELINE_CACHE");
  setenv("XDG_CACHE_HOME", "/caches", 1);
#ifdef __linux__
  EXPECT_EQ(vmc::pipelineCacheFolder(), "/caches/VulkanMarchingCubes");
#endif
  for (const auto& [value, folder] :
    { std::pair("0", ""), std::pair("/some/where", "/some/where"), std::pair("relative", "") })
  {
    setenv("VMC_PIPELINE_CACHE", value, 1);
    EXPECT_EQ(vmc::pipelineCacheFolder(), folder);
  }
  unsetenv("VMC_PIPELINE_CACHE");
  unsetenv("XDG_CACHE_HOME");
}

#endif
