// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Memory/HostMemoryPool.h"
#include "Compute/System/Error.h"
#include "Support/ExpectError.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

namespace
{

using vmc::HostBlock;
using vmc::HostMemoryPool;

constexpr std::size_t MiB = 1 << 20;

// One run of a user: acquires blocks of these sizes and releases all of them.
void run(HostMemoryPool& pool, const std::vector<std::size_t>& sizes)
{
  pool.beginRun();
  std::vector<HostBlock> held;
  for (const std::size_t size : sizes)
    held.push_back(pool.acquire(size));
}

}

TEST(HostMemoryPool, ABlockOfSizeZeroIsEmpty)
{
  HostMemoryPool pool(false);
  EXPECT_EQ(pool.acquire(0).data(), nullptr);
  EXPECT_EQ(pool.heldBytes(), 0u);
}

TEST(HostMemoryPool, CapacityIsAtMostAnEighthLarger)
{
  for (std::size_t size = 512 * 1024; size < 3000 * MiB; size += size / 7 + 1)
  {
    const std::size_t capacity = HostBlock::capacityFor(size);
    ASSERT_GE(capacity, size);
    ASSERT_LE(capacity, size + size / 8);
    ASSERT_EQ(capacity % 65536, 0u);
    ASSERT_EQ(HostBlock::capacityFor(capacity), capacity); // a block of this size has the same capacity
  }
}

TEST(HostMemoryPool, FreeBlocksAreFreedWhenMemoryIsExhausted)
{
  HostMemoryPool pool(false);
  const vmc::PoolUser<HostMemoryPool> use(pool);
  run(pool, { 5 * MiB });
  EXPECT_NE(pool.freeBytes(), 0u);
  constexpr std::size_t MoreThanAnAddressSpace = std::size_t(1) << 60;
  vmc::test::expectError(vmc::Error::Kind::OutOfHostMemory, [&] { pool.acquire(MoreThanAnAddressSpace); });
  EXPECT_EQ(pool.freeBytes(), 0u);
}

TEST(HostMemoryPool, AReleasedBlockIsAcquiredAgain)
{
  HostMemoryPool pool(false);
  const vmc::PoolUser<HostMemoryPool> use(pool);
  HostBlock block = pool.acquire(5 * MiB);
  EXPECT_EQ(pool.heldBytes(), block.capacity());
  const std::byte* const before = block.data();
  block = HostBlock();
  EXPECT_EQ(pool.heldBytes(), 0u);
  EXPECT_EQ(pool.freeBytes(), HostBlock::capacityFor(5 * MiB));
  block = pool.acquire(5 * MiB - 70000); // another size of the same capacity
  EXPECT_EQ(block.data(), before);
  EXPECT_EQ(block.size(), 5 * MiB - 70000);
  EXPECT_EQ(pool.freeBytes(), 0u);
}

TEST(HostMemoryPool, AcquiresAFreeBlockThatIsAtMostAQuarterLarger)
{
  HostMemoryPool pool(false);
  const vmc::PoolUser<HostMemoryPool> use(pool);
  HostBlock block = pool.acquire(10 * MiB);
  const std::byte* const before = block.data();
  for (const std::size_t size : { 8 * MiB, 9 * MiB, 10 * MiB })
  {
    block = HostBlock();
    block = pool.acquire(size);
    EXPECT_EQ(block.data(), before);
    EXPECT_EQ(block.capacity(), 10 * MiB);
  }
  block = HostBlock();
  EXPECT_EQ(pool.acquire(7 * MiB).capacity(), 7 * MiB);
  EXPECT_EQ(pool.acquire(11 * MiB).capacity(), 11 * MiB);
}

TEST(HostMemoryPool, MemoryReleasedByAnotherThreadReturnsToThePool)
{
  HostMemoryPool pool(false);
  const vmc::PoolUser<HostMemoryPool> use(pool);
  std::byte* const memory = pool.acquire(MiB).release();
  EXPECT_EQ(pool.heldBytes(), MiB); // it is still in use
  std::thread([memory] { vmc::releaseHostMemory(memory); }).join();
  EXPECT_EQ(pool.heldBytes(), 0u);
  EXPECT_EQ(pool.acquire(MiB).data(), memory);
}

TEST(HostMemoryPool, EachPoolReceivesOnlyItsOwnBlocks)
{
  HostMemoryPool first(false), second(false);
  const vmc::PoolUser<HostMemoryPool> firstUse(first), secondUse(second);
  HostBlock a = first.acquire(MiB), b = second.acquire(2 * MiB);
  const HostBlock ofNone(3 * MiB);
  b = HostBlock();
  EXPECT_EQ(first.freeBytes(), 0u);
  EXPECT_EQ(second.freeBytes(), 2 * MiB);
  a = HostBlock();
  EXPECT_EQ(first.freeBytes(), MiB);
}

TEST(HostMemoryPool, HeldBlocksOutliveThePool)
{
  auto pool = std::make_unique<HostMemoryPool>(false);
  HostBlock block = pool->acquire(MiB);
  pool.reset();
  std::memset(block.data(), 1, block.size());
  EXPECT_EQ(block.data()[MiB - 1], std::byte{ 1 });
} // the sanitizers check that it is freed

TEST(HostMemoryPool, RunsOfTheSameSizesAllocateNothing)
{
  HostMemoryPool pool(false);
  const vmc::PoolUser<HostMemoryPool> use(pool);
  const std::vector<std::size_t> sizes = { 3 * MiB, 3 * MiB, 7 * MiB };
  run(pool, sizes);
  const std::size_t kept = pool.freeBytes();
  EXPECT_EQ(kept, 13 * MiB);
  for (int i = 0; i < 20; ++i)
    run(pool, sizes);
  EXPECT_EQ(pool.freeBytes(), kept);
}

TEST(HostMemoryPool, HeldAndFreeBytesExceedTheMostBytesHeldByAtMostAQuarter)
{
  HostMemoryPool pool(false);
  const vmc::PoolUser<HostMemoryPool> use(pool);
  std::size_t most = 0;
  for (std::size_t size = MiB; size < 40 * MiB; size += size / 3)
  {
    run(pool, { size, size / 2 });
    most = std::max(most, HostBlock::capacityFor(size) + HostBlock::capacityFor(size / 2));
    EXPECT_LE(pool.heldBytes() + pool.freeBytes(), most + most / 4);
  }
}

TEST(HostMemoryPool, MemoryThatManyRunsDoNotUseIsFreed)
{
  HostMemoryPool pool(false);
  const vmc::PoolUser<HostMemoryPool> use(pool);
  run(pool, { 40 * MiB, MiB });
  run(pool, { MiB });
  EXPECT_EQ(pool.freeBytes(), 41 * MiB);
  for (int i = 0; i < 10; ++i)
    run(pool, { MiB });
  EXPECT_EQ(pool.freeBytes(), MiB);
}

TEST(HostMemoryPool, WithoutAUserNoFreeMemoryIsKept)
{
  HostMemoryPool pool(false);
  HostBlock block;
  {
    const vmc::PoolUser<HostMemoryPool> first(pool);
    const vmc::PoolUser<HostMemoryPool> second(pool);
    block = pool.acquire(2 * MiB);
    run(pool, { MiB });
    EXPECT_EQ(pool.freeBytes(), MiB);
  }
  EXPECT_EQ(pool.freeBytes(), 0u);
  block = HostBlock();
  EXPECT_EQ(pool.freeBytes(), 0u);
  EXPECT_EQ(pool.heldBytes(), 0u);
}

TEST(HostMemoryPool, ManyThreadsAcquireAndRelease)
{
  HostMemoryPool pool(false);
  const vmc::PoolUser<HostMemoryPool> use(pool);
  const auto work = [&pool](std::size_t first)
  {
    for (std::size_t i = first; i < first + 200; ++i)
    {
      HostBlock block = pool.acquire(100000 * (i % 5 + 1));
      std::memset(block.data(), static_cast<int>(i), 1);
      vmc::releaseHostMemory(block.release());
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < 4; ++i)
    threads.emplace_back(work, i);
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(pool.heldBytes(), 0u);
}

TEST(HostMemoryPool, PartsShareABlockUntilTheLastIsReleased)
{
  HostMemoryPool pool(false);
  const vmc::PoolUser<HostMemoryPool> use(pool);
  HostBlock first, empty, last;
  std::vector<HostMemoryPool::Part> parts{ { &first, 0, 5 }, { &empty, 0, 0 }, { &last, 0, 2 * MiB } };
  pool.acquire(parts);
  EXPECT_EQ(first.size(), 5u);
  EXPECT_EQ(empty.data(), nullptr);
  EXPECT_EQ(last.size(), 2 * MiB);
  EXPECT_EQ(last.data() - first.data(), 64);
  EXPECT_EQ(pool.heldBytes(), HostBlock::capacityFor(64 + 2 * MiB));
  std::memset(last.data(), 7, last.size());
  first = HostBlock();
  EXPECT_GT(pool.heldBytes(), 2 * MiB);
  EXPECT_EQ(last.data()[2 * MiB - 1], std::byte(7));
  vmc::releaseHostMemory(last.release()); // as a VTK array does
  EXPECT_EQ(pool.heldBytes(), 0u);
  EXPECT_GT(pool.freeBytes(), 2 * MiB);
}

TEST(HostMemoryPool, PartsOutliveThePool)
{
  HostBlock first, last;
  {
    HostMemoryPool pool(false);
    std::vector<HostMemoryPool::Part> parts{ { &first, 0, 100 }, { &last, 0, 100 } };
    pool.acquire(parts);
  }
  std::memset(first.data(), 1, 100);
  first = HostBlock();
  std::memset(last.data(), 2, 100);
}

TEST(HostMemoryPool, ASinglePartIsTheBlock)
{
  HostMemoryPool pool(false);
  HostBlock block = pool.acquire(5 * MiB);
  const std::byte* const before = block.data();
  const std::size_t capacity = block.capacity();
  HostBlock part;
  HostMemoryPool::cut(std::move(block), { { &part, 0, 3 * MiB } });
  EXPECT_EQ(part.data(), before);
  EXPECT_EQ(part.size(), 3 * MiB);
  EXPECT_EQ(part.capacity(), capacity);
}
