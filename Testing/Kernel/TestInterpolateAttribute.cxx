// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Reference/InterpolateAttribute.h"

#include "Compute/Contour/Parameters.h"
#include "Embedded/Kernels.h"
#include "KernelRunner.h"
#include "Shared/Bindings.h"
#include "Shared/Constants.h"
#include "Support/AnalyticVolumes.h"
#include "Support/GpuTest.h"

#include <algorithm>
#include <cmath>

namespace vmc::test
{

namespace
{

constexpr std::array<std::uint32_t, 3> Size = { 7, 5, 3 };

// Random values, `components` per sample, after `offset` other values.
reference::PackedValues randomAttribute(SampleType type, std::uint32_t components, std::uint32_t offset)
{
  const Samples values = sampleNoise({ offset + components * Size[0] * Size[1] * Size[2], 1, 1 }, type, components);
  reference::PackedValues packed;
  packed.type = type;
  packed.words.resize((values.bytes.size() + 3) / 4);
  std::memcpy(packed.words.data(), values.bytes.data(), values.bytes.size());
  return packed;
}

// Crossings of edges inside the volume. Some fractions are 0 or 1.
std::vector<EdgeCrossing> randomCrossings(std::uint32_t count)
{
  const AnalyticVolume random = noise(count);
  std::vector<EdgeCrossing> crossings;
  for (std::uint32_t i = 0; i < count; ++i)
  {
    const auto draw = [&](double which) { return random.value({ double(i), which, 0 }); };
    const std::uint32_t axis = static_cast<std::uint32_t>(3 * draw(0));
    std::uint32_t sample = 0, stride = 1, step = 0;
    for (std::uint32_t a = 0; a < 3; ++a)
    {
      sample += stride * static_cast<std::uint32_t>((Size[a] - (a == axis ? 1 : 0)) * draw(1 + a));
      step = a == axis ? stride : step;
      stride *= Size[a];
    }
    const float fraction = i % 10 == 0 ? 0.0f : i % 10 == 1 ? 1.0f : static_cast<float>(draw(5));
    crossings.push_back({ sample, sample + step, fraction, axis });
  }
  return crossings;
}

}

class InterpolateAttribute : public GpuTest
{
protected:
  void expectReference(Context& context, SampleType type, std::uint32_t points, std::uint32_t components,
    std::uint32_t offset, std::uint32_t start = 0)
  {
    const reference::PackedValues attribute = randomAttribute(type, components, offset);
    const std::vector<EdgeCrossing> crossing = randomCrossings(start + points);
    ValueConstants push{};
    push.start = start;
    push.count = points;
    push.components = components;
    push.windowOffset = offset;
    const std::size_t values = std::size_t(start + points) * components;
    KernelRunner runner(context);
    runner.write(BINDING_CROSSING, crossing);
    runner.write(BINDING_ATTRIBUTE, attribute.words);
    runner.write(BINDING_INTERPOLATED, std::vector<std::uint32_t>(values + 1, CanaryWord));
    Specialization specialization = specializationOf(type);
    runner.run(kernels::InterpolateAttribute, specialization, push,
      groupsFor(std::size_t(points) * components, LINEAR_GROUP_SIZE));

    std::vector<double> expected(values);
    reference::interpolateAttribute(push, crossing, attribute, expected);
    const std::vector<float> result = runner.read<float>(BINDING_INTERPOLATED, values);
    const std::array<double, 2> range = rangeOf(type);
    // Two conversions, the complement of the fraction, two products and a sum are each rounded by at most 2^-24 of the
    // larger end. No end exceeds the range of the type.
    const double tolerance = 6 * 0x1p-24 * std::max(std::fabs(range[0]), range[1]);
    for (std::size_t i = start * components; i < values; ++i)
      ASSERT_NEAR(result[i], expected[i], tolerance) << nameOf(type) << ", value " << i << ", offset " << offset;
    EXPECT_EQ(runner.read<std::uint32_t>(BINDING_INTERPOLATED, values + 1).back(), CanaryWord);
  }
};

TEST_F(InterpolateAttribute, InterpolatesBetweenTheEndsOfTheEdgeForEveryType)
{
  for (const SampleType type : AllSampleTypes)
    for (const std::uint32_t offset : { 0u, 1u, 2u, 3u, 17u })
      this->expectReference(this->context(), type, 100, 3, offset);
}

TEST_F(InterpolateAttribute, AcceptsAnyNumberOfPointsAndComponents)
{
  for (const std::uint32_t components : { 1u, 2u, 9u })
    for (const std::uint32_t points : { 1u, 2u, 31u, 32u, 33u, 63u, 64u, 65u, 997u })
      this->expectReference(this->context(), SampleType::Float32, points, components, 0);
}

TEST_F(InterpolateAttribute, ReadsAndWritesBehindTheFirstPoints)
{
  for (const std::uint32_t start : { 1u, 63u })
    this->expectReference(this->context(), SampleType::UInt16, 100, 3, 5, start);
}

TEST_F(InterpolateAttribute, WorkgroupsFoldedIntoTheSecondAxisInterpolateTheSame)
{
  Context narrow(optionsWithWorkgroups(4));
  this->expectReference(narrow, SampleType::UInt16, 999, 1, 1);
}

}
