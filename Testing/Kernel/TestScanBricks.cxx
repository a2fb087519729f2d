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
constexpr std::uint32_t BatchBricks = SCAN_BLOCK_SIZE * SCAN_GROUP_SIZE; // whose block sums are added in one step

// Active bricks of a slab that may have more bricks, in buffers that may have room for more.
struct Scanned
{
  SlabConstants slab{};
  Words value; // both arrays, and a word that nobody may touch
  Words sum;
  Words total = Words(TOTAL_WORDS, Untouched);
};

// `own`: active bricks before the look-ahead layer; as many as there are: no such layer.
Scanned randomCounts(std::uint32_t active, std::uint32_t largest, std::uint32_t own, std::uint32_t beyond = 0)
{
  Scanned scanned;
  SlabConstants& slab = scanned.slab;
  slab.activeCapacity = active + beyond;
  slab.brickCount = active + 2 * beyond;
  slab.ownBrickCount = slab.brickCount - (own < active ? 1 : 0);
  std::mt19937 engine(active);
  std::uniform_int_distribution<std::uint32_t> distribution(0, largest);
  scanned.value.assign(Arrays * std::size_t(slab.activeCapacity) + 1, Untouched);
  scanned.sum.assign(BLOCK_SUM_ARRAYS * std::size_t(reference::scanBlocks(slab)), 0);
  for (std::uint32_t array = 0; array < Arrays; ++array)
    for (std::uint32_t slot = 0; slot < active; ++slot)
    {
      std::uint32_t& sum =
        scanned.sum[(BLOCK_SUM_POINTS + array) * reference::scanBlocks(slab) + slot / SCAN_BLOCK_SIZE];
      const std::uint32_t count = distribution(engine);
      scanned.value[array * slab.activeCapacity + slot] = count;
      sum = reference::stuck(std::uint64_t(sum) + count);
    }
  scanned.total[TOTAL_ACTIVE] = active;
  scanned.total[TOTAL_OWN_ACTIVE] = own;
  return scanned;
}

}

class ScanBricks : public GpuTest
{
protected:
  void runKernel(const Scanned& input, Words& value, Words& total)
  {
    KernelRunner runner(*this->device());
    runner.write(BINDING_BRICK_OFFSET, input.value);
    runner.write(BINDING_BLOCK_SUM, input.sum);
    runner.write(BINDING_TOTALS, input.total);
    runner.run(kernels::ScanBricks, {}, input.slab,
      std::max<std::uint64_t>(groupsFor(input.slab.activeCapacity, SCAN_BLOCK_SIZE), 1), Arrays);
    value = runner.read<std::uint32_t>(BINDING_BRICK_OFFSET, input.value.size());
    total = runner.read<std::uint32_t>(BINDING_TOTALS, TOTAL_WORDS);
  }

  void expectReference(Scanned input)
  {
    Words value, total;
    this->runKernel(input, value, total);
    reference::scanBricks(input.slab, input.sum, input.value, input.total);
    EXPECT_EQ(value, input.value) << input.total[TOTAL_ACTIVE] << " bricks";
    EXPECT_EQ(total, input.total) << input.total[TOTAL_ACTIVE] << " bricks, own " << input.total[TOTAL_OWN_ACTIVE];
  }
};

TEST_F(ScanBricks, SumsTheBricksBefore)
{
  for (const std::uint32_t active : { 1u, 2u, 3u, 4u, 5u, 255u, 256u, 257u, SCAN_BLOCK_SIZE - 1u, SCAN_BLOCK_SIZE + 0u,
         SCAN_BLOCK_SIZE + 1u, 2 * SCAN_BLOCK_SIZE - 1u, 2 * SCAN_BLOCK_SIZE + 1u, 7919u, BatchBricks - 1, BatchBricks,
         BatchBricks + 1, 2 * BatchBricks + 4097 })
    for (const std::uint32_t beyond : { 0u, 1u, 1500u })
      this->expectReference(randomCounts(active, BRICK_MAX_TRIANGLES, active, beyond));
}

TEST_F(ScanBricks, OfNoActiveBrickSumsToNothing)
{
  this->expectReference(randomCounts(0, BRICK_MAX_TRIANGLES, 0, 1500));
}

// As after a slab with more of them.
TEST_F(ScanBricks, HasRoomForMoreBricksThanTheSlab)
{
  Scanned input = randomCounts(100, BRICK_MAX_TRIANGLES, 60, 5000);
  input.slab.brickCount = 150;
  input.slab.ownBrickCount = 149;
  for (std::uint32_t array = 1; array < BLOCK_SUM_ARRAYS; ++array) // of one block now
    input.sum[array] = input.sum[array * (input.sum.size() / BLOCK_SUM_ARRAYS)];
  this->expectReference(input);
}

TEST_F(ScanBricks, TellsWhatComesBeforeTheLookAhead)
{
  for (const std::uint32_t own : { 0u, 1u, 3u, 4u, 1023u, 1024u, 1025u, 2999u })
    this->expectReference(randomCounts(3000, BRICK_MAX_TRIANGLES, own));
}

TEST_F(ScanBricks, SticksAtTheLargestNumber)
{
  this->expectReference(randomCounts(3000, 0xFFFFFFFFu, 2000));
  this->expectReference(randomCounts(3000, 3000000, 2500)); // passes the largest number half way
  this->expectReference(randomCounts(BatchBricks + 5, 30000, BatchBricks / 2));
}

TEST_F(ScanBricks, WithoutRoomForTheBricksTouchesNothing)
{
  Scanned input = randomCounts(3000, BRICK_MAX_TRIANGLES, 3000);
  input.slab.activeCapacity = 2999;
  Words value, total;
  this->runKernel(input, value, total);
  EXPECT_EQ(value, input.value);
  EXPECT_EQ(total, input.total);
}

}
