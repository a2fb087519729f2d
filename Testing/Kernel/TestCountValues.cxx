// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Histogram/BinThresholds.h"
#include "Embedded/Kernels.h"
#include "KernelRunner.h"
#include "Reference/CountValues.h"
#include "Shared/Bindings.h"
#include "SlabInputs.h"
#include "Support/GpuTest.h"

namespace vmc::test
{

class CountValues : public GpuTest
{
protected:
  void expectReference(const SlabInput& input, const Bins& bins, std::uint64_t groups = 1)
  {
    const SampleType type = input.samples.type;
    const BinThresholds thresholds(bins, type);
    ASSERT_TRUE(thresholds.isPrecise) << input.name;
    const std::uint32_t slots = bytesOf(type) == 1 ? HISTOGRAM_BYTE_SLOTS : HISTOGRAM_SLOTS(bins.count);
    // The last word is one that the kernel must not write.
    std::vector<std::uint32_t> count(2 * slots + HISTOGRAM_EXTRA_WORDS + 1, 0);
    count.back() = CanaryWord;
    const auto [range, total] = input.ranges();

    KernelRunner runner(this->context());
    runner.write(BINDING_SAMPLES, input.samples.words);
    runner.write(BINDING_GHOSTS, input.ghosts.words);
    runner.write(BINDING_BRICK_RANGE, range);
    runner.write(BINDING_BINS, thresholds.words());
    runner.write(BINDING_VALUE_COUNT, count);
    Specialization specialization = input.specialization();
    specialization[SPECIALIZE_BLANKING] = total[TOTAL_HAS_NAN] != 0 || !input.ghosts.words.empty() ||
                                              (type == SampleType::Float32 && thresholds.table.exponent <= 60)
                                            ? 1
                                            : 0;
    specialization[SPECIALIZE_SLOTS] = slots;
    runner.run(kernels::CountValues, specialization, input.slab, groups);

    const reference::SlabGrid grid(input.slab, input.samples, input.ghosts.words.empty() ? nullptr : &input.ghosts);
    reference::ValueCounter(input.slab, grid, thresholds.keys, type, slots, count).countSlab();
    EXPECT_EQ(runner.read<std::uint32_t>(BINDING_VALUE_COUNT, count.size()), count)
      << input.name << ", " << bins.count << " bins from " << bins.lower << " to " << bins.upper;
  }

  // Bins over this part of the range of the noise.
  static Bins binsOf(SampleType type, double from, double to, std::uint32_t count)
  {
    const std::array<double, 2> range = rangeOf(type);
    const double width = range[1] - range[0];
    return { range[0] + from * width, range[0] + to * width, count };
  }
};

TEST_F(CountValues, AreThoseOfTheReference)
{
  for (const SlabInput& input : slabInputs())
    this->expectReference(input, binsOf(input.samples.type, 0, 1, 256));
}

TEST_F(CountValues, OfAnyBinsAreThoseOfTheReference)
{
  for (const SampleType type : AllSampleTypes)
  {
    const SlabInput input = makeSlabInput({ { 19, 11, 13 }, type, 3 });
    for (const std::uint32_t count : { 1u, 7u, Bins::Largest })
      for (const std::array<double, 2>& part :
        std::vector<std::array<double, 2>>{ { 0, 1 }, { 0.3, 0.4 }, { -1, 3 }, { -3, -2 }, { 2, 3 } })
        this->expectReference(input, binsOf(type, part[0], part[1], count));
  }
}

TEST_F(CountValues, OfSeveralWorkgroupsAreThoseOfTheReference)
{
  const SlabInput input = makeSlabInput({ { 61, 41, 27 }, SampleType::UInt16, 1 });
  for (const std::uint64_t groups : { 1, 2, 7, 40 })
    this->expectReference(input, binsOf(SampleType::UInt16, 0, 1, 100), groups);
}

// The smallest and the largest key in all places of a cell, beside bricks whose samples are all equal.
TEST_F(CountValues, OfBytesInRowsOfWordsAreThoseOfTheReference)
{
  SlabInput input = makeSlabInput({ { 32, 19, 40 }, SampleType::UInt8 });
  auto* const bytes = reinterpret_cast<std::uint8_t*>(input.samples.words.data());
  for (std::size_t i = 0; i < 32 * 19 * 40; ++i)
    bytes[i] = static_cast<std::uint8_t>(i >= 32 * 19 * 20 ? 9 : i % 5 == 0 ? 255 * (i / 5 % 2) : i * 7);
  for (const std::uint64_t groups : { 1, 2, 7 })
    this->expectReference(input, binsOf(SampleType::UInt8, 0, 1, 256), groups);
}

// Values that are equal to edges and centres, or next to them.
TEST_F(CountValues, ThatLieOnThresholdsAreThoseOfTheReference)
{
  for (const SampleType type : AllSampleTypes)
  {
    SlabInput input = makeSlabInput({ { 8, 8, 8 }, type });
    for (const Bins& bins : { Bins{ 0, 64, 64 }, Bins{ 1, 100, 7 }, Bins{ 0.1, 99.7, 256 } })
    {
      std::size_t sample = 0;
      Samples samples;
      samples.type = type;
      samples.size = { 8, 8, 8 };
      samples.bytes.resize(samples.count() * bytesOf(type));
      for (; sample < samples.count(); ++sample)
      {
        const auto bin = static_cast<std::uint32_t>(sample % bins.count);
        const double value = sample % 3 == 0 ? bins.centre(bin) : bins.edge(bin);
        samples.setValue(sample, sample % 7 == 1 ? std::nextafter(value, 1000.0) : value);
      }
      std::memcpy(input.samples.words.data(), samples.bytes.data(), samples.bytes.size());
      this->expectReference(input, bins);
    }
  }
}

}
