// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Contour/Isovalue.h"

#include "Reference/PackedValues.h"
#include "Support/AnalyticVolumes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace
{

using vmc::SampleType;
using vmc::reference::keyOf;

constexpr double Infinity = std::numeric_limits<double>::infinity();
constexpr double Nan = std::numeric_limits<double>::quiet_NaN();

std::vector<SampleType> integerTypes()
{
  return { SampleType::Int8, SampleType::UInt8, SampleType::Int16, SampleType::UInt16, SampleType::Int32,
    SampleType::UInt32, SampleType::Int64, SampleType::UInt64 };
}

std::uint64_t keyOf(const vmc::Threshold& threshold, SampleType type)
{
  return vmc::bytesOf(type) == 8 ? std::uint64_t(threshold.key) << 32 | threshold.lowKey : threshold.key;
}

// A sample is not below the threshold exactly if it is not below the isovalue in double.
void expectSides(double isovalue, SampleType type, const std::vector<double>& samples)
{
  const auto threshold = vmc::thresholdOf(isovalue, type);
  ASSERT_TRUE(threshold) << vmc::test::nameOf(type) << ", isovalue " << isovalue;
  for (const double value : samples)
    EXPECT_EQ(keyOf(value, type) >= keyOf(*threshold, type), value >= isovalue)
      << vmc::test::nameOf(type) << ", isovalue " << isovalue << ", sample " << value;
}

}

TEST(Isovalue, IntegerSamplesAreComparedAsInDouble)
{
  for (const SampleType type : integerTypes())
  {
    if (vmc::bytesOf(type) == 8)
      continue; // see the next test
    const auto [smallest, largest] = vmc::test::rangeOf(type);
    const double middle = std::floor((smallest + largest) / 2);
    for (const double isovalue :
      { smallest + 1e-6, smallest + 0.5, smallest + 1, middle - 0.25, middle, middle + 1e-6, largest - 0.5, largest })
      expectSides(isovalue, type, { smallest, smallest + 1, middle - 1, middle, middle + 1, largest - 1, largest });
  }
}

// Near the ends of the range of the type, adjacent doubles differ by 1024 or more.
TEST(Isovalue, WideIntegerSamplesAreComparedAsInDouble)
{
  for (const SampleType type : { SampleType::Int64, SampleType::UInt64 })
  {
    const auto [smallest, beyond] = vmc::test::rangeOf(type);
    const double largest = std::nextafter(beyond, 0.0), second = std::nextafter(largest, 0.0);
    const double next = smallest < 0 ? std::nextafter(smallest, 0.0) : 1;
    for (const double isovalue : { next, 1.0, 1.5, 0x1p32, 0x1p32 + 0.5, 0x1p53 + 2, second, largest })
      expectSides(isovalue, type,
        { smallest, next, 0, 1, 2, 0x1p32 - 1, 0x1p32, 0x1p32 + 1, 0x1p53, 0x1p53 + 2, second, largest });
  }
}

TEST(Isovalue, IsovaluesThatSeparateNoIntegersHaveNoThreshold)
{
  for (const SampleType type : integerTypes())
  {
    const auto [smallest, largest] = vmc::test::rangeOf(type);
    for (const double isovalue : { smallest, smallest - 0.5, -Infinity, largest + 1e-6, largest + 1, Infinity, Nan })
      EXPECT_FALSE(vmc::thresholdOf(isovalue, type)) << vmc::test::nameOf(type) << ", isovalue " << isovalue;
  }
}

// The padding of a closed volume is below every sample.
TEST(Isovalue, ClosedVolumesHaveAThresholdBelowAllSamples)
{
  for (const SampleType type : integerTypes())
  {
    const double smallest = vmc::test::rangeOf(type)[0];
    for (const double isovalue : { smallest, smallest - 0.5, -Infinity })
    {
      const auto threshold = vmc::thresholdOf(isovalue, type, true);
      ASSERT_TRUE(threshold) << vmc::test::nameOf(type) << ", isovalue " << isovalue;
      EXPECT_EQ(keyOf(*threshold, type), 0u);
    }
    EXPECT_FALSE(vmc::thresholdOf(Infinity, type, true));
    EXPECT_FALSE(vmc::thresholdOf(Nan, type, true));
  }
  for (const SampleType type : { SampleType::Float32, SampleType::Float64 })
  {
    EXPECT_EQ(keyOf(*vmc::thresholdOf(-Infinity, type, true), type), keyOf(-Infinity, type));
    EXPECT_FALSE(vmc::thresholdOf(Nan, type, true));
  }
}

TEST(Isovalue, DoubleSamplesAreComparedAsInDouble)
{
  const double tiny = std::numeric_limits<double>::denorm_min();
  for (const double isovalue : { 0.0, -0.0, tiny, 1.0, std::nextafter(1.0, 2.0), -1.0, -1e300, 1e300 })
    expectSides(isovalue, SampleType::Float64,
      { 0.0, -0.0, tiny, -tiny, 1, std::nextafter(1.0, 2.0), std::nextafter(1.0, 0.0), -1, 1e300, -1e300, Infinity,
        -Infinity });
}

TEST(Isovalue, IntegerThresholdKeepsTheFraction)
{
  for (const double isovalue : { 2.0, 2.25, 2.999, 99.5 })
  {
    const auto threshold = vmc::thresholdOf(isovalue, SampleType::Int16);
    ASSERT_TRUE(threshold);
    EXPECT_EQ(threshold->high, 0.0f);
    EXPECT_EQ(threshold->low, static_cast<float>(std::ceil(isovalue) - isovalue));
  }
}

TEST(Isovalue, ThresholdOfANegativeFractionIsTheIntegerAbove)
{
  expectSides(-1.5, SampleType::Int8, { -3, -2, -1, 0 });
  EXPECT_EQ(vmc::thresholdOf(-1.5, SampleType::Int8)->low, 0.5f);
  EXPECT_EQ(vmc::thresholdOf(-1.5, SampleType::Int8)->key, keyOf(-1, SampleType::Int8));
}

TEST(Isovalue, FloatSamplesAreComparedAsInDouble)
{
  const float one = 1;
  const double above = std::nextafter(1.0, 2.0); // between the float 1 and the next one
  const double below = std::nextafter(1.0, 0.0);
  const std::vector<double> aroundOne = { std::nextafter(one, 0.0f), 1, std::nextafter(one, 2.0f), -1, 0, Infinity,
    -Infinity };
  for (const double isovalue : { 1.0, above, below })
    expectSides(isovalue, SampleType::Float32, aroundOne);
  const std::vector<double> aroundMinusOne = { std::nextafter(-one, 0.0f), -1, std::nextafter(-one, -2.0f), 1 };
  for (const double isovalue : { -1.0, -above, -below })
    expectSides(isovalue, SampleType::Float32, aroundMinusOne);
}

TEST(Isovalue, BothZerosAreInsideAtIsovalueZero)
{
  const double tiny = std::numeric_limits<float>::denorm_min();
  for (const double isovalue : { 0.0, -0.0 })
    expectSides(isovalue, SampleType::Float32, { 0.0, -0.0, tiny, -tiny });
  expectSides(1e-300, SampleType::Float32, { 0.0, -0.0, tiny, -tiny });
  expectSides(-1e-300, SampleType::Float32, { 0.0, -0.0, tiny, -tiny });
}

TEST(Isovalue, DenormalFloatSamplesAreComparedAsInDouble)
{
  const double tiny = std::numeric_limits<float>::denorm_min();
  for (const double isovalue : { tiny, 1.5 * tiny, 4 * tiny, 1e-40, -tiny, -1.5 * tiny })
    expectSides(isovalue, SampleType::Float32, { 0.0, tiny, 2 * tiny, 4 * tiny, 1e-39, -tiny, -2 * tiny, -1e-39 });
}

// The isovalues include denormal floats and values below the smallest denormal float.
TEST(Isovalue, FloatIsovalueKeepsTheDigitsOfDouble)
{
  for (const double isovalue : { 0.1, 1e6 + 1e-3, -12345.6789, 1.0 / 3, 1.0 / 3 * 1e-40, -1e-44, 1.0 / 3 * 1e-60 })
  {
    const auto threshold = vmc::thresholdOf(isovalue, SampleType::Float32);
    ASSERT_TRUE(threshold);
    EXPECT_GE(std::fabs(threshold->high), 1);
    EXPECT_LE(std::fabs(threshold->high), 2);
    // Two floats hold 48 bits of the 53.
    EXPECT_NEAR(std::scalbn(double(threshold->high) + threshold->low, threshold->exponent), isovalue,
      std::fabs(isovalue) * 0x1p-48);
  }
}

TEST(Isovalue, IsovaluesBeyondTheFloatRangeSeparateOnlyInfinities)
{
  const double largest = std::numeric_limits<float>::max();
  for (const double isovalue : { 1e300, 2 * largest, Infinity })
    expectSides(isovalue, SampleType::Float32, { largest, Infinity, 0, -Infinity });
  for (const double isovalue : { -1e300, -2 * largest })
    expectSides(isovalue, SampleType::Float32, { -largest, Infinity, 0, -Infinity });
}

TEST(Isovalue, NanAndMinusInfinityHaveNoThresholdForFloatSamples)
{
  EXPECT_FALSE(vmc::thresholdOf(Nan, SampleType::Float32));
  EXPECT_FALSE(vmc::thresholdOf(-Infinity, SampleType::Float32));
}

TEST(Isovalue, NanSamplesAreOutsideOfEveryThreshold)
{
  for (const double isovalue : { -1e300, -1.0, 0.0, 1.0, 1e300 })
    EXPECT_LT(keyOf(Nan, SampleType::Float32), vmc::thresholdOf(isovalue, SampleType::Float32)->key);
}
