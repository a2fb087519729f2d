#include "Compute/Memory/HostMemoryPool.h"

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

// Takes blocks of these sizes and ends them all: one run of a user.
void run(HostMemoryPool& blocks, const std::vector<std::size_t>& sizes)
{
  blocks.beginRun();
  std::vector<HostBlock> taken;
  for (const std::size_t size : sizes)
    taken.push_back(blocks.take(size));
}

}

TEST(HostMemoryPool, ABlockOfNothingIsEmpty)
{
  HostMemoryPool blocks(nullptr);
  EXPECT_EQ(blocks.take(0).data(), nullptr);
  EXPECT_EQ(blocks.takenBytes(), 0u);
  EXPECT_EQ(blocks.importOf(HostBlock()), nullptr);
}

TEST(HostMemoryPool, CapacityIsAtMostAnEighthLarger)
{
  for (std::size_t size = 512 * 1024; size < 3000 * MiB; size += size / 7 + 1)
  {
    const std::size_t capacity = HostBlock::capacityFor(size);
    ASSERT_GE(capacity, size);
    ASSERT_LE(capacity, size + size / 8);
    ASSERT_EQ(capacity % 65536, 0u);
    ASSERT_EQ(HostBlock::capacityFor(capacity), capacity); // a block of that size is of the same kind
  }
}

TEST(HostMemoryPool, WhatComesBackIsTakenAgain)
{
  HostMemoryPool blocks(nullptr);
  const HostMemoryPool::Use use(blocks);
  HostBlock block = blocks.take(5 * MiB);
  EXPECT_EQ(blocks.takenBytes(), block.capacity());
  const std::byte* const before = block.data();
  block = HostBlock();
  EXPECT_EQ(blocks.takenBytes(), 0u);
  EXPECT_EQ(blocks.freeBytes(), HostBlock::capacityFor(5 * MiB));
  block = blocks.take(5 * MiB - 70000); // another size of the same capacity
  EXPECT_EQ(block.data(), before);
  EXPECT_EQ(block.size(), 5 * MiB - 70000);
  EXPECT_EQ(blocks.freeBytes(), 0u);
}

TEST(HostMemoryPool, ABlockAtMostAQuarterLargerWillDo)
{
  HostMemoryPool blocks(nullptr);
  const HostMemoryPool::Use use(blocks);
  HostBlock block = blocks.take(10 * MiB);
  const std::byte* const before = block.data();
  for (const std::size_t size : { 8 * MiB, 9 * MiB, 10 * MiB })
  {
    block = HostBlock();
    block = blocks.take(size);
    EXPECT_EQ(block.data(), before);
    EXPECT_EQ(block.capacity(), 10 * MiB);
  }
  block = HostBlock();
  EXPECT_EQ(blocks.take(7 * MiB).capacity(), 7 * MiB);
  EXPECT_EQ(blocks.take(11 * MiB).capacity(), 11 * MiB);
}

TEST(HostMemoryPool, ReleasedMemoryComesBackFromAnotherThread)
{
  HostMemoryPool blocks(nullptr);
  const HostMemoryPool::Use use(blocks);
  std::byte* const memory = blocks.take(MiB).release();
  EXPECT_EQ(blocks.takenBytes(), MiB); // it is still in use
  std::thread([memory] { vmc::recycle(memory); }).join();
  EXPECT_EQ(blocks.takenBytes(), 0u);
  EXPECT_EQ(blocks.take(MiB).data(), memory);
}

TEST(HostMemoryPool, EachPoolGetsItsOwnBack)
{
  HostMemoryPool first(nullptr), second(nullptr);
  const HostMemoryPool::Use firstUse(first), secondUse(second);
  HostBlock a = first.take(MiB), b = second.take(2 * MiB);
  const HostBlock ofNone(3 * MiB);
  b = HostBlock();
  EXPECT_EQ(first.freeBytes(), 0u);
  EXPECT_EQ(second.freeBytes(), 2 * MiB);
  a = HostBlock();
  EXPECT_EQ(first.freeBytes(), MiB);
}

TEST(HostMemoryPool, TakenBlocksOutliveThePool)
{
  auto blocks = std::make_unique<HostMemoryPool>(nullptr);
  HostBlock block = blocks->take(MiB);
  blocks.reset();
  std::memset(block.data(), 1, block.size());
  EXPECT_EQ(block.data()[MiB - 1], std::byte{ 1 });
} // and is freed, as the sanitizers see

TEST(HostMemoryPool, RunsOfTheSameSizesMakeNothingFresh)
{
  HostMemoryPool blocks(nullptr);
  const HostMemoryPool::Use use(blocks);
  const std::vector<std::size_t> sizes = { 3 * MiB, 3 * MiB, 7 * MiB };
  run(blocks, sizes);
  const std::size_t kept = blocks.freeBytes();
  EXPECT_EQ(kept, 13 * MiB);
  for (int i = 0; i < 20; ++i)
    run(blocks, sizes);
  EXPECT_EQ(blocks.freeBytes(), kept);
}

TEST(HostMemoryPool, TakenAndFreeTogetherNeverExceedTheMostTaken)
{
  HostMemoryPool blocks(nullptr);
  const HostMemoryPool::Use use(blocks);
  std::size_t most = 0;
  for (std::size_t size = MiB; size < 40 * MiB; size += size / 3)
  {
    run(blocks, { size, size / 2 });
    most = std::max(most, HostBlock::capacityFor(size) + HostBlock::capacityFor(size / 2));
    EXPECT_LE(blocks.takenBytes() + blocks.freeBytes(), most);
  }
}

TEST(HostMemoryPool, WhatManyRunsDoNotTakeIsFreed)
{
  HostMemoryPool blocks(nullptr);
  const HostMemoryPool::Use use(blocks);
  run(blocks, { 40 * MiB, MiB });
  run(blocks, { MiB });
  EXPECT_EQ(blocks.freeBytes(), 41 * MiB);
  for (int i = 0; i < 10; ++i)
    run(blocks, { MiB });
  EXPECT_EQ(blocks.freeBytes(), MiB);
}

TEST(HostMemoryPool, WithoutAUserNothingIsKept)
{
  HostMemoryPool blocks(nullptr);
  HostBlock block;
  {
    const HostMemoryPool::Use first(blocks);
    const HostMemoryPool::Use second(blocks);
    block = blocks.take(2 * MiB);
    run(blocks, { MiB });
    EXPECT_EQ(blocks.freeBytes(), MiB);
  }
  EXPECT_EQ(blocks.freeBytes(), 0u);
  block = HostBlock();
  EXPECT_EQ(blocks.freeBytes(), 0u);
  EXPECT_EQ(blocks.takenBytes(), 0u);
}

TEST(HostMemoryPool, ManyThreadsTakeAndEnd)
{
  HostMemoryPool blocks(nullptr);
  const HostMemoryPool::Use use(blocks);
  const auto work = [&blocks](std::size_t first)
  {
    for (std::size_t i = first; i < first + 200; ++i)
    {
      HostBlock block = blocks.take(100000 * (i % 5 + 1));
      std::memset(block.data(), static_cast<int>(i), 1);
      vmc::recycle(block.release());
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < 4; ++i)
    threads.emplace_back(work, i);
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(blocks.takenBytes(), 0u);
}
