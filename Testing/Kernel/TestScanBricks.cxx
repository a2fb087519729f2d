// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Reference/ScanBricks.h"

#include "Embedded/Kernels.h"
#include "KernelRunner.h"
#include "Shared/Bindings.h"
#include "Shared/Constants.h"
#include "Support/GpuTest.h"

#include <random>

namespace vmc::test
{

namespace
{

using Words = std::vector<std::uint32_t>;

constexpr std::uint32_t Arrays = 2;
constexpr std::uint32_t BatchBricks =
  SCAN_BLOCK_SIZE * SCAN_GROUP_SIZE / BLOCK_SUM_PARTS; // the block sums of so many bricks are added in one step

// Counts of the active bricks of a slab. The slab may have more bricks, and the buffers a larger capacity.
struct ScanInput
{
  SlabConstants slab{};
  Words value; // both arrays, then a word that the kernel must not write
  Words sum;
  Words total = Words(TOTAL_WORDS, CanaryWord);
};

// own: active bricks before the halo layer; equal to `active`: there is no halo layer.
// beyond: capacity in bricks beyond the active ones.
ScanInput randomCounts(std::uint32_t active, std::uint32_t largest, std::uint32_t own, std::uint32_t beyond = 0)
{
  ScanInput input;
  SlabConstants& slab = input.slab;
  slab.activeCapacity = active + beyond;
  slab.brickCount = active + 2 * beyond;
  slab.ownBrickCount = slab.brickCount - (own < active ? 1 : 0);
  std::mt19937 engine(active);
  std::uniform_int_distribution<std::uint32_t> distribution(0, largest);
  input.value.assign(Arrays * std::size_t(slab.activeCapacity) + 1, CanaryWord);
  input.sum.assign(BLOCK_SUM_ARRAYS * std::size_t(reference::scanBlocks(slab)), 0);
  for (std::uint32_t array = 0; array < Arrays; ++array)
    for (std::uint32_t slot = 0; slot < active; ++slot)
    {
      std::uint32_t& sum =
        input.sum[reference::blockSumWord(slab, array == 0 ? BLOCK_SUM_POINTS : BLOCK_SUM_TRIANGLES, slot)];
      const std::uint32_t count = distribution(engine);
      input.value[array * slab.activeCapacity + slot] = count;
      sum = reference::stuck(std::uint64_t(sum) + count);
    }
  input.total[TOTAL_ACTIVE] = active;
  input.total[TOTAL_OWN_ACTIVE] = own;
  return input;
}

}

class ScanBricks : public GpuTest
{
protected:
  void runKernel(const ScanInput& input, Words& value, Words& total)
  {
    KernelRunner runner(this->context());
    runner.write(BINDING_BRICK_OFFSET, input.value);
    runner.write(BINDING_BLOCK_SUM, input.sum);
    runner.write(BINDING_TOTALS, input.total);
    runner.run(kernels::ScanBricks, {}, input.slab,
      std::max<std::uint64_t>(groupsFor(input.slab.activeCapacity, SCAN_BLOCK_SIZE), 1), Arrays);
    value = runner.read<std::uint32_t>(BINDING_BRICK_OFFSET, input.value.size());
    total = runner.read<std::uint32_t>(BINDING_TOTALS, TOTAL_WORDS);
  }

  void expectReference(ScanInput input)
  {
    Words value, total;
    this->runKernel(input, value, total);
    reference::scanBricks(input.slab, input.sum, input.value, input.total);
    EXPECT_EQ(value, input.value) << input.total[TOTAL_ACTIVE] << " bricks";
    EXPECT_EQ(total, input.total) << input.total[TOTAL_ACTIVE] << " bricks, own " << input.total[TOTAL_OWN_ACTIVE];
  }
};

TEST_F(ScanBricks, SumsTheCountsOfTheBricksBefore)
{
  for (const std::uint32_t active : { 1u, 2u, 3u, 4u, 5u, 255u, 256u, 257u, SCAN_BLOCK_SIZE - 1u, SCAN_BLOCK_SIZE + 0u,
         SCAN_BLOCK_SIZE + 1u, 2 * SCAN_BLOCK_SIZE - 1u, 2 * SCAN_BLOCK_SIZE + 1u, 7919u, BatchBricks - 1, BatchBricks,
         BatchBricks + 1, 2 * BatchBricks + 4097 })
    for (const std::uint32_t beyond : { 0u, 1u, 1500u })
      this->expectReference(randomCounts(active, BRICK_MAX_TRIANGLES, active, beyond));
}

TEST_F(ScanBricks, WithoutActiveBricksTheTotalsAreZero)
{
  this->expectReference(randomCounts(0, BRICK_MAX_TRIANGLES, 0, 1500));
}

// An earlier slab with more bricks leaves such a capacity.
TEST_F(ScanBricks, CapacityMayExceedTheBricksOfTheSlab)
{
  ScanInput input = randomCounts(100, BRICK_MAX_TRIANGLES, 60, 5000);
  input.slab.brickCount = 150;
  input.slab.ownBrickCount = 149;
  for (std::uint32_t array = 1; array < BLOCK_SUM_ARRAYS; ++array) // the slab has one block
    input.sum[array] = input.sum[array * (input.sum.size() / BLOCK_SUM_ARRAYS)];
  this->expectReference(input);
}

TEST_F(ScanBricks, WritesTheTotalsBeforeTheHaloLayer)
{
  for (const std::uint32_t own : { 0u, 1u, 3u, 4u, 1023u, 1024u, 1025u, 2999u })
    this->expectReference(randomCounts(3000, BRICK_MAX_TRIANGLES, own));
}

TEST_F(ScanBricks, SaturatesAtTheLargestNumber)
{
  this->expectReference(randomCounts(3000, 0xFFFFFFFFu, 2000));
  this->expectReference(randomCounts(3000, 3000000, 2500)); // exceeds the largest number in the middle
  this->expectReference(randomCounts(BatchBricks + 5, 30000, BatchBricks / 2));
}

TEST_F(ScanBricks, WithoutCapacityForTheBricksWritesNothing)
{
  ScanInput input = randomCounts(3000, BRICK_MAX_TRIANGLES, 3000);
  input.slab.activeCapacity = 2999;
  Words value, total;
  this->runKernel(input, value, total);
  EXPECT_EQ(value, input.value);
  EXPECT_EQ(total, input.total);
}

}
