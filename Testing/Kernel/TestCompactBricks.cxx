#include "Embedded/Kernels.h"
#include "Reference/CompactBricks.h"

#include "BrickRangeInputs.h"
#include "KernelRunner.h"
#include "Shared/Bindings.h"
#include "Support/GpuTest.h"

namespace vmc::test
{

class CompactBricks : public GpuTest
{
protected:
  void expectReference(const Device& device, BrickRangeInput input)
  {
    if (input.slab.maxGroups == 0)
      input.slab.maxGroups = device.limits().maxGroups;
    const std::uint32_t bricks = input.slab.brickCount, blocks = reference::scanBlocks(input.slab);
    std::vector<std::uint32_t> slotOfBrick(bricks + 1, Untouched), activeBrick(bricks + 1, Untouched);
    std::vector<std::uint32_t> total(TOTAL_WORDS, Untouched), groups(4, Untouched), sum(BLOCK_SUM_ARRAYS * blocks);
    reference::selectBricks(input.slab, input.range, sum);

    KernelRunner runner(device);
    runner.write(BINDING_BRICK_RANGE, input.range);
    runner.write(BINDING_BLOCK_SUM, sum);
    runner.write(BINDING_SLOT_OF_BRICK, slotOfBrick);
    runner.write(BINDING_ACTIVE_BRICK, activeBrick);
    runner.write(BINDING_TOTALS, total);
    runner.write(BINDING_DISPATCH, groups);
    runner.run(kernels::CompactBricks, {}, input.slab, blocks);

    reference::compactBricks(input.slab, input.range, slotOfBrick, activeBrick, total, groups);
    EXPECT_EQ(runner.read<std::uint32_t>(BINDING_SLOT_OF_BRICK, bricks + 1), slotOfBrick) << bricks << " bricks";
    EXPECT_EQ(runner.read<std::uint32_t>(BINDING_ACTIVE_BRICK, bricks + 1), activeBrick) << bricks << " bricks";
    EXPECT_EQ(runner.read<std::uint32_t>(BINDING_TOTALS, TOTAL_WORDS), total) << bricks << " bricks";
    EXPECT_EQ(runner.read<std::uint32_t>(BINDING_DISPATCH, groups.size()), groups) << bricks << " bricks";
  }
};

TEST_F(CompactBricks, ListsTheActiveBricksInAscendingOrder)
{
  for (const std::uint32_t bricks : brickCounts())
    this->expectReference(*this->device(), brickRangeInput(bricks));
}

TEST_F(CompactBricks, TellsHowManyActiveBricksComeBeforeTheLookAhead)
{
  for (const std::uint32_t ahead : { 1u, 2u, 3u, 1024u, 1025u })
    this->expectReference(*this->device(), brickRangeInput(2500, ahead, 33));
}

TEST_F(CompactBricks, GroupsThatFoldIntoTheSecondAxisListTheSame)
{
  const Device narrow({}, { ~0ull, 1, 3 });
  this->expectReference(narrow, brickRangeInput(5003, 100));
}

TEST_F(CompactBricks, SizesDispatchesForAnyNumberOfGroupsAnAxis)
{
  for (const std::uint32_t maxGroups : { 1u, 7u, 100u, 0x7FFFFFFFu, 0xFFFFFFFFu })
  {
    BrickRangeInput input = brickRangeInput(2500);
    input.slab.maxGroups = maxGroups;
    this->expectReference(*this->device(), input);
  }
}

}
