// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Embedded/Kernels.h"
#include "Reference/SelectBricks.h"

#include "BrickRangeInputs.h"
#include "KernelRunner.h"
#include "Shared/Bindings.h"
#include "Support/GpuTest.h"

namespace vmc::test
{

class SelectBricks : public GpuTest
{
protected:
  void expectReference(Context& context, const BrickRangeInput& input)
  {
    std::vector<std::uint32_t> sum(BLOCK_SUM_ARRAYS * reference::scanBlocks(input.slab) + 1, CanaryWord);
    KernelRunner runner(context);
    runner.write(BINDING_BRICK_RANGE, input.range);
    runner.write(BINDING_BLOCK_SUM, sum);
    runner.run(kernels::SelectBricks, {}, input.slab, reference::scanBlocks(input.slab));
    reference::selectBricks(input.slab, input.range, sum);
    EXPECT_EQ(runner.read<std::uint32_t>(BINDING_BLOCK_SUM, sum.size()), sum) << input.slab.brickCount << " bricks";
  }
};

TEST_F(SelectBricks, CountsTheActiveBricksOfEachBlock)
{
  for (const std::uint32_t bricks : brickCounts())
    this->expectReference(this->context(), brickRangeInput(bricks));
}

TEST_F(SelectBricks, SkipsTheBricksOfEarlierSlabs)
{
  this->expectReference(this->context(), brickRangeInput(1500, 0, 77));
}

TEST_F(SelectBricks, WorkgroupsFoldedIntoTheSecondAxisCountTheSame)
{
  Context narrow(optionsWithWorkgroups(3));
  this->expectReference(narrow, brickRangeInput(5003)); // 5 blocks: 3 x 2 workgroups, the last without a block
}

}
