// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Embedded/Kernels.h"
#include "Reference/MarkBricks.h"

#include "BrickRangeInputs.h"
#include "KernelRunner.h"
#include "Shared/Bindings.h"
#include "Support/GpuTest.h"

namespace vmc::test
{

class MarkBricks : public GpuTest
{
protected:
  // Compares the marks of a slab with the reference implementation. The slab has the layers [first, first + layers) of
  // a volume with these bricks, and a halo layer, if there is one.
  void expectReference(
    Context& context, const std::array<std::uint32_t, 3>& bricks, std::uint32_t first, std::uint32_t layers)
  {
    SCOPED_TRACE(
      testing::Message() << bricks[0] << " x " << bricks[1] << " x " << bricks[2] << " bricks from layer " << first);
    const std::uint32_t perLayer = bricks[0] * bricks[1];
    const bool hasHalo = first + layers < bricks[2];
    BrickRangeInput input = brickRangeInput(perLayer * bricks[2]);
    input.slab.sizeX = BRICK_SIZE * bricks[0];
    input.slab.sizeY = BRICK_SIZE * bricks[1];
    input.slab.sizeZ = BRICK_SIZE * bricks[2] - 3; // the last layer is not full
    input.slab.brickLayer = first;
    input.slab.firstRange = perLayer * first;
    input.slab.brickCount = perLayer * (layers + (hasHalo ? 1 : 0));
    input.slab.ownBrickCount = perLayer * layers;
    const std::vector<reference::BrickMask> expected = reference::markBricks(input.slab, input.range, bricks);
    std::vector<reference::BrickMask> masks(expected.size() + 1, { CanaryWord, CanaryWord });
    KernelRunner runner(context);
    runner.write(BINDING_BRICK_RANGE, input.range);
    runner.write(BINDING_BRICK_MASK, masks);
    runner.run(kernels::MarkBricks, {}, input.slab, expected.size());
    masks = runner.read<reference::BrickMask>(BINDING_BRICK_MASK, masks.size());
    EXPECT_EQ(masks.back(), (reference::BrickMask{ CanaryWord, CanaryWord }));
    masks.pop_back();
    EXPECT_EQ(masks, expected);
  }
};

TEST_F(MarkBricks, SetsTheBitsOfActiveBricks)
{
  for (const std::array<std::uint32_t, 3>& bricks :
    { std::array<std::uint32_t, 3>{ 1, 1, 1 }, { 4, 4, 4 }, { 5, 3, 9 }, { 3, 17, 4 }, { 32, 8, 8 } })
    this->expectReference(this->context(), bricks, 0, bricks[2]);
}

TEST_F(MarkBricks, SetsNoBitsBeyondTheSlab)
{
  this->expectReference(this->context(), { 5, 3, 9 }, 0, 3);
  this->expectReference(this->context(), { 5, 3, 9 }, 3, 3);
  this->expectReference(this->context(), { 5, 3, 9 }, 6, 3);
}

TEST_F(MarkBricks, WorkgroupsFoldedIntoTheSecondAxisSetTheSame)
{
  Context narrow(optionsWithWorkgroups(3));
  this->expectReference(narrow, { 16, 8, 4 }, 0, 4); // 8 groups: 3 x 3 workgroups, the last without a group
}

}
