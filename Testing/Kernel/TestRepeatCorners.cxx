// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Reference/RepeatCorners.h"

#include "Embedded/Kernels.h"
#include "KernelRunner.h"
#include "Shared/Bindings.h"
#include "Shared/Constants.h"
#include "Support/AnalyticVolumes.h"
#include "Support/GpuTest.h"

namespace vmc::test
{

class RepeatCorners : public GpuTest
{
protected:
  void expectReference(Context& context, std::uint32_t corners, std::uint32_t components, std::uint32_t start = 0)
  {
    constexpr std::uint32_t Points = 97;
    const AnalyticVolume random = noise(corners);
    std::vector<std::uint32_t> pointId;
    for (std::uint32_t corner = 0; corner < start + corners; ++corner)
      pointId.push_back(static_cast<std::uint32_t>(Points * random.value({ double(corner), 0, 0 })));
    std::vector<float> shared;
    for (std::uint32_t i = 0; i < Points * components; ++i)
      shared.push_back(static_cast<float>(i));
    std::vector<float> repeated((start + corners) * components + 1, -1.0f);
    ValueConstants push{};
    push.start = start;
    push.count = corners;
    push.components = components;

    KernelRunner runner(context);
    runner.write(BINDING_TRIANGLE, pointId);
    runner.write(BINDING_SHARED_VALUES, shared);
    runner.write(BINDING_CORNER_VALUES, repeated);
    runner.run(kernels::RepeatCorners, {}, push, groupsFor(corners * components, LINEAR_GROUP_SIZE));
    reference::repeatCorners(push, pointId, shared, repeated);
    EXPECT_EQ(runner.read<float>(BINDING_CORNER_VALUES, repeated.size()), repeated)
      << corners << " corners, " << components << " components";
  }
};

TEST_F(RepeatCorners, CopiesTheValuesOfEachCornersPoint)
{
  for (const std::uint32_t components : { 1u, 2u, 3u, 9u })
    for (const std::uint32_t corners : { 3u, 21u, 63u, 66u, 129u, 999u })
      this->expectReference(this->context(), corners, components);
}

TEST_F(RepeatCorners, WritesBehindTheFirstCorners)
{
  for (const std::uint32_t start : { 3u, 189u })
    this->expectReference(this->context(), 66, 2, start);
}

TEST_F(RepeatCorners, WorkgroupsFoldedIntoTheSecondAxisCopyTheSame)
{
  Context narrow(optionsWithWorkgroups(4));
  this->expectReference(narrow, 999, 1); // 16 workgroups
  this->expectReference(narrow, 333, 2); // 11 workgroups
}

}
