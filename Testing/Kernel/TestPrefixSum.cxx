// The kernels ReduceBlocks and ScanElements, each alone and together.
#include "PrefixSum.h"

#include "Bindings.h"
#include "Constants.h"
#include "GpuTest.h"
#include "KernelRunner.h"
#include "ReduceBlocks.h"
#include "ScanElements.h"

#include <random>

namespace vmc::test
{

namespace
{

using Words = std::vector<std::uint32_t>;

constexpr std::uint32_t Arrays = 2;
constexpr std::uint32_t BatchElements =
  SCAN_BLOCK_SIZE * SCAN_GROUP_SIZE; // whose block sums ScanElements adds in one step

Words elementCounts()
{
  return { 1, 2, 3, 4, 5, 255, 256, 257, SCAN_BLOCK_SIZE - 1, SCAN_BLOCK_SIZE, SCAN_BLOCK_SIZE + 1,
    2 * SCAN_BLOCK_SIZE - 1, 2 * SCAN_BLOCK_SIZE + 1, 7919, BatchElements - 1, BatchElements, BatchElements + 1,
    2 * BatchElements + 4097 };
}

// Both arrays one after the other, and a word that nobody may touch.
Words randomValues(std::uint32_t count, std::uint32_t largest)
{
  std::mt19937 engine(count);
  std::uniform_int_distribution<std::uint32_t> distribution(0, largest);
  Words values(Arrays * std::size_t(count));
  for (std::uint32_t& value : values)
    value = distribution(engine);
  values.push_back(Untouched);
  return values;
}

ScanConstants constantsFor(std::uint32_t count)
{
  return { count, scanBlocks(count), TOTAL_ACTIVE, TOTAL_OWN_ACTIVE, TOTAL_OWN_POINTS, TOTAL_POINTS };
}

// The totals before a scan: the number of elements, and the one whose offset is wanted.
Words totalsFor(std::uint32_t count, std::uint32_t split)
{
  Words total(TOTAL_WORDS, Untouched);
  total[TOTAL_ACTIVE] = count;
  total[TOTAL_OWN_ACTIVE] = split;
  return total;
}

}

class PrefixSum : public GpuTest
{
protected:
  void expectReduction(std::uint32_t count, std::uint32_t largest)
  {
    const ScanConstants push = constantsFor(count);
    const Words value = randomValues(count, largest), total = totalsFor(count, count);
    Words sum(Arrays * push.blockCount + 1, Untouched);
    KernelRunner runner(*this->device());
    runner.write(BINDING_BRICK_OFFSET, value);
    runner.write(BINDING_BLOCK_SUM, sum);
    runner.write(BINDING_TOTALS, total);
    runner.run(shaders::ReduceBlocks, scanSpecialization(), push, push.blockCount, Arrays);
    reference::reduceBlocks(push, Arrays, value, sum, total);
    EXPECT_EQ(runner.read<std::uint32_t>(BINDING_BLOCK_SUM, sum.size()), sum) << count << " elements";
  }

  void expectElementScan(std::uint32_t count, std::uint32_t largest, std::uint32_t split)
  {
    const ScanConstants push = constantsFor(count);
    Words value = randomValues(count, largest), sum(Arrays * push.blockCount), total = totalsFor(count, split);
    reference::reduceBlocks(push, Arrays, value, sum, total);
    KernelRunner runner(*this->device());
    runner.write(BINDING_BRICK_OFFSET, value);
    runner.write(BINDING_BLOCK_SUM, sum);
    runner.write(BINDING_TOTALS, total);
    runner.run(shaders::ScanElements, scanSpecialization(), push, push.blockCount, Arrays);
    reference::scanElements(push, Arrays, value, sum, total);
    EXPECT_EQ(runner.read<std::uint32_t>(BINDING_BRICK_OFFSET, value.size()), value) << count << " elements";
    EXPECT_EQ(runner.read<std::uint32_t>(BINDING_TOTALS, TOTAL_WORDS), total) << count << " elements, split " << split;
  }

  // Both steps in one submission, as an extraction records them, against sums done here.
  void expectWholeScan(std::uint32_t count, std::uint32_t largest, std::uint32_t split)
  {
    const Words values = randomValues(count, largest);
    MemoryBudget budget;
    const auto filled = [&](const Words& words)
    {
      Buffer buffer(*this->device(), budget, words.size() * 4, Buffer::Memory::Upload, "test");
      std::memcpy(buffer.mapped(), words.data(), words.size() * 4);
      return buffer;
    };
    const Buffer value = filled(values), sum = filled(Words(Arrays * scanBlocks(count), Untouched));
    const Buffer total = filled(totalsFor(count, split));
    Commands commands(*this->device());
    std::vector<StageTime> untold;
    commands.begin();
    recordPrefixSum(commands, this->device()->kernels(),
      { { BINDING_BRICK_OFFSET, value }, { BINDING_BLOCK_SUM, sum }, { BINDING_TOTALS, total } }, Arrays, count,
      { TOTAL_ACTIVE, TOTAL_POINTS, TOTAL_OWN_ACTIVE, TOTAL_OWN_POINTS });
    commands.submitAndWait(untold);

    Words scanned(values), totals = totalsFor(count, split);
    for (std::uint32_t array = 0; array < Arrays; ++array)
    {
      std::uint64_t before = 0;
      for (std::uint32_t i = 0; i < count; ++i)
      {
        if (i == split)
          totals[TOTAL_OWN_POINTS + array] = static_cast<std::uint32_t>(std::min<std::uint64_t>(before, 0xFFFFFFFFu));
        scanned[array * count + i] = static_cast<std::uint32_t>(std::min<std::uint64_t>(before, 0xFFFFFFFFu));
        before += values[array * count + i];
      }
      totals[TOTAL_POINTS + array] = static_cast<std::uint32_t>(std::min<std::uint64_t>(before, 0xFFFFFFFFu));
    }
    EXPECT_EQ(std::memcmp(value.mapped(), scanned.data(), scanned.size() * 4), 0) << count << " elements";
    EXPECT_EQ(std::memcmp(total.mapped(), totals.data(), totals.size() * 4), 0) << count << " elements";
  }
};

TEST_F(PrefixSum, ReduceBlocksSumsEachBlock)
{
  for (const std::uint32_t count : elementCounts())
    this->expectReduction(count, 1536);
}

TEST_F(PrefixSum, ReduceBlocksSticksAtTheLargestNumber)
{
  for (const std::uint32_t count : { 2u, 257u, 3000u })
    this->expectReduction(count, 0xFFFFFFFFu);
}

TEST_F(PrefixSum, ScanElementsSumsTheElementsBefore)
{
  for (const std::uint32_t count : elementCounts())
    this->expectElementScan(count, 1536, count);
}

TEST_F(PrefixSum, ScanElementsTellsTheOffsetOfTheSplitElement)
{
  for (const std::uint32_t split : { 0u, 1u, 3u, 4u, 1023u, 1024u, 1025u, 2999u, 3000u })
    this->expectElementScan(3000, 1536, split);
}

TEST_F(PrefixSum, ScanElementsSticksAtTheLargestNumber)
{
  this->expectElementScan(3000, 0xFFFFFFFFu, 2000);
  this->expectElementScan(3000, 3000000, 2500); // passes the largest number half way
}

TEST_F(PrefixSum, WholeScanEqualsSumsInSixtyFourBits)
{
  for (const std::uint32_t count : elementCounts())
    this->expectWholeScan(count, 1536, count / 2);
}

TEST_F(PrefixSum, WholeScanSticksAtTheLargestNumber)
{
  this->expectWholeScan(BatchElements + 5, 30000, BatchElements / 2);
  this->expectWholeScan(5000, 0xFFFFFFFFu, 4999);
}

}
