// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// A device without what Vulkan 1.2 does not guarantee, as far as options can hide it, gives the bytes of the device as
// it is. Unit tests (TestKernelLimits.cxx) check what the kernels themselves ask for.
#include "Compute/Engine/DeviceEngine.h"
#include "ExtractionTest.h"
#include "Support/View.h"

#include <cstring>
#include <string>

namespace vmc::test
{

namespace
{

// Limits of the table "Required Limits" of Vulkan's specification: maxStorageBufferRange,
// minStorageBufferOffsetAlignment, maxComputeWorkGroupCount.
constexpr DeviceLimits RequiredLimits = { 1u << 27, 256, 65535 };
constexpr std::uint64_t SmallBinding = 192 << 10; // several slabs

constexpr std::array<std::uint32_t, 3> Size = { 28, 23, 150 };

DeviceOptions guaranteedOptions()
{
  DeviceOptions options = optionsWith(RequiredLimits);
  options.features.hostImports = options.features.memoryExport = false;
  options.features.timestamps = options.features.cachedMemory = false;
  options.isDiscrete = true;
  return options;
}

std::vector<std::uint8_t> flagsOf(std::uint64_t count)
{
  std::vector<std::uint8_t> flags(count, 0);
  for (std::uint64_t i = 0; i < count; ++i)
    flags[i] = i % 97 == 0 ? Ghost::Blank : i % 89 == 0 ? Ghost::NotOwned : 0;
  return flags;
}

}

class GuaranteedDevice : public ExtractionTest
{
protected:
  void SetUp() override
  {
    ExtractionTest::SetUp();
    if (this->IsSkipped())
      return;
    this->Guaranteed = std::make_shared<Context>(guaranteedOptions());
    DeviceOptions slabbed = guaranteedOptions();
    slabbed.limits.maxBindingBytes = SmallBinding;
    this->OfSlabs = std::make_shared<Context>(slabbed);
  }

  void expectSameMeshes(const Volume& volume, const Request& request)
  {
    const Mesh expected = this->extract(volume, request);
    ASSERT_GT(expected.triangleCount, 0u);
    for (const auto& context : { this->Guaranteed, this->OfSlabs })
      expectSameBytes(this->extract(*newSessionOn(context), volume, request), expected);
    EXPECT_GT(this->LastReport.slabs, 2u);
  }

  ValueCounts countOn(const std::shared_ptr<Context>& context, const Volume& volume, const Bins& bins)
  {
    VulkanSession session(context, std::make_shared<VolumeCache>(context));
    return session.count({ volume }, bins, {}, this->LastReport)->front();
  }

  std::shared_ptr<Context> Guaranteed, OfSlabs;
};

TEST_F(GuaranteedDevice, HasNoOptionalFeatures)
{
  const Device& device = this->Guaranteed->device();
  EXPECT_EQ(device.hostImportAlignment(), 0u);
  EXPECT_FALSE(device.exportsMemory());
  EXPECT_EQ(device.timestampMilliseconds(), 0);
  EXPECT_FALSE(device.hasUnifiedMemory());
  EXPECT_THROW(device.memoryType(~0u, { vk::MemoryPropertyFlagBits::eHostCached }), Error);
  EXPECT_EQ(device.limits().bindingAlignment, RequiredLimits.bindingAlignment);
  const HostBlock block = this->Guaranteed->hostMemory().acquire(1 << 16);
  EXPECT_EQ(this->Guaranteed->hostMemory().importOf(block, this->Guaranteed->device()), nullptr);
}

TEST_F(GuaranteedDevice, GivesTheSameBytesForEveryType)
{
  const std::vector<float> indices = sampleIndices(Size);
  for (const SampleType type : AllSampleTypes)
  {
    SCOPED_TRACE(nameOf(type));
    const Samples samples = sampleNoise(Size, type, 3);
    Volume volume = samples.volume();
    volume.attributes = { { indices.data(), SampleType::Float32, 3 } };
    this->expectSameMeshes(volume, requestOf({ middleOf(type) }));
  }
}

TEST_F(GuaranteedDevice, GivesTheSameBytesForEveryOutput)
{
  const Samples samples = sample(gyroid(20), Size);
  const std::vector<std::uint8_t> flags = flagsOf(samples.count());
  Request request = requestOf({ 0.1, -0.5 });
  request.computeGradients = request.computeCells = true;
  for (const bool merge : { true, false })
    for (const bool hasGhosts : { false, true })
    {
      Volume volume = samples.volume();
      volume.ghosts = hasGhosts ? flags.data() : nullptr;
      volume.padding = { { 1, 1, 1 }, { 1, 1, 1 }, hasGhosts, 0.5f };
      request.mergePoints = merge;
      this->expectSameMeshes(volume, request);
    }
}

// The validation layer reports a copy that begins or ends beyond an array. Measured surfaces are on the device first.
TEST_F(GuaranteedDevice, GivesTheSameBytesForMeasuredLists)
{
  const Samples sphereSamples = sample(sphere({ 10, 10, 10 }, 6), { 24, 20, 20 });
  const Samples noise = sampleNoise({ 12, 9, 8 }, SampleType::Float32, 3);
  const Samples flat = sampleNoise({ 5, 1, 1 }, SampleType::Float32, 4);
  const std::vector<Volume> volumes{ Volume(), sphereSamples.volume(), flat.volume(), noise.volume(), Volume() };
  Request request = requestOf({ 0 });
  request.computeMeasures = true;
  VulkanSession session(this->Guaranteed, std::make_shared<VolumeCache>(this->Guaranteed));
  const Surface together = *session.extract(volumes, request, this->LastReport);
  ASSERT_EQ(together.meshes.size(), volumes.size());
  for (std::size_t i = 0; i < volumes.size(); ++i)
  {
    SCOPED_TRACE(i);
    const Surface alone = *session.extract({ volumes[i] }, request, this->LastReport);
    EXPECT_EQ(together.meshes[i].triangleCount != 0, i == 1 || i == 3); // the sphere and the noise
    expectSameBytes(together.meshes[i], alone.meshes.front());
  }
}

TEST_F(GuaranteedDevice, CountsTheSameValues)
{
  for (const SampleType type : { SampleType::UInt8, SampleType::Int16, SampleType::Float32, SampleType::Float64 })
  {
    SCOPED_TRACE(nameOf(type));
    const Samples samples = sampleNoise(Size, type, 5);
    const Bins bins = { rangeOf(type)[0], rangeOf(type)[1], 200 };
    const ValueCounts expected = this->countOn(this->sharedContext(), samples.volume(), bins);
    for (const auto& context : { this->Guaranteed, this->OfSlabs })
    {
      const ValueCounts counts = this->countOn(context, samples.volume(), bins);
      EXPECT_EQ(counts.samples, expected.samples);
      EXPECT_EQ(counts.cutCells, expected.cutCells);
    }
  }
}

TEST_F(GuaranteedDevice, CastsTheSameRays)
{
  const Samples samples = sample(gyroid(20), Size);
  View view{};
  view.eye = { 60, -45, 20 };
  view.center = { 14, 11, 75 };
  view.size = 1;
  view.nearPlane = 1;
  view.farPlane = 300;
  RayRequest request;
  request.isovalues = { 0.2, -0.3 };
  request.camera = cameraOf(view, 80, 60);
  const auto castOn = [&](const std::shared_ptr<Context>& context)
  {
    VulkanSession session(context, std::make_shared<VolumeCache>(context));
    return session.cast(samples.volume(), request, this->LastReport).onHost;
  };
  const RayPicture expected = castOn(this->sharedContext());
  EXPECT_TRUE(std::any_of(expected.begin(), expected.end(), [](const RayHit& hit) { return hit.t != NoHit.t; }));
  for (const auto& context : { this->Guaranteed, this->OfSlabs })
    EXPECT_EQ(std::memcmp(castOn(context).begin(), expected.begin(), expected.size() * sizeof(RayHit)), 0);
}

}
