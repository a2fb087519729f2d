// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "BrickRangeInputs.h"
#include "Embedded/Kernels.h"
#include "KernelRunner.h"
#include "Reference/FindRange.h"
#include "Shared/Bindings.h"
#include "Support/GpuTest.h"

namespace vmc::test
{

class FindRange : public GpuTest
{
protected:
  reference::BrickRange rangeOf(const std::vector<reference::BrickRange>& range, std::uint32_t groups)
  {
    KernelRunner runner(this->context());
    runner.write(BINDING_BRICK_RANGE, range);
    runner.write(BINDING_KEY_RANGE, std::vector<std::uint32_t>{ 0xFFFFFFFFu, 0 });
    const RangeConstants push{ static_cast<std::uint32_t>(range.size()), groups * RANGE_GROUP_SIZE };
    runner.run(kernels::FindRange, {}, push, groups);
    return runner.read<reference::BrickRange>(BINDING_KEY_RANGE, 1)[0];
  }
};

TEST_F(FindRange, IsThatOfTheReference)
{
  for (const std::uint32_t bricks : brickCounts())
    for (const std::uint32_t groups : { 1u, 3u })
    {
      const std::vector<reference::BrickRange> range = brickRangeInput(bricks).range;
      EXPECT_EQ(this->rangeOf(range, groups), reference::findRange(range)) << bricks;
    }
}

TEST_F(FindRange, FindsBoundsInAnyBrick)
{
  std::vector<reference::BrickRange> range(700, { 500, 600 });
  for (const std::size_t brick : { 0, 1, 255, 256, 511, 699 })
  {
    range[brick] = { 7, 0xFFFFFFF0u };
    EXPECT_EQ(this->rangeOf(range, 2), (reference::BrickRange{ 7, 0xFFFFFFF0u })) << brick;
    range[brick] = { 500, 600 };
  }
}

TEST_F(FindRange, OfNanAloneIsEmpty)
{
  EXPECT_EQ(this->rangeOf(std::vector<reference::BrickRange>(300, { 0xFFFFFFFFu, 0 }), 1),
    (reference::BrickRange{ 0xFFFFFFFFu, 0 }));
}

}
