// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The mesh of the CPU against that of the Vulkan device.
#include "ExtractionTest.h"

#include <cmath>
#include <string>

namespace vmc::test
{

namespace
{

constexpr std::array<std::uint32_t, 3> Size = { 37, 29, 43 };

// Largest difference of normals and gradients, each of which is computed by some ten operations on floats.
constexpr float NormalTolerance = 1e-5f;

// The distance between flagged samples of one kind. If they are far apart, some bricks have none around them, and the
// CPU takes its fast path there.
constexpr std::uint64_t Near = 97, Far = 4999;

// One blank sample and one that is not owned per `distance` samples.
std::vector<std::uint8_t> flagsOf(std::uint64_t count, std::uint64_t distance)
{
  std::vector<std::uint8_t> flags(count, 0);
  for (std::uint64_t i = 0; i < count; ++i)
    flags[i] = i % distance == 0 ? Ghost::Blank : i % distance == distance / 2 ? Ghost::NotOwned : 0;
  return flags;
}

}

class Engines : public ExtractionTest
{
protected:
  // Expects the same ids in the same order, and values that differ by less than the tolerance.
  void expectSameMesh(const Volume& volume, const Request& request, float normalTolerance)
  {
    const Mesh onDevice = this->extract(volume, request);
    const Mesh onCpu = this->extract(*this->Cpu, volume, request);
    ASSERT_GT(onDevice.triangleCount, 0u);
    ASSERT_EQ(onCpu.triangleCount, onDevice.triangleCount);
    ASSERT_EQ(onCpu.pointCount, onDevice.pointCount);
    EXPECT_EQ(onCpu.firstPoint, onDevice.firstPoint);
    EXPECT_EQ(onCpu.hasWideIds, onDevice.hasWideIds);
    EXPECT_TRUE(valuesOf<std::uint32_t>(onCpu.triangles) == valuesOf<std::uint32_t>(onDevice.triangles));
    EXPECT_TRUE(valuesOf<std::uint32_t>(onCpu.offsets) == valuesOf<std::uint32_t>(onDevice.offsets));
    EXPECT_TRUE(valuesOf<std::int64_t>(onCpu.triangleCells) == valuesOf<std::int64_t>(onDevice.triangleCells));
    EXPECT_EQ(onCpu.origin, onDevice.origin);
    ASSERT_EQ(onCpu.attributes.size(), onDevice.attributes.size());
    // Each is at most FractionTolerance from the exact position, and rounded to a float below 64.
    constexpr float PositionTolerance = 2 * FractionTolerance + 0x1p-18f;
    expectNear(onCpu.positions, onDevice.positions, PositionTolerance, "position");
    expectNear(onCpu.normals, onDevice.normals, normalTolerance, "normal");
    expectNear(onCpu.gradients, onDevice.gradients, normalTolerance, "gradient");
    for (std::size_t i = 0; i < onCpu.attributes.size(); ++i) // an attribute is the index of the sample
      expectNear(onCpu.attributes[i], onDevice.attributes[i], PositionTolerance, "attribute");
  }

  static void expectNear(const HostBlock& found, const HostBlock& expected, float tolerance, const std::string& name)
  {
    const std::vector<float> a = valuesOf<float>(found), b = valuesOf<float>(expected);
    ASSERT_EQ(a.size(), b.size()) << name;
    for (std::size_t i = 0; i < a.size(); ++i)
      ASSERT_NEAR(a[i], b[i], tolerance) << name << " " << i / 3 << ", component " << i % 3;
  }

  const std::unique_ptr<Session> Cpu = newSessionOnCpu();
};

TEST_F(Engines, MakeTheSameTrianglesOfEveryType)
{
  for (const SampleType type : AllSampleTypes)
    for (const bool merge : { true, false })
      for (const std::uint64_t distance : { std::uint64_t(0), Near, Far })
      {
        SCOPED_TRACE(std::string(nameOf(type)) + (merge ? ", shared points" : ", own points") + ", flags per " +
                     std::to_string(distance));
        const Samples samples = sampleNoise(Size, type, 3);
        const std::vector<float> indices = sampleIndices(Size);
        const std::vector<std::uint8_t> flags = flagsOf(samples.count(), distance != 0 ? distance : Near);
        Volume volume = samples.volume();
        volume.ghosts = distance != 0 ? flags.data() : nullptr;
        volume.attributes = { { indices.data(), SampleType::Float32, 3 } };
        Request request = requestOf({ middleOf(type) });
        request.mergePoints = merge;
        request.wideIds = distance != 0;
        request.computeCells = true;
        request.computeNormals = false; // noise has gradients that nearly vanish
        this->expectSameMesh(volume, request, 0);
      }
}

TEST_F(Engines, MakeTheSameTrianglesBesideInfinities)
{
  for (const SampleType type : { SampleType::Float32, SampleType::Float64 })
  {
    SCOPED_TRACE(nameOf(type));
    Samples samples = sampleNoise(Size, type, 5);
    scatter(samples, INFINITY, 0.05, 6);
    scatter(samples, -INFINITY, 0.05, 7);
    const std::vector<float> indices = sampleIndices(Size);
    Volume volume = samples.volume();
    volume.attributes = { { indices.data(), SampleType::Float32, 3 } };
    Request request = requestOf({ middleOf(type) });
    request.computeNormals = false;
    this->expectSameMesh(volume, request, 0);
  }
}

TEST_F(Engines, MakeTheSameTrianglesAtTheBorder)
{
  const Samples samples = sampleNoise(Size, SampleType::Float32, 4);
  const std::vector<std::uint8_t> flags = flagsOf(samples.count(), Near);
  Request request = requestOf({ 0.1, -0.4 });
  request.computeCells = true;
  request.computeNormals = false;
  for (const Padding& padding : { Padding{ { 1, 1, 1 }, { 1, 1, 1 }, false, 0.5f },
         Padding{ { 2, 2, 2 }, { 2, 2, 2 }, true, 0.5f }, Padding{ { 1, 1, 1 }, { 1, 1, 1 }, true, 0 } })
    for (const std::uint8_t* const ghosts : { static_cast<const std::uint8_t*>(nullptr), flags.data() })
    {
      Volume volume = samples.volume();
      volume.padding = padding;
      volume.ghosts = ghosts;
      this->expectSameMesh(volume, request, 0);
    }
}

TEST_F(Engines, MakeTheSameNormalsAndGradients)
{
  const Samples samples = sample(gyroid(20), Size);
  Request request = requestOf({ 0.1, -0.5 });
  request.computeGradients = true;
  for (const bool relative : { false, true })
  {
    request.relativePositions = relative;
    this->expectSameMesh(samples.volume(), request, NormalTolerance);
  }
}

TEST_F(Engines, MakeTheSameMeshOfAMirroredVolume)
{
  const Samples samples = sample(gyroid(20), Size);
  Volume volume = samples.volume();
  volume.geometry.setStep(1, { 0, -1, 0 });
  Request request = requestOf({ 0.1, -0.5 });
  request.computeGradients = true;
  this->expectSameMesh(volume, request, NormalTolerance);
}

TEST_F(Engines, MakeTheSameNormalsBesideBlankSamples)
{
  for (const std::uint64_t distance : { Near, Far })
    for (const bool isNan : { false, true })
    {
      SCOPED_TRACE((isNan ? "NaN per " : "flags per ") + std::to_string(distance));
      Samples samples = sample(gyroid(20), Size);
      const std::vector<std::uint8_t> flags = flagsOf(samples.count(), distance);
      Volume volume = samples.volume();
      volume.ghosts = isNan ? nullptr : flags.data();
      for (std::uint64_t i = 0; isNan && i < samples.count(); i += distance)
        samples.setValue(i, std::nan(""));
      volume.samples = samples.bytes.data();
      this->expectSameMesh(volume, requestOf({ 0.1, -0.5 }), NormalTolerance);
    }
}

}
