// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Histogram/Bins.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace
{

using vmc::Bins;
using vmc::binsOf;
using vmc::equalBins;
using vmc::ValueKind;

constexpr double LargestDouble = std::numeric_limits<double>::max();
constexpr double Denormal = std::numeric_limits<double>::denorm_min();

void expectBins(const Bins& bins, double lower, double upper, std::uint32_t count)
{
  EXPECT_EQ(bins.lower, lower);
  EXPECT_EQ(bins.upper, upper);
  EXPECT_EQ(bins.count, count);
}

// Each edge is above the one before, and each centre lies between its edges.
void expectAscending(const Bins& bins)
{
  ASSERT_GE(bins.count, 1u);
  ASSERT_LE(bins.count, Bins::Largest);
  for (std::uint32_t bin = 0; bin < bins.count; ++bin)
  {
    ASSERT_LT(bins.edge(bin), bins.edge(bin + 1)) << "bin " << bin << " of " << bins.count;
    ASSERT_LE(bins.edge(bin), bins.centre(bin));
    ASSERT_LE(bins.centre(bin), bins.edge(bin + 1));
  }
  EXPECT_EQ(bins.edge(0), bins.lower);
  EXPECT_EQ(bins.edge(bins.count), bins.upper);
}

}

TEST(HistogramBins, SmallIntegersHaveABinEach)
{
  expectBins(binsOf(ValueKind::SmallInteger, 0, 255), 0, 256, 256);
  expectBins(binsOf(ValueKind::SmallInteger, -128, 127), -128, 128, 256);
  expectBins(binsOf(ValueKind::SmallInteger, 10, 20), 10, 21, 11);
  expectBins(binsOf(ValueKind::SmallInteger, 7, 7), 7, 8, 1);
}

TEST(HistogramBins, AllBinsOfIntegersHaveTheSameNumberOfIntegers)
{
  expectBins(binsOf(ValueKind::Integer, 0, 1023), 0, 1024, 1024);
  expectBins(binsOf(ValueKind::Integer, 0, 1024), 0, 1026, 513); // 1025 integers: 2 per bin
  expectBins(binsOf(ValueKind::Integer, -1000, 3000), -1000, 3004, 1001);
  expectBins(binsOf(ValueKind::Integer, 0, 65535), 0, 65536, 1024);
  for (double largest = 0; largest < 5000; largest += 37)
  {
    const Bins bins = binsOf(ValueKind::Integer, -5, largest);
    const double width = bins.edge(1) - bins.edge(0);
    EXPECT_EQ(width, std::floor(width));
    EXPECT_EQ(bins.upper - bins.lower, width * bins.count);
    EXPECT_GT(bins.upper, largest);
    EXPECT_LE(bins.edge(bins.count - 1), largest); // no bin is above the range
    EXPECT_TRUE(width == 1 || (largest + 6) / (width - 1) > Bins::Largest) << "smaller bins are too many";
  }
}

TEST(HistogramBins, CustomRangesOfIntegersContainTheIntegersInTheRange)
{
  expectBins(binsOf(ValueKind::SmallInteger, 9.5, 20.5), 10, 21, 11);
  expectBins(binsOf(ValueKind::Integer, -0.5, 2), 0, 3, 3);
}

TEST(HistogramBins, CustomRangesWithoutIntegersHaveBinsInTheRange)
{
  expectBins(binsOf(ValueKind::SmallInteger, 0.2, 0.8), 0.2, 0.8, 256);
  expectBins(binsOf(ValueKind::Integer, -0.8, -0.2), -0.8, -0.2, 1024);
  expectBins(binsOf(ValueKind::Integer, 0.8, 1), 1, 2, 1);
}

TEST(HistogramBins, WideIntegersHaveBinsThatDoubleDistinguishes)
{
  expectBins(binsOf(ValueKind::Integer, 0, 0x1p64), 0, 0x1p64, 1024);
  expectBins(binsOf(ValueKind::Integer, -0x1p63, 0x1p63), -0x1p63, 0x1p63, 1024);
  for (const auto& [smallest, largest] : { std::pair<double, double>{ 0x1p60, 0x1p60 + 256 },
         { -0x1p60, -0x1p60 + 1024 }, { 3, 0x1p62 }, { 0x1p53, 0x1p53 } })
  {
    const Bins bins = binsOf(ValueKind::Integer, smallest, largest);
    expectAscending(bins);
    EXPECT_LE(bins.lower, smallest);
    EXPECT_GE(bins.upper, largest);
  }
}

TEST(HistogramBins, RealsHaveTheLargestNumberOfBinsFromSmallestToLargest)
{
  expectBins(binsOf(ValueKind::Real, -1.5, 2), -1.5, 2, 1024);
  expectBins(binsOf(ValueKind::Real, 0, 1e-300), 0, 1e-300, 1024);
}

TEST(HistogramBins, ConstantRealsHaveARangeAroundThem)
{
  expectBins(binsOf(ValueKind::Real, 3, 3), 2.5, 3.5, 1024);
  expectBins(binsOf(ValueKind::Real, 0, 0), -0.5, 0.5, 1024);
  for (const double value : { 1e15, 1e16, -1e20, 1e300, LargestDouble, -LargestDouble })
  {
    const Bins bins = binsOf(ValueKind::Real, value, value);
    expectAscending(bins);
    EXPECT_LE(bins.lower, value);
    EXPECT_GE(bins.upper, value);
    EXPECT_TRUE(std::isfinite(bins.lower) && std::isfinite(bins.upper));
  }
}

TEST(HistogramBins, EdgesAreDistinctInEveryRange)
{
  for (const auto& [smallest, largest] : { std::pair<double, double>{ 1, std::nextafter(1.0, 2.0) },
         { 1e16, 1e16 + 50 }, { -LargestDouble, LargestDouble }, { 0, LargestDouble }, { 0, 1e-320 },
         { -1e-323, 1e-323 }, { 1, 1 + 1e-13 }, { 0, 3000 * Denormal }, { -2999 * Denormal, 51 * Denormal },
         { 0x1p-1022, 0x1p-1022 + 5555 * Denormal }, { std::nextafter(LargestDouble, 0), LargestDouble } })
    for (const std::uint32_t count : { 1u, 2u, 1000u, 1024u })
    {
      SCOPED_TRACE(testing::Message() << smallest << " to " << largest << ", " << count << " bins");
      const Bins bins = equalBins(smallest, largest, count);
      expectAscending(bins);
      EXPECT_EQ(bins.lower, smallest);
      EXPECT_EQ(bins.upper, largest);
    }
}

// An edge is a rounded share of the range, also where the width of a bin has few digits.
TEST(HistogramBins, BinsOfDenormalNumbersAreEquallyWideUpToRounding)
{
  const Bins bins = equalBins(0, 3000 * Denormal, 1024);
  ASSERT_EQ(bins.count, 1024u);
  for (std::uint32_t i = 0; i <= bins.count; ++i)
    EXPECT_NEAR(bins.edge(i) / Denormal, 3000.0 * i / bins.count, 0.5) << i;
}

// The number of integers in these ranges, or the last edge, is above the largest double.
TEST(HistogramBins, IntegersHaveBinsInEveryRange)
{
  for (const ValueKind kind : { ValueKind::SmallInteger, ValueKind::Integer })
    for (const auto& [smallest, largest] :
      { std::pair<double, double>{ -LargestDouble, LargestDouble }, { -1e308, 1e308 }, { -1.5, LargestDouble },
        { 1e300, LargestDouble }, { LargestDouble, LargestDouble }, { -LargestDouble, -LargestDouble },
        { std::nextafter(LargestDouble, 0), LargestDouble }, { -Denormal, Denormal } })
    {
      SCOPED_TRACE(testing::Message() << smallest << " to " << largest);
      const Bins bins = binsOf(kind, smallest, largest);
      expectAscending(bins);
      EXPECT_TRUE(std::isfinite(bins.lower) && std::isfinite(bins.upper));
      EXPECT_LE(bins.lower, std::ceil(smallest));
      EXPECT_GE(bins.upper, largest);
    }
  expectBins(binsOf(ValueKind::Integer, -1e308, 1e308), -1e308, 1e308, 1024);
}

TEST(HistogramBins, EqualBinsAreAsManyAsRequested)
{
  expectBins(equalBins(0, 255, 10), 0, 255, 10);
  expectBins(equalBins(5, 5, 3), 4.5, 5.5, 3);
  EXPECT_EQ(equalBins(0, 255, 10).edge(1), 25.5);
  EXPECT_EQ(equalBins(0, 255, 10).centre(9), 242.25);
}

TEST(HistogramBins, TheKindFollowsTheType)
{
  using Type = vmc::SampleType;
  for (const Type type : { Type::Int8, Type::UInt8 })
    EXPECT_EQ(vmc::kindOf(type), ValueKind::SmallInteger);
  for (const Type type : { Type::Int16, Type::UInt16, Type::Int32, Type::UInt32, Type::Int64, Type::UInt64 })
    EXPECT_EQ(vmc::kindOf(type), ValueKind::Integer);
  for (const Type type : { Type::Float32, Type::Float64 })
    EXPECT_EQ(vmc::kindOf(type), ValueKind::Real);
}
