// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Embedded/Kernels.h"
#include "KernelRunner.h"
#include "Reference/CountValues.h"
#include "Shared/Bindings.h"
#include "SlabInputs.h"
#include "Support/GpuTest.h"

namespace vmc::test
{

class CountBytes : public GpuTest
{
protected:
  void SetUp() override
  {
    GpuTest::SetUp();
    if (!IsSkipped() && !this->device().hasHalfFloats())
      GTEST_SKIP() << "The device has no 16-bit floats.";
  }

  void expectReference(const SlabInput& input, std::uint64_t groups = 1)
  {
    // With one word that the kernel must not write.
    std::vector<std::uint32_t> count(2 * HISTOGRAM_BYTE_SLOTS + HISTOGRAM_EXTRA_WORDS + 1, 0);
    count.back() = CanaryWord;

    KernelRunner runner(this->context());
    runner.write(BINDING_SAMPLES, input.samples.words);
    runner.write(BINDING_BRICK_RANGE, input.ranges().range);
    runner.write(BINDING_VALUE_COUNT, count);
    runner.run(kernels::CountBytes, input.specialization(), input.slab, groups);

    const reference::SlabGrid grid(input.slab, input.samples, nullptr);
    const std::vector<std::uint64_t> none;
    reference::ValueCounter(input.slab, grid, none, input.samples.type, HISTOGRAM_BYTE_SLOTS, count).countSlab();
    EXPECT_EQ(runner.read<std::uint32_t>(BINDING_VALUE_COUNT, count.size()), count) << input.name;
  }
};

TEST_F(CountBytes, AreThoseOfTheReference)
{
  for (const SampleType type : { SampleType::UInt8, SampleType::Int8 })
    for (const std::array<std::uint32_t, 3>& size : std::vector<std::array<std::uint32_t, 3>>{
           { 4, 1, 1 }, { 4, 2, 2 }, { 8, 3, 5 }, { 12, 4, 9 }, { 20, 5, 33 }, { 36, 8, 32 }, { 16, 9, 65 } })
      this->expectReference(makeSlabInput({ size, type, 8 }));
}

TEST_F(CountBytes, OfSlabsAreThoseOfTheReference)
{
  for (const std::uint32_t firstLayer : { 0, 1, 3 })
    for (const std::uint32_t layers : { 1, 2 })
      this->expectReference(makeSlabInput({ { 12, 11, 40 }, SampleType::UInt8, 4, firstLayer, layers }));
}

TEST_F(CountBytes, OfSeveralWorkgroupsAreThoseOfTheReference)
{
  const SlabInput input = makeSlabInput({ { 64, 41, 37 }, SampleType::UInt8 });
  for (const std::uint64_t groups : { 1, 2, 7 })
    this->expectReference(input, groups);
}

// The smallest and the largest key in all places of a cell.
TEST_F(CountBytes, CompareAllKeys)
{
  SlabInput input = makeSlabInput({ { 16, 16, 16 }, SampleType::UInt8 });
  auto* const bytes = reinterpret_cast<std::uint8_t*>(input.samples.words.data());
  for (std::size_t i = 0; i < 16 * 16 * 16; ++i)
    bytes[i] = static_cast<std::uint8_t>(i % 5 == 0 ? 255 * (i / 5 % 2) : i * 7);
  this->expectReference(input);
}

// Bricks whose samples are all equal.
TEST_F(CountBytes, CountUniformBricks)
{
  SlabInput input = makeSlabInput({ { 32, 19, 40 }, SampleType::UInt8 });
  auto* const bytes = reinterpret_cast<std::uint8_t*>(input.samples.words.data());
  std::fill(bytes, bytes + 32 * 19 * 40, std::uint8_t(9));
  bytes[32 * 19 * 20 + 5] = 200;
  this->expectReference(input);
}

}
