// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

#include "Compute/Vulkan/MemoryBudget.h"

#include "Compute/System/Error.h"

#include <gtest/gtest.h>

#include <thread>

using vmc::MemoryBudget;

TEST(MemoryBudget, WithoutALimitAcquiresAnything)
{
  MemoryBudget budget;
  budget.acquire(1ull << 40, "a");
  EXPECT_EQ(budget.used(), 1ull << 40);
  EXPECT_EQ(budget.limit(), ~0ull);
}

TEST(MemoryBudget, EachLimitHasItsOwnPeak)
{
  MemoryBudget budget;
  const MemoryBudget::ThreadLimit first(budget, ~0ull);
  budget.acquire(100, "a");
  budget.release(100);
  budget.acquire(40, "b");
  const MemoryBudget::ThreadLimit second(budget, ~0ull);
  budget.acquire(5, "c");
  EXPECT_EQ(budget.used(), 45u);
  EXPECT_EQ(first.largest(), 100u);
  EXPECT_EQ(second.largest(), 45u);
}

TEST(MemoryBudget, AcceptsExactlyTheLimit)
{
  MemoryBudget budget(100);
  budget.acquire(60, "a");
  EXPECT_NO_THROW(budget.acquire(40, "b"));
}

TEST(MemoryBudget, RefusalNamesTheBufferAndTheNumbersAndAcquiresNothing)
{
  MemoryBudget budget(100);
  budget.acquire(60, "samples");
  try
  {
    budget.acquire(41, "positions");
    ADD_FAILURE() << "not refused";
  }
  catch (const vmc::Error& error)
  {
    EXPECT_EQ(error.kind(), vmc::Error::Kind::OutOfMemory);
    EXPECT_STREQ(error.what(), "The buffer of positions needs 41 bytes in addition to 60 in use; the limit is 100.");
  }
  EXPECT_EQ(budget.used(), 60u);
}

TEST(MemoryBudget, ALimitAppliesToItsThreadWhileItExists)
{
  MemoryBudget budget(100);
  {
    const MemoryBudget::ThreadLimit limit(budget, 10);
    EXPECT_EQ(budget.limit(), 10u);
    EXPECT_THROW(budget.acquire(11, "a"), vmc::Error);
    std::thread([&] { EXPECT_NO_THROW(budget.acquire(11, "a")); }).join();
    budget.release(11);
    {
      const MemoryBudget::ThreadLimit nested(budget, ~0ull);
      EXPECT_EQ(budget.limit(), 100u); // the device's
    }
    EXPECT_EQ(budget.limit(), 10u);
  }
  EXPECT_NO_THROW(budget.acquire(11, "a"));
}
