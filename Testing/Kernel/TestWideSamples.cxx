// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// 64-bit samples, double positions and gradients: results with more digits than a float.
#include "ExtractionTest.h"

#include <cmath>
#include <cstring>

namespace vmc::test
{

namespace
{

// Samples of two values along x: `low` up to sample 3, `high` from sample 4 on.
template <class Value>
struct Step
{
  static constexpr std::array<std::uint32_t, 3> Size = { 9, 5, 4 };
  std::vector<Value> values;
  Volume volume;

  Step(SampleType type, Value low, Value high)
  {
    for (std::uint32_t i = 0; i < Size[0] * Size[1] * Size[2]; ++i)
      this->values.push_back(i % Size[0] < 4 ? low : high);
    this->volume.samples = this->values.data();
    this->volume.type = type;
    this->volume.size = Size;
  }
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;
};

}

class WideSamples : public EngineTest
{
protected:
  // Expects a plane across x, this fraction of a step after sample 3.
  void expectPlane(const Volume& volume, double isovalue, double fraction)
  {
    const Mesh mesh = this->extract(volume, isovalue);
    ASSERT_EQ(mesh.pointCount, std::size_t(volume.size[1]) * volume.size[2]) << "isovalue " << isovalue;
    for (std::size_t i = 0; i < mesh.pointCount; ++i)
      // The larger of 2^-22 of a cell and one unit in the last place of numbers below 4.
      ASSERT_NEAR(viewOf(mesh).position(i)[0], 3 + fraction, 0x1p-22) << "isovalue " << isovalue;
  }

  void expectNoSurface(const Volume& volume, double isovalue)
  {
    EXPECT_EQ(this->extract(volume, isovalue).pointCount, 0u) << "isovalue " << isovalue;
  }
};

VMC_ON_EACH_ENGINE(WideSamples);

TEST_P(WideSamples, FloatsThatDifferInTheirLastDigitsAreSeparated)
{
  const Step<float> step(SampleType::Float32, 1000.001f, 1000.002f);
  const double low = 1000.001f, high = 1000.002f;
  for (const double fraction : { 0.125, 0.5, 0.9, 1.0 })
  {
    const double isovalue = low + fraction * (high - low);
    this->expectPlane(step.volume, isovalue, (isovalue - low) / (high - low));
  }
  this->expectNoSurface(step.volume, std::nextafter(high, 2000.0));
  this->expectNoSurface(step.volume, low); // a sample that equals the isovalue is inside
  const Step<float> seven(SampleType::Float32, std::nextafter(0.7f, 0.0f), 0.7f);
  this->expectNoSurface(seven.volume, 0.7); // 0.7f is below 0.7
}

TEST_P(WideSamples, DoublesThatAreEqualAsFloatsAreSeparated)
{
  for (const double base : { 1000.0, 1e9, -1e9, 1e300, -1e-300 })
    for (const double units : { 1.0, 8.0, 12345.0 })
    {
      const double low = base, high = base + units * (std::nextafter(base, 1e308) - base);
      const Step<double> step(SampleType::Float64, low, high);
      this->expectPlane(step.volume, high, 1);
      this->expectNoSurface(step.volume, std::nextafter(high, 1e308));
      this->expectNoSurface(step.volume, low);
      const double between = low + std::floor(units / 2) / units * (high - low);
      if (between > low)
        this->expectPlane(step.volume, between, (between - low) / (high - low));
    }
  const Step<double> step(SampleType::Float64, 1e9, 1e9 + 1e-3);
  this->expectPlane(step.volume, 1e9 + 2.5e-4, (1e9 + 2.5e-4 - 1e9) / (1e9 + 1e-3 - 1e9)); // exact differences
}

TEST_P(WideSamples, DoublesOnBothSidesOfZeroAreSeparated)
{
  const Step<double> step(SampleType::Float64, -1e-200, 3e-200);
  this->expectPlane(step.volume, 0, 0.25);
  const Step<double> far(SampleType::Float64, -1e300, 3e300);
  this->expectPlane(far.volume, 0, 0.25);
  this->expectPlane(far.volume, 2e300, 0.75);
}

TEST_P(WideSamples, IntegersThatAreEqualAsDoublesAreSeparated)
{
  constexpr std::int64_t Beyond = std::int64_t(1) << 53;
  for (const std::int64_t sign : { 1, -1 })
  {
    // 2^53 and 2^53 + 1 round to one double.
    const Step<std::int64_t> one(SampleType::Int64, sign * Beyond - 1, sign * Beyond + 1);
    this->expectPlane(one.volume, double(sign * Beyond), 0.5);
  }
  const Step<std::int64_t> above(SampleType::Int64, Beyond, Beyond + 1);
  this->expectNoSurface(above.volume, double(Beyond)); // both inside
  this->expectNoSurface(above.volume, double(Beyond + 2));
  const Step<std::int64_t> odd(SampleType::Int64, Beyond + 1, Beyond + 3);
  this->expectPlane(odd.volume, double(Beyond + 2), 0.5);
  const Step<std::uint64_t> large(SampleType::UInt64, 0xFFFFFFFFFFFFEFFFu, 0xFFFFFFFFFFFFFFFFu);
  this->expectPlane(large.volume, 18446744073709549568.0, 2049.0 / 4096); // 2^64 - 2048
}

TEST_P(WideSamples, IntegersWhoseDifferenceBorrowsBetweenWordsAreSeparated)
{
  constexpr std::int64_t Word = std::int64_t(1) << 32;
  const Step<std::int64_t> across(SampleType::Int64, Word - 1, Word + 3);
  this->expectPlane(across.volume, double(Word), 0.25);
  this->expectPlane(across.volume, double(Word) + 0.5, 0.375);
  const Step<std::int64_t> sign(SampleType::Int64, -1, 3);
  this->expectPlane(sign.volume, 0, 0.25);
  const Step<std::int64_t> falling(SampleType::Int64, 3 * Word, -Word);
  this->expectPlane(falling.volume, 0, 0.75);
}

TEST_P(WideSamples, DoublePositionsKeepTheFractionOfACellFarFromTheOrigin)
{
  const Samples samples = sample(plane({ 1, 0, 0 }, 10.25), { 20, 9, 9 }, SampleType::Float64);
  for (const double origin : { 5e6, -5e6, 123456789.123 })
  {
    const double spacing = 1e-3;
    Volume volume = samples.volume();
    volume.geometry.setOrigin({ origin, -origin, origin });
    for (int a = 0; a < 3; ++a)
      volume.geometry.setStep(a, alongAxis(a, spacing));
    Request request;
    request.isovalues = { 0 };
    request.splitPositions = true;
    const Mesh mesh = this->extract(volume, request);
    ASSERT_EQ(mesh.pointCount, 81u);
    const std::vector<float> high = valuesOf<float>(mesh.positions), low = valuesOf<float>(mesh.positionsLow);
    for (std::size_t i = 0; i < mesh.pointCount; ++i)
    {
      const double x = mesh.origin[0] + (double(high[3 * i]) + low[3 * i]);
      // 2^-22 of a cell; in double the sum is rounded once.
      ASSERT_NEAR(x, origin + 10.25 * spacing, 0x1p-22 * spacing + 0x1p-52 * std::fabs(origin)) << "origin " << origin;
    }
  }
}

// Every difference of a linear field, central or one-sided, is its slope.
TEST_P(WideSamples, GradientsOfALinearFieldAreExact)
{
  const std::array<double, 3> slope = { 2, -3, 0.5 }, spacing = { 0.5, 1, 2 };
  for (const SampleType type : { SampleType::Float32, SampleType::Float64, SampleType::Int64, SampleType::Int16 })
    for (const bool merges : { true, false })
    {
      AnalyticVolume linear;
      linear.value = [&](const Point& p) { return 4 * (slope[0] * p[0] + slope[1] * p[1] + slope[2] * p[2]); };
      const Samples samples = sample(linear, { 11, 9, 17 }, type);
      Volume volume = samples.volume();
      for (std::size_t a = 0; a < 3; ++a)
        volume.geometry.setStep(a, alongAxis(a, spacing[a]));
      Request request;
      request.isovalues = { 10.5 };
      request.computeGradients = true;
      request.computeNormals = false;
      request.mergePoints = merges;
      const Mesh mesh = this->extract(volume, request);
      const std::vector<float> gradients = valuesOf<float>(mesh.gradients);
      EXPECT_EQ(mesh.normals.size(), 0u);
      ASSERT_GT(mesh.pointCount, 50u);
      ASSERT_EQ(gradients.size(), 3 * mesh.pointCount);
      for (std::size_t i = 0; i < gradients.size(); ++i)
        ASSERT_EQ(gradients[i], 4 * slope[i % 3] / spacing[i % 3]) << nameOf(type) << ", value " << i;
    }
}

// Sample i along x is i^2. The central difference at sample i is 2i; the one-sided differences at the ends are 1 and
// 2n - 3.
TEST_P(WideSamples, GradientsAreOneSidedAtTheBorder)
{
  AnalyticVolume square;
  square.value = [](const Point& p) { return p[0] * p[0]; };
  const Samples samples = sample(square, { 10, 5, 4 }, SampleType::Float64);
  Request request;
  request.computeGradients = true;
  for (const Padding& padding : { Padding(), Padding{ { 1, 1, 1 }, { 1, 1, 1 }, false, 0.5f } })
  {
    Volume volume = samples.volume();
    volume.padding = padding; // repeats the border samples and must not change the gradients
    for (const std::array<double, 2>& expected : { std::array<double, 2>{ 1, 2 }, { 4, 4 }, { 81, 17 } })
    {
      request.isovalues = { expected[0] }; // the crossing lies at a sample
      const Mesh mesh = this->extract(volume, request);
      ASSERT_GT(mesh.pointCount, 0u);
      const std::vector<float> gradients = valuesOf<float>(mesh.gradients);
      for (std::size_t i = 0; i < mesh.pointCount; ++i)
      {
        ASSERT_EQ(gradients[3 * i], expected[1]);
        ASSERT_EQ(gradients[3 * i + 1], 0);
        ASSERT_EQ(gradients[3 * i + 2], 0);
      }
    }
    request.isovalues = { 0.5 }; // the middle of the first step, between the gradients 1 and 2
    const std::vector<float> gradients = valuesOf<float>(this->extract(volume, request).gradients);
    ASSERT_FALSE(gradients.empty());
    EXPECT_EQ(gradients[0], 1.5f);
  }
}

}
