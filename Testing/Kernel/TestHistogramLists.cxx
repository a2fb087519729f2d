// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Histograms of lists of volumes, on each engine.
#include "ExtractionTest.h"

#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace vmc::test
{

class HistogramLists : public EngineTest
{
protected:
  void SetUp() override
  {
    EngineTest::SetUp();
    if (!IsSkipped())
      this->OwnSession = this->newSession();
  }

  // Volumes of several sizes and types: one with a closed border, one with flags and NaN, and two without a dual cell,
  // of which the first has no sample.
  std::vector<Volume> volumes()
  {
    for (const SampleType type : { SampleType::UInt8, SampleType::Int16, SampleType::Float32, SampleType::Float64 })
      this->Fields.push_back(sampleNoise({ 12, 9, 7 + std::uint32_t(type) }, type, 3));
    this->Fields.push_back(sampleNoise({ 5, 1, 1 }, SampleType::Float32, 4));
    scatter(this->Fields[2], std::numeric_limits<double>::quiet_NaN(), 0.05, 5);
    this->Flags.assign(this->Fields[2].count(), 0);
    this->Flags[100] = Ghost::Blank;
    std::vector<Volume> volumes{ Volume() };
    for (const Samples& samples : this->Fields)
      volumes.push_back(samples.volume());
    volumes[2].padding = { { 2, 2, 2 }, { 2, 2, 2 }, true, 0.5f };
    volumes[3].ghosts = this->Flags.data();
    return volumes;
  }

  static void expectEqual(const ValueCounts& found, const ValueCounts& expected)
  {
    EXPECT_EQ(found.samples, expected.samples);
    EXPECT_EQ(found.cutCells, expected.cutCells);
    EXPECT_EQ(found.below, expected.below);
    EXPECT_EQ(found.above, expected.above);
    EXPECT_EQ(found.nan, expected.nan);
    EXPECT_EQ(found.ghosts, expected.ghosts);
  }

  std::unique_ptr<Session> OwnSession;
  std::vector<Samples> Fields;
  std::vector<std::uint8_t> Flags;
};

TEST_P(HistogramLists, AreTheHistogramsOfTheVolumes)
{
  const std::vector<Volume> volumes = this->volumes();
  const Bins bins{ -1, 200, 30 };
  const auto counts = this->OwnSession->count(volumes, bins, {}, this->LastReport);
  ASSERT_TRUE(counts);
  ASSERT_EQ(counts->size(), volumes.size());
  for (std::size_t i = 0; i < volumes.size(); ++i)
  {
    SCOPED_TRACE(i);
    expectEqual((*counts)[i], countOnHost(volumes[i], bins));
    expectEqual(this->OwnSession->count({ volumes[i] }, bins, {}, this->LastReport)->front(), (*counts)[i]);
  }
  EXPECT_EQ(counts->front().samples, std::vector<std::uint64_t>(30, 0));
  EXPECT_GT((*counts)[3].nan, 0u);
  EXPECT_EQ((*counts)[3].ghosts, 1u);
}

TEST_P(HistogramLists, HaveTheRangesOfTheVolumes)
{
  const std::vector<Volume> volumes = this->volumes();
  const auto ranges = this->OwnSession->findRanges(volumes, {}, this->LastReport);
  ASSERT_EQ(ranges.size(), volumes.size());
  EXPECT_FALSE(ranges[0]);
  for (std::size_t i = 1; i < volumes.size(); ++i)
  {
    SCOPED_TRACE(i);
    const std::optional<SampleRange> expected = rangeOnHost(volumes[i]);
    ASSERT_TRUE(expected && ranges[i]);
    EXPECT_EQ(ranges[i]->smallest, expected->smallest);
    EXPECT_EQ(ranges[i]->largest, expected->largest);
  }
}

TEST_P(HistogramLists, WithoutVolumesAreEmpty)
{
  EXPECT_TRUE(this->OwnSession->findRanges({}, {}, this->LastReport).empty());
  const auto counts = this->OwnSession->count({}, { 0, 1, 3 }, {}, this->LastReport);
  EXPECT_TRUE(counts && counts->empty());
}

TEST_P(HistogramLists, CanBeStopped)
{
  const std::vector<Volume> volumes = this->volumes();
  std::vector<double> fractions;
  const auto counts = this->OwnSession->count(volumes, { 0, 1, 3 }, {}, this->LastReport,
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
  this->OwnSession->count({ samples.volume(), samples.volume() }, { -1, 1, 8 }, {}, this->LastReport);
  EXPECT_EQ(this->LastReport.bricks, isOnDevice ? 6u : 0u);
  EXPECT_EQ(this->LastReport.slabs, isOnDevice ? 2u : 0u);
  EXPECT_EQ(this->LastReport.deviceBytes > samples.bytes.size(), isOnDevice);
}

VMC_ON_EACH_ENGINE(HistogramLists);

}
