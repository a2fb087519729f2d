// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Memory/HostMemoryPool.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <utility>

using vmc::HostBlock;

TEST(HostBlock, EmptyBlockHasNoMemory)
{
  HostBlock block(0);
  EXPECT_EQ(block.data(), nullptr);
  EXPECT_EQ(block.size(), 0u);
  EXPECT_EQ(block.capacity(), 0u);
  EXPECT_EQ(block.release(), nullptr);
}

TEST(HostBlock, AddressAndCapacityAreWholePages)
{
  for (const std::size_t size : { 1u, 4095u, 4096u, 4097u, 65535u, 65536u, 65537u })
  {
    const HostBlock block(size);
    EXPECT_EQ(block.size(), size);
    EXPECT_GE(block.capacity(), size);
    EXPECT_EQ(block.capacity() % 4096, 0u);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block.data()) % 4096, 0u);
    std::memset(block.data(), 1, block.capacity()); // all of it can be written
  }
}

TEST(HostBlock, ReleaseTransfersTheMemoryToTheCaller)
{
  HostBlock block(8);
  const std::byte* before = block.data();
  std::byte* memory = block.release();
  EXPECT_EQ(memory, before);
  EXPECT_EQ(block.data(), nullptr);
  EXPECT_EQ(block.size(), 0u);
  vmc::releaseHostMemory(memory);
}

TEST(HostBlock, MoveLeavesAnEmptyBlock)
{
  HostBlock from(8);
  const std::byte* memory = from.data();
  const HostBlock to = std::move(from);
  EXPECT_EQ(to.data(), memory);
  EXPECT_EQ(to.size(), 8u);
  EXPECT_EQ(from.data(), nullptr); // a moved-from block has no memory and size 0
  EXPECT_EQ(from.size(), 0u);
}
