// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Combinations of properties of a volume and of requests, against a brute-force search in double.
#include "Compute/Volume/ContourPlan.h"
#include "ExtractionTest.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace vmc::test
{

namespace
{

enum class Boundary
{
  Open,
  Extend,
  Close
};

struct Combination
{
  SampleType type;
  bool isCellData;
  Boundary boundary;
  bool hasFlags; // blank samples, samples that are not owned, and NaN in floats
  bool hasAttributes;
  bool merges;
  bool isDouble; // positions
  bool isCut;    // into slabs

  std::string name() const
  {
    constexpr std::array<const char*, 3> Boundaries = { "open", "extend", "close" };
    return std::string(nameOf(this->type)) + (this->isCellData ? ", cells, " : ", points, ") +
           Boundaries[static_cast<std::size_t>(this->boundary)] + (this->hasFlags ? ", flags" : "") +
           (this->hasAttributes ? ", attributes" : "") + (this->merges ? ", shared points" : ", own points") +
           (this->isDouble ? ", double" : "") + (this->isCut ? ", slabs" : "");
  }
};

// One or two bricks along x and y, depending on the padding, and at least 16 along z. A layer has an odd number of
// samples.
constexpr std::array<std::uint32_t, 3> Size = { 7, 5, 125 };
constexpr std::uint32_t Components = 3;
constexpr std::uint64_t Seed = 20250704;

// A binding can hold the output of a layer of bricks, but neither the output of the volume nor its attributes.
constexpr DeviceLimits Small = { 56 << 10, 256, 65535 };

// Exact in float, so that the map adds no error to that of the crossing.
constexpr std::array<double, 3> Origin = { -3, 1.5, 7 };
constexpr std::array<double, 3> Spacing = { 0.5, 1, 2 };

Padding paddingOf(bool isCellData, Boundary boundary)
{
  // Point data reach the border. Cell data end half a step before it.
  const std::uint32_t layers =
    (boundary != Boundary::Open && isCellData ? 1 : 0) + (boundary == Boundary::Close ? 1 : 0);
  Padding padding;
  padding.low = { layers, layers, layers };
  padding.high = padding.low;
  padding.closed = boundary == Boundary::Close;
  padding.border = isCellData ? 0.5f : 0.0f;
  return padding;
}

double isovalueOf(SampleType type)
{
  const std::array<double, 2> range = rangeOf(type);
  return range[0] + 0.55 * (range[1] - range[0]);
}

// The samples, flags and attributes of one type, for all combinations.
struct Inputs
{
  Samples samples, attribute;
  std::vector<std::uint8_t> ghosts;

  Inputs(SampleType type, bool hasFlags)
    : samples(sampleNoise(Size, type, Seed))
    , attribute(sampleNoise({ Components * Size[0], Size[1], Size[2] }, SampleType::Float64, Seed + 1))
  {
    const AnalyticVolume chance = noise(Seed + 2);
    for (std::uint64_t i = 0; hasFlags && i < this->samples.count(); ++i)
    {
      const double random = chance.value({ double(i), 0, 0 });
      this->ghosts.push_back(random < 0.02 ? Ghost::Blank : random < 0.08 ? Ghost::NotOwned : 0);
      if (random > 0.98 && (type == SampleType::Float32 || type == SampleType::Float64))
        this->samples.setValue(i, std::numeric_limits<double>::quiet_NaN());
    }
  }

  Volume volume(const Combination& combination) const
  {
    Volume volume = this->samples.volume();
    volume.padding = paddingOf(combination.isCellData, combination.boundary);
    volume.ghosts = this->ghosts.empty() ? nullptr : this->ghosts.data();
    for (std::size_t a = 0; a < 3; ++a)
      volume.geometry.setStep(a, alongAxis(a, Spacing[a]));
    volume.geometry.setOrigin(Origin);
    if (combination.hasAttributes)
      volume.attributes = { { this->attribute.bytes.data(), SampleType::Float64, Components },
        { this->samples.bytes.data(), this->samples.type, 1 } };
    return volume;
  }
};

double unitInTheLastPlace(double value)
{
  const float magnitude = static_cast<float>(std::fabs(value));
  return std::nextafter(magnitude, std::numeric_limits<float>::infinity()) - magnitude;
}

}

class Table
  : public ExtractionTest
  , public ::testing::WithParamInterface<SampleType>
{
protected:
  Mesh extract(const Volume& volume, const Combination& combination)
  {
    Request request;
    request.isovalues = { isovalueOf(volume.type) };
    request.mergePoints = combination.merges;
    request.splitPositions = combination.isDouble;
    request.computeCells = true;
    request.computeGradients = true;
    if (!combination.isCut)
      return ExtractionTest::extract(volume, request);
    if (!this->SlabSession)
      this->SlabSession = newSessionOn(std::make_shared<Context>(optionsWith(Small)));
    Mesh mesh = ExtractionTest::extract(*this->SlabSession, volume, request);
    EXPECT_GT(mesh.positions.size(), Small.maxBindingBytes); // so there were several slabs
    return mesh;
  }

  void expectCombination(const Combination& combination, const Inputs& inputs, const reference::WholeSurface& expected)
  {
    SCOPED_TRACE(combination.name());
    const Mesh mesh = this->extract(inputs.volume(combination), combination);
    ASSERT_EQ(mesh.triangleCount, expected.cells.size());
    ASSERT_EQ(mesh.pointCount, combination.merges ? expected.points.size() : expected.triangles.size());
    EXPECT_EQ(valuesOf<std::int64_t>(mesh.triangleCells), expected.cells);

    // The expected point [point of the mesh].
    std::vector<std::uint32_t> point = expected.triangles;
    if (combination.merges)
    {
      EXPECT_EQ(valuesOf<std::uint32_t>(mesh.triangles), expected.triangles);
      expectSound(mesh);
      if (combination.boundary == Boundary::Close && !combination.hasFlags)
        expectClosed(mesh);
      point.resize(mesh.pointCount);
      for (std::size_t i = 0; i < point.size(); ++i)
        point[i] = static_cast<std::uint32_t>(i);
    }
    expectPositions(mesh, expected, point);
    expectGradients(mesh, expected, point, combination.type);
    if (combination.hasAttributes)
    {
      expectAttribute(mesh.attributes.at(0), inputs.attribute, Components, expected, point);
      expectAttribute(mesh.attributes.at(1), inputs.samples, 1, expected, point);
    }
  }

  // The error is at most the larger of 2^-22 of a cell and one unit in the last place of the coordinate; in double at
  // most 2^-22 of a cell.
  static void expectPositions(
    const Mesh& mesh, const reference::WholeSurface& expected, const std::vector<std::uint32_t>& point)
  {
    const std::vector<float> positions = valuesOf<float>(mesh.positions), low = valuesOf<float>(mesh.positionsLow);
    for (std::size_t i = 0; i < positions.size(); ++i)
    {
      const std::size_t c = i % 3;
      const double truth = Origin[c] + Spacing[c] * expected.points[point[i / 3]].index[c];
      const double position = low.empty() ? positions[i] : mesh.origin[c] + (double(positions[i]) + low[i]);
      const double tolerance = std::max(0x1p-22 * Spacing[c], low.empty() ? unitInTheLastPlace(truth) : 0);
      ASSERT_NEAR(position, truth, tolerance) << "point " << i / 3 << ", component " << c;
    }
  }

  // The gradient is a sum of a dozen rounded terms, none larger than the range of the samples divided by the spacing.
  // Its interpolation adds the error of the fraction.
  static void expectGradients(
    const Mesh& mesh, const reference::WholeSurface& expected, const std::vector<std::uint32_t>& point, SampleType type)
  {
    const std::array<double, 2> range = rangeOf(type);
    const std::vector<float> gradients = valuesOf<float>(mesh.gradients);
    ASSERT_EQ(gradients.size(), 3 * point.size());
    for (std::size_t i = 0; i < gradients.size(); ++i)
    {
      const std::size_t c = i % 3;
      const double truth = expected.points[point[i / 3]].gradient[c] / Spacing[c];
      const double largest = (range[1] - range[0]) / Spacing[c];
      ASSERT_NEAR(gradients[i], truth, (12 * 0x1p-24 + FractionTolerance) * largest)
        << "point " << i / 3 << ", component " << c;
    }
  }

  // The error of the fraction is multiplied by the difference of the ends. Two conversions, the complement of the
  // fraction, two products and a sum are each rounded by at most 2^-24 of the larger end.
  static void expectAttribute(const HostBlock& block, const Samples& attribute, std::uint32_t components,
    const reference::WholeSurface& expected, const std::vector<std::uint32_t>& point)
  {
    const std::vector<float> values = valuesOf<float>(block);
    ASSERT_EQ(values.size(), point.size() * components);
    for (std::size_t i = 0; i < values.size(); ++i)
    {
      const reference::SurfacePoint& at = expected.points[point[i / components]];
      const double from = attribute.value(at.lowSample * components + i % components);
      const double to = attribute.value(at.highSample * components + i % components);
      const double largest = std::max(std::fabs(from), std::fabs(to));
      ASSERT_NEAR(values[i], from + at.fraction * (to - from), 0x1p-22 * std::fabs(to - from) + 6 * 0x1p-24 * largest)
        << "value " << i;
    }
  }

private:
  std::unique_ptr<Session> SlabSession; // on a device of small bindings
};

TEST(TableLimits, CutVolumesWithAttributesIntoSlabs)
{
  EXPECT_GT(ContourPlan(Size, Components * 8, Small).slabs().size(), 1u);
  EXPECT_GT(ContourPlan(Size, Components * 8, Small, paddingOf(true, Boundary::Close)).slabs().size(), 1u);
}

// 48 of the 192 combinations per type, and the same number of others for the next type: together, each six of the seven
// properties meet in all their values.
TEST_P(Table, MatchesBruteForceInDouble)
{
  for (const bool hasFlags : { false, true })
  {
    const Inputs inputs(this->GetParam(), hasFlags);
    for (const bool isCellData : { true, false })
      for (const Boundary boundary : { Boundary::Open, Boundary::Extend, Boundary::Close })
      {
        const reference::PaddedGrid grid(
          inputs.volume({ this->GetParam(), isCellData, boundary, hasFlags, false, false, false, false }),
          [&inputs](std::size_t i) { return inputs.samples.value(i); });
        const reference::WholeSurface expected(grid, isovalueOf(this->GetParam()));
        const unsigned ofInput = (hasFlags ? 1u : 0u) ^ (isCellData ? 1u : 0u);
        const unsigned half = ofInput ^ (static_cast<unsigned>(boundary) & 1u);
        const unsigned quarter = ofInput ^ (static_cast<unsigned>(this->GetParam()) & 1u);
        for (unsigned choice = 0; choice < 16; ++choice)
          if (((choice ^ choice >> 1 ^ choice >> 2 ^ choice >> 3) & 1u) == half &&
              ((choice ^ choice >> 2) & 1u) == quarter)
            this->expectCombination({ this->GetParam(), isCellData, boundary, hasFlags, (choice & 1) != 0,
                                      (choice & 2) != 0, (choice & 4) != 0, (choice & 8) != 0 },
              inputs, expected);
      }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryType, Table, ::testing::ValuesIn(AllSampleTypes),
  [](const auto& type) { return std::string(nameOf(type.param)); });

}
