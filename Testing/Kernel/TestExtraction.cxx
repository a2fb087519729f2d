// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Whole extractions: requests, reuse, limits and errors.
#include "Compute/System/Stage.h"
#include "Compute/Volume/ContourPlan.h"
#include "ExtractionTest.h"
#include "Support/Contains.h"

#include <cmath>
#include <limits>

namespace vmc::test
{

class Extraction : public EngineTest
{
};

namespace
{

// The values of points that triangles share, repeated for each corner of each triangle.
std::vector<float> cornerValues(const HostBlock& shared, std::size_t components, const Mesh& mesh)
{
  const std::vector<float> values = valuesOf<float>(shared);
  std::vector<float> corners;
  for (const std::uint32_t id : valuesOf<std::uint32_t>(mesh.triangles))
    corners.insert(corners.end(), values.begin() + id * components, values.begin() + (id + 1) * components);
  return corners;
}

}

class ExtractionOnDevice : public ExtractionTest
{
};

VMC_ON_EACH_ENGINE(Extraction);
VMC_ON_TWO_DEVICES(Extraction);

TEST_P(Extraction, SurfacesOfSeveralIsovaluesAreConcatenated)
{
  const Samples samples = sampleNoise({ 23, 19, 17 }, SampleType::Float32, 1);
  const std::vector<double> isovalues = { 0.5, 2.0, -0.5, 0.0 }; // no surface at the second
  const Mesh all = this->extract(samples.volume(), requestOf(isovalues));
  ASSERT_EQ(all.firstPoint.size(), 5u);
  std::vector<float> positions;
  std::vector<std::uint32_t> triangles;
  for (std::size_t i = 0; i < isovalues.size(); ++i)
  {
    EXPECT_EQ(all.firstPoint[i], positions.size() / 3);
    const Mesh one = this->extract(samples.volume(), isovalues[i]);
    for (const std::uint32_t id : valuesOf<std::uint32_t>(one.triangles))
      triangles.push_back(static_cast<std::uint32_t>(id + all.firstPoint[i]));
    const std::vector<float> part = valuesOf<float>(one.positions);
    positions.insert(positions.end(), part.begin(), part.end());
  }
  EXPECT_EQ(all.firstPoint[4], all.pointCount);
  EXPECT_EQ(valuesOf<float>(all.positions), positions);
  EXPECT_EQ(valuesOf<std::uint32_t>(all.triangles), triangles);
}

TEST_P(Extraction, NoIsovalueGivesAnEmptyMesh)
{
  const Samples samples = sampleNoise({ 9, 9, 9 }, SampleType::Float32, 1);
  const Mesh mesh = this->extract(samples.volume(), requestOf({}));
  EXPECT_EQ(mesh.pointCount, 0u);
  EXPECT_EQ(mesh.firstPoint, (std::vector<std::size_t>{ 0 }));
}

TEST_P(Extraction, NormalsAreComputedOnRequestOnly)
{
  const Samples samples = sampleNoise({ 12, 13, 14 }, SampleType::Float32, 2);
  Request request = requestOf({ 0 });
  const Mesh with = this->extract(samples.volume(), request);
  request.computeNormals = false;
  const Mesh without = this->extract(samples.volume(), request);
  EXPECT_EQ(with.normals.size(), with.positions.size());
  EXPECT_EQ(without.normals.size(), 0u);
  EXPECT_EQ(valuesOf<float>(without.positions), valuesOf<float>(with.positions));
}

TEST_P(Extraction, WithoutSharedPointsEachTriangleHasItsOwn)
{
  const std::array<std::uint32_t, 3> size = { 19, 17, 33 };
  const Samples samples = sampleNoise(size, SampleType::Int16, 3);
  const std::vector<float> indices = sampleIndices(size);
  Volume volume = samples.volume();
  volume.attributes = { { indices.data(), SampleType::Float32, 3 } };
  Request request = requestOf({ -1000, 2000.5 });
  const Mesh shared = this->extract(volume, request);
  request.mergePoints = false;
  const Mesh own = this->extract(volume, request);
  ASSERT_EQ(own.triangleCount, shared.triangleCount);
  ASSERT_EQ(own.pointCount, 3 * shared.triangleCount);
  const std::vector<std::uint32_t> ids = valuesOf<std::uint32_t>(own.triangles);
  for (std::size_t i = 0; i < ids.size(); ++i)
    ASSERT_EQ(ids[i], i);
  EXPECT_EQ(valuesOf<float>(own.positions), cornerValues(shared.positions, 3, shared));
  EXPECT_EQ(valuesOf<float>(own.normals), cornerValues(shared.normals, 3, shared));
  EXPECT_EQ(valuesOf<float>(own.attributes.at(0)), cornerValues(shared.attributes.at(0), 3, shared));
  EXPECT_EQ(own.firstPoint.size(), 3u);
  EXPECT_EQ(own.firstPoint[2], own.pointCount);
}

TEST_P(Extraction, IdsOf64BitsAreTheNumbersOfThoseOf32BitsAndOffsetsCanBeLeftOut)
{
  const Samples samples = sampleNoise({ 29, 23, 31 }, SampleType::Float32, 5);
  Request request = requestOf({ 0.1, -0.4 });
  for (const bool merge : { true, false })
  {
    request.mergePoints = merge;
    request.wideIds = false;
    const Mesh narrow = this->extract(samples.volume(), request);
    request.wideIds = true;
    const Mesh wide = this->extract(samples.volume(), request);
    EXPECT_FALSE(narrow.hasWideIds);
    EXPECT_TRUE(wide.hasWideIds);
    const auto ids = valuesOf<std::uint32_t>(narrow.triangles);
    const auto offsets = valuesOf<std::int32_t>(narrow.offsets);
    ASSERT_EQ(ids.size(), 3 * narrow.triangleCount);
    ASSERT_EQ(offsets.size(), narrow.triangleCount + 1);
    EXPECT_EQ(valuesOf<std::int64_t>(wide.triangles), std::vector<std::int64_t>(ids.begin(), ids.end()));
    EXPECT_EQ(valuesOf<std::int64_t>(wide.offsets), std::vector<std::int64_t>(offsets.begin(), offsets.end()));
    EXPECT_EQ(valuesOf<float>(wide.positions), valuesOf<float>(narrow.positions));
    EXPECT_EQ(wide.firstPoint, narrow.firstPoint);
    request.writeOffsets = false;
    const Mesh without = this->extract(samples.volume(), request);
    request.writeOffsets = true;
    EXPECT_EQ(without.offsets.size(), 0u);
    EXPECT_EQ(valuesOf<std::int64_t>(without.triangles), valuesOf<std::int64_t>(wide.triangles));
    EXPECT_EQ(valuesOf<float>(without.positions), valuesOf<float>(wide.positions));
  }
}

// The host widens the ids while such a device copies the other arrays.
TEST_F(ExtractionOnDevice, IdsOf64BitsAreTheSameFromADeviceWithItsOwnMemory)
{
  const Samples samples = sample(gyroid(20), { 70, 60, 50 });
  Request request = requestOf({ 0.1 });
  request.wideIds = request.computeCells = true;
  for (const bool merge : { true, false })
    for (const bool hasImports : { true, false })
    {
      request.mergePoints = merge;
      DeviceOptions options;
      options.isDiscrete = true;
      options.features.hostImports = hasImports;
      const auto discrete = newSessionOn(std::make_shared<Context>(options));
      const Mesh expected = this->extract(samples.volume(), request);
      ASSERT_GT(expected.triangleCount, 0u);
      for (int run = 0; run < 3; ++run)
        expectSameBytes(this->extract(*discrete, samples.volume(), request), expected);
      EXPECT_TRUE(this->reports(Stage::Download));
    }
}

// Later runs know how much memory the outputs need, but the kernels cannot write there.
TEST_F(ExtractionOnDevice, LaterRunsAreTheSameIfNoMemoryOfTheHostIsImported)
{
  const Samples samples = sample(gyroid(20), { 30, 28, 26 });
  DeviceOptions options;
  options.features.hostImports = false;
  const auto session = newSessionOn(std::make_shared<Context>(options));
  for (const double isovalue : { 0.1, 0.12, 0.1, -0.3, 0.2 })
  {
    SCOPED_TRACE(isovalue);
    const Request request = requestOf({ isovalue });
    expectSameBytes(this->extract(*session, samples.volume(), request), this->extract(samples.volume(), request));
  }
}

TEST_P(Extraction, AttributesAreInterpolatedWhereTheSurfaceCrosses)
{
  const std::array<std::uint32_t, 3> size = { 21, 18, 19 };
  const Samples samples = sampleNoise(size, SampleType::Float32, 4);
  const std::vector<float> indices = sampleIndices(size);
  Volume volume = samples.volume();
  volume.attributes = { { indices.data(), SampleType::Float32, 3 }, { samples.bytes.data(), SampleType::Float32, 1 } };
  const Mesh mesh = this->extract(volume, 0.25);
  ASSERT_EQ(mesh.attributes.size(), 2u);
  const std::vector<float> positions = valuesOf<float>(mesh.positions), at = valuesOf<float>(mesh.attributes[0]);
  const std::vector<float> values = valuesOf<float>(mesh.attributes[1]);
  ASSERT_EQ(at.size(), positions.size());
  ASSERT_EQ(values.size(), mesh.pointCount);
  // Indices are below 32: two products, a sum and the position are rounded by 2^-20 each.
  for (std::size_t i = 0; i < at.size(); ++i)
    ASSERT_NEAR(at[i], positions[i], 4 * 0x1p-20);
  // Interpolated at a point of the surface, the samples give the isovalue. The tolerance is the error of the fraction
  // times a difference of at most 2, plus the rounding of the interpolation.
  for (std::size_t i = 0; i < values.size(); ++i)
    ASSERT_NEAR(values[i], 0.25, 2 * FractionTolerance + 6 * 0x1p-24);
}

TEST_P(Extraction, AttributesOfEveryTypeAreRead)
{
  const std::array<std::uint32_t, 3> size = { 11, 13, 9 };
  const Samples samples = sampleNoise(size, SampleType::UInt8, 5);
  for (const SampleType type : AllSampleTypes)
  {
    Samples constant = sampleNoise({ 2 * size[0], size[1], size[2] }, type, 1);
    for (std::uint64_t i = 0; i < constant.count(); ++i)
      constant.setValue(i, i % 2 == 0 ? 100 : rangeOf(type)[0] < 0 ? -3 : 3);
    Volume volume = samples.volume();
    volume.attributes = { { constant.bytes.data(), type, 2 } };
    const std::vector<float> values = valuesOf<float>(this->extract(volume, 100).attributes.at(0));
    for (std::size_t i = 0; i < values.size(); ++i)
      ASSERT_NEAR(values[i], i % 2 == 0 ? 100 : rangeOf(type)[0] < 0 ? -3 : 3, 100 * 0x1p-23) << nameOf(type);
  }
}

TEST_P(Extraction, SamplesMayLieAtAnyAddress)
{
  for (const SampleType type : AllSampleTypes)
  {
    SCOPED_TRACE(nameOf(type));
    const Samples samples = sampleNoise({ 19, 19, 19 }, type, 6); // one brick is beside no border
    std::vector<std::byte> shifted(samples.bytes.size() + 1);
    std::copy(samples.bytes.begin(), samples.bytes.end(), shifted.begin() + 1);
    Volume volume = samples.volume();
    Request request = requestOf({ middleOf(type) });
    request.computeNormals = true;
    const Mesh aligned = this->extract(volume, request);
    EXPECT_GT(aligned.normals.size(), 0u);
    volume.samples = shifted.data() + 1;
    expectSameBytes(this->extract(volume, request), aligned);
  }
}

TEST_P(Extraction, TwoRunsGiveTheSameBytes)
{
  const Samples samples = sampleNoise({ 40, 37, 33 }, SampleType::Float32, 7);
  const Request request = requestOf({ 0.1, -0.3 });
  const Mesh first = this->extract(samples.volume(), request);
  expectSameBytes(this->extract(samples.volume(), request), first);
  const std::unique_ptr<Session> other = this->newSession();
  expectSameBytes(this->extract(*other, samples.volume(), request), first);
}

TEST_F(ExtractionOnDevice, TheSameIdentityUploadsOnce)
{
  const Samples samples = sampleNoise({ 20, 20, 20 }, SampleType::Float32, 8);
  Volume volume = samples.volume();
  volume.identity = 42;
  const Mesh first = this->extract(volume, 0);
  EXPECT_TRUE(this->reports(Stage::Upload));
  EXPECT_TRUE(this->reports(Stage::BuildBrickRanges));
  expectSameBytes(this->extract(volume, 0), first);
  EXPECT_FALSE(this->reports(Stage::Upload));
  EXPECT_FALSE(this->reports(Stage::BuildBrickRanges));
  EXPECT_TRUE(this->reports(Stage::EmitSurface));
}

TEST_F(ExtractionOnDevice, AnIsovalueThatNoSampleReachesKeepsTheVolume)
{
  const Samples samples = sampleNoise({ 20, 20, 20 }, SampleType::UInt8, 8);
  Volume volume = samples.volume();
  volume.identity = 42;
  const Mesh first = this->extract(volume, 100);
  EXPECT_TRUE(this->reports(Stage::Upload));
  EXPECT_EQ(this->extract(volume, 300).triangleCount, 0u);
  expectSameBytes(this->extract(volume, 100), first);
  EXPECT_FALSE(this->reports(Stage::Upload));
}

TEST_F(ExtractionOnDevice, AnotherIdentityUploadsAgain)
{
  const Samples samples = sampleNoise({ 20, 20, 20 }, SampleType::Float32, 8);
  const Samples others = sampleNoise({ 20, 20, 20 }, SampleType::Float32, 9);
  Volume volume = samples.volume(), other = others.volume();
  volume.identity = 42;
  other.identity = 43;
  this->extract(volume, 0);
  const Mesh second = this->extract(other, 0);
  EXPECT_TRUE(this->reports(Stage::Upload));
  other.identity = 0; // no identity: uploaded every time
  expectSameBytes(this->extract(other, 0), second);
  EXPECT_TRUE(this->reports(Stage::Upload));
  this->extract(other, 0);
  EXPECT_TRUE(this->reports(Stage::Upload));
}

TEST_F(ExtractionOnDevice, ReportCountsBricksAndListsTimedStagesInOrder)
{
  const Samples samples = sample(sphere({ 20, 20, 20 }, 15), { 41, 41, 41 });
  this->extract(samples.volume(), requestOf({ 0, 1 })); // may make kernels
  this->extract(samples.volume(), requestOf({ 0, 1 }));
  EXPECT_EQ(this->LastReport.bricks, 216u);
  EXPECT_GT(this->LastReport.activeBricks, 100u);
  EXPECT_LT(this->LastReport.activeBricks, 2 * 216u);
  EXPECT_GE(this->LastReport.deviceBytes, samples.bytes.size());
  EXPECT_GT(this->LastReport.totalMilliseconds, 0);
  std::vector<std::string> names;
  for (std::size_t stage = 0; stage < StageCount; ++stage)
    if (this->reports(static_cast<Stage>(stage)))
      names.push_back(nameOf(static_cast<Stage>(stage)));
  const std::vector<std::string> expected = { "Upload", "BuildBrickRanges", "SelectBricks", "CountBricks", "ScanBricks",
    "EmitSurface", "Download" };
  EXPECT_EQ(names, expected);
}

// With bindings of 192 KiB the plan has several slabs. The output of some slabs exceeds a binding: these slabs are cut.
TEST_F(ExtractionOnDevice, SmallBindingsGiveTheSameBytes)
{
  const std::array<std::uint32_t, 3> size = { 40, 24, 200 };
  const Samples samples = sample(gyroid(20), size);
  Volume volume = samples.volume();
  for (const bool merge : { true, false })
  {
    Request request = requestOf({ 0.1, -0.5 });
    request.mergePoints = merge;
    const Mesh whole = this->extract(volume, request);
    const auto small = std::make_shared<Context>(optionsWith({ 192 << 10, 256, 100 }));
    const std::size_t planned = ContourPlan(size, 4, small->device().limits()).slabs().size();
    EXPECT_GT(planned, 3u);
    const std::unique_ptr<Session> session = newSessionOn(small);
    std::size_t calls = 0;
    const std::optional<Mesh> mesh = this->tryToExtract(*session, volume, request,
      [&](double)
      {
        ++calls;
        return true;
      });
    ASSERT_TRUE(mesh);
    EXPECT_GT(calls, 1u); // some slabs were cut in two
    expectSameBytes(*mesh, whole);
  }
}

// A binding holds the samples of a layer of bricks and those around it, but not those of its halo layer.
TEST_F(ExtractionOnDevice, ABindingNeedsNoSamplesOfHaloLayersForSharedPoints)
{
  const std::array<std::uint32_t, 3> size = { 64, 60, 43 };
  const Samples samples = sample(gyroid(30), size), values = sampleNoise(size, SampleType::UInt8, 1);
  std::vector<std::uint8_t> flags(samples.count(), 0);
  for (std::size_t i = 0; i < flags.size(); i += 997)
    flags[i] = Ghost::Blank;
  Volume volume = samples.volume();
  volume.ghosts = flags.data();
  volume.attributes = { { values.bytes.data(), SampleType::UInt8, 1, 0 } };
  Request request = requestOf({ 0.1, -0.5 });
  request.computeGradients = true;
  const auto small = std::make_shared<Context>(optionsWith({ 12 * 64 * 60 * 4, 256, 100 }));
  const std::unique_ptr<Session> session = newSessionOn(small);
  const Mesh whole = this->extract(volume, request);
  const Mesh mesh = this->extract(*session, volume, request);
  EXPECT_EQ(this->LastReport.slabs, 6u);
  expectSameBytes(mesh, whole);
  EXPECT_TRUE(valuesOf<float>(mesh.gradients) == valuesOf<float>(whole.gradients));
  EXPECT_TRUE(valuesOf<float>(mesh.attributes.front()) == valuesOf<float>(whole.attributes.front()));
  // The last slab of the first device reads the samples of its halo layer, so one device does all.
  expectSameBytes(this->extract(*newSessionOn(std::vector{ small, small }), volume, request), whole);
  const auto messageOf = [&](Error::Kind kind)
  { return test::expectError(kind, [&] { this->tryToExtract(*session, volume, request); }); };
  request.mergePoints = false;
  EXPECT_EQ(messageOf(Error::Kind::Unsupported).find("One layer of bricks needs"), 0u);
  request.mergePoints = true;
  request.memoryLimit = samples.bytes.size() * 3 / 2; // without kept rows, slabs would need more samples
  EXPECT_EQ(messageOf(Error::Kind::OutOfMemory).find("The buffer of "), 0u);
}

TEST_F(ExtractionOnDevice, SmallBindingsGiveTheSameBytesForEveryTypeWithBlanksAndAttributes)
{
  const std::array<std::uint32_t, 3> size = { 13, 11, 211 }; // layers of an odd number of bytes
  const std::vector<float> indices = sampleIndices(size);
  const auto small = std::make_shared<Context>(optionsWith({ 128 << 10, 64, 100 }));
  EXPECT_GT(ContourPlan(size, 12, small->device().limits()).slabs().size(), 2u);
  const std::unique_ptr<Session> session = newSessionOn(small);
  DeviceLimits limits = small->device().limits();
  limits.maxBufferBytes = 128 << 10;
  EXPECT_GT(ContourPlan(size, 12, limits).segments(12).size(), 3u);
  const std::unique_ptr<Session> segmented = newSessionOn(std::make_shared<Context>(optionsWith(limits)));
  for (const SampleType type : AllSampleTypes)
  {
    Samples samples = sampleNoise(size, type, 12);
    if (type == SampleType::Float32)
      scatter(samples, std::numeric_limits<double>::quiet_NaN(), 0.02, 13);
    Volume volume = samples.volume();
    volume.attributes = { { indices.data(), SampleType::Float32, 3 }, { samples.bytes.data(), type, 1 } };
    for (const bool merge : { true, false })
    {
      SCOPED_TRACE(std::string(nameOf(type)) + (merge ? ", shared points" : ", own points"));
      Request request = requestOf({ middleOf(type) });
      request.mergePoints = merge;
      const Mesh whole = this->extract(volume, request);
      expectSameBytes(this->extract(*session, volume, request), whole);
      expectSameBytes(this->extract(*segmented, volume, request), whole);
    }
  }
}

TEST_F(ExtractionOnDevice, OutputThatExceedsABindingInTheSmallestSlabIsOutOfMemory)
{
  const Samples samples = sampleNoise({ 64, 64, 16 }, SampleType::UInt8, 14);
  const auto small = std::make_shared<Context>(optionsWith({ 128 << 10, 256, 65535 }));
  const std::unique_ptr<Session> session = newSessionOn(small);
  test::expectError(
    Error::Kind::OutOfMemory, [&] { this->tryToExtract(*session, samples.volume(), requestOf({ 128 })); });
  // The same object then extracts a surface of few points.
  EXPECT_GT(this->extract(*session, samples.volume(), requestOf({ 255 })).pointCount, 0u);
}

// A binding holds the samples of a layer of 64 bricks, and the rows of 96 bricks: not of this layer and its halo layer.
TEST_F(ExtractionOnDevice, RowsThatExceedABindingInTheSmallestSlabAreOutOfMemory)
{
  Samples samples = sampleNoise({ 64, 64, 24 }, SampleType::UInt8, 14);
  for (std::uint32_t i = 0; i < samples.count(); ++i)
    samples.setValue(i, i % 8 == 4 && i / 64 % 8 == 4 && i / 4096 % 8 == 4 ? 200 : 0); // a surface in each brick
  const auto small = std::make_shared<Context>(optionsWith({ 4 * ROW_WORDS * 96, 256, 65535 }));
  const std::unique_ptr<Session> session = newSessionOn(small);
  const Request request = requestOf({ 128 });
  test::expectError(Error::Kind::OutOfMemory, [&] { this->tryToExtract(*session, samples.volume(), request); });
  // The same object then extracts a surface of half as many bricks.
  for (std::uint32_t i = 0; i < samples.count(); ++i)
    if (i / 64 % 16 >= 8)
      samples.setValue(i, 0);
  expectSameBytes(this->extract(*session, samples.volume(), request), this->extract(samples.volume(), request));
}

TEST_P(Extraction, ProgressRisesFromZeroTowardsOneAndCanStopTheExtraction)
{
  const Samples samples = sampleNoise({ 20, 20, 20 }, SampleType::Float32, 15);
  const Request request = requestOf({ 0, 0.1, 0.2 });
  std::vector<double> fractionsDone;
  const std::optional<Mesh> whole = this->tryToExtract(this->session(), samples.volume(), request,
    [&](double done)
    {
      fractionsDone.push_back(done);
      return true;
    });
  ASSERT_TRUE(whole);
  ASSERT_GE(fractionsDone.size(), 3u);
  EXPECT_EQ(fractionsDone.front(), 0);
  for (std::size_t i = 1; i < fractionsDone.size(); ++i)
    EXPECT_GT(fractionsDone[i], fractionsDone[i - 1]);
  EXPECT_LE(fractionsDone.back(), 1);

  for (const std::size_t allowed : { 0u, 1u, 2u })
  {
    std::size_t calls = 0;
    EXPECT_FALSE(
      this->tryToExtract(this->session(), samples.volume(), request, [&](double) { return calls++ < allowed; }));
    EXPECT_EQ(calls, allowed + 1);
  }
  expectSameBytes(this->extract(samples.volume(), request), *whole); // the next extraction works
}

TEST_P(Extraction, GeometryThatCannotBeInvertedIsRefusedAndTheNextExtractionWorks)
{
  const Samples samples = sampleNoise({ 9, 9, 9 }, SampleType::Float32, 16);
  Volume flat = samples.volume();
  flat.geometry.setStep(2, { 0, 0, 0 });
  this->expectError(Error::Kind::Unsupported, flat, requestOf({ 0 }));
  EXPECT_GT(this->extract(samples.volume(), 0).pointCount, 0u);
}

// Kernels compute positions as sums of two floats.
TEST_F(ExtractionOnDevice, DistancesBeyondThoseOfKernelsAreRefusedBeforeTheUpload)
{
  const Samples samples = sampleNoise({ 5, 4, 3 }, SampleType::Float32, 7);
  for (const double unit : { 0x1p-120, 0x1p-98, 0x1p96, 0x1p120 })
    for (const bool hasCoordinates : { false, true })
    {
      SCOPED_TRACE(unit);
      Volume volume = samples.volume();
      if (hasCoordinates)
        volume.geometry = SampleGeometry::ofPoints({ std::vector<double>{ 0, unit, 2 * unit, 4 * unit, 5 * unit },
          { 0, unit, 2 * unit, 3 * unit }, { 0, unit, 2 * unit } });
      else
        volume.geometry =
          SampleGeometry({ 0, 0, 0 }, { Vector3{ unit, 0, 0 }, Vector3{ 0, unit, 0 }, Vector3{ 0, 0, unit } });
      if (unit == 0x1p-98 || unit == 0x1p96)
      {
        const Mesh mesh = this->extract(volume, requestOf({ middleOf(SampleType::Float32) }));
        ASSERT_GT(mesh.pointCount, 0u);
        for (const float coordinate : valuesOf<float>(mesh.positions))
          EXPECT_TRUE(coordinate >= 0 && coordinate <= 5 * unit) << coordinate;
        continue;
      }
      const std::string error =
        this->expectError(Error::Kind::Unsupported, volume, requestOf({ middleOf(SampleType::Float32) }));
      EXPECT_CONTAINS(error, "a Vulkan device computes with distances from 1e-30 to 1e+30.");
      EXPECT_EQ(this->LastReport.milliseconds(Stage::Upload), 0);
    }
  Volume far = samples.volume();
  far.geometry.setOrigin({ 0, 1e31, 0 });
  EXPECT_EQ(this->expectError(Error::Kind::Unsupported, far, requestOf({ middleOf(SampleType::Float32) })),
    "A sample has the coordinate 1e+31; a Vulkan device computes with distances from 1e-30 to 1e+30.");
}

TEST_F(ExtractionOnDevice, MeshOutlivesSessionAndDevice)
{
  Mesh mesh;
  {
    const std::unique_ptr<Session> session = newSessionOn(std::make_shared<Context>());
    mesh = this->extract(*session, sample(sphere({ 8, 8, 8 }, 6), { 17, 17, 17 }).volume(), requestOf({ 0 }));
  }
  expectClosed(mesh);
  EXPECT_EQ(eulerCharacteristicOf(viewOf(mesh)), 2);
}

// 512 MiB of samples: several slabs on devices that allow 128 MiB per binding.
TEST_P(Extraction, GyroidOfFiveHundredTwelveCubedHasItsKnownCounts)
{
  constexpr std::uint32_t N = 512;
  std::vector<double> sine(N), cosine(N);
  for (std::uint32_t i = 0; i < N; ++i)
  {
    sine[i] = std::sin(2 * 3.14159265358979323846 / N * i);
    cosine[i] = std::cos(2 * 3.14159265358979323846 / N * i);
  }
  std::vector<float> samples;
  samples.reserve(std::size_t(N) * N * N);
  for (std::uint32_t k = 0; k < N; ++k)
    for (std::uint32_t j = 0; j < N; ++j)
      for (std::uint32_t i = 0; i < N; ++i)
        samples.push_back(static_cast<float>(sine[i] * cosine[j] + sine[j] * cosine[k] + sine[k] * cosine[i]));
  Volume volume;
  volume.samples = samples.data();
  volume.size = { N, N, N };
  const Mesh mesh = this->extract(volume, 0.001);
  EXPECT_EQ(mesh.pointCount, 1268976u);
  EXPECT_EQ(mesh.triangleCount, 2528788u);
  expectSound(mesh);
}

}
