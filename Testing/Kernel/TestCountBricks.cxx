#include "Embedded/Kernels.h"
#include "Reference/CountBricks.h"

#include "KernelRunner.h"
#include "Reference/SlabReference.h"
#include "Shared/Bindings.h"
#include "SlabInputs.h"
#include "Support/GpuTest.h"

namespace vmc::test
{

class CountBricks : public GpuTest
{
protected:
  static std::vector<std::uint32_t> untouched(std::size_t words)
  {
    return std::vector<std::uint32_t>(words, Untouched);
  }

  // Row words without the inside bits of samples beyond the volume, which mean nothing.
  static std::vector<std::uint32_t> definedBits(
    const reference::SlabReference& twins, std::vector<std::uint32_t> rowEdges)
  {
    const reference::SlabGrid grid = twins.grid();
    for (std::size_t i = 0; i < rowEdges.size() && i / ROW_WORDS < twins.activeCount(); ++i)
    {
      const reference::Position start =
        reference::rowStart(grid.brickCorner(twins.activeBrick[i / ROW_WORDS]), i % ROW_WORDS);
      for (std::uint32_t x = 0; x < BRICK_SIZE; ++x)
        if (!grid.contains({ start[0] + x, start[1], start[2] }))
          rowEdges[i] &= ~(1u << (ROW_SHIFT_INSIDE + x));
    }
    return rowEdges;
  }

  void expectReference(const Device& device, const SlabInput& input, bool asOnGpu = false)
  {
    reference::SlabReference twins(input.slab, input.samples, input.ghosts);
    const std::size_t active = twins.activeCount();
    KernelRunner runner(device);
    runner.write(BINDING_SAMPLES, input.samples.words);
    runner.write(BINDING_GHOSTS, input.ghosts.words);
    runner.write(BINDING_ACTIVE_BRICK, twins.activeBrick);
    runner.write(BINDING_CASE_TABLE, std::vector<PackedCase>(packedCaseTable().begin(), packedCaseTable().end()));
    runner.write(BINDING_TOTALS, twins.total);
    runner.write(BINDING_ROW_EDGES, untouched(active * ROW_WORDS + 1));
    runner.write(BINDING_ROW_POINT_OFFSET, untouched(active * ROW_OFFSET_WORDS + 1));
    runner.write(BINDING_VALID_CELLS, untouched(active * VALID_CELL_WORDS + 1));
    runner.write(BINDING_BRICK_OFFSET, untouched(2 * active + 1));
    runner.write(BINDING_BLOCK_SUM, std::vector<std::uint32_t>(twins.blockSum.size()));
    Specialization specialization = input.specialization(asOnGpu);
    specialization[SPECIALIZE_BLANKING] = twins.blanking ? 1 : 0;
    runner.run(kernels::CountBricks, specialization, twins.slab, active);

    // Each array has one word more, which the kernel leaves alone; live cells are written only with blanking.
    if (!twins.blanking)
      twins.validCells = untouched(active * VALID_CELL_WORDS);
    for (auto* words : { &twins.rowEdges, &twins.rowPointOffset, &twins.validCells, &twins.brickCount })
      words->push_back(Untouched);
    const auto result = [&](std::uint32_t binding, std::size_t words)
    { return runner.read<std::uint32_t>(binding, words); };
    EXPECT_EQ(definedBits(twins, result(BINDING_ROW_EDGES, twins.rowEdges.size())), twins.rowEdges) << input.name;
    EXPECT_EQ(result(BINDING_ROW_POINT_OFFSET, twins.rowPointOffset.size()), twins.rowPointOffset) << input.name;
    EXPECT_EQ(result(BINDING_VALID_CELLS, twins.validCells.size()), twins.validCells) << input.name;
    EXPECT_EQ(result(BINDING_BRICK_OFFSET, twins.brickCount.size()), twins.brickCount) << input.name;
    EXPECT_EQ(result(BINDING_BLOCK_SUM, twins.blockSum.size()), twins.blockSum) << input.name;
  }
};

TEST_F(CountBricks, KeepsTheRowsOfTheTwin)
{
  for (const SlabInput& input : slabInputs())
    this->expectReference(*this->device(), input);
}

TEST_F(CountBricks, AsOnAGpuKeepsTheSameRows)
{
  for (const SlabInput& input : slabInputs())
    this->expectReference(*this->device(), input, true);
}

TEST_F(CountBricks, GroupsThatFoldIntoTheSecondAxisCountTheSame)
{
  const Device narrow({}, { ~0ull, 1, 8 });
  this->expectReference(narrow, makeSlabInput({ { 23, 19, 17 } })); // 27 bricks: 8 x 4 groups
}

// More active bricks than one block of the scan has.
TEST_F(CountBricks, AddsUpWhatEachBlockOfBricksMakes)
{
  const SlabInput input = makeSlabInput({ { 2, 3, 8 * 1100 }, SampleType::UInt8 });
  ASSERT_GT(reference::SlabReference(input.slab, input.samples).activeCount(), std::uint32_t(SCAN_BLOCK_SIZE));
  this->expectReference(*this->device(), input);
  this->expectReference(*this->device(), input, true);
}

TEST_F(CountBricks, WithoutRoomForTheBricksTouchesNothing)
{
  const SlabInput input = makeSlabInput({ { 23, 19, 17 } });
  reference::SlabReference twins(input.slab, input.samples, input.ghosts);
  const std::uint32_t active = twins.activeCount();
  twins.slab.activeCapacity = active - 1;
  KernelRunner runner(*this->device());
  runner.write(BINDING_SAMPLES, input.samples.words);
  runner.write(BINDING_ACTIVE_BRICK, twins.activeBrick);
  runner.write(BINDING_CASE_TABLE, std::vector<PackedCase>(packedCaseTable().begin(), packedCaseTable().end()));
  runner.write(BINDING_TOTALS, twins.total);
  const std::vector<std::pair<std::uint32_t, std::size_t>> outputs = { { BINDING_ROW_EDGES, active * ROW_WORDS },
    { BINDING_ROW_POINT_OFFSET, active * ROW_OFFSET_WORDS }, { BINDING_BRICK_OFFSET, 2 * active },
    { BINDING_BLOCK_SUM, twins.blockSum.size() } };
  for (const auto& [binding, words] : outputs)
    runner.write(binding, untouched(words));
  runner.run(kernels::CountBricks, input.specialization(), twins.slab, active);
  for (const auto& [binding, words] : outputs)
    EXPECT_EQ(runner.read<std::uint32_t>(binding, words), untouched(words)) << "binding " << binding;
}

// Checkerboard samples cross every edge: the most points, whose running count reaches 16 bits' upper half.
TEST_F(CountBricks, HoldsTheLargestCounts)
{
  SlabInput input = makeSlabInput({ { 9, 9, 9 }, SampleType::UInt8 });
  auto* bytes = reinterpret_cast<std::uint8_t*>(input.samples.words.data());
  for (std::uint32_t i = 0; i < 729; ++i)
    bytes[i] = (i % 9 + i / 9 % 9 + i / 81) % 2 == 0 ? 255 : 0;
  EXPECT_EQ(reference::SlabReference(input.slab, input.samples).brickCount[0], std::uint32_t(BRICK_MAX_POINTS));
  this->expectReference(*this->device(), input);
  this->expectReference(*this->device(), input, true);
}

}
