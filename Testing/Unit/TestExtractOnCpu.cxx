// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Cpu/ExtractOnCpu.h"
#include "Compute/System/InstructionSet.h"
#include "Support/AnalyticVolumes.h"
#include "Support/BlockValues.h"

#include <gtest/gtest.h>

#ifdef VMC_HAS_TBB
#include <oneapi/tbb/global_control.h>
#endif

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace vmc;
using namespace vmc::test;

namespace
{

class ExtractOnCpu : public testing::Test
{
protected:
  // Large enough for several parts per thread, and not a multiple of the brick size.
  ExtractOnCpu()
    : Noise(sampleNoise({ 61, 50, 43 }, SampleType::Float32, 5))
    , Flags(Noise.count())
    , Values(Noise.count())
  {
    for (std::size_t i = 0; i < this->Flags.size(); ++i)
      this->Flags[i] = i % 31 == 0 ? Ghost::Blank : i % 37 == 0 ? Ghost::NotOwned : 0;
    for (std::size_t i = 0; i < this->Values.size(); ++i)
      this->Values[i] = static_cast<short>(i % 1000);
  }

  // Returns nothing if `progress` stopped the extraction.
  static std::optional<Mesh> extract(
    CpuState& on, const Volume& volume, const Request& request, Report& report, const Progress& progress = {})
  {
    std::optional<std::vector<Mesh>> meshes = extractOnCpu(on, { volume }, request, report, progress);
    return meshes ? std::optional<Mesh>(std::move(meshes->front())) : std::nullopt;
  }

  // Without ranges of earlier extractions.
  Mesh extract(const Volume& volume, const Request& request)
  {
    CpuState fresh{ this->Memory, this->Ranges };
    Report report;
    std::optional<Mesh> mesh = extract(fresh, volume, request, report);
    EXPECT_TRUE(mesh);
    return std::move(*mesh);
  }

  static Request everything()
  {
    Request request;
    request.isovalues = { 0.1, -0.2, 5 };
    request.computeGradients = request.computeCells = request.splitPositions = true;
    return request;
  }

  // One blank sample per `distance` samples.
  static std::vector<std::uint8_t> flagsPer(std::uint64_t distance, std::uint64_t count)
  {
    std::vector<std::uint8_t> flags(count);
    for (std::uint64_t i = distance / 2; i < count; i += distance)
      flags[i] = Ghost::Blank;
    return flags;
  }

  static Samples doublesOf(const std::array<std::uint32_t, 3>& size,
    const std::function<double(std::uint64_t, std::uint64_t, std::uint64_t)>& value)
  {
    Samples samples = sample(noise(0), size, SampleType::Float64);
    for (std::uint64_t i = 0; i < samples.count(); ++i)
      samples.setValue(i, value(i % size[0], i / size[0] % size[1], i / size[0] / size[1]));
    return samples;
  }

  // Expects this normal at all points on the edges along some axes, and many of them. No point may be at a sample.
  void expectNormals(
    const Samples& samples, double isovalue, const std::array<float, 3>& normal, const std::vector<std::size_t>& axes)
  {
    Request request;
    request.isovalues = { isovalue };
    const Mesh mesh = this->extract(samples.volume(), request);
    const std::vector<float> normals = valuesOf<float>(mesh.normals), positions = valuesOf<float>(mesh.positions);
    std::size_t count = 0;
    for (std::size_t i = 0; i < normals.size(); i += 3)
      for (const std::size_t axis : axes)
        if (positions[i + axis] != std::floor(positions[i + axis]))
        {
          ++count;
          for (std::size_t c = 0; c < 3; ++c)
            ASSERT_NEAR(normals[i + c], normal[c], 1e-6) << "point " << i / 3 << ", component " << c;
        }
    EXPECT_GT(count, 30u);
  }

  // All arrays of the mesh, one after the other.
  static std::vector<std::byte> bytesOf(const Mesh& mesh)
  {
    std::vector<std::byte> bytes;
    const auto add = [&](const HostBlock& block)
    {
      const std::vector<std::byte> values = valuesOf<std::byte>(block);
      bytes.insert(bytes.end(), values.begin(), values.end());
    };
    for (const HostBlock* block : { &mesh.positions, &mesh.positionsLow, &mesh.normals, &mesh.gradients,
           &mesh.triangleCells, &mesh.triangles, &mesh.offsets })
      add(*block);
    for (const HostBlock& block : mesh.attributes)
      add(block);
    return bytes;
  }

  Volume withEverything() const
  {
    Volume volume = this->Noise.volume();
    volume.ghosts = this->Flags.data();
    volume.padding = { { 2, 2, 2 }, { 2, 2, 2 }, true, 0.5f };
    volume.attributes.push_back({ this->Values.data(), SampleType::Int16, 1, 0 });
    volume.geometry.setSteps({ { { 0.5, 0.1, 0 }, { -0.2, 1.5, 0.3 }, { 0, 0.25, 2 } } });
    return volume;
  }

#ifdef VMC_HAS_TBB
  // Allows 16 threads, also on a machine with fewer processors.
  tbb::global_control SixteenThreads{ tbb::global_control::max_allowed_parallelism, 16 };
#endif
  Samples Noise;
  std::vector<std::uint8_t> Flags;
  std::vector<short> Values;
  HostMemoryPool Memory{ false };
  std::shared_ptr<BrickRangeCache> Ranges = std::make_shared<BrickRangeCache>();
};

}

#ifdef VMC_HAS_TBB
TEST_F(ExtractOnCpu, ReportsTheThreadsThatWork)
{
  Report report;
  Request request = everything();
  CpuState state{ this->Memory, this->Ranges };
  for (const auto& [requested, reported] :
    { std::pair<unsigned, const char*>(1, "CPU, 1 thread"), { 3, "CPU, 3 threads" }, { 1000000, "CPU, 16 threads" } })
  {
    request.threads = requested;
    extract(state, this->Noise.volume(), request, report);
    EXPECT_EQ(report.device, reported);
  }
}
#endif

TEST_F(ExtractOnCpu, NormalsOfDenormalSlopesAreRightBesideALargeSample)
{
  const Samples samples = doublesOf({ 20, 20, 9 }, [](std::uint64_t i, std::uint64_t j, std::uint64_t)
    { return i + j == 0 ? -1 : double(6 * i + 8 * j) * 1e-316; }); // -1 is far from the surface
  this->expectNormals(samples, 1.21e-314, { -0.6f, -0.8f, 0 }, { 0, 1 });
}

// The slopes along x cancel out; those along y and z are 3 and 4.
TEST_F(ExtractOnCpu, NormalsBetweenEqualHugeSamplesAreThoseOfTheOtherNeighbours)
{
  for (const double scale : { 1.0, 1e-24, 1e-300, 0x1p-1074 })
    for (const double huge : { 1e290, -1e306, std::numeric_limits<double>::max() })
    {
      SCOPED_TRACE(testing::Message() << huge << " beside " << scale);
      const Samples samples = doublesOf({ 3, 19, 20 }, [=](std::uint64_t i, std::uint64_t j, std::uint64_t k)
        { return i != 1 ? huge : double(6 * j + 8 * k) * scale; });
      this->expectNormals(samples, 121 * scale, { 0, -0.6f, -0.8f }, { 1, 2 });
    }
}

TEST_F(ExtractOnCpu, AnyNumberOfThreadsGivesTheSameBytes)
{
  for (const bool merge : { true, false })
    for (const Volume& volume : { this->Noise.volume(), this->withEverything() })
    {
      Request request = everything();
      request.mergePoints = merge;
      std::vector<std::byte> expected;
      for (const unsigned threads : { 1u, 2u, 3u, 16u })
      {
        request.threads = threads;
        const Mesh mesh = this->extract(volume, request);
        ASSERT_GT(mesh.triangleCount, 1000u);
        if (threads == 1)
          expected = bytesOf(mesh);
        EXPECT_TRUE(bytesOf(mesh) == expected) << threads << " threads";
      }
    }
}

#ifdef VMC_HAS_AVX2
TEST_F(ExtractOnCpu, EveryInstructionSetGivesTheSameBytes)
{
  if (!mayUseAvx2())
    GTEST_SKIP() << "This processor has no AVX2.";
  const auto expectSame = [this](const Volume& volume, double isovalue, const std::string& name)
  {
    Request request = everything();
    request.isovalues = { isovalue };
    const std::vector<std::byte> withAvx2 = bytesOf(this->extract(volume, request));
    setenv("VMC_CPU_INSTRUCTIONS", "baseline", 1); // POSIX
    EXPECT_FALSE(mayUseAvx2());
    EXPECT_TRUE(bytesOf(this->extract(volume, request)) == withAvx2) << name;
    unsetenv("VMC_CPU_INSTRUCTIONS");
  };
  for (const SampleType type : AllSampleTypes)
  {
    Samples samples = sampleNoise({ 33, 26, 19 }, type, 9);
    expectSame(samples.volume(), middleOf(type), nameOf(type));
    const std::vector<std::uint8_t> flags = flagsPer(4999, samples.count());
    Volume flagged = samples.volume();
    flagged.ghosts = flags.data();
    expectSame(flagged, middleOf(type), std::string(nameOf(type)) + ", few flags");
    if (type != SampleType::Float32 && type != SampleType::Float64)
      continue;
    scatter(samples, INFINITY, 0.02, 3);
    scatter(samples, -INFINITY, 0.02, 4);
    expectSame(samples.volume(), middleOf(type), std::string(nameOf(type)) + ", infinities");
    samples.setValue(samples.count() / 2, std::nan(""));
    expectSame(samples.volume(), middleOf(type), std::string(nameOf(type)) + ", infinities and one NaN");
  }
  expectSame(this->withEverything(), 0.1, "ghosts, padding, attribute");
}
#endif

TEST_F(ExtractOnCpu, RangesAreKeptForAnotherIsovalueAndAnotherUser)
{
  Volume volume = this->Noise.volume();
  volume.identity = 7;
  Request request;
  request.isovalues = { 0.1 };
  const auto hasBuilt = [&](CpuState& state)
  {
    Report report;
    EXPECT_TRUE(extract(state, volume, request, report));
    return report.stages[Stage::BuildBrickRanges].has_value();
  };
  CpuState first{ this->Memory, this->Ranges }, second{ this->Memory, this->Ranges };
  EXPECT_TRUE(hasBuilt(first));
  EXPECT_FALSE(hasBuilt(first));
  EXPECT_FALSE(hasBuilt(second));
  first.release(7);
  EXPECT_FALSE(hasBuilt(first)); // the second one has them
  first.release(7);
  second.release(7);
  EXPECT_TRUE(hasBuilt(first));
  volume.identity = 8;
  EXPECT_TRUE(hasBuilt(first));
  volume.identity = 7; // only those of the last call are kept
  EXPECT_TRUE(hasBuilt(first));
  volume.padding.low = { 1, 0, 0 };
  EXPECT_TRUE(hasBuilt(first));
}

TEST_F(ExtractOnCpu, RangesOfAListAreKept)
{
  Request request;
  request.isovalues = { 0.1 };
  CpuState state{ this->Memory, this->Ranges };
  const auto hasBuilt = [&](const std::vector<std::uint64_t>& identities)
  {
    std::vector<Volume> volumes(identities.size(), this->Noise.volume());
    for (std::size_t i = 0; i < volumes.size(); ++i)
      volumes[i].identity = identities[i];
    Report report;
    EXPECT_TRUE(extractOnCpu(state, volumes, request, report, {}));
    return report.stages[Stage::BuildBrickRanges].has_value();
  };
  EXPECT_TRUE(hasBuilt({ 1, 2, 3 }));
  EXPECT_FALSE(hasBuilt({ 1, 2, 3 }));
  EXPECT_FALSE(hasBuilt({ 1, 3 }));
  EXPECT_TRUE(hasBuilt({ 2 }));
  EXPECT_TRUE(hasBuilt({ 1 }));
}

// The sizes, types and numbers of components differ; one volume has no dual cell, and one no surface.
TEST_F(ExtractOnCpu, MeshesOfAListAreThoseOfItsVolumes)
{
  const Samples small = sampleNoise({ 9, 8, 7 }, SampleType::Float64, 2),
                large = sampleNoise({ 90, 70, 9 }, SampleType::Int16, 3),
                layer = sampleNoise({ 9, 9, 1 }, SampleType::Float32, 4);
  std::vector<Volume> volumes = { this->withEverything(), small.volume(), layer.volume(), large.volume(),
    small.volume() };
  volumes.back().ghosts = this->Flags.data(); // more than it has samples
  for (int i = 0; i < 200; ++i)
    volumes.push_back(small.volume());
  for (const bool merge : { true, false })
    for (const unsigned threads : { 1u, 5u })
    {
      Request request = everything();
      request.mergePoints = merge;
      request.threads = threads;
      CpuState state{ this->Memory, this->Ranges };
      Report report;
      const std::optional<std::vector<Mesh>> meshes = extractOnCpu(state, volumes, request, report, {});
      ASSERT_TRUE(meshes);
      ASSERT_EQ(meshes->size(), volumes.size());
      for (std::size_t i = 0; i < volumes.size(); ++i)
      {
        const Mesh expected = this->extract(volumes[i], request);
        EXPECT_TRUE(bytesOf((*meshes)[i]) == bytesOf(expected)) << "volume " << i;
        EXPECT_EQ((*meshes)[i].firstPoint, expected.firstPoint);
        EXPECT_EQ((*meshes)[i].pointCount, expected.pointCount);
        EXPECT_EQ((*meshes)[i].origin, expected.origin);
      }
    }
}

TEST_F(ExtractOnCpu, RangesAreThoseOfTheReference)
{
  for (const SampleType type : AllSampleTypes)
  {
    Samples samples = sampleNoise({ 21, 17, 10 }, type, 3);
    if (type == SampleType::Float32 || type == SampleType::Float64)
      scatter(samples, std::nan(""), 0.1, 4);
    const Volume volume = samples.volume();
    const SampleRanges ranges = *sampleRangesOf({ &volume }, 2).front();
    EXPECT_EQ(ranges.hasNan, type == SampleType::Float32 || type == SampleType::Float64);
    Samples found;
    found.type = type;
    found.size = { 1, 1, 1 };
    std::size_t brick = 0;
    for (std::uint32_t z = 0; z < 10; z += 8)
      for (std::uint32_t y = 0; y < 17; y += 8)
        for (std::uint32_t x = 0; x < 21; x += 8, ++brick)
        {
          double smallest = INFINITY, largest = -INFINITY;
          for (std::uint32_t k = z; k < std::min(z + 9, 10u); ++k)
            for (std::uint32_t j = y; j < std::min(y + 9, 17u); ++j)
              for (std::uint32_t i = x; i < std::min(x + 9, 21u); ++i)
              {
                smallest = std::fmin(smallest, samples.value((k * 17 + j) * 21 + i)); // leaves NaN out
                largest = std::fmax(largest, samples.value((k * 17 + j) * 21 + i));
              }
          const std::size_t bytes = vmc::bytesOf(type);
          found.bytes.assign(ranges.smallest.begin() + brick * bytes, ranges.smallest.begin() + (brick + 1) * bytes);
          EXPECT_EQ(found.value(0), smallest) << nameOf(type) << ", brick " << brick;
          found.bytes.assign(ranges.largest.begin() + brick * bytes, ranges.largest.begin() + (brick + 1) * bytes);
          EXPECT_EQ(found.value(0), largest) << nameOf(type) << ", brick " << brick;
        }
    EXPECT_EQ(brick * vmc::bytesOf(type), ranges.smallest.size());
  }
}

// With an unused flag bit set everywhere, no brick takes the fast path; both meshes must be equal.
TEST_F(ExtractOnCpu, ABlankSampleHasTheSameEffectWhereverItLies)
{
  constexpr std::size_t N = 24, Middle = 12;
  constexpr std::uint8_t Unused = 0x80;
  const std::array<std::size_t, 3> stride = { 1, N, N * N };
  const auto expectSame = [&](const Samples& samples, std::vector<std::uint8_t> flags)
  {
    Volume volume = samples.volume();
    volume.ghosts = flags.empty() ? nullptr : flags.data();
    const std::vector<std::byte> found = bytesOf(this->extract(volume, everything()));
    flags.resize(samples.count());
    for (std::uint8_t& flag : flags)
      flag |= Unused;
    volume.ghosts = flags.data();
    EXPECT_TRUE(found == bytesOf(this->extract(volume, everything())));
  };
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t position = 5; position < 20; ++position) // the brick in the middle has samples 8 to 16
    {
      SCOPED_TRACE("axis " + std::to_string(axis) + ", position " + std::to_string(position));
      const std::size_t index =
        Middle * (stride[0] + stride[1] + stride[2]) + position * stride[axis] - Middle * stride[axis];
      Samples samples = sampleNoise({ N, N, N }, SampleType::Float32, 9);
      std::vector<std::uint8_t> flags(samples.count());
      flags[index] = Ghost::NotOwned;
      expectSame(samples, flags);
      samples.setValue(index, std::nan(""));
      expectSame(samples, {});
    }
}

TEST_F(ExtractOnCpu, ProgressGrowsOnTheCallingThreadAndStops)
{
  Request request = everything();
  request.threads = 3;
  Report report;
  CpuState state{ this->Memory, this->Ranges };
  const std::thread::id caller = std::this_thread::get_id();
  double last = 0;
  const auto watch = [&](double done)
  {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    EXPECT_GE(done, last);
    EXPECT_LE(done, 1.0);
    last = done;
    return true;
  };
  EXPECT_TRUE(extract(state, this->Noise.volume(), request, report, watch));
  EXPECT_GT(last, 0.5);
  for (const double end : { 0.0, 0.1, 0.6 })
    EXPECT_FALSE(extract(state, this->Noise.volume(), request, report, [=](double done) { return done < end; }));
  EXPECT_TRUE(extract(state, this->Noise.volume(), request, report));
}

TEST_F(ExtractOnCpu, UsersOfSeveralThreadsShareRangesAndMemory)
{
  Volume volume = this->Noise.volume();
  volume.identity = 7;
  Request request = everything();
  request.threads = 2;
  const std::vector<std::byte> expected = bytesOf(this->extract(volume, request));
  std::vector<std::thread> threads;
  std::atomic<int> equal{ 0 };
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] { equal += bytesOf(this->extract(volume, request)) == expected ? 1 : 0; });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(equal, 4);
}
