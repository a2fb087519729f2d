// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Histograms and ranges on each engine, compared with brute force.
#include "Compute/Cpu/CountOnCpu.h"
#include "Compute/Engine/DeviceEngine.h"
#include "Compute/System/Threads.h"
#include "ExtractionTest.h"
#include "Reference/WholeHistogram.h"
#include "Support/Contains.h"
#include "Support/ExpectCounts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace vmc::test
{

namespace
{

constexpr std::uint64_t Seed = 20261122;
constexpr double Infinity = std::numeric_limits<double>::infinity();
constexpr double Nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::array<SampleType, 2> RealTypes = { SampleType::Float32, SampleType::Float64 };

std::vector<std::uint8_t> randomFlags(std::uint64_t count)
{
  constexpr std::uint8_t both = Ghost::Blank | Ghost::NotOwned;
  std::vector<std::uint8_t> flags(count, 0);
  const AnalyticVolume chance = noise(Seed);
  for (std::uint64_t i = 0; i < count; ++i)
  {
    const double random = chance.value({ double(i), 0, 0 });
    flags[i] = random < 0.05 ? Ghost::Blank : random < 0.1 ? Ghost::NotOwned : random < 0.12 ? both : 0;
  }
  return flags;
}

ValueCounts wholeHistogram(const Samples& samples, const Volume& volume, const Bins& bins)
{
  return reference::WholeHistogram(
    volume, [&samples](std::size_t i) { return samples.exactValue(i); }, bins)
    .counts();
}

}

class Histograms : public EngineTest
{
protected:
  ValueCounts count(const Volume& volume, const Bins& bins)
  {
    return this->session().count({ volume }, bins, {}, this->LastReport)->front();
  }

  std::optional<SampleRange> range(const Volume& volume)
  {
    return this->session().findRanges({ volume }, {}, this->LastReport).front();
  }

  // All types on the CPU, and one per size on a device, where each needs kernels of its own.
  static std::vector<SampleType> types()
  {
    if (GetParam() == EngineKind::Cpu)
      return { AllSampleTypes.begin(), AllSampleTypes.end() };
    return { SampleType::UInt8, SampleType::Int16, SampleType::Float32, SampleType::UInt64 };
  }

  // The bins that the filter makes of this range of samples.
  Bins automaticBins(const Volume& volume)
  {
    const auto found = this->range(volume);
    return binsOf(kindOf(volume.type), found->smallest, found->largest);
  }

  // Returns the counts.
  ValueCounts expectWholeHistogram(const Samples& samples, const Volume& volume, const Bins& bins)
  {
    SCOPED_TRACE(testing::Message() << nameOf(samples.type) << ", " << bins.count << " bins from " << bins.lower
                                    << " to " << bins.upper);
    ValueCounts counts = this->count(volume, bins);
    expectEqual(counts, wholeHistogram(samples, volume, bins));
    return counts;
  }

  ValueCounts expectWholeHistogram(const Samples& samples, const Bins& bins)
  {
    return this->expectWholeHistogram(samples, samples.volume(), bins);
  }
};

VMC_ON_EACH_ENGINE(Histograms);

TEST_P(Histograms, CountValuesOfEveryTypeInsideAndOutsideOfTheRange)
{
  using Counts = std::vector<std::uint32_t>;
  const Counts counts = GetParam() == EngineKind::Cpu ? Counts{ 1, 7, 1024 } : Counts{ 37 };
  for (const SampleType type : AllSampleTypes)
  {
    const Samples samples = sampleNoise({ 6, 9, 5 }, type, Seed);
    const auto [smallest, largest] = rangeOf(type);
    const double quarter = largest / 4 - smallest / 4;
    for (const auto& [lower, upper] : { std::array{ smallest, largest }, { smallest + quarter, largest - quarter },
           { smallest - quarter, smallest + quarter }, { 0.1, 0.7 }, { largest + quarter, largest + 2 * quarter },
           { -1e300, 1e300 }, { -1.7e308, 1.7e308 } })
      for (const std::uint32_t bins : counts)
        this->expectWholeHistogram(samples, equalBins(lower, upper, bins));
  }
}

// So many samples that the CPU looks small types up in a table, and rows of whole and of broken words.
TEST_P(Histograms, CountManySamples)
{
  for (const SampleType type : AllSampleTypes)
    for (const std::uint32_t width : { 67, 20 })
    {
      const Samples samples = sampleNoise({ width, 33, 31 }, type, Seed);
      const std::array<double, 2> range = rangeOf(type);
      this->expectWholeHistogram(samples, equalBins(range[0] / 3, range[1] / 2, 5));
    }
}

TEST_P(Histograms, LeaveOutNanAndFlags)
{
  for (const SampleType type : { SampleType::Float32, SampleType::Float64, SampleType::UInt8, SampleType::Int64 })
  {
    const bool isReal = type == SampleType::Float32 || type == SampleType::Float64;
    Samples samples = sampleNoise({ 19, 10, 12 }, type, Seed);
    if (isReal)
    {
      scatter(samples, Nan, 0.05, Seed + 1);
      scatter(samples, Infinity, 0.02, Seed + 2);
      scatter(samples, -Infinity, 0.02, Seed + 3);
    }
    const std::vector<std::uint8_t> flags = randomFlags(samples.count());
    Volume volume = samples.volume();
    const Bins bins = this->automaticBins(volume);
    const ValueCounts counts = this->expectWholeHistogram(samples, volume, { bins.lower, bins.upper, 20 });
    for (const std::uint64_t outside : { counts.nan, counts.below, counts.above })
      EXPECT_EQ(outside > 0, isReal);
    volume.ghosts = flags.data();
    this->expectWholeHistogram(samples, volume, { bins.lower, bins.upper, 20 });
  }
}

TEST_P(Histograms, CountCellsAtTheBorder)
{
  const std::vector<Padding> paddings = { {}, { { 1, 1, 1 }, { 1, 1, 1 }, false, 0.5f },
    { { 2, 2, 2 }, { 2, 2, 2 }, true, 0.5f }, { { 1, 1, 1 }, { 1, 1, 1 }, true, 0 },
    { { 0, 2, 0 }, { 2, 0, 0 }, true, 0.5f }, { { 1, 0, 2 }, { 0, 2, 0 }, true, 0 } };
  for (const SampleType type : types())
    for (const Padding& padding : paddings)
    {
      const Samples samples = sampleNoise({ 7, 8, 9 }, type, Seed);
      const std::vector<std::uint8_t> flags = randomFlags(samples.count());
      Volume volume = samples.volume();
      volume.padding = padding;
      const auto [smallest, largest] = rangeOf(type);
      for (const std::uint8_t* ghosts : { static_cast<const std::uint8_t*>(nullptr), flags.data() })
      {
        volume.ghosts = ghosts;
        const ValueCounts counts = this->expectWholeHistogram(samples, volume, { smallest, largest, 16 });
        EXPECT_GT(sumOf(counts.cutCells), 0u);
        EXPECT_EQ(sumOf(counts.samples) + counts.ghosts, samples.count());
      }
      // Centres below all values cut the cells that touch the outside.
      const double width = largest - smallest;
      this->expectWholeHistogram(samples, volume, { smallest - width, largest + width, 12 });
    }
}

// Most bricks of this volume have samples of one bin.
TEST_P(Histograms, CountUniformBricks)
{
  Samples samples = sample(sphere({ 40, 12, 12 }, 5), { 83, 21, 27 }, SampleType::Float32);
  for (std::uint64_t i = 0; i < samples.count(); ++i)
    samples.setValue(i, std::max(samples.value(i), -1.0));
  for (const double lower : { -1, -5, 0 })
    this->expectWholeHistogram(samples, { lower, 5, 9 });
}

TEST_P(Histograms, CountAConstantVolumeInOneBin)
{
  for (const SampleType type : types())
    for (const double value : { 0.0, 1.0, 77.0 })
    {
      Samples samples = sampleNoise({ 4, 4, 4 }, type, 1);
      for (std::uint64_t i = 0; i < samples.count(); ++i)
        samples.setValue(i, value);
      const auto found = this->range(samples.volume());
      ASSERT_TRUE(found);
      EXPECT_EQ(found->smallest, samples.value(0));
      EXPECT_EQ(found->largest, samples.value(0));
      const ValueCounts counts = this->count(samples.volume(), this->automaticBins(samples.volume()));
      EXPECT_EQ(std::count(counts.samples.begin(), counts.samples.end(), 64u), 1);
      EXPECT_EQ(sumOf(counts.samples), 64u);
      EXPECT_EQ(sumOf(counts.cutCells), 0u);
    }
}

// Neighbouring doubles are further apart than the edges.
TEST_P(Histograms, CountInBinsThatAreTooNarrowForTheDevice)
{
  Samples samples = sampleNoise({ 9, 9, 9 }, SampleType::Float64, Seed);
  for (std::uint64_t i = 0; i < samples.count(); ++i)
    samples.setValue(i, 1e16 + 100 * samples.value(i));
  this->expectWholeHistogram(samples, { 1e16 - 100, 1e16 + 100, 1000 });
}

// Samples at and next to every edge and every centre.
TEST_P(Histograms, CountSamplesAtEdgesAndCentresExactly)
{
  for (const SampleType type : types())
    for (const Bins bins : { Bins{ 0, 1, 10 }, Bins{ 0.1, 0.7, 13 }, Bins{ 3, 111, 27 }, Bins{ 1.0 / 3, 100, 9 } })
    {
      Samples samples = sampleNoise({ 6 * bins.count + 3, 2, 2 }, type, 5);
      std::uint64_t at = 0;
      for (std::uint32_t i = 0; i <= 2 * bins.count; ++i)
      {
        const double bound = i % 2 == 0 ? bins.edge(i / 2) : bins.centre(i / 2);
        const auto near = static_cast<float>(bound);
        const bool isFloat = type == SampleType::Float32;
        samples.setValue(at++, bound);
        samples.setValue(at++, isFloat ? std::nextafter(near, 1e9f) : std::nextafter(bound, 1e9));
        samples.setValue(at++, isFloat ? std::nextafter(near, -1e9f) : std::nextafter(bound, -1e9));
      }
      this->expectWholeHistogram(samples, bins);
    }
}

TEST_P(Histograms, CountValuesFarFromZero)
{
  for (const SampleType type : { SampleType::Float32, SampleType::Float64, SampleType::Int32, SampleType::Int64 })
    for (const double offset : { 1e8, -1e9 })
      this->expectWholeHistogram(
        sample(gyroid(9), { 12, 11, 10 }, type, 300, offset), { offset - 500, offset + 500, 100 });
}

TEST_P(Histograms, CountDenormalAndHugeValues)
{
  for (const double scale : { 1e-42, 1e-38, 1e-30, 1e-20, 1e20, 1e38 })
    this->expectWholeHistogram(sample(gyroid(9), { 12, 11, 10 }, SampleType::Float32, scale), { -scale, scale, 50 });
  for (const double scale : { 5e-320, 1e-300, 1e300 })
    this->expectWholeHistogram(sample(gyroid(9), { 12, 11, 10 }, SampleType::Float64, scale), { -scale, scale, 50 });
}

TEST_P(Histograms, CountInExtremeRanges)
{
  for (const SampleType type : AllSampleTypes)
  {
    const Samples samples = sampleExtremes(type);
    for (const auto& [lower, upper] : ExtremeRanges)
      for (const Bins bins : { binsOf(kindOf(type), lower, upper), equalBins(lower, upper, 1000) })
        this->expectWholeHistogram(samples, bins);
  }
}

// The range of a brick of doubles has the high words of its samples only.
TEST_P(Histograms, CountInfiniteSamplesAmongEqualOnes)
{
  for (const SampleType type : RealTypes)
    for (const double value : { -7.0, 0.5, 7.0 }) // below, in and above the bins
      for (const double infinity : { Infinity, -Infinity })
      {
        Samples samples = sample(noise(Seed), { 9, 9, 9 }, type, 0, value);
        samples.setValue(300, infinity);
        this->expectWholeHistogram(samples, { 0, 1, 10 });
      }
}

TEST_P(Histograms, OfOneLayerHaveNoCellsUnlessClosed)
{
  for (const SampleType type : types())
    for (const auto& size : std::vector<std::array<std::uint32_t, 3>>{
           { 1, 1, 1 }, { 5, 1, 1 }, { 1, 5, 1 }, { 1, 1, 5 }, { 5, 4, 1 }, { 1, 5, 4 }, { 4, 1, 5 } })
    {
      const Samples samples = sampleNoise(size, type, 2);
      Volume volume = samples.volume();
      const Bins bins = this->automaticBins(volume);
      EXPECT_EQ(sumOf(this->expectWholeHistogram(samples, volume, bins).cutCells), 0u);
      volume.padding = { { 2, 2, 2 }, { 2, 2, 2 }, true, 0.5f };
      // The bin of a single integer has its centre above it.
      EXPECT_EQ(
        sumOf(this->expectWholeHistogram(samples, volume, bins).cutCells) > 0, samples.count() > 1 || bins.count > 1);
    }
  EXPECT_EQ(this->count(Volume(), { 0, 1, 3 }).samples, (std::vector<std::uint64_t>{ 0, 0, 0 }));
}

TEST_P(Histograms, HaveTheRangeOfFiniteSamplesWithoutFlags)
{
  for (const SampleType type : AllSampleTypes)
  {
    SCOPED_TRACE(nameOf(type));
    Samples samples = sampleNoise({ 9, 17, 12 }, type, Seed);
    std::vector<double> values;
    for (std::uint64_t i = 0; i < samples.count(); ++i)
      values.push_back(samples.value(i));
    const auto [smallest, largest] = std::minmax_element(values.begin(), values.end());
    const std::optional<SampleRange> found = this->range(samples.volume());
    ASSERT_TRUE(found);
    EXPECT_DOUBLE_EQ(found->smallest, *smallest);
    EXPECT_DOUBLE_EQ(found->largest, *largest);
  }
  for (const SampleType type : RealTypes)
  {
    Samples samples = sampleNoise({ 9, 9, 9 }, type, Seed);
    samples.setValue(0, 7);
    samples.setValue(100, Infinity);
    samples.setValue(200, Nan);
    samples.setValue(300, -Infinity);
    Volume volume = samples.volume();
    EXPECT_EQ(this->range(volume)->largest, 7);
    EXPECT_GE(this->range(volume)->smallest, -1);
    std::vector<std::uint8_t> flags(samples.count(), 0);
    volume.ghosts = flags.data();
    for (const std::uint8_t flag : { Ghost::Blank, Ghost::NotOwned })
    {
      flags[0] = flag;
      EXPECT_LT(this->range(volume)->largest, 1);
    }
  }
}

TEST_P(Histograms, HaveNoRangeWithoutFiniteSamples)
{
  Samples samples = sampleNoise({ 17, 9, 9 }, SampleType::Float32, Seed);
  scatter(samples, Nan, 2, Seed);
  EXPECT_FALSE(this->range(samples.volume()));
  samples.setValue(4, -Infinity);
  EXPECT_FALSE(this->range(samples.volume()));
  samples.setValue(5, 2);
  Volume volume = samples.volume();
  EXPECT_TRUE(this->range(volume));
  for (const std::uint8_t flag : { Ghost::Blank, Ghost::NotOwned })
  {
    const std::vector<std::uint8_t> flags(samples.count(), flag);
    volume.ghosts = flags.data();
    EXPECT_FALSE(this->range(volume));
  }
  volume.size = { 0, 3, 3 };
  EXPECT_FALSE(this->range(volume));
}

TEST_P(Histograms, RoundTheRangeOfWideIntegersOutwards)
{
  const std::int64_t odd = (std::int64_t(1) << 60) + 1; // between two doubles
  const std::int64_t values[2] = { odd, odd + 2 };
  Volume volume;
  volume.samples = values;
  volume.type = SampleType::Int64;
  volume.size = { 2, 1, 1 };
  EXPECT_EQ(this->range(volume)->smallest, 0x1p60);
  EXPECT_EQ(this->range(volume)->largest, 0x1p60 + 256);
  const std::uint64_t ends[2] = { 0, std::numeric_limits<std::uint64_t>::max() };
  volume.samples = ends;
  volume.type = SampleType::UInt64;
  EXPECT_EQ(this->range(volume)->smallest, 0);
  EXPECT_EQ(this->range(volume)->largest, 0x1p64);
}

TEST_P(Histograms, NeedNoAlignmentOfTheSamples)
{
  for (const SampleType type : AllSampleTypes)
  {
    const Samples samples = sampleNoise({ 5, 4, 3 }, type, 8);
    std::vector<std::byte> shifted(samples.bytes.size() + 1);
    std::copy(samples.bytes.begin(), samples.bytes.end(), shifted.begin() + 1);
    Volume volume = samples.volume();
    volume.samples = shifted.data() + 1;
    EXPECT_EQ(this->range(volume)->largest, this->range(samples.volume())->largest);
    this->expectWholeHistogram(samples, volume, this->automaticBins(samples.volume()));
  }
}

// 5 MiB or more: several threads, along z and along y.
TEST(CpuHistogram, IsTheSameOfEachNumberOfThreads)
{
  for (const SampleType type : AllSampleTypes)
  {
    const std::uint32_t longest = 5 * (1 << 20) / (130 * 40 * std::uint32_t(bytesOf(type))) + 1;
    for (const std::array<std::uint32_t, 3> size : { std::array{ 130u, 40u, longest }, { 130u, longest, 40u } })
    {
      const Samples samples = sampleNoise(size, type, 6);
      Volume volume = samples.volume();
      const std::vector<std::uint8_t> flags = randomFlags(samples.count());
      volume.ghosts = flags.data();
      Report report;
      const SampleRange range = *findRangeOnCpu(volume, { 0, 1 }, report);
      const Bins bins = binsOf(kindOf(type), range.smallest, range.largest);
      const ValueCounts expected = countOnCpu(volume, bins, { 0, 1 }, report);
      for (const unsigned threads : { 2u, 3u, 5u })
      {
        const SampleRange found = *findRangeOnCpu(volume, { 0, threads }, report);
        EXPECT_EQ(found.smallest, range.smallest);
        EXPECT_EQ(found.largest, range.largest);
        expectEqual(countOnCpu(volume, bins, { 0, threads }, report), expected);
      }
    }
  }
}

// Volumes of several sizes and types: one with a closed border, one with flags and NaN, and two without a dual cell, of
// which the first has no sample.
class HistogramLists : public Histograms
{
protected:
  std::vector<Volume> volumes()
  {
    for (const SampleType type : { SampleType::UInt8, SampleType::Int16, SampleType::Float32, SampleType::Float64 })
      this->Fields.push_back(sampleNoise({ 12, 9, 7 + std::uint32_t(type) }, type, 3));
    this->Fields.push_back(sampleNoise({ 5, 1, 1 }, SampleType::Float32, 4));
    scatter(this->Fields[2], Nan, 0.05, 5);
    this->Flags.assign(this->Fields[2].count(), 0);
    this->Flags[100] = Ghost::Blank;
    std::vector<Volume> volumes{ Volume() };
    for (const Samples& samples : this->Fields)
      volumes.push_back(samples.volume());
    volumes[2].padding = { { 2, 2, 2 }, { 2, 2, 2 }, true, 0.5f };
    volumes[3].ghosts = this->Flags.data();
    return volumes;
  }

  std::vector<Samples> Fields;
  std::vector<std::uint8_t> Flags;
};

VMC_ON_EACH_ENGINE(HistogramLists);

TEST_P(HistogramLists, AreTheHistogramsOfTheVolumes)
{
  const std::vector<Volume> volumes = this->volumes();
  const Bins bins{ -1, 200, 30 };
  const auto counts = this->session().count(volumes, bins, {}, this->LastReport);
  ASSERT_TRUE(counts);
  ASSERT_EQ(counts->size(), volumes.size());
  const auto ranges = this->session().findRanges(volumes, {}, this->LastReport);
  ASSERT_EQ(ranges.size(), volumes.size());
  EXPECT_EQ(counts->front().samples, std::vector<std::uint64_t>(30, 0));
  EXPECT_FALSE(ranges[0]);
  for (std::size_t i = 1; i < volumes.size(); ++i)
  {
    SCOPED_TRACE(i);
    expectEqual((*counts)[i], wholeHistogram(this->Fields[i - 1], volumes[i], bins));
    const std::optional<SampleRange> alone = this->range(volumes[i]);
    ASSERT_TRUE(alone && ranges[i]);
    EXPECT_EQ(ranges[i]->smallest, alone->smallest);
    EXPECT_EQ(ranges[i]->largest, alone->largest);
  }
  EXPECT_GT((*counts)[3].nan, 0u);
  EXPECT_EQ((*counts)[3].ghosts, 1u);
}

TEST_P(HistogramLists, WithoutVolumesAreEmpty)
{
  EXPECT_TRUE(this->session().findRanges(std::vector<Volume>(), {}, this->LastReport).empty());
  const auto counts = this->session().count(std::vector<Volume>(), { 0, 1, 3 }, {}, this->LastReport);
  EXPECT_TRUE(counts && counts->empty());
}

TEST_P(HistogramLists, CanBeStopped)
{
  const std::vector<Volume> volumes = this->volumes();
  std::vector<double> fractions;
  const auto counts = this->session().count(volumes, { 0, 1, 3 }, {}, this->LastReport,
    [&](double done)
    {
      fractions.push_back(done);
      return fractions.size() < 3;
    });
  EXPECT_FALSE(counts);
  EXPECT_EQ(fractions, (std::vector<double>{ 0, 1. / 6, 2. / 6 }));
}

// The report has the sums over the list. The CPU makes no bricks for a histogram.
TEST_P(HistogramLists, ReportAllVolumes)
{
  const bool isOnDevice = GetParam() == EngineKind::Vulkan;
  const Samples samples = sampleNoise({ 17, 8, 8 }, SampleType::Float32, 1); // three bricks
  this->session().count({ samples.volume(), samples.volume() }, { -1, 1, 8 }, {}, this->LastReport);
  EXPECT_EQ(this->LastReport.bricks, isOnDevice ? 6u : 0u);
  EXPECT_EQ(this->LastReport.slabs, isOnDevice ? 2u : 0u);
  EXPECT_EQ(this->LastReport.deviceBytes > samples.bytes.size(), isOnDevice);
}

// Histograms of slabs, of limited memory and of a shared upload, which only a device has.
class DeviceHistograms : public GpuTest
{
protected:
  std::unique_ptr<VulkanSession> sessionOn(const std::shared_ptr<Context>& context)
  {
    return std::make_unique<VulkanSession>(context, std::make_shared<VolumeCache>(context));
  }

  Report LastReport;
};

// A binding holds few layers, so the volume has several slabs; with a memory limit, windows are uploaded for each.
TEST_F(DeviceHistograms, OfSlabsAreThoseOfTheWhole)
{
  const Samples samples = sampleNoise({ 16, 15, 90 }, SampleType::Float32, Seed);
  const Bins bins{ -1, 1, 64 };
  const ValueCounts expected = wholeHistogram(samples, samples.volume(), bins);
  const auto inSlabs = this->sessionOn(std::make_shared<Context>(optionsWith({ 24 << 10, 256, 65535 })));
  expectEqual(inSlabs->count({ samples.volume() }, bins, {}, this->LastReport)->front(), expected);
  EXPECT_GT(this->LastReport.slabs, 2u);
  const auto whole = this->sessionOn(this->sharedContext());
  expectEqual(whole->count({ samples.volume() }, bins, { 60 << 10 }, this->LastReport)->front(), expected);
  EXPECT_GT(this->LastReport.slabs, 1u);
}

TEST_F(DeviceHistograms, HaveTheRangeOfAllSlabs)
{
  DeviceOptions options = optionsWith({ 24 << 10, 256, 65535 });
  options.isDiscrete = true;
  const auto session = this->sessionOn(std::make_shared<Context>(options));
  for (const std::uint64_t layer : { 0, 45, 89 })
  {
    Samples samples = sampleNoise({ 16, 15, 90 }, SampleType::Float32, Seed);
    samples.setValue(layer * 16 * 15 + 3, -7);
    samples.setValue(layer * 16 * 15 + 9, 8);
    const std::optional<SampleRange> range = session->findRanges({ samples.volume() }, {}, this->LastReport).front();
    ASSERT_TRUE(range);
    EXPECT_EQ(range->smallest, -7) << layer;
    EXPECT_EQ(range->largest, 8) << layer;
    EXPECT_GT(this->LastReport.slabs, 2u);
  }
}

TEST_F(DeviceHistograms, WithoutMemoryFail)
{
  const Samples samples = sampleNoise({ 32, 32, 32 }, SampleType::Float32, Seed);
  const auto session = this->sessionOn(this->sharedContext());
  const std::string message = expectError(Error::Kind::OutOfMemory,
    [&] {
      session->count({ samples.volume() }, { -1, 1, 64 }, { 1 << 10 }, this->LastReport);
    });
  EXPECT_CONTAINS(message, "1024");
}

TEST_F(DeviceHistograms, ShareTheUploadedArrayWithAnExtraction)
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
  const SampleRange range = *session.findRanges({ volume }, {}, this->LastReport).front();
  EXPECT_EQ(this->LastReport.stages.sum(), 0); // the extraction has built the ranges of the bricks
  EXPECT_LT(range.smallest, range.largest);
  session.count({ volume }, { -1, 1, 64 }, {}, this->LastReport);
  EXPECT_EQ(cache->uploads(), 1u);
  EXPECT_FALSE(this->LastReport.stages[Stage::Upload]);
  EXPECT_TRUE(this->LastReport.stages[Stage::CountValues]);
}

// The CPU finds the range of 64-bit samples and beside infinities; it counts in narrow bins. It uses as many threads as
// it may.
TEST_F(DeviceHistograms, ReportTheDeviceOrTheCpuWithItsThreads)
{
  const auto session = this->sessionOn(this->sharedContext());
  const std::string device = this->sharedContext()->device().traits().name, cpu = cpuName(1);
  const CountLimits limits{ 0, 1 };
  const auto rangedBy = [&](const Samples& samples)
  {
    Report report;
    session->findRanges({ samples.volume() }, limits, report);
    EXPECT_EQ(report.stages[Stage::FindRange].has_value(), report.device == cpu);
    return report.device;
  };
  const auto countedBy = [&](const Samples& samples, const Bins& bins)
  {
    Report report;
    session->count({ samples.volume() }, bins, limits, report);
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
