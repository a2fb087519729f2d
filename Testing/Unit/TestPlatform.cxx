// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/System/Platform.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <filesystem>

TEST(Platform, PagesAreAlignedAndCanBeWritten)
{
  for (const std::size_t pages : { 1, 3, 64, 65 }) // small pages below 4 MiB, huge pages from 4 MiB on
  {
    std::byte* const memory = vmc::allocatePages(pages * vmc::PageSize);
    ASSERT_NE(memory, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % vmc::PageSize, 0u);
    std::memset(memory, 1, pages * vmc::PageSize);
    vmc::freePages(memory);
  }
}

TEST(Platform, AllocatingTooManyPagesReturnsNull)
{
  EXPECT_EQ(vmc::allocatePages(std::size_t(1) << 62), nullptr); // more than the address space of any processor
}

TEST(Platform, FreeingNullDoesNothing)
{
  vmc::freePages(nullptr);
}

TEST(Platform, TheProcessIdStaysTheSame)
{
  EXPECT_NE(vmc::processId(), 0u);
  EXPECT_EQ(vmc::processId(), vmc::processId());
}

TEST(Platform, AFileOfADriverMeansThatThereMayBeAGpu)
{
  for (const char* file : { "/dev/dri/renderD128", "/dev/nvidia0", "/dev/nvidiactl", "/proc/driver/nvidia",
         "/usr/bin/nvidia-modprobe", "/dev/dxg", "/dev/kfd", "/dev/kgsl-3d0" })
    if (std::filesystem::exists(file))
    {
      EXPECT_TRUE(vmc::mayHaveGpu()) << file;
    }
}

// With a = 1 + 2^-30 and b = 1 - 2^-30, the exact product 1 - 2^-60 is rounded to 1. A fused operation gives -2^-60.
TEST(Platform, AProductIsRoundedBeforeItIsAdded)
{
  const volatile double a = 1 + 0x1p-30, b = 1 - 0x1p-30, c = -1;
  EXPECT_EQ(a * b + c, 0);
}
