// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The mesh of the CPU against that of the Vulkan device.
#include "ExtractionTest.h"

#include <string>

namespace vmc::test
{

namespace
{

constexpr std::array<std::uint32_t, 3> Size = { 37, 29, 43 };

// Some samples of each kind.
std::vector<std::uint8_t> flagsOf(std::uint64_t count)
{
  std::vector<std::uint8_t> flags(count, 0);
  for (std::uint64_t i = 0; i < count; ++i)
    flags[i] = i % 97 == 0 ? Ghost::Blank : i % 89 == 0 ? Ghost::NotOwned : 0;
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
    EXPECT_TRUE(valuesOf<std::uint32_t>(onCpu.triangles) == valuesOf<std::uint32_t>(onDevice.triangles));
    EXPECT_TRUE(valuesOf<std::int32_t>(onCpu.offsets) == valuesOf<std::int32_t>(onDevice.offsets));
    EXPECT_TRUE(valuesOf<std::int64_t>(onCpu.triangleCells) == valuesOf<std::int64_t>(onDevice.triangleCells));
    EXPECT_EQ(onCpu.origin, onDevice.origin);
    ASSERT_EQ(onCpu.attributes.size(), onDevice.attributes.size());
    // Each is at most FractionTolerance from the exact position, and rounded to a float below 64.
    constexpr float PositionTolerance = 2 * FractionTolerance + 0x1p-18f;
    expectNear(onCpu.positions, onDevice.positions, PositionTolerance, "position");
    expectNear(onCpu.normals, onDevice.normals, normalTolerance, "normal");
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

  const std::unique_ptr<MarchingCubes> Cpu = newMarchingCubesOnCpu();
};

TEST_F(Engines, MakeTheSameTrianglesOfEveryType)
{
  for (const SampleType type : AllSampleTypes)
    for (const bool merge : { true, false })
      for (const bool isFlagged : { false, true })
      {
        SCOPED_TRACE(
          std::string(nameOf(type)) + (merge ? ", shared points" : ", own points") + (isFlagged ? ", flags" : ""));
        const Samples samples = sampleNoise(Size, type, 3);
        const std::vector<float> indices = sampleIndices(Size);
        const std::vector<std::uint8_t> flags = flagsOf(samples.count());
        Volume volume = samples.volume();
        volume.ghosts = isFlagged ? flags.data() : nullptr;
        volume.attributes = { { indices.data(), SampleType::Float32, 3 } };
        Request request = requestOf({ middleOf(type) });
        request.mergePoints = merge;
        request.computeCells = true;
        request.computeNormals = false; // noise has gradients that nearly vanish
        this->expectSameMesh(volume, request, 0);
      }
}

TEST_F(Engines, MakeTheSameTrianglesAtTheBorder)
{
  const Samples samples = sampleNoise(Size, SampleType::Float32, 4);
  Request request = requestOf({ 0.1, -0.4 });
  request.computeCells = true;
  request.computeNormals = false;
  for (const Padding& padding : { Padding{ { 1, 1, 1 }, { 1, 1, 1 }, false, 0.5f },
         Padding{ { 2, 2, 2 }, { 2, 2, 2 }, true, 0.5f }, Padding{ { 1, 1, 1 }, { 1, 1, 1 }, true, 0 } })
  {
    Volume volume = samples.volume();
    volume.padding = padding;
    this->expectSameMesh(volume, request, 0);
  }
}

TEST_F(Engines, MakeTheSameNormals)
{
  const Samples samples = sample(gyroid(20), Size);
  Request request = requestOf({ 0.1, -0.5 });
  for (const bool relative : { false, true })
  {
    request.relativePositions = relative;
    this->expectSameMesh(samples.volume(), request, 1e-5f); // sums of some ten rounded floats
  }
}

}
