// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Embedded/Kernels.h"
#include "Reference/BuildBrickRanges.h"

#include "KernelRunner.h"
#include "Shared/Bindings.h"
#include "SlabInputs.h"
#include "Support/GpuTest.h"

namespace vmc::test
{

class BuildBrickRanges : public GpuTest
{
protected:
  void expectReference(const SlabInput& input)
  {
    const std::uint32_t bricks = input.slab.firstRange + input.slab.brickCount;
    // The last brick is one that the kernel must not write.
    std::vector<reference::BrickRange> range(bricks + 1, { CanaryWord, CanaryWord });
    std::vector<std::uint32_t> total(TOTAL_WORDS, 0);
    KernelRunner runner(this->context());
    runner.write(BINDING_SAMPLES, input.samples.words);
    runner.write(BINDING_BRICK_RANGE, range);
    runner.write(BINDING_TOTALS, total);
    Specialization specialization = input.specialization();
    runner.run(
      kernels::BuildBrickRanges, specialization, input.slab, groupsFor(input.slab.brickCount, LINEAR_GROUP_SIZE));

    reference::buildBrickRanges(input.slab, input.samples, range, total);
    EXPECT_EQ(runner.read<reference::BrickRange>(BINDING_BRICK_RANGE, range.size()), range) << input.name;
    EXPECT_EQ(runner.read<std::uint32_t>(BINDING_TOTALS, TOTAL_WORDS), total) << input.name;
  }
};

TEST_F(BuildBrickRanges, AreThoseOfTheReference)
{
  for (const SlabInput& input : slabInputs())
    this->expectReference(input);
}

// slabInputs() has 63, 64 and 65 bricks, around one workgroup. This volume has several workgroups.
TEST_F(BuildBrickRanges, OfSeveralWorkgroupsAreThoseOfTheReference)
{
  this->expectReference(makeSlabInput({ { 97, 41, 27 }, SampleType::UInt8, 1 }));
}

}
