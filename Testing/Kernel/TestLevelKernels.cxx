// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// GroupLevelBricks, CountLevelBricks, NumberLevelPoints, EmitLevelPoints, EmitLevelTriangles and InterpolateAttribute
// against the engine of the CPU, which TestExtractLevels compares with brute force.
#include "Compute/Engine/DeviceEngine.h"
#include "Compute/Volume/VolumeCache.h"
#include "Compute/Volume/WithType.h"
#include "ExtractionTest.h"
#include "Support/LevelViews.h"
#include "Support/PiecesOfLevels.h"
#include "Support/RandomLevels.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace vmc::test
{

namespace
{

// A hierarchy with samples of a type. Integers are multiples of the samples; NaN is 0.
struct TypedLevels
{
  Levels levels;
  double scale = 1;
  std::vector<std::vector<std::byte>> samples; // [patch]

  TypedLevels(const reference::Levels& from, SampleType type)
    : levels(viewOf(from))
    , scale(type == SampleType::Float32 || type == SampleType::Float64 ? 1
            : bytesOf(type) == 1                                       ? 20
                                                                       : 1000)
  {
    this->levels.type = type;
    for (std::size_t i = 0; i < from.patches.size(); ++i)
      this->setSamples(from.patches[i].samples, this->levels.patches[i]);
  }

  // The value of these samples in place of one of the hierarchy.
  double valueOf(double sample) const
  {
    return withType(this->levels.type, [&](auto zero) { return this->numberFor<decltype(zero)>(sample); });
  }

private:
  // Unsigned numbers begin below most samples.
  template <class Sample>
  double numberFor(double sample) const
  {
    return this->scale * sample + (std::is_unsigned_v<Sample> ? 100 : 0);
  }

  template <class Sample>
  Sample sampleFor(double sample) const
  {
    if constexpr (!std::is_integral_v<Sample>)
      return static_cast<Sample>(sample);
    else if (std::isnan(sample))
      return 0;
    else
      return static_cast<Sample>(std::clamp(this->numberFor<Sample>(sample), double(std::numeric_limits<Sample>::min()),
        0.9 * double(std::numeric_limits<Sample>::max())));
  }

  void setSamples(const std::vector<double>& from, LevelPatch& patch)
  {
    this->samples.emplace_back(from.size() * bytesOf(this->levels.type));
    withType(this->levels.type,
      [&](auto zero)
      {
        using Sample = decltype(zero);
        auto* to = reinterpret_cast<Sample*>(this->samples.back().data());
        for (const double sample : from)
          *to++ = this->sampleFor<Sample>(sample);
      });
    patch.samples = this->samples.back().data();
  }
};

constexpr SampleType Types[] = { SampleType::Float32, SampleType::Int16, SampleType::Float64, SampleType::UInt8,
  SampleType::Int64, SampleType::UInt32, SampleType::Int8, SampleType::UInt16, SampleType::Int32, SampleType::UInt64 };

// A hierarchy whose patches have two attributes of a type, noise of one and of three components.
struct LevelsWithAttributes
{
  Levels levels;
  std::vector<Samples> noise; // [patch]

  LevelsWithAttributes(const Levels& from, SampleType type)
    : levels(from)
  {
    for (LevelPatch& patch : this->levels.patches)
    {
      this->noise.push_back(
        sampleNoise({ 3 * static_cast<std::uint32_t>(patch.cellCount()), 1, 1 }, type, this->noise.size()));
      const void* const values = this->noise.back().bytes.data();
      patch.attributes = { { values, type, 1, 0 }, { values, type, 3, 0 } };
    }
  }
};

// The length of the longest gradient.
double steepestOf(const std::vector<float>& gradients)
{
  double largest = 0;
  for (std::size_t i = 0; i + 2 < gradients.size(); i += 3)
    largest = std::max<double>(largest, std::hypot(gradients[i], gradients[i + 1], gradients[i + 2]));
  return largest;
}

// Isosurfaces of the same hierarchy, of the device and of the CPU.
struct MeshPair
{
  Mesh found, expected;

  // Expects values of points whose difference is at most toleranceOf(point, expected value).
  template <class ToleranceOf>
  void expectNear(HostBlock Mesh::*block, const ToleranceOf& toleranceOf) const
  {
    const auto a = valuesOf<float>(this->found.*block), b = valuesOf<float>(this->expected.*block);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size() && !testing::Test::HasFailure(); ++i)
      EXPECT_NEAR(a[i], b[i], toleranceOf(i / 3, b[i])) << "point " << i / 3 << " of " << a.size() / 3;
  }

  // types: of the attributes.
  void expectSameAttributes(const std::vector<SampleType>& types) const
  {
    ASSERT_EQ(this->found.attributes.size(), types.size());
    for (std::size_t i = 0; i < types.size(); ++i)
    {
      const auto a = valuesOf<float>(this->found.attributes[i]), b = valuesOf<float>(this->expected.attributes[i]);
      ASSERT_EQ(a.size(), b.size());
      // In units of 2^-24 of the largest value of the type, the kernel has an error of 6 (InterpolateAttribute), that
      // of the fraction adds 2, and the CPU rounds to float.
      const double tolerance = 9 * 0x1p-24 * std::max(std::abs(rangeOf(types[i])[0]), rangeOf(types[i])[1]);
      for (std::size_t value = 0; value < a.size(); ++value)
        ASSERT_NEAR(a[value], b[value], tolerance) << "value " << value << " of attribute " << i;
    }
  }

  void expectSamePoints() const
  {
    // The fraction of an edge has an error of 2^-24, and so have sums and products of floats; edges are shorter than 4.
    this->expectNear(&Mesh::positions, [](std::size_t, double value) { return 0x1p-21 + 0x1p-23 * std::abs(value); });
    const std::vector<float> gradients = valuesOf<float>(this->expected.gradients);
    // A gradient is a sum of some terms of the size of the steepest ones, which have 24 bits each.
    const double error = 0x1p-19 * steepestOf(gradients);
    this->expectNear(&Mesh::gradients, [=](std::size_t, double) { return error; });
    this->expectNear(&Mesh::normals, // the direction of a gradient
      [&](std::size_t point, double)
      {
        const float* const own = gradients.data() + 3 * point;
        return 0x1p-22 + (gradients.empty() ? 0 : 2 * error / std::hypot(own[0], own[1], own[2]));
      });
  }
};

}

class LevelKernels : public ExtractionTest
{
protected:
  MeshPair extractOnBoth(const Levels& levels, const Request& request)
  {
    MeshPair pair;
    pair.found = this->extractOn(this->session(), levels, request);
    EXPECT_EQ(this->LastReport.device, this->context().device().traits().name);
    pair.expected = this->extractOn(*newSessionOnCpu(), levels, request);
    return pair;
  }

  Mesh extractOn(Session& session, const Levels& levels, const Request& request)
  {
    std::optional<Surface> surface = session.extract(std::vector<Levels>{ levels }, request, this->LastReport);
    return std::move(surface->meshes.front());
  }

  // Expects the same triangles and points. Returns the number of triangles.
  std::size_t expectSame(const Levels& levels, const Request& request)
  {
    const MeshPair pair = this->extractOnBoth(levels, request);
    EXPECT_EQ(pair.found.pointCount, pair.expected.pointCount);
    EXPECT_EQ(pair.found.triangleCount, pair.expected.triangleCount);
    EXPECT_EQ(pair.found.firstPoint, pair.expected.firstPoint);
    EXPECT_TRUE(valuesOf<std::uint32_t>(pair.found.triangles) == valuesOf<std::uint32_t>(pair.expected.triangles));
    EXPECT_TRUE(
      valuesOf<std::int64_t>(pair.found.triangleCells) == valuesOf<std::int64_t>(pair.expected.triangleCells));
    EXPECT_TRUE(
      valuesOf<std::int32_t>(pair.found.trianglePatches) == valuesOf<std::int32_t>(pair.expected.trianglePatches));
    EXPECT_TRUE(pair.found.origin == pair.expected.origin);
    if (HasFailure())
      return 0;
    pair.expectSamePoints();
    std::vector<SampleType> types;
    for (std::size_t i = 0; i < pair.expected.attributes.size(); ++i)
      types.push_back(levels.patches.front().attributes[i].type);
    pair.expectSameAttributes(types);
    return pair.expected.triangleCount;
  }

  // Returns the sum of what use(input, seed) returns.
  template <class Use>
  static std::size_t sumOfSeeds(const Use& use)
  {
    std::size_t sum = 0;
    for (std::uint64_t seed = 0; seed < levelSeedCount(); ++seed)
    {
      sum += use(randomLevels(seed), seed);
      if (HasFailure())
      {
        ADD_FAILURE() << "seed " << seed;
        return sum;
      }
    }
    return sum;
  }
};

TEST_F(LevelKernels, MakeTheTrianglesOfTheCpu)
{
  const std::size_t triangles = sumOfSeeds(
    [&](const RandomLevels& input, std::uint64_t seed)
    {
      const TypedLevels typed(input.levels, Types[seed % std::size(Types)]);
      Request request = requestOf({ typed.valueOf(input.isovalue) });
      request.computeNormals = false;
      request.relativePositions = true;
      return this->expectSame(typed.levels, request);
    });
  EXPECT_GT(triangles, 25'000u);
}

TEST_F(LevelKernels, MakeTheTrianglesOfPiecesOfTheCpu)
{
  const std::size_t triangles = sumOfSeeds(
    [&](const RandomLevels& input, std::uint64_t seed)
    {
      Levels piece = viewOf(input.levels);
      for (std::size_t i = 0; i < piece.patches.size(); ++i)
        piece.patches[i].isOwned = i % 2 == seed % 2;
      Request request = requestOf({ input.isovalue });
      request.computeGradients = true;
      request.relativePositions = true;
      return this->expectSame(piece, request);
    });
  EXPECT_GT(triangles, 20'000u);
}

// So ranks have the same points on both sides of their seams.
TEST_F(LevelKernels, MakeTheBytesOfTheWholeOfPieces)
{
  std::size_t triangles = 0;
  for (std::uint64_t seed = 0; seed < 120 && !HasFailure(); ++seed)
  {
    const RandomLevels input = randomLevels(seed);
    Request request = requestOf({ input.isovalue });
    request.computeCells = request.relativePositions = true; // the origin is that of the lattice
    triangles += expectPiecesMakeTheWhole(
      input.levels, 3, [&](const Levels& levels) { return this->extractOn(this->session(), levels, request); });
  }
  EXPECT_GT(triangles, 20'000u);
}

// A brick may be plain in the whole and have cells of other pieces in a piece. Each kind has kernels of its own.
TEST_F(LevelKernels, MakeTheBytesOfTheWholeOfPiecesWithPlainBricks)
{
  reference::Levels levels;
  levels.ratio = { { 1, 1, 1 } };
  levels.origin = { 3, -7, 0.3 };
  levels.steps = { { { 0.9, 0.1, 0.2 }, { -0.3, 1.1, 0.1 }, { 0.05, -0.2, 0.7 } } };
  const AnalyticVolume field = gyroid(11);
  for (std::int64_t i = 0; i < 6; ++i)
  {
    reference::LevelPatch& patch = levels.patches.emplace_back();
    patch.low = { 13 * (i % 3), 19 * (i / 3), 0 };
    patch.size = { 13, 19, 33 };
    for (std::int64_t cell = 0; cell < patch.count(); ++cell)
      patch.samples.push_back(field.value(levels.centerOf({ 0, patch.cellAt(cell) })));
  }
  Request request = requestOf({ 0.1 });
  request.computeCells = request.relativePositions = true;
  const std::size_t triangles = expectPiecesMakeTheWhole(
    levels, 2, [&](const Levels& piece) { return this->extractOn(this->session(), piece, request); });
  EXPECT_GT(triangles, 10'000u);
}

TEST_F(LevelKernels, FoldManyWorkgroupsIntoRows)
{
  const auto narrow = std::make_shared<Context>(optionsWithWorkgroups(5));
  const std::unique_ptr<Session> session = newSessionOn(narrow);
  std::size_t triangles = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed)
  {
    const RandomLevels input = randomLevels(seed);
    const Mesh expected = this->extractOn(this->session(), viewOf(input.levels), requestOf({ input.isovalue }));
    const Mesh found = this->extractOn(*session, viewOf(input.levels), requestOf({ input.isovalue }));
    EXPECT_EQ(valuesOf<std::uint32_t>(found.triangles), valuesOf<std::uint32_t>(expected.triangles));
    EXPECT_EQ(valuesOf<float>(found.positions), valuesOf<float>(expected.positions));
    triangles += found.triangleCount;
  }
  EXPECT_GT(triangles, 1'000u);
}

TEST_F(LevelKernels, MakeTheAttributesAndCellsOfTheCpu)
{
  const std::size_t triangles = sumOfSeeds(
    [&](const RandomLevels& input, std::uint64_t seed)
    {
      const TypedLevels typed(input.levels, Types[seed % std::size(Types)]);
      Request request = requestOf({ typed.valueOf(input.isovalue) });
      request.computeNormals = false;
      request.computeCells = true;
      request.mergePoints = seed % 2 == 0;
      return this->expectSame(LevelsWithAttributes(typed.levels, Types[seed / 2 % std::size(Types)]).levels, request);
    });
  EXPECT_GT(triangles, 25'000u);
}

TEST_F(LevelKernels, MakeTheSurfacesUpToTheBorderOfTheCpu)
{
  const std::size_t triangles = sumOfSeeds(
    [&](const RandomLevels& input, std::uint64_t seed)
    {
      TypedLevels typed(input.levels, seed % 2 == 0 ? SampleType::Float32 : SampleType::Float64);
      typed.levels.border = LevelBorder{ seed / 4 % 2 == 0, {}, {} };
      Request request = requestOf({ input.isovalue });
      request.computeGradients = true;
      request.relativePositions = true;
      request.computeCells = true;
      return this->expectSame(LevelsWithAttributes(typed.levels, SampleType::Int16).levels, request);
    });
  EXPECT_GT(triangles, 150'000u);
}

// Below all samples, a closed domain has a cap only.
TEST_F(LevelKernels, MakeTheCapsOfTheCpuForEveryType)
{
  for (const SampleType type : Types)
    for (const bool isClosed : { false, true })
      for (const double isovalue : { middleOf(type), -1e30 })
      {
        const Samples image = sampleNoise({ 19, 12, 9 }, type, 3);
        CutImage cut(image, {}, 7);
        cut.levels.border = LevelBorder{ isClosed, {}, {} };
        Request request = requestOf({ isovalue });
        request.computeGradients = true;
        const std::size_t triangles = this->expectSame(cut.levels, request);
        EXPECT_EQ(triangles > 0, isClosed || isovalue > -1e30);
      }
}

TEST_F(LevelKernels, MakeTheNormalsAndGradientsOfTheCpu)
{
  const std::size_t triangles = sumOfSeeds(
    [&](const RandomLevels& input, std::uint64_t seed)
    {
      const TypedLevels typed(input.levels, seed % 2 == 0 ? SampleType::Float32 : SampleType::Float64);
      Request request = requestOf({ input.isovalue });
      request.computeGradients = true;
      request.relativePositions = true;
      return this->expectSame(typed.levels, request);
    });
  EXPECT_GT(triangles, 100'000u);
}

TEST_F(LevelKernels, MakeSeveralIsovaluesAndTrianglesWithoutSharedPoints)
{
  const RandomLevels input = randomLevels(4);
  const TypedLevels typed(input.levels, SampleType::Float32);
  Request request = requestOf({ input.isovalue, 1e30, input.isovalue });
  request.computeGradients = true;
  EXPECT_GT(this->expectSame(typed.levels, request), 0u);
  request.mergePoints = false;
  EXPECT_GT(this->expectSame(typed.levels, request), 0u);
}

TEST_F(LevelKernels, OfASessionRespectTheMemoryLimit)
{
  const Samples image = sampleNoise({ 64, 64, 64 }, SampleType::UInt8, 1),
                large = sampleNoise({ 160, 160, 160 }, SampleType::Float64, 1);
  CutImage fits(image, {}, 32), isTooLarge(large, {}, 80);
  Request request = requestOf({ middleOf(image.type) });
  request.memoryLimit = 64 << 20;
  EXPECT_GT(this->extractOn(this->session(), fits.levels, request).triangleCount, 0u);
  EXPECT_LE(this->LastReport.deviceBytes, request.memoryLimit);
  request.memoryLimit = 16 << 20; // less than the samples, 32 MiB
  test::expectError(Error::Kind::OutOfMemory, [&] { this->extractOn(this->session(), isTooLarge.levels, request); });
}

// Where memory is exhausted, the arrays of another session are freed, and come back when it needs them.
TEST_F(LevelKernels, OfIdleSessionsMakeRoomForOthers)
{
  const Samples image = sampleNoise({ 64, 64, 64 }, SampleType::Float32, 1);
  std::vector<CutImage> cuts(3, CutImage(image, {}, 32));
  std::uint64_t identity = 0;
  for (CutImage& cut : cuts)
    for (std::size_t patch = 0; patch < cut.levels.patches.size(); ++patch)
    {
      cut.levels.patches[patch].samples = cut.bytes[patch].data();
      cut.levels.patches[patch].identity = ++identity;
    }
  const Request request = requestOf({ 0.9 });
  DeviceOptions options;
  const auto large = std::make_shared<Context>(options);
  const Mesh expected = this->extractOn(*newSessionOn(large), cuts[0].levels, request);
  EXPECT_GT(expected.triangleCount, 0u);
  options.limits.memoryBytes = this->LastReport.deviceBytes + image.bytes.size() / 2; // one hierarchy, not two
  const auto small = std::make_shared<Context>(options);
  const auto cache = std::make_shared<VolumeCache>(small);
  VulkanSession first(small, cache), second(small, cache);
  for (int run = 0; run < 2; ++run)
    expectSameBytes(this->extractOn(first, cuts[1].levels, request), expected);
  EXPECT_FALSE(this->reports(Stage::Upload));
  expectSameBytes(this->extractOn(second, cuts[2].levels, request), expected);
  EXPECT_LE(this->LastReport.deviceBytes, options.limits.memoryBytes);
  expectSameBytes(this->extractOn(first, cuts[1].levels, request), expected);
  EXPECT_TRUE(this->reports(Stage::Upload));      // it was freed
  this->extract(second, image.volume(), request); // whose arrays are freed in turn
  expectSameBytes(this->extractOn(second, cuts[2].levels, request), expected);
}

TEST_F(LevelKernels, MayBeFreedByAnotherThreadAtAnyTime)
{
  const auto cache = std::make_shared<VolumeCache>(this->sharedContext());
  VulkanSession session(this->sharedContext(), cache);
  const Samples image = sampleNoise({ 40, 40, 40 }, SampleType::Float32, 1);
  CutImage cut(image, {}, 20);
  for (std::size_t patch = 0; patch < cut.levels.patches.size(); ++patch)
    cut.levels.patches[patch].identity = patch + 1;
  Request request = requestOf({ 0.9 });
  request.computeNormals = true;
  const Mesh expected = this->extractOn(session, cut.levels, request);
  std::atomic<bool> isDone = false;
  std::thread other(
    [&]
    {
      const VolumeCache::User user(*cache);
      while (!isDone)
        cache->freeUnused(user, false);
    });
  for (int run = 0; run < 20; ++run)
    expectSameBytes(this->extractOn(session, cut.levels, request), expected);
  isDone = true;
  other.join();
  EXPECT_GT(expected.triangleCount, 0u);
}

// Each has its own arrays, as they may have other attributes.
TEST_F(LevelKernels, OfOneListMayHaveTheSameCells)
{
  const Samples image = sampleNoise({ 19, 12, 9 }, SampleType::Float32, 3);
  CutImage cut(image, {}, 7);
  for (std::size_t patch = 0; patch < cut.levels.patches.size(); ++patch)
    cut.levels.patches[patch].identity = patch + 1;
  const LevelsWithAttributes with(cut.levels, SampleType::Float32);
  const Request request = requestOf({ 0.5 });
  for (int run = 0; run < 2; ++run)
  {
    const std::optional<Surface> surface =
      this->session().extract(std::vector<Levels>{ with.levels, cut.levels, with.levels }, request, this->LastReport);
    ASSERT_EQ(surface->meshes.size(), 3u);
    EXPECT_GT(surface->meshes[0].triangleCount, 0u);
    EXPECT_TRUE(valuesOf<float>(surface->meshes[1].positions) == valuesOf<float>(surface->meshes[0].positions));
    EXPECT_TRUE(surface->meshes[1].attributes.empty());
    EXPECT_EQ(surface->meshes[0].attributes.size(), 2u);
    for (std::size_t i = 0; i < surface->meshes[0].attributes.size(); ++i)
      EXPECT_TRUE(
        valuesOf<float>(surface->meshes[0].attributes[i]) == valuesOf<float>(surface->meshes[2].attributes[i]));
  }
}

TEST_F(LevelKernels, WithoutCellsThereIsNoSurface)
{
  Levels levels;
  levels.ratio = { { 1, 1, 1 }, { 2, 2, 2 } };
  EXPECT_EQ(this->expectSame(levels, requestOf({ 0 })), 0u);
}

}
