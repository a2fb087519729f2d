// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Engine/VulkanSession.h"
#include "Compute/System/CpuName.h"
#include "Compute/Volume/VolumeCache.h"
#include "Reference/WholeHistogram.h"
#include "Support/AnalyticVolumes.h"
#include "Support/ExpectError.h"
#include "Support/GpuTest.h"

#include <limits>
#include <memory>
#include <string>

namespace vmc::test
{

namespace
{

constexpr std::uint64_t Seed = 20261122;

std::vector<std::uint8_t> randomFlags(std::uint64_t count)
{
  std::vector<std::uint8_t> flags(count, 0);
  const AnalyticVolume chance = noise(Seed);
  for (std::uint64_t i = 0; i < count; ++i)
  {
    const double random = chance.value({ double(i), 0, 0 });
    flags[i] = random < 0.05 ? Ghost::Blank : random < 0.1 ? Ghost::NotOwned : 0;
  }
  return flags;
}

void expectEqual(const ValueCounts& counts, const ValueCounts& expected, const std::string& name)
{
  EXPECT_EQ(counts.samples, expected.samples) << name;
  EXPECT_EQ(counts.cutCells, expected.cutCells) << name;
  EXPECT_EQ(counts.below, expected.below) << name;
  EXPECT_EQ(counts.above, expected.above) << name;
  EXPECT_EQ(counts.nan, expected.nan) << name;
  EXPECT_EQ(counts.ghosts, expected.ghosts) << name;
}

}

class DeviceHistogramTest : public GpuTest
{
protected:
  ValueCounts countOn(
    const std::shared_ptr<Context>& context, const Volume& volume, const Bins& bins, std::uint64_t memoryLimit = 0)
  {
    VulkanSession session(context, std::make_shared<VolumeCache>(context));
    return session.count({ volume }, bins, { memoryLimit }, this->LastReport)->front();
  }

  ValueCounts count(const Volume& volume, const Bins& bins)
  {
    return this->countOn(this->sharedContext(), volume, bins);
  }

  std::optional<SampleRange> range(const Volume& volume)
  {
    VulkanSession session(this->sharedContext(), std::make_shared<VolumeCache>(this->sharedContext()));
    return session.findRanges({ volume }, {}, this->LastReport).front();
  }

  static ValueCounts wholeHistogram(const Samples& samples, const Volume& volume, const Bins& bins)
  {
    const auto valueOf = [&samples](std::size_t i) { return samples.exactValue(i); };
    return reference::WholeHistogram(volume, valueOf, bins).counts();
  }

  void expectWholeHistogram(const Samples& samples, const Volume& volume, const Bins& bins, const std::string& name)
  {
    expectEqual(this->count(volume, bins), wholeHistogram(samples, volume, bins), name + " " + nameOf(samples.type));
  }

  Report LastReport;
};

TEST_F(DeviceHistogramTest, CountsValuesOfEveryType)
{
  for (const SampleType type : AllSampleTypes)
  {
    const Samples samples = sampleNoise({ 17, 9, 11 }, type, Seed);
    const std::array<double, 2> range = rangeOf(type);
    this->expectWholeHistogram(samples, samples.volume(), { range[0], range[1], 37 }, "whole range");
    this->expectWholeHistogram(samples, samples.volume(), { range[0] / 3, range[1] / 2, 10 }, "part of the range");
  }
}

TEST_F(DeviceHistogramTest, CountsBytesInRowsOfWords)
{
  for (const SampleType type : { SampleType::UInt8, SampleType::Int8 })
  {
    const Samples samples = sampleNoise({ 20, 9, 35 }, type, Seed);
    const std::array<double, 2> range = rangeOf(type);
    this->expectWholeHistogram(samples, samples.volume(), { range[0], range[1], 37 }, "whole range");
    this->expectWholeHistogram(samples, samples.volume(), { range[0] / 3, range[1] / 2, 300 }, "part of the range");
  }
}

TEST_F(DeviceHistogramTest, LeavesOutNanAndFlags)
{
  for (const SampleType type : { SampleType::Float32, SampleType::Float64, SampleType::UInt8, SampleType::Int64 })
  {
    Samples samples = sampleNoise({ 19, 10, 12 }, type, Seed);
    if (type == SampleType::Float32 || type == SampleType::Float64)
    {
      scatter(samples, std::numeric_limits<double>::quiet_NaN(), 0.05, Seed + 1);
      scatter(samples, std::numeric_limits<double>::infinity(), 0.02, Seed + 2);
      scatter(samples, -std::numeric_limits<double>::infinity(), 0.02, Seed + 3);
    }
    const std::vector<std::uint8_t> flags = randomFlags(samples.count());
    Volume volume = samples.volume();
    volume.ghosts = flags.data();
    const std::array<double, 2> range = rangeOf(type);
    this->expectWholeHistogram(samples, volume, { range[0], range[1], 20 }, "flags");
    volume.ghosts = nullptr;
    this->expectWholeHistogram(samples, volume, { range[0], range[1], 20 }, "no flags");
  }
}

TEST_F(DeviceHistogramTest, CountsCellsAtTheBorder)
{
  const std::vector<Padding> paddings = { { { 1, 1, 1 }, { 1, 1, 1 }, false, 0.5f },
    { { 2, 2, 2 }, { 2, 2, 2 }, true, 0.5f }, { { 1, 1, 1 }, { 1, 1, 1 }, true, 0 },
    { { 0, 2, 0 }, { 2, 0, 0 }, true, 0.5f } };
  for (const SampleType type : { SampleType::UInt8, SampleType::Int16, SampleType::Float32, SampleType::UInt64 })
    for (const Padding& padding : paddings)
    {
      const Samples samples = sampleNoise({ 7, 8, 9 }, type, Seed);
      Volume volume = samples.volume();
      volume.padding = padding;
      const std::array<double, 2> range = rangeOf(type);
      const double width = range[1] - range[0];
      this->expectWholeHistogram(samples, volume, { range[0], range[1], 16 }, "padding");
      // Centres below all values cut the cells that touch the outside.
      this->expectWholeHistogram(samples, volume, { range[0] - width, range[1] + width, 12 }, "padding, wide");
    }
}

// Most bricks of this volume have samples of one bin.
TEST_F(DeviceHistogramTest, CountsUniformBricks)
{
  Samples samples = sample(sphere({ 40, 12, 12 }, 5), { 83, 21, 27 }, SampleType::Float32);
  for (std::uint64_t i = 0; i < samples.count(); ++i)
    samples.setValue(i, std::max(samples.value(i), -1.0));
  this->expectWholeHistogram(samples, samples.volume(), { -1, 5, 9 }, "uniform");
  this->expectWholeHistogram(samples, samples.volume(), { -5, 5, 9 }, "uniform");
  this->expectWholeHistogram(samples, samples.volume(), { 0, 5, 9 }, "uniform");
}

// Neighbouring doubles are further apart than the edges.
TEST_F(DeviceHistogramTest, CountsInBinsThatAreTooNarrowForTheDevice)
{
  Samples samples = sampleNoise({ 9, 9, 9 }, SampleType::Float64, Seed);
  for (std::uint64_t i = 0; i < samples.count(); ++i)
    samples.setValue(i, 1e16 + 100 * samples.value(i));
  this->expectWholeHistogram(samples, samples.volume(), { 1e16 - 100, 1e16 + 100, 1000 }, "narrow");
}

TEST_F(DeviceHistogramTest, CountsValuesFarFromZero)
{
  for (const SampleType type : { SampleType::Float32, SampleType::Float64, SampleType::Int32, SampleType::Int64 })
    for (const double offset : { 1e8, -1e9 })
    {
      const Samples samples = sample(gyroid(9), { 12, 11, 10 }, type, 300, offset);
      this->expectWholeHistogram(samples, samples.volume(), { offset - 500, offset + 500, 100 }, "far");
    }
}

TEST_F(DeviceHistogramTest, CountsDenormalAndHugeValues)
{
  for (const double scale : { 1e-42, 1e-38, 1e-30, 1e-20, 1e20, 1e38 })
  {
    const Samples samples = sample(gyroid(9), { 12, 11, 10 }, SampleType::Float32, scale);
    this->expectWholeHistogram(samples, samples.volume(), { -scale, scale, 50 }, std::to_string(scale));
  }
  for (const double scale : { 5e-320, 1e-300, 1e300 })
  {
    const Samples samples = sample(gyroid(9), { 12, 11, 10 }, SampleType::Float64, scale);
    this->expectWholeHistogram(samples, samples.volume(), { -scale, scale, 50 }, std::to_string(scale));
  }
}

TEST_F(DeviceHistogramTest, CountsInExtremeRanges)
{
  for (const SampleType type : AllSampleTypes)
  {
    const Samples samples = sampleExtremes(type);
    for (const auto& [lower, upper] : ExtremeRanges)
      for (const Bins bins : { binsOf(kindOf(type), lower, upper), equalBins(lower, upper, 1000) })
      {
        SCOPED_TRACE(testing::Message() << lower << " to " << upper);
        this->expectWholeHistogram(samples, samples.volume(), bins, std::to_string(bins.count) + " bins");
      }
  }
}

// The range of a brick of doubles has the high words of its samples only.
TEST_F(DeviceHistogramTest, CountsInfiniteSamplesAmongEqualOnes)
{
  for (const SampleType type : { SampleType::Float32, SampleType::Float64 })
    for (const double value : { -7.0, 0.5, 7.0 }) // below, in and above the bins
      for (const double infinity :
        { std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity() })
      {
        Samples samples = sample(noise(Seed), { 9, 9, 9 }, type, 0, value);
        samples.setValue(300, infinity);
        this->expectWholeHistogram(samples, samples.volume(), { 0, 1, 10 }, std::to_string(value));
      }
}

TEST_F(DeviceHistogramTest, OfTinyVolumesHasNoCells)
{
  for (const std::array<std::uint32_t, 3>& size :
    std::vector<std::array<std::uint32_t, 3>>{ { 1, 1, 1 }, { 5, 1, 1 }, { 1, 3, 4 }, { 2, 2, 2 } })
  {
    const Samples samples = sampleNoise(size, SampleType::Float32, Seed);
    this->expectWholeHistogram(samples, samples.volume(), { -1, 1, 8 }, "tiny");
  }
  const ValueCounts none = this->count(Volume(), { 0, 1, 3 });
  EXPECT_EQ(none.samples, (std::vector<std::uint64_t>{ 0, 0, 0 }));
}

// A binding holds few layers, so the volume has several slabs; with a memory limit, windows are uploaded for each.
TEST_F(DeviceHistogramTest, OfSlabsAreThoseOfTheWhole)
{
  const Samples samples = sampleNoise({ 16, 15, 90 }, SampleType::Float32, Seed);
  const Bins bins{ -1, 1, 64 };
  const ValueCounts expected = wholeHistogram(samples, samples.volume(), bins);
  const auto context = std::make_shared<Context>(optionsWith({ 24 << 10, 256, 65535 }));
  expectEqual(this->countOn(context, samples.volume(), bins), expected, "slabs");
  EXPECT_GT(this->LastReport.slabs, 2u);
  expectEqual(this->countOn(this->sharedContext(), samples.volume(), bins, 60 << 10), expected, "memory limit");
  EXPECT_GT(this->LastReport.slabs, 1u);
}

TEST_F(DeviceHistogramTest, WithoutMemoryFails)
{
  const Samples samples = sampleNoise({ 32, 32, 32 }, SampleType::Float32, Seed);
  const std::string message = expectError(Error::Kind::OutOfMemory,
    [&] {
      this->countOn(this->sharedContext(), samples.volume(), { -1, 1, 64 }, 1 << 10);
    });
  EXPECT_NE(message.find("1024"), std::string::npos) << message;
}

TEST_F(DeviceHistogramTest, SharesTheUploadedArrayWithAnExtraction)
{
  const auto cache = std::make_shared<VolumeCache>(this->sharedContext());
  VulkanSession session(this->sharedContext(), cache);
  const Samples samples = sampleNoise({ 20, 20, 20 }, SampleType::Float32, Seed);
  Volume volume = samples.volume();
  volume.identity = 4711;
  Request request;
  request.isovalues = { 0.1 };
  session.extract({ volume }, request, this->LastReport);
  EXPECT_TRUE(this->LastReport.stages[Stage::Upload]);
  session.findRanges({ volume }, {}, this->LastReport);
  EXPECT_FALSE(this->LastReport.stages[Stage::Upload]);
  session.count({ volume }, { -1, 1, 64 }, {}, this->LastReport);
  EXPECT_EQ(cache->uploads(), 1u);
  EXPECT_FALSE(this->LastReport.stages[Stage::Upload]);
  EXPECT_TRUE(this->LastReport.stages[Stage::CountValues]);
}

TEST_F(DeviceHistogramTest, RangeIsThatOfFiniteSamplesWithoutFlags)
{
  for (const SampleType type : AllSampleTypes)
  {
    Samples samples = sampleNoise({ 9, 17, 12 }, type, Seed);
    double smallest = samples.value(0), largest = smallest;
    for (std::uint64_t i = 0; i < samples.count(); ++i)
    {
      smallest = std::min(smallest, samples.value(i));
      largest = std::max(largest, samples.value(i));
    }
    const std::optional<SampleRange> range = this->range(samples.volume());
    ASSERT_TRUE(range) << nameOf(type);
    EXPECT_DOUBLE_EQ(range->smallest, smallest) << nameOf(type);
    EXPECT_DOUBLE_EQ(range->largest, largest) << nameOf(type);
  }
}

// Slabs as in OfSlabsAreThoseOfTheWhole.
TEST_F(DeviceHistogramTest, RangeOfSlabsIsThatOfTheWhole)
{
  DeviceOptions options = optionsWith({ 24 << 10, 256, 65535 });
  options.isDiscrete = true;
  const auto context = std::make_shared<Context>(options);
  VulkanSession session(context, std::make_shared<VolumeCache>(context));
  for (const std::uint64_t layer : { 0, 45, 89 })
  {
    Samples samples = sampleNoise({ 16, 15, 90 }, SampleType::Float32, Seed);
    samples.setValue(layer * 16 * 15 + 3, -7);
    samples.setValue(layer * 16 * 15 + 9, 8);
    const std::optional<SampleRange> range = session.findRanges({ samples.volume() }, {}, this->LastReport).front();
    ASSERT_TRUE(range);
    EXPECT_EQ(range->smallest, -7) << layer;
    EXPECT_EQ(range->largest, 8) << layer;
    EXPECT_GT(this->LastReport.slabs, 2u);
  }
}

TEST_F(DeviceHistogramTest, RangeOfNanAloneIsNone)
{
  Samples samples = sampleNoise({ 17, 9, 9 }, SampleType::Float32, Seed);
  scatter(samples, std::numeric_limits<double>::quiet_NaN(), 2, Seed);
  EXPECT_FALSE(this->range(samples.volume()));
}

TEST_F(DeviceHistogramTest, RangeOfAVolumeOnTheDeviceTakesNoStage)
{
  VulkanSession session(this->sharedContext(), std::make_shared<VolumeCache>(this->sharedContext()));
  const Samples samples = sampleNoise({ 17, 9, 12 }, SampleType::Float32, Seed);
  Volume volume = samples.volume();
  volume.identity = 4711;
  Report first, second;
  const std::optional<SampleRange> range = session.findRanges({ volume }, {}, first).front();
  EXPECT_TRUE(first.stages[Stage::BuildBrickRanges]);
  EXPECT_EQ(session.findRanges({ volume }, {}, second).front()->smallest, range->smallest);
  EXPECT_EQ(second.stages.sum(), 0);
}

TEST_F(DeviceHistogramTest, RangeLeavesOutInfiniteSamplesAndFlags)
{
  Samples samples = sampleNoise({ 9, 9, 9 }, SampleType::Float32, Seed);
  samples.setValue(0, 7);
  samples.setValue(100, std::numeric_limits<double>::infinity());
  samples.setValue(200, std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(this->range(samples.volume())->largest, 7);
  Volume volume = samples.volume();
  std::vector<std::uint8_t> flags(samples.count(), 0);
  flags[0] = Ghost::Blank;
  volume.ghosts = flags.data();
  EXPECT_LT(this->range(volume)->largest, 1);
  flags.assign(flags.size(), Ghost::NotOwned);
  EXPECT_FALSE(this->range(volume));
}

// The CPU finds the range of 64-bit samples and beside infinities; it counts in narrow bins. It uses as many threads as
// it may.
TEST_F(DeviceHistogramTest, ReportsTheDeviceOrTheCpuWithItsThreads)
{
  VulkanSession session(this->sharedContext(), std::make_shared<VolumeCache>(this->sharedContext()));
  const std::string device = this->sharedContext()->device().traits().name, cpu = cpuName(1);
  const CountLimits limits{ 0, 1 };
  const auto rangedBy = [&](const Samples& samples)
  {
    Report report;
    session.findRanges({ samples.volume() }, limits, report);
    EXPECT_EQ(report.stages[Stage::FindRange].has_value(), report.device == cpu);
    return report.device;
  };
  const auto countedBy = [&](const Samples& samples, const Bins& bins)
  {
    Report report;
    session.count({ samples.volume() }, bins, limits, report);
    return report.device;
  };
  Samples floats = sampleNoise({ 9, 9, 9 }, SampleType::Float32, Seed);
  const Samples doubles = sampleNoise({ 9, 9, 9 }, SampleType::Float64, Seed);
  EXPECT_EQ(rangedBy(floats), device);
  EXPECT_EQ(countedBy(floats, { -1, 1, 64 }), device);
  EXPECT_EQ(rangedBy(doubles), cpu);
  EXPECT_EQ(countedBy(doubles, { -1, 1, 64 }), device);
  EXPECT_EQ(countedBy(doubles, { 1e16, 1e16 + 200, 1000 }), cpu);
  floats.setValue(3, std::numeric_limits<double>::infinity());
  EXPECT_EQ(rangedBy(floats), cpu);
}

}
