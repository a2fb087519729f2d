// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
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
  void expectReference(Context& context, BrickRangeInput input)
  {
    if (input.slab.maxGroups == 0)
      input.slab.maxGroups = context.device().limits().maxGroups;
    const std::uint32_t bricks = input.slab.brickCount, blocks = reference::scanBlocks(input.slab);
    std::vector<std::uint32_t> slotOfBrick(bricks + 1, CanaryWord), activeBrick(bricks + 1, CanaryWord);
    std::vector<std::uint32_t> total(TOTAL_WORDS, CanaryWord), workgroups(4, CanaryWord),
      sum(BLOCK_SUM_ARRAYS * blocks);
    reference::selectBricks(input.slab, input.range, sum);

    KernelRunner runner(context);
    runner.write(BINDING_BRICK_RANGE, input.range);
    runner.write(BINDING_BLOCK_SUM, sum);
    runner.write(BINDING_SLOT_OF_BRICK, slotOfBrick);
    runner.write(BINDING_ACTIVE_BRICK, activeBrick);
    runner.write(BINDING_TOTALS, total);
    runner.write(BINDING_DISPATCH, workgroups);
    runner.run(kernels::CompactBricks, {}, input.slab, blocks);

    reference::compactBricks(input.slab, input.range, slotOfBrick, activeBrick, total, workgroups);
    EXPECT_EQ(runner.read<std::uint32_t>(BINDING_SLOT_OF_BRICK, bricks + 1), slotOfBrick) << bricks << " bricks";
    EXPECT_EQ(runner.read<std::uint32_t>(BINDING_ACTIVE_BRICK, bricks + 1), activeBrick) << bricks << " bricks";
    EXPECT_EQ(runner.read<std::uint32_t>(BINDING_TOTALS, TOTAL_WORDS), total) << bricks << " bricks";
    EXPECT_EQ(runner.read<std::uint32_t>(BINDING_DISPATCH, workgroups.size()), workgroups) << bricks << " bricks";
  }
};

TEST_F(CompactBricks, ListsTheActiveBricksInAscendingOrder)
{
  for (const std::uint32_t bricks : brickCounts())
    this->expectReference(this->context(), brickRangeInput(bricks));
}

TEST_F(CompactBricks, CountsTheActiveBricksBeforeTheHaloLayer)
{
  for (const std::uint32_t halo : { 1u, 2u, 3u, 1024u, 1025u })
    this->expectReference(this->context(), brickRangeInput(2500, halo, 33));
}

TEST_F(CompactBricks, WorkgroupsFoldedIntoTheSecondAxisListTheSame)
{
  Context narrow(optionsWithWorkgroups(3));
  this->expectReference(narrow, brickRangeInput(5003, 100));
}

TEST_F(CompactBricks, SizesDispatchesForAnyNumberOfWorkgroupsPerAxis)
{
  for (const std::uint32_t maxGroups : { 1u, 7u, 100u, 0x7FFFFFFFu, 0xFFFFFFFFu })
  {
    BrickRangeInput input = brickRangeInput(2500);
    input.slab.maxGroups = maxGroups;
    this->expectReference(this->context(), input);
  }
}

}
